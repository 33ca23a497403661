/// What the phone says has become of one version of a command.
package struct CommandResult: Equatable, Sendable {
    /// `command_id`.
    package var id: String
    package var version: Int64
    /// `applied` or `rejected`.
    package var isApplied: Bool
    /// Of a rejection, in the phone's word, known to us or not; nil when it gave none.
    package var reason: String?
    /// The whole object as the phone wrote it, members that we don't know included.
    package var json: [UInt8]

    package init(id: String, version: Int64, isApplied: Bool, reason: String? = nil, json: [UInt8] = []) {
        self.id = id
        self.version = version
        self.isApplied = isApplied
        self.reason = reason
        self.json = json
    }
}
