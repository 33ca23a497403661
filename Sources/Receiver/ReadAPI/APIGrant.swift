/// What a token allows, as far as routes need to know.
package struct APIGrant: Equatable, Sendable {
    package enum Scope: String, CaseIterable, Sendable { case read, write }

    /// The token's name.
    package var name: String
    package var scope: Scope
    /// The one person whose data it is for; nil for all.
    package var person: String?
    /// nil for all.
    package var types: Set<String>?

    package init(name: String, scope: Scope, person: String?, types: Set<String>?) {
        self.name = name
        self.scope = scope
        self.person = person
        self.types = types
    }

    package func allows(type: String) -> Bool { types?.contains(type) ?? true }
    package func allows(person name: String) -> Bool { person.map { $0.utf8.elementsEqual(name.utf8) } ?? true }
}
