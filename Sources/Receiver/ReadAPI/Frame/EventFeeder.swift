import Synchronization
import Threads
import Wire

/// What a stream's next events are.
package struct EventPage: Sendable {
    package struct Event: Sendable {
        /// The cursor behind this event: where `Last-Event-ID` goes on. One line without control characters.
        package var cursor: String
        /// One line of JSON.
        package var json: [UInt8]

        package init(cursor: String, json: [UInt8]) {
            self.cursor = cursor
            self.json = json
        }
    }

    package var events: [Event]
    /// Where the next page begins; also behind what was left out.
    package var next: String
    /// Whether there is more now.
    package var more: Bool

    package init(events: [Event], next: String, more: Bool) {
        self.events = events
        self.next = next
        self.more = more
    }
}

/// The thread that feeds all streams of server-sent events: woken by commits of this process, and once a second for those
/// of others, as long as anybody listens.
final class EventFeeder: Sendable {
    static let maximumStreams = 32
    /// Long enough to cost nothing, shorter than what routers and proxies forget a silent connection after.
    private static let heartbeatMicroseconds: Int64 = 15_000_000
    private static let tickMilliseconds: Int64 = 1_000
    private static let restMilliseconds: Int64 = 600_000

    private struct State {
        var streams: [ObjectIdentifier: EventStream] = [:]
        var isStopping = false
    }

    private let context: APIContext
    private let log: Log
    private let state = Mutex(State())
    private let signal = Signal()
    private let thread = Mutex<SystemThread?>(nil)

    init(context: APIContext, log: Log) {
        self.context = context
        self.log = log
    }

    func start() {
        thread.withLock { $0 = SystemThread(named: "api-feed") { [self] in run() } }
    }

    /// Somebody has read what was sent, or settings have changed.
    func wake() { signal.raise() }

    /// Something was committed: where nobody listens the thread sleeps on.
    func committed() { if streamCount > 0 { wake() } }

    /// Ends all streams; their connections close.
    func stop() {
        let streams = state.withLock { state in
            state.isStopping = true
            return Array(state.streams.values)
        }
        for stream in streams { stream.finish() }
        signal.raise()
    }

    func join() { thread.join() }

    var streamCount: Int { state.withLock { $0.streams.count } }

    /// - Returns: false when there are too many.
    func add(_ stream: EventStream) -> Bool {
        let isAdded = state.withLock { state in
            guard !state.isStopping, state.streams.count < Self.maximumStreams else { return false }
            state.streams[ObjectIdentifier(stream)] = stream
            return true
        }
        if isAdded { signal.raise() }
        return isAdded
    }

    func remove(_ stream: EventStream) { state.withLock { $0.streams[ObjectIdentifier(stream)] = nil } }

    // MARK: The thread

    private func run() {
        var lease: ReadingLease?
        var seenVersion: Int64?
        while true {
            let (streams, isStopping) = state.withLock { (Array($0.streams.values), $0.isStopping) }
            if isStopping { break }
            if streams.isEmpty {
                lease?.end(isSound: true)
                lease = nil
                signal.wait(milliseconds: Self.restMilliseconds)
                continue
            }
            if let held = lease, !context.isCurrent(held) {
                held.end(isSound: false)
                lease = nil
            }
            let reading = lease ?? context.lease()
            if lease == nil { seenVersion = nil }
            lease = reading
            let version = try? reading.dataVersion()
            let isChanged = version == nil || version != seenVersion
            seenVersion = version
            var isBehind = false
            for stream in streams where feed(stream, reading, isChanged: isChanged) { isBehind = true }
            if !isBehind { signal.wait(milliseconds: Self.tickMilliseconds) }
        }
        lease?.end(isSound: true)
    }

    /// - Returns: whether the stream can take more at once.
    private func feed(_ stream: EventStream, _ reading: ReadingLease, isChanged: Bool) -> Bool {
        guard context.isGood(stream.token) else {
            stream.finish()
            return false
        }
        let now = context.clock.monotonicMicroseconds()
        if isChanged { stream.isBehind = true }
        if stream.isBehind {
            guard stream.hasRoom else { return false }
            do {
                let page = try stream.read(reading, stream.cursor)
                stream.send(page, now: now)
            } catch {
                if let problem = error as? APIProblem {
                    stream.send(problem)
                } else {
                    log.log(.error, "a stream of changes ended", [("reason", .text("\(error)"))])
                }
                stream.finish()
                return false
            }
            return stream.isBehind && stream.hasRoom
        }
        if now - stream.lastSentMicroseconds >= Self.heartbeatMicroseconds { stream.sendHeartbeat(now: now) }
        return false
    }
}

/// One client that listens.
///
/// `@unchecked Sendable`: the variables are the feeder thread's, once the stream was added; `output` and `backlog` are
/// anybody's.
final class EventStream: AnswerStream, @unchecked Sendable {
    typealias Reader = @Sendable (ReadingLease, _ cursor: String?) throws -> EventPage

    /// What may be on its way before more is read from the database.
    static let roomBytes = 64 * 1024

    let token: APIToken
    let read: Reader
    private let feeder: EventFeeder
    private let output = Mutex<StreamOutput?>(nil)
    private let backlog = Atomic<Int>(0)
    private let firstPage: EventPage

    fileprivate(set) var cursor: String
    fileprivate var isBehind = true
    fileprivate var lastSentMicroseconds: Int64

    init(token: APIToken, first page: EventPage, now: Int64, feeder: EventFeeder, read: @escaping Reader) {
        self.token = token
        self.read = read
        self.feeder = feeder
        firstPage = page
        cursor = page.next
        lastSentMicroseconds = now
    }

    func begin(_ output: StreamOutput) {
        self.output.withLock { $0 = output }
        // Reconnect after three seconds; where to go on from is told before anything happens.
        send(Array("retry: 3000\n".utf8) + Self.text(firstPage))
        if !feeder.add(self) { finish() }
    }

    func sent(_ bytes: Int) {
        if backlog.subtract(bytes, ordering: .relaxed).newValue == 0 { feeder.wake() }
    }

    func ended() {
        output.withLock { $0 = nil }
        feeder.remove(self)
    }

    /// Closes the connection after what was sent.
    func finish() {
        feeder.remove(self)
        output.withLock { $0 }?.end()
    }

    fileprivate var hasRoom: Bool { backlog.load(ordering: .relaxed) < Self.roomBytes }

    fileprivate func send(_ page: EventPage, now: Int64) {
        let isNews = !page.events.isEmpty || page.next != cursor
        cursor = page.next
        isBehind = page.more
        guard isNews else { return }
        lastSentMicroseconds = now
        send(Self.text(page))
    }

    fileprivate func send(_ problem: APIProblem) {
        let data = "{\"code\":\(LogValue.quoted(problem.code)),\"detail\":\(LogValue.quoted(problem.detail))}"
        send(Array("event: error\ndata: \(data)\n\n".utf8))
    }

    /// Not behind what waits: a peer that reads nothing is not sent ever more.
    fileprivate func sendHeartbeat(now: Int64) {
        lastSentMicroseconds = now
        if backlog.load(ordering: .relaxed) == 0 { send(Array(": still here\n\n".utf8)) }
    }

    private func send(_ bytes: [UInt8]) {
        backlog.add(bytes.count, ordering: .relaxed)
        output.withLock { $0 }?.send(bytes)
    }

    /// Source: the HTML standard's section on server-sent events. A block with nothing but an id moves the client's
    /// `Last-Event-ID` and is no event.
    private static func text(_ page: EventPage) -> [UInt8] {
        var text: [UInt8] = []
        for event in page.events {
            text += "id: \(event.cursor)\nevent: change\ndata: ".utf8
            text += event.json
            text += "\n\n".utf8
        }
        if page.events.last?.cursor != page.next { text += "id: \(page.next)\n\n".utf8 }
        return text
    }
}

extension APIRequest {
    /// Answers with server-sent events: what `read` has behind the client's cursor, now and from now on.
    ///
    /// The cursor is that of `Last-Event-ID`, else `since=`; with neither, `read` is asked with nil and gives an empty page
    /// at the end of what there is.
    ///
    /// - Parameter read: called now, on this thread, so that what it throws about the cursor is this request's answer; later
    ///   on the feeder's thread. At most a few hundred events at a time.
    package func events(
        _ read: @escaping @Sendable (ReadingLease, _ cursor: String?) throws -> EventPage
    ) throws -> APIAnswer {
        guard let token = caller?.token, let feeder = context.feeder else { throw APIProblem.notFound() }
        guard feeder.streamCount < EventFeeder.maximumStreams else {
            var problem = APIProblem(503, "too_many_streams", "Too many clients listen already; ask again later.")
            problem.retryAfterSeconds = 30
            throw problem
        }
        let page = try read(lease, try lastEventID() ?? text("since"))
        return .stream(
            EventStream(
                token: token, first: page, now: context.clock.monotonicMicroseconds(), feeder: feeder, read: read))
    }

    private func lastEventID() throws(APIProblem) -> String? {
        let values = fields.values("last-event-id")
        guard let value = values.first, !value.isEmpty else { return nil }
        guard values.count == 1, let text = String(validating: value, as: UTF8.self) else {
            throw APIProblem.invalid("Last-Event-ID", "The field Last-Event-ID must be the id of an event.")
        }
        return text
    }
}
