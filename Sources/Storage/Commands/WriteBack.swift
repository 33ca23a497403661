import Samples

/// What the reply to a data request may carry.
package struct CommandRequest: Sendable {
    /// Longest message, in bytes: commands that don't fit wait for the next request.
    package var maximumBytes: Int
    /// The sender's name for this server (`wh_…`), which is part of the sync identifier of what it writes for us.
    package var destination: [UInt8]?

    package init(maximumBytes: Int, destination: [UInt8]? = nil) {
        self.maximumBytes = maximumBytes
        self.destination = destination
    }
}

/// What the results of one request did.
package struct ResultsOutcome: Equatable, Sendable {
    /// Commands that ended.
    package var applied = 0
    package var rejected = 0
    /// Results for a version that a newer one has replaced.
    package var late = 0
    /// Results for a version that had one; when it says something else, it takes the earlier one's place.
    package var repeated = 0
    /// Results for an id that the endpoint has no command of, or for a version that was never queued.
    package var unknown = 0
    package init() {}
}

/// Commands in the writer's transaction: into replies, ended by results, linked to the samples they came back as.
final class WriteBack {
    private let revision, waiting, markSent, touch, unlinked, link: Statement
    private let find, settle, learn, count: Statement
    private let keys: SampleKeys
    /// By endpoint; what another process queued shows in the revision.
    private var candidates: [Int64: (revision: Int64, candidates: EchoCandidates)] = [:]

    init(_ connection: Connection, keys: SampleKeys) throws(StoreError) {
        self.keys = keys
        revision = try connection.prepare("SELECT revision FROM command_counter WHERE endpoint = ?1")
        waiting = try connection.prepare(
            """
            SELECT id, body, sent FROM command INDEXED BY command_waiting
            WHERE endpoint = ?1 AND state = 'waiting' ORDER BY sent, id
            """)
        markSent = try connection.prepare(
            """
            UPDATE command SET sent = sent + 1, first_sent_at = ifnull(first_sent_at, ?2), last_sent_at = ?2 WHERE id = ?1
            """)
        touch = try connection.prepare("UPDATE command_counter SET revision = revision + 1 WHERE endpoint = ?1")
        unlinked = try connection.prepare(EchoCandidates.select)
        link = try connection.prepare(
            "UPDATE command SET link_device = ?2, link_uuid = ?3, link_version = version WHERE id = ?1")
        find = try connection.prepare(
            "SELECT id, version, state, reason FROM command WHERE endpoint = ?1 AND name = ?2")
        settle = try connection.prepare(
            "UPDATE command SET state = ?2, reason = ?3, result = ?4, result_at = ?5 WHERE id = ?1")
        learn = try connection.prepare(
            """
            INSERT INTO command_spent (endpoint, name, version) VALUES (?1, ?2, ?3)
              ON CONFLICT (endpoint, name) DO UPDATE SET version = max(version, excluded.version)
            """)
        count = try connection.prepare(
            """
            INSERT INTO command_counter (endpoint, last, late, repeated, unknown)
              SELECT ?1, last, ?2, ?3, ?4 FROM command_counter WHERE endpoint = 0
              ON CONFLICT (endpoint) DO UPDATE SET revision = revision + 1, late = late + excluded.late,
              repeated = repeated + excluded.repeated, unknown = unknown + excluded.unknown
            """)
    }

    /// After a rollback: what was remembered may never have been.
    func forget() { candidates = [:] }

    /// What a submission has to do with commands; nil when that is nothing, as nearly always: one lookup tells.
    func round(for submission: Submission, endpoint: Int64) throws(StoreError) -> WriteBackRound? {
        guard let request = submission.commands, submission.kind == .data, submission.content.isData else { return nil }
        revision.bind(1, endpoint)
        guard try revision.step() else { return nil }
        let now = revision.integer(0)
        revision.reset()
        if candidates[endpoint]?.revision != now {
            candidates[endpoint] = (now, try loadCandidates(endpoint))
        }
        return WriteBackRound(self, request, endpoint: endpoint, receivedAt: submission.receivedAt)
    }

    // MARK: Replies

    /// All commands that wait, as many as fit: those sent fewest times first, then the oldest; listed in queue order.
    ///
    /// They count as sent once the transaction is committed, whether the reply arrives or not.
    ///
    /// - Returns: how many, and the whole message; empty when nothing waits.
    func message(
        _ request: CommandRequest, endpoint: Int64, now: Timestamp
    ) throws(StoreError) -> (count: Int, bytes: [UInt8]) {
        var chosen: [(id: Int64, body: [UInt8])] = []
        var bytes = CommandText.messageHead.count + CommandText.messageTail.count
        var isFirstTime = false
        waiting.bind(1, endpoint)
        while try waiting.step() {
            let body = waiting.bytes(1)
            let size = bytes + body.count + (chosen.isEmpty ? 0 : 1)
            if size > request.maximumBytes {
                waiting.reset()
                break
            }
            bytes = size
            chosen.append((waiting.integer(0), body))
            if waiting.integer(2) == 0 { isFirstTime = true }
        }
        if chosen.isEmpty { return (0, []) }
        chosen.sort { $0.id < $1.id }
        var message = CommandText.messageHead
        message.reserveCapacity(bytes)
        for (place, command) in chosen.enumerated() {
            if place > 0 { message.append(UInt8(ascii: ",")) }
            message += command.body
            markSent.bind(1, command.id)
            markSent.bind(2, now.microseconds)
            try markSent.run()
        }
        if isFirstTime {
            touch.bind(1, endpoint)
            try touch.run()
        }
        return (chosen.count, message + CommandText.messageTail)
    }

    // MARK: Results

    /// Ends the commands whose latest version a result is for, and counts the results that end none.
    func take(_ results: [CommandResult], endpoint: Int64, at now: Timestamp) throws(StoreError) -> ResultsOutcome {
        var outcome = ResultsOutcome()
        for result in results { try take(result, endpoint, now, &outcome) }
        if results.isEmpty { return outcome }
        count.bind(1, endpoint)
        count.bind(2, outcome.late)
        count.bind(3, outcome.repeated)
        count.bind(4, outcome.unknown)
        try count.run()
        return outcome
    }

    private func take(
        _ result: CommandResult, _ endpoint: Int64, _ now: Timestamp, _ outcome: inout ResultsOutcome
    ) throws(StoreError) {
        find.bind(1, endpoint)
        find.bind(2, text: result.id)
        guard try find.step() else {
            outcome.unknown += 1
            return
        }
        let id = find.integer(0), version = find.integer(1), reason = find.text(3)
        let state = CommandState(rawValue: find.text(2) ?? "") ?? .waiting
        find.reset()
        if result.version < version {
            outcome.late += 1
            return
        }
        if result.version > version {
            outcome.unknown += 1
            // The phone knows more than we do, as after a restored backup: the next version goes above it.
            if result.version - version <= Self.largestLead {
                learn.bind(1, endpoint)
                learn.bind(2, text: result.id)
                learn.bind(3, result.version)
                try learn.run()
            }
            return
        }
        let newState: CommandState = result.isApplied ? .applied : .rejected
        if state != .waiting {
            outcome.repeated += 1
            // The same once more: the first one's time stays. Something else: the phone's last word counts.
            if state == newState && reason == result.reason { return }
        } else if result.isApplied {
            outcome.applied += 1
        } else {
            outcome.rejected += 1
        }
        settle.bind(1, id)
        settle.bind(2, text: newState.rawValue)
        settle.bind(3, text: result.reason)
        settle.bind(4, text: result.json)
        settle.bind(5, now.microseconds)
        try settle.run()
    }

    /// How far above ours a version may be that is believed: one wrong number must not use all of them up.
    private static let largestLead: Int64 = 1_000_000

    // MARK: Echo

    private func loadCandidates(_ endpoint: Int64) throws(StoreError) -> EchoCandidates {
        var loaded = EchoCandidates()
        unlinked.bind(1, endpoint)
        unlinked.bind(2, EchoCandidates.maximum)
        while try unlinked.step() { loaded.insert(EchoCandidate(unlinked)) }
        return loaded
    }

    /// Links commands to those samples of a batch that are what the phone wrote for them.
    func link(_ batch: SampleBatch, _ request: CommandRequest, device: Int64, endpoint: Int64) throws(StoreError) {
        guard let found = candidates[endpoint]?.candidates.matches(in: batch, destination: request.destination) else {
            return
        }
        for (candidate, key) in found {
            link.bind(1, candidate.id)
            link.bind(2, device)
            let bytes = KeyBytes(key, in: batch)
            bytes.bind(link, 3)
            try link.run()
            try bytes.withBound { (bound) throws(StoreError) in try keys.link(device: device, bound) }
            candidates[endpoint]?.candidates.remove(candidate)
        }
    }
}

/// One data request of an endpoint that has, or had, commands.
struct WriteBackRound {
    private let store: WriteBack
    private let request: CommandRequest
    private let endpoint: Int64
    private let receivedAt: Timestamp

    init(_ store: WriteBack, _ request: CommandRequest, endpoint: Int64, receivedAt: Timestamp) {
        self.store = store
        self.request = request
        self.endpoint = endpoint
        self.receivedAt = receivedAt
    }

    func link(_ batch: SampleBatch, device: Int64) throws(StoreError) {
        try store.link(batch, request, device: device, endpoint: endpoint)
    }

    func message() throws(StoreError) -> (count: Int, bytes: [UInt8]) {
        try store.message(request, endpoint: endpoint, now: receivedAt)
    }
}

extension Submission.Content {
    fileprivate var isData: Bool {
        switch self {
        case .batch, .stream: true
        case .none, .results: false
        }
    }
}
