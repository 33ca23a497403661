package import Samples

/// Queues commands for the phone, beside a server that runs or not: with its own connection, through the turnstile.
///
/// What is queued goes out in the reply to the endpoint's next data request, from then on in each until the phone's result
/// for the latest version is there. Used by one thread at a time.
package final class CommandQueue {
    /// How far `skipAhead` goes: more commands than a person queues between two backups.
    package static let skippedByRestore: Int64 = 1_000
    /// Versions and counted ids stay exact in a JSON reader that has doubles alone.
    static let maximumNumber: Int64 = 1 << 53

    private let writer: Writer
    private let table: CommandTable

    /// Opens `DIR/health.db`, making and migrating it where needed.
    package init(directory: String, options: StoreOptions = StoreOptions()) throws(StoreError) {
        var options = options
        options.isServer = false
        writer = try Writer(try DataFolder.prepare(directory), options, create: true)
        table = try CommandTable(writer.connection)
    }

    /// Queues a write, or with `.delete` what `delete` does, which needs the id and the command's own type.
    ///
    /// An id that the endpoint has already makes the next version of that command, in place of the earlier one.
    ///
    /// - Parameter endpoint: NAME; it need not have stored anything yet.
    package func add(
        _ draft: CommandDraft, endpoint: String, now: Timestamp
    ) throws(CommandFault) -> CommandRow {
        if let id = draft.id { try CommandText.checkID(id) }
        try CommandText.check(draft)
        return try alone { [writer, table] () throws(StoreError) in
            let number = try writer.dictionaries.endpoint(endpoint)
            if draft.op == .delete {
                return try table.delete(id: draft.id, type: draft.type, endpoint: number, now: now)
            }
            return try table.write(draft, endpoint: number, now: now)
        }
    }

    /// Queues the removal of what a command wrote, as its next version.
    ///
    /// A command whose latest version is a delete that waits or was applied stays as it is.
    package func delete(id: String, endpoint: String, now: Timestamp) throws(CommandFault) -> CommandRow {
        try CommandText.checkID(id)
        return try alone { [writer, table] () throws(StoreError) in
            let number = try writer.dictionaries.endpoint(endpoint)
            return try table.delete(id: id, type: nil, endpoint: number, now: now)
        }
    }

    /// For a database that was restored from a backup: what was queued after the backup is known to the phone and no
    /// longer to us. Counted ids go on 1,000 higher, so do versions, and a new id starts at a higher version.
    package func skipAhead() throws(StoreError) {
        try writer.alone { () throws(StoreError) in try table.skipAhead(by: Self.skippedByRestore) }
    }

    /// Ends the commands that wait on an endpoint, as rejected with the reason `endpoint_removed`: whoever is paired under
    /// its name later is perhaps somebody else.
    ///
    /// - Returns: how many.
    package func withdraw(endpoint: String, now: Timestamp) throws(StoreError) -> Int {
        try writer.alone { () throws(StoreError) in
            try table.withdraw(endpoint: try writer.dictionaries.endpoint(endpoint), now: now)
        }
    }

    /// Ends a command that waits and never went out, as rejected with the reason `withdrawn`.
    ///
    /// - Throws: `.unknown`; `.sent` when it went out in a reply, or has its result.
    package func withdraw(id: String, endpoint: String, now: Timestamp) throws(CommandFault) -> CommandRow {
        try CommandText.checkID(id)
        return try alone { [writer, table] () throws(StoreError) in
            try table.withdraw(id: id, endpoint: try writer.dictionaries.endpoint(endpoint), now: now)
        }
    }

    private func alone(
        _ body: () throws(StoreError) -> Result<CommandRow, CommandFault>
    ) throws(CommandFault) -> CommandRow {
        let result: Result<CommandRow, CommandFault>
        do throws(StoreError) {
            result = try writer.alone(body)
        } catch {
            throw .store(error)
        }
        return try result.get()
    }
}
