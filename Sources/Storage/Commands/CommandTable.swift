import Samples

/// The statements that queue commands. Inside the caller's transaction; whoever gets a fault has changed nothing.
final class CommandTable {
    private let find, put, spentVersion, counter, setCounter, base, skipCounters, skipVersions: Statement
    private let withdrawWaiting, withdrawOne, touchCounter: Statement
    private let connection: Connection

    init(_ connection: Connection) throws(StoreError) {
        self.connection = connection
        find = try connection.prepare(
            "\(CommandRow.select(schema: Migrations.newest)) WHERE c.endpoint = ?1 AND c.name = ?2")
        // The latest version takes the earlier one's row and a new place. The link to a sample stays.
        put = try connection.prepare(
            """
            INSERT INTO command (id, endpoint, name, version, op, type, value, value_text, value_name, unit, start, "end",
              body, state, sent, queued_at)
            SELECT ifnull(max(id), 0) + 1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, 'waiting', 0, ?13
              FROM command WHERE true
            ON CONFLICT (endpoint, name) DO UPDATE SET id = excluded.id, version = excluded.version, op = excluded.op,
              type = excluded.type, value = excluded.value, value_text = excluded.value_text,
              value_name = excluded.value_name, unit = excluded.unit, start = excluded.start, "end" = excluded."end",
              body = excluded.body, state = excluded.state, reason = NULL, result = NULL, sent = 0,
              queued_at = excluded.queued_at, first_sent_at = NULL, last_sent_at = NULL, result_at = NULL
            """)
        spentVersion = try connection.prepare("SELECT version FROM command_spent WHERE endpoint = ?1 AND name = ?2")
        counter = try connection.prepare("SELECT last FROM command_counter WHERE endpoint = ?1")
        base = try connection.prepare("SELECT last FROM command_counter WHERE endpoint = 0")
        setCounter = try connection.prepare(
            """
            INSERT INTO command_counter (endpoint, last, revision) VALUES (?1, ?2, 1)
              ON CONFLICT (endpoint) DO UPDATE SET last = excluded.last, revision = revision + 1
            """)
        withdrawWaiting = try connection.prepare(
            """
            UPDATE command SET state = 'rejected', reason = 'endpoint_removed', result_at = ?2
            WHERE endpoint = ?1 AND state = 'waiting'
            """)
        withdrawOne = try connection.prepare(
            """
            UPDATE command SET state = 'rejected', reason = 'withdrawn', result_at = ?3
            WHERE endpoint = ?1 AND name = ?2 AND state = 'waiting' AND sent = 0
            """)
        touchCounter = try connection.prepare("UPDATE command_counter SET revision = revision + 1 WHERE endpoint = ?1")
        skipCounters = try connection.prepare("UPDATE command_counter SET last = last + ?1")
        skipVersions = try connection.prepare(
            """
            INSERT INTO command_spent (endpoint, name, version)
              SELECT endpoint, name, max(version) + ?1 FROM
                (SELECT endpoint, name, version FROM command UNION ALL SELECT endpoint, name, version FROM command_spent)
              GROUP BY endpoint, name
              ON CONFLICT (endpoint, name) DO UPDATE SET version = excluded.version
            """)
    }

    /// - Parameter draft: checked, and a write.
    func write(
        _ draft: CommandDraft, endpoint: Int64, now: Timestamp
    ) throws(StoreError) -> Result<CommandRow, CommandFault> {
        let start = try value(of: base) ?? 0
        var last = try value(of: counter, endpoint) ?? start
        let id: String
        if let given = draft.id {
            id = given
        } else {
            // An id that was given by hand may be in the way.
            repeat {
                guard last < CommandQueue.maximumNumber else { return .failure(.exhausted) }
                last += 1
            } while try isKnown("c_\(last)", endpoint)
            id = "c_\(last)"
        }
        var version: Int64 = 1
        if let present = try row(id, endpoint) {
            guard present.type == draft.type else { return .failure(.otherType(present.type)) }
            version = max(present.version, try value(of: spentVersion, endpoint, id) ?? 0) + 1
        } else if let spent = try value(of: spentVersion, endpoint, id) {
            version = spent + 1
        } else if draft.id != nil {
            version = start + 1  // after a restore the phone may know it
        }
        guard version <= CommandQueue.maximumNumber else { return .failure(.exhausted) }
        return try put(draft, id: id, version: version, endpoint: endpoint, last: last, now: now)
    }

    /// - Parameter type: what the command's type must be; nil for any.
    func delete(
        id: String?, type: String?, endpoint: Int64, now: Timestamp
    ) throws(StoreError) -> Result<CommandRow, CommandFault> {
        guard let id, let present = try row(id, endpoint) else { return .failure(.unknown) }
        if let type, type != present.type { return .failure(.otherType(present.type)) }
        if present.op == .delete && present.state != .rejected { return .success(present) }
        let version = max(present.version, try value(of: spentVersion, endpoint, id) ?? 0) + 1
        guard version <= CommandQueue.maximumNumber else { return .failure(.exhausted) }
        let last = try value(of: counter, endpoint) ?? 0
        return try put(
            CommandDraft(op: .delete, type: present.type), id: id, version: version, endpoint: endpoint, last: last,
            now: now)
    }

    /// - Returns: how many waited.
    func withdraw(endpoint: Int64, now: Timestamp) throws(StoreError) -> Int {
        withdrawWaiting.bind(1, endpoint)
        withdrawWaiting.bind(2, now.microseconds)
        try withdrawWaiting.run()
        let count = connection.changes
        touchCounter.bind(1, endpoint)
        try touchCounter.run()
        return count
    }

    /// Ends one command that waits and never went out; one that was withdrawn before stays as it is.
    func withdraw(
        id: String, endpoint: Int64, now: Timestamp
    ) throws(StoreError) -> Result<CommandRow, CommandFault> {
        guard let before = try row(id, endpoint) else { return .failure(.unknown) }
        if before.state == .rejected, before.sent == 0, before.reason == "withdrawn" { return .success(before) }
        withdrawOne.bind(1, endpoint)
        withdrawOne.bind(2, text: id)
        withdrawOne.bind(3, now.microseconds)
        try withdrawOne.run()
        guard connection.changes == 1, let row = try row(id, endpoint) else { return .failure(.sent) }
        touchCounter.bind(1, endpoint)
        try touchCounter.run()
        return .success(row)
    }

    func skipAhead(by count: Int64) throws(StoreError) {
        for statement in [skipCounters, skipVersions] {
            statement.bind(1, count)
            try statement.run()
        }
    }

    private func put(
        _ draft: CommandDraft, id: String, version: Int64, endpoint: Int64, last: Int64, now: Timestamp
    ) throws(StoreError) -> Result<CommandRow, CommandFault> {
        var number: Double?, numberText: String?, name: String?
        switch draft.value {
        case nil: break
        case .number(let value, let text): (number, numberText) = (value, text)
        case .name(let text): name = text
        }
        put.bind(1, endpoint)
        put.bind(2, text: id)
        put.bind(3, version)
        put.bind(4, text: draft.op.rawValue)
        put.bind(5, text: draft.type)
        put.bind(6, number)
        put.bind(7, text: numberText)
        put.bind(8, text: name)
        put.bind(9, text: draft.unit)
        put.bind(10, draft.start?.microseconds)
        put.bind(11, (draft.end ?? draft.start)?.microseconds)
        put.bind(12, text: CommandText.object(draft, id: id, version: version))
        put.bind(13, now.microseconds)
        try put.run()
        setCounter.bind(1, endpoint)
        setCounter.bind(2, last)
        try setCounter.run()
        guard let row = try row(id, endpoint) else { throw StoreError(.damaged, detail: "a command is gone at once") }
        return .success(row)
    }

    // MARK: Looking

    private func row(_ id: String, _ endpoint: Int64) throws(StoreError) -> CommandRow? {
        find.bind(1, endpoint)
        find.bind(2, text: id)
        guard try find.step() else { return nil }
        defer { find.reset() }
        return CommandRow(find)
    }

    private func isKnown(_ id: String, _ endpoint: Int64) throws(StoreError) -> Bool {
        if try row(id, endpoint) != nil { return true }
        return try value(of: spentVersion, endpoint, id) != nil
    }

    private func value(
        of statement: Statement, _ endpoint: Int64? = nil, _ id: String? = nil
    ) throws(StoreError) -> Int64? {
        if let endpoint { statement.bind(1, endpoint) }
        if let id { statement.bind(2, text: id) }
        guard try statement.step() else { return nil }
        defer { statement.reset() }
        return statement.integer(0)
    }
}
