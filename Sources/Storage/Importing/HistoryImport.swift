package import Samples
import Glibc

/// A file as an import knows it again.
package struct ImportedFile: Equatable, Sendable {
    /// In bytes.
    package var size: Int
    /// SHA-256 of its first and last 64 KiB.
    package var digest: [UInt8]

    package init(size: Int, digest: [UInt8]) {
        self.size = size
        self.digest = digest
    }
}

/// `server import`: stores a file's samples beside a server that runs, a few thousand a transaction, with how far it came.
///
/// An interruption loses what is not committed and nothing else: the run goes on behind the last element whose samples are
/// stored. Each transaction holds the turnstile, and between two there is a pause, so the server waits for one at most.
package final class HistoryImport {
    package struct Target: Sendable {
        package var endpoint: String
        package var person: String
        package init(endpoint: String, person: String) {
            self.endpoint = endpoint
            self.person = person
        }
    }

    /// Between two transactions, so that the server's writer gets its turn.
    private static let pauseMicroseconds: UInt32 = 2_000

    private let writer: Writer
    private let target: Target
    private let file: ImportedFile
    private let isServed: Bool
    private let sliceEntries: Int
    private let now: @Sendable () -> Timestamp
    private let findRun, addRun, setRun, extendDelivery, deliveryExists: Statement
    /// Number of the run's row.
    private var run: Int64
    /// Of the run's row in `delivery`; 0 until something is stored.
    private var delivery: Int64
    /// Elements of the file that an earlier run has read: the decoder leaves them out.
    package let done: Int
    package private(set) var outcome = StoreOutcome()

    /// Opens the store, and finds or begins the run of this file.
    ///
    /// - Throws: `.missing` where there is no store, `.locked` when the server leaves no gap.
    package init(
        directory: String, target: Target, file: ImportedFile, options: StoreOptions = StoreOptions()
    ) throws(StoreError) {
        var options = options
        options.isServer = false
        let folder = try DataFolder(existing: directory)
        writer = try Writer(folder, options, create: true)
        sliceEntries = options.keys.sliceEntries
        try writer.finishRebuild(entries: sliceEntries)
        isServed = ServeLock.holder(of: folder) != nil
        self.target = target
        self.file = file
        now = options.now
        let connection = writer.connection
        findRun = try connection.prepare(
            "SELECT id, elements, delivery FROM import_run WHERE endpoint = ?1 AND size = ?2 AND digest = ?3")
        addRun = try connection.prepare(
            """
            INSERT INTO import_run (endpoint, size, digest, elements, delivery, started_at, updated_at)
            VALUES (?1, ?2, ?3, 0, 0, ?4, ?4)
            """)
        setRun = try connection.prepare(
            "UPDATE import_run SET elements = ?2, delivery = ?3, updated_at = ?4 WHERE id = ?1")
        extendDelivery = try connection.prepare(
            """
            UPDATE delivery SET stored = stored + ?2, changed = changed + ?3, repeated = repeated + ?4,
              deleted = deleted + ?5, skipped = skipped + ?6 WHERE id = ?1
            """)
        deliveryExists = try connection.prepare("SELECT 1 FROM delivery WHERE id = ?1")
        let (writer, findRun, addRun, now) = (writer, findRun, addRun, now)
        (run, done, delivery) = try writer.alone { () throws(StoreError) in
            let endpoint = try writer.dictionaries.endpoint(target.endpoint)
            for statement in [findRun, addRun] {
                statement.bind(1, endpoint)
                statement.bind(2, file.size)
                statement.bind(3, blob: file.digest)
            }
            if try findRun.step() {
                defer { findRun.reset() }
                return (findRun.integer(0), Int(clamping: findRun.integer(1)), findRun.integer(2))
            }
            addRun.bind(4, now().microseconds)
            try addRun.run()
            return (writer.connection.lastInsertedID, 0, 0)
        }
        // A run that is through begins anew, with counts of its own.
        if done == 0 { delivery = 0 }
    }

    /// Stores samples, and that the file is read up to `elements`.
    package func store(_ batch: SampleBatch, dialect: Dialect, device: [UInt8], elements: Int) throws(StoreError) {
        try transaction(dialect, elements: elements) { (origin) throws(StoreError) in
            let device = try writer.dictionaries.device(person: target.person, name: device)
            return try writer.samples.apply(
                batch,
                from: SampleOrigin(
                    device: device, endpoint: origin.endpoint, delivery: origin.delivery, dialect: origin.dialect))
        }
    }

    /// Stores a body of samples that share slots, decoded within one transaction.
    package func store(_ stream: SampleStream, dialect: Dialect, device: [UInt8]) throws(StoreError) {
        let skipped = try SkippedRows(writer.connection)
        let submission = Submission(
            receivedAt: now(), endpoint: target.endpoint, person: target.person, device: device, kind: .data,
            dialect: dialect, bodyBytes: file.size, status: 204, content: .stream(stream))
        try transaction(dialect, elements: 0) { (origin) throws(StoreError) in
            let device = try writer.dictionaries.device(person: target.person, name: device)
            var request = MergingRequest(
                SampleOrigin(
                    device: device, endpoint: origin.endpoint, delivery: origin.delivery, dialect: origin.dialect),
                submission, nil)
            try request.take(stream, writer.samples, skipped)
            return try request.finish(writer.samples, skipped).0
        }
    }

    /// Says that the whole file is read: the next run begins at its start.
    package func finish(skipped: Int) throws(StoreError) {
        try transaction(nil, elements: 0) { (_) throws(StoreError) in
            var outcome = StoreOutcome()
            outcome.skipped = skipped
            return outcome
        }
    }

    /// An index that turns out to be damaged is made anew first: without a server nobody else does.
    private func transaction(
        _ dialect: Dialect?, elements: Int, _ body: (SampleOrigin) throws(StoreError) -> StoreOutcome
    ) throws(StoreError) {
        do throws(StoreError) { try attempt(dialect, elements: elements, body) } catch {
            guard error.reason == .rebuilding else { throw error }
            try writer.finishRebuild(entries: sliceEntries)
            try attempt(dialect, elements: elements, body)
        }
        if isServed { usleep(Self.pauseMicroseconds) }
    }

    private func attempt(
        _ dialect: Dialect?, elements: Int, _ body: (SampleOrigin) throws(StoreError) -> StoreOutcome
    ) throws(StoreError) {
        let before = delivery
        do throws(StoreError) {
            outcome += try writer.alone { () throws(StoreError) in
                let endpoint = try writer.dictionaries.endpoint(target.endpoint)
                let next = try writer.ledger.open()
                var isNew = delivery == 0
                if !isNew {
                    // It may have been purged in between.
                    deliveryExists.bind(1, delivery)
                    isNew = try !deliveryExists.step()
                    deliveryExists.reset()
                }
                if isNew {
                    // Nothing to account for: no row of its own.
                    if dialect == nil && delivery == 0 { return StoreOutcome() }
                    delivery = next
                }
                let outcome = try body(
                    SampleOrigin(device: 0, endpoint: endpoint, delivery: delivery, dialect: (dialect ?? .apple).code))
                if isNew {
                    let submission = Submission(
                        receivedAt: now(), endpoint: target.endpoint, person: target.person, kind: .data,
                        dialect: dialect ?? .apple, bodyBytes: file.size, status: 200)
                    try writer.ledger.close(delivery: delivery, endpoint: endpoint, submission, outcome)
                } else {
                    extendDelivery.bind(1, delivery)
                    extendDelivery.bind(2, outcome.stored)
                    extendDelivery.bind(3, outcome.changed)
                    extendDelivery.bind(4, outcome.repeated)
                    extendDelivery.bind(5, outcome.deleted)
                    extendDelivery.bind(6, outcome.skipped)
                    try extendDelivery.run()
                    try writer.ledger.closeSlice(of: delivery, at: now())
                    try writer.ledger.settle(endpoint: endpoint, at: now(), outcome)
                }
                setRun.bind(1, run)
                setRun.bind(2, elements)
                setRun.bind(3, delivery)
                setRun.bind(4, now().microseconds)
                try setRun.run()
                return outcome
            }
        } catch {
            delivery = before
            throw error
        }
    }
}
