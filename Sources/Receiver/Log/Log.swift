import Glibc
import Samples
import Synchronization
import Threads

/// Lines on stderr, as text or JSON, written by a thread of its own so that a stuck pipe never stops a request.
///
/// Past 4,096 waiting lines new ones are dropped and counted; the count is told when there is room again.
package final class Log: Sendable {
    package enum Format: String, Sendable { case text, json }
    package enum Level: String, Sendable { case info, warning, error }

    private struct Line: Sendable {
        let wallMicroseconds: Int64
        let level: Level
        let message: String
        let fields: [(name: String, value: LogValue)]
    }

    private struct State {
        var lines: [Line] = []
        var dropped = 0
        var isClosed = false
        /// The thread has nothing to write and waits to be told.
        var isAsleep = false
    }

    private static let maximumWaitingLines = 4096
    /// The first line after a pause is written at once, those behind it together, so much later: a call for each, and a
    /// thread to be woken, cost as much as reading a small request.
    private static let gatherMicroseconds: UInt32 = 20_000

    private let format: Format
    private let clock: ServerClock
    private let write: @Sendable (String) -> Void
    private let state = Mutex(State())
    private let signal = Signal()
    private let thread = Mutex<SystemThread?>(nil)

    /// - Parameter write: takes one whole line with its line feed; runs on the log's thread.
    package init(
        format: Format, clock: ServerClock = .system, write: @escaping @Sendable (String) -> Void = Log.toStandardError
    ) {
        self.format = format
        self.clock = clock
        self.write = write
        thread.withLock { $0 = SystemThread(named: "log") { [self] in run() } }
    }

    package static func toStandardError(_ line: String) {
        var rest = Array(line.utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(2, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            if count <= 0 { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Logs one event.
    ///
    /// - Parameter fields: in order; a value never holds a secret, a URL's query or a health value.
    package func log(_ level: Level, _ message: String, _ fields: [(name: String, value: LogValue)] = []) {
        let line = Line(wallMicroseconds: clock.wallMicroseconds(), level: level, message: message, fields: fields)
        let wakes = state.withLock { state in
            guard !state.isClosed else { return false }
            if state.lines.count >= Self.maximumWaitingLines { state.dropped += 1 } else { state.lines.append(line) }
            defer { state.isAsleep = false }
            return state.isAsleep
        }
        if wakes { signal.raise() }
    }

    /// Writes what waits and ends the thread.
    package func close() {
        let thread = self.thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        state.withLock { $0.isClosed = true }
        signal.raise()
        thread?.join()
    }

    private func run() {
        while true {
            let (lines, dropped, isClosed) = state.withLock { state in
                defer {
                    state.isAsleep = state.lines.isEmpty && state.dropped == 0
                    state.lines = []
                    state.dropped = 0
                }
                return (state.lines, state.dropped, state.isClosed)
            }
            if lines.isEmpty && dropped == 0 {
                if isClosed { return }
                signal.wait()
                continue
            }
            if !lines.isEmpty { write(lines.map(render).joined()) }
            if dropped > 0 {
                write(
                    render(
                        Line(
                            wallMicroseconds: clock.wallMicroseconds(), level: .warning,
                            message: "log lines dropped: stderr was not read fast enough",
                            fields: [("lines", .int(dropped))])))
            }
            if !isClosed { usleep(Self.gatherMicroseconds) }
        }
    }

    /// `YYYY-MM-DDTHH:MM:SS.mmmZ`: always three digits, so that lines align.
    private func millisecondTime(_ now: Int64) -> String {
        let fraction = ((now % 1_000_000) + 1_000_000) % 1_000_000
        let seconds = Timestamp(microseconds: now - fraction).text.dropLast()
        return "\(seconds).\(String(1000 + fraction / 1000).dropFirst())Z"
    }

    private func render(_ event: Line) -> String {
        let time = millisecondTime(event.wallMicroseconds)
        let (level, message, fields) = (event.level, event.message, event.fields)
        var line: String
        switch format {
        case .text:
            line = level == .info ? "\(time) \(message)" : "\(time) \(level.rawValue): \(message)"
            for (name, value) in fields { line += " \(name)=\(value.text)" }
        case .json:
            line = #"{"time":"\#(time)","level":"\#(level.rawValue)","message":\#(LogValue.quoted(message))"#
            for (name, value) in fields { line += ",\"\(name)\":\(value.json)" }
            line += "}"
        }
        return line + "\n"
    }
}

/// A value of a log field. Text is escaped: a peer's bytes can't start a line or move a terminal's cursor.
package enum LogValue: Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    case text(String)
    case int(Int)
    case milliseconds(Double)

    package init(stringLiteral value: String) { self = .text(value) }
    package init(integerLiteral value: Int) { self = .int(value) }

    var text: String {
        switch self {
        case .text(let text):
            let isPlain = !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") }
            return isPlain ? text : Self.quoted(text)
        case .int(let value): return String(value)
        case .milliseconds(let value): return Self.oneDecimal(value)
        }
    }

    var json: String {
        switch self {
        case .text(let text): Self.quoted(text)
        case .int(let value): String(value)
        case .milliseconds(let value): Self.oneDecimal(value)
        }
    }

    private static func oneDecimal(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// `text` as a JSON string in ASCII.
    static func quoted(_ text: String) -> String {
        var out = "\""
        for unit in text.utf16 {
            switch unit {
            case 0x22: out += "\\\""
            case 0x5C: out += "\\\\"
            case 0x20..<0x7F: out.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
            default:
                let digits = String(unit, radix: 16)
                out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return out + "\""
    }
}
