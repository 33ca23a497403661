package import Samples

/// What an authenticated request was for. The raw value is the text of the `kind` column of `deliveries`.
package enum DeliveryKind: String, Sendable { case data, test, results }

/// One authenticated request on its way into the store: its row of `deliveries`, and the samples of a data request.
///
/// A refused request (a status of 400 or more) has no content: it leaves its row and nothing else.
package struct Submission: Sendable {
    package var receivedAt: Timestamp
    /// The endpoint's NAME.
    package var endpoint: String
    /// Scope of the device: whose data the endpoint takes.
    package var person: String
    /// UTF-8, compared as bytes. Ignored when there is no content.
    package var device: [UInt8]
    /// `X-Syncky-Delivery`; nil where the sender has none.
    package var deliveryID: String?
    package var kind: DeliveryKind
    package var dialect: Dialect?
    /// Of the body, as it came.
    package var bodyBytes: Int
    /// The status of the answer, and its error code when it is a refusal.
    package var status: Int
    package var code: String?
    package var content: Content
    /// Has the commands that wait come back with the outcome; looked at for a data request with content alone.
    package var commands: CommandRequest?
    /// Of PulsHealth alone.
    package var wake: PulsWake?

    /// What a request brings.
    package enum Content: Sendable {
        /// A refusal, or a Check connection.
        case none
        case batch(SampleBatch)
        /// A large body, decoded slice by slice inside of the transaction that stores it.
        case stream(SampleStream)
        /// What became of commands.
        case results([CommandResult])
    }

    package init(
        receivedAt: Timestamp, endpoint: String, person: String, device: [UInt8] = [], deliveryID: String? = nil,
        kind: DeliveryKind, dialect: Dialect? = nil, bodyBytes: Int, status: Int, code: String? = nil,
        content: Content = .none, commands: CommandRequest? = nil, wake: PulsWake? = nil
    ) {
        self.receivedAt = receivedAt
        self.endpoint = endpoint
        self.person = person
        self.device = device
        self.deliveryID = deliveryID
        self.kind = kind
        self.dialect = dialect
        self.bodyBytes = bodyBytes
        self.status = status
        self.code = code
        self.content = content
        self.commands = commands
        self.wake = wake
    }
}

/// A body that the writer thread decodes while it stores it, so that memory holds one slice at a time.
package struct SampleStream: Sendable {
    package typealias Sink = (SampleBatch) throws(StoreError) -> Void

    /// What the queue's bound counts for it, in bytes.
    package var bytes: Int
    /// Decodes the whole body and gives each slice to the sink, in order, on the thread that calls it.
    ///
    /// - Throws: a `DecodeFault` when the body is refused: then nothing of it is stored, slices that were given included.
    package var run: @Sendable (Sink) throws -> Void

    package init(bytes: Int, run: @escaping @Sendable (Sink) throws -> Void) {
        self.bytes = bytes
        self.run = run
    }
}

extension SampleStream {
    /// Decodes the body and gives each slice to `take`.
    ///
    /// - Throws: what `take` threw first, else `.refused` with the decoder's fault.
    func forEachSlice(_ take: (SampleBatch) throws(StoreError) -> Void) throws(StoreError) {
        var failure: StoreError?
        do {
            try run { (slice) throws(StoreError) in
                if let failure { throw failure }
                do throws(StoreError) { try take(slice) } catch {
                    failure = error
                    throw error
                }
            }
        } catch let fault as DecodeFault {
            // A fault of the store comes first: what was read after it was not stored.
            throw failure ?? StoreError(.refused(fault))
        } catch {
            throw failure ?? (error as? StoreError) ?? StoreError(.failed, detail: "a body could not be read again")
        }
        if let failure { throw failure }
    }
}

/// What became of a submission that is durable now.
package struct StoreOutcome: Equatable, Sendable {
    /// Rows that were not there before.
    package var stored = 0
    /// Rows that were there with other content, start or type.
    package var changed = 0
    /// Rows that were there exactly so.
    package var repeated = 0
    /// Rows that a deletion removed.
    package var deleted = 0
    /// Records that the decoder left out with a reason.
    package var skipped = 0
    /// The commands message to answer with, whole; empty when none waits or none was asked for.
    package var commandsMessage: [UInt8] = []
    package var commandsSent = 0
    /// Of a results request.
    package var results = ResultsOutcome()
    /// Slots of which stored content was kept, since the sender's window may have cut what came; days of a push that a
    /// newer one owns.
    package var guarded = 0
    /// Of a batch of PulsHealth; the counts above have its samples and what it deleted.
    package var puls: PulsOutcome?
    /// Day totals that were not there before or have another value now.
    package var updated = 0
    package init() {}

    static func += (sum: inout StoreOutcome, other: StoreOutcome) {
        sum.stored += other.stored
        sum.changed += other.changed
        sum.repeated += other.repeated
        sum.deleted += other.deleted
        sum.skipped += other.skipped
        sum.guarded += other.guarded
        sum.updated += other.updated
    }
}

/// Why nothing of a submission was stored. Each but `.refused` is a 503, and not the peer's fault.
package enum StoreFault: Error, Equatable, Sendable {
    /// The body that was decoded while it was stored is not right: a 400.
    case refused(DecodeFault)
    /// The queue's bound is reached: come back later.
    case overloaded
    /// `SQLITE_FULL`: no space on the disk.
    case full
    /// `SQLITE_BUSY` past the timeout: another process holds the file.
    case locked
    /// `SQLITE_READONLY`, `SQLITE_CANTOPEN`, `SQLITE_PERM`.
    case readOnly
    /// `SQLITE_CORRUPT`, `SQLITE_NOTADB`: writing has stopped until the file was mended and `serve` restarted.
    case damaged
    /// The uuid index is made anew: come back later.
    case rebuilding
    /// Anything else, by SQLite's extended result code.
    case failed(code: Int32)
    /// The store was closed before the submission was taken up, or is about to be.
    case closed
}
