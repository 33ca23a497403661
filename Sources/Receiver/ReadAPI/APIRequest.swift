package import Insights
package import Samples
package import Storage
import Transport
package import Wire

/// A request whose token, parameters and form were found right, on the reader thread that answers it.
///
/// Not for another thread: it lends the thread its database connection.
package struct APIRequest {
    package let context: APIContext
    /// nil for an open route.
    let caller: APIAuthenticator.Caller?
    /// What the token allows; of an open route, nothing.
    package let grant: APIGrant
    /// What `Accept` came to.
    package let format: APIFormat
    /// Of the path's braces, decoded.
    package let captures: [String: String]
    /// By name, decoded; no name that the route doesn't have.
    package let query: [String: String]
    package let fields: Fields
    package let body: PaddedBytes
    package let now: Timestamp
    /// Behind a proxy of ours the one whom it names.
    let client: SocketAddress
    /// Between the client and us, or a proxy of ours.
    let isEncrypted: Bool
    let lease: ReadingLease

    // MARK: Who

    /// The person that the request is about: `person=`, else the token's, else the only one that there is.
    ///
    /// - Throws: 403 `person_forbidden`, 404 `person_unknown`; 400 when there are several and none was named.
    package func person() throws -> Person {
        let setup = context.readSetup
        if let wanted = query["person"] {
            guard grant.allows(person: wanted) else {
                throw APIProblem(403, "person_forbidden", "This token is not for that person.", parameter: "person")
            }
            if let person = setup.persons.first(where: { $0.name.utf8.elementsEqual(wanted.utf8) }) { return person }
            let isKnown = try grant.person != nil || lease.storedPersons().contains(wanted)
            guard isKnown else {
                throw APIProblem(404, "person_unknown", "Nobody of that name is known here.", parameter: "person")
            }
            return Person(name: wanted, zoneName: "UTC", zone: .utc)
        }
        if let own = grant.person {
            return setup.persons.first { $0.name.utf8.elementsEqual(own.utf8) }
                ?? Person(name: own, zoneName: "UTC", zone: .utc)
        }
        if setup.persons.count == 1 { return setup.persons[0] }
        let stored = try lease.storedPersons()
        if setup.persons.isEmpty, stored.count == 1 { return Person(name: stored[0], zoneName: "UTC", zone: .utc) }
        guard setup.persons.isEmpty, stored.isEmpty else { throw APIProblem.missing("person") }
        throw APIProblem(
            404, "person_unknown", "There is nobody yet: server add makes an endpoint.", parameter: "person")
    }

    // MARK: What is stored

    /// The read model, for as long as the answer is made.
    ///
    /// - Returns: nil when nothing was ever stored, which is an empty answer and no fault.
    package func readModel() throws -> ReadModel? { try lease.readModel() }

    /// The same for questions that no read model answers.
    package func storeReader() throws -> StoreReader? { try lease.storeReader() }

    // MARK: Parameters

    /// The parameter's text; nil when it wasn't given.
    package func text(_ name: String) -> String? { query[name] }

    package func requiredText(_ name: String) throws(APIProblem) -> String {
        guard let text = query[name], !text.isEmpty else { throw APIProblem.missing(name) }
        return text
    }

    /// The type that the request is about, which the token must be for.
    package func requiredType(_ name: String = "type") throws(APIProblem) -> String {
        let type = try requiredText(name)
        try requireType(type, parameter: name)
        return type
    }

    /// - Throws: 403 `type_forbidden` when the token isn't for it.
    package func requireType(_ type: String, parameter: String? = nil) throws(APIProblem) {
        guard grant.allows(type: type) else { throw APIProblem.typeForbidden(parameter: parameter) }
    }

    /// What stands between commas; nil when the parameter wasn't given. At most 100, none of them empty.
    package func list(_ name: String) throws(APIProblem) -> [String]? {
        guard let text = query[name] else { return nil }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard parts.count <= 100, !parts.contains("") else {
            throw APIProblem.invalid(name, "The parameter \(name) takes at most 100 names with commas between them.")
        }
        return parts
    }

    /// Types between commas, each of which the token must be for. Without the parameter those of the token; nil for all.
    package func types(_ name: String = "types") throws(APIProblem) -> Set<String>? {
        guard let types = try list(name) else { return grant.types }
        for type in types { try requireType(type, parameter: name) }
        return Set(types)
    }

    package func integer(_ name: String, in range: ClosedRange<Int>) throws(APIProblem) -> Int? {
        guard let text = query[name] else { return nil }
        let isNumber =
            (1...18).contains(text.utf8.count)
            && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard isNumber, let number = Int(text), range.contains(number) else {
            throw APIProblem.invalid(
                name, "The parameter \(name) takes a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    /// The parameter `limit`: 1 to 10,000, 1,000 without it.
    package func limit() throws(APIProblem) -> Int { try integer("limit", in: 1...10_000) ?? 1_000 }

    package func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, _ type: Choice.Type = Choice.self
    ) throws(APIProblem) -> Choice? {
        guard let text = query[name] else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let all = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw APIProblem.invalid(name, "The parameter \(name) takes one of \(all).")
        }
        return choice
    }

    /// `true` or `false`; false without it.
    package func flag(_ name: String) throws(APIProblem) -> Bool {
        switch query[name] {
        case nil, "false"?: return false
        case "true"?: return true
        default: throw APIProblem.invalid(name, "The parameter \(name) takes true or false.")
        }
    }

    /// A time of RFC 3339, or a day as the begin of that day by the person's clock.
    package func time(_ name: String, of person: Person) throws(APIProblem) -> Timestamp? {
        guard let text = query[name] else { return nil }
        // A plus sign in a query is a blank, and everybody forgets to escape the one of an offset.
        let bytes = text.utf8.map { $0 == 0x20 ? UInt8(ascii: "+") : $0 }
        if let time = Timestamp.parse(bytes.span) { return time.timestamp }
        if let day = CivilDate.parse(bytes.span) {
            // Four digits of years: the product is far from an overflow.
            let local = Int64(day.daysSince1970) * 86_400
            return Timestamp(
                microseconds: (local - Int64(person.zone.offsetSeconds(atLocalSeconds: local))) * 1_000_000)
        }
        throw APIProblem.invalid(
            name, "The parameter \(name) takes a time such as 2026-10-01T00:00:00Z, or a day such as 2026-10-01.")
    }

    /// `from` and `to`, both of them needed, `from` not behind `to`.
    package func requiredRange(of person: Person) throws(APIProblem) -> Range<Timestamp> {
        guard let from = try time("from", of: person) else { throw APIProblem.missing("from") }
        guard let to = try time("to", of: person) else { throw APIProblem.missing("to") }
        guard from <= to else { throw APIProblem.invalid("to", "The parameter to must not be before from.") }
        return from..<to
    }
}
