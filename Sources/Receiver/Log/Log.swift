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
            if !lines.isEmpty { write(lines) }
            if dropped > 0 {
                write([
                    Line(
                        wallMicroseconds: clock.wallMicroseconds(), level: .warning,
                        message: "log lines dropped: stderr was not read fast enough",
                        fields: [("lines", .int(dropped))])
                ])
            }
            if !isClosed { usleep(Self.gatherMicroseconds) }
        }
    }

    /// In one call: bytes, made a text once, since each append to a text costs ten times one to an array.
    private func write(_ lines: [Line]) {
        var text: [UInt8] = []
        for line in lines { render(line, to: &text) }
        write(String(decoding: text, as: UTF8.self))
    }

    /// The time has three digits behind the second, always, so that lines align.
    private func render(_ event: Line, to line: inout [UInt8]) {
        let time = Timestamp(microseconds: event.wallMicroseconds)
        switch format {
        case .text:
            time.append(to: &line, fractionDigits: 3)
            line += " ".utf8
            if event.level != .info { line += "\(event.level.rawValue): ".utf8 }
            line += event.message.utf8
            for (name, value) in event.fields {
                line += " ".utf8
                line += name.utf8
                line += "=".utf8
                value.appendText(to: &line)
            }
        case .json:
            line += #"{"time":""#.utf8
            time.append(to: &line, fractionDigits: 3)
            line += #"","level":""#.utf8
            line += event.level.rawValue.utf8
            line += #"","message":"#.utf8
            LogValue.append(quoted: event.message, to: &line)
            for (name, value) in event.fields {
                line += #",""#.utf8
                line += name.utf8
                line += #"":"#.utf8
                value.appendJSON(to: &line)
            }
            line += "}".utf8
        }
        line.append(UInt8(ascii: "\n"))
    }
}

/// A value of a log field. Text is escaped: a peer's bytes can't start a line or move a terminal's cursor.
package enum LogValue: Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    case text(String)
    case int(Int)
    case milliseconds(Double)

    package init(stringLiteral value: String) { self = .text(value) }
    package init(integerLiteral value: Int) { self = .int(value) }

    /// As it stands behind a field's name.
    func appendText(to line: inout [UInt8]) {
        if case .text(let text) = self, !text.isEmpty,
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") })
        {
            line += text.utf8
        } else {
            appendJSON(to: &line)
        }
    }

    func appendJSON(to line: inout [UInt8]) {
        switch self {
        case .text(let text): Self.append(quoted: text, to: &line)
        case .int(let value): line += String(value).utf8
        case .milliseconds(let value):
            let tenths = Int((value * 10).rounded())
            line += "\(tenths / 10).\(tenths % 10)".utf8
        }
    }

    /// `text` as a JSON string in ASCII.
    static func quoted(_ text: String) -> String {
        var line: [UInt8] = []
        append(quoted: text, to: &line)
        return String(decoding: line, as: UTF8.self)
    }

    static func append(quoted text: String, to line: inout [UInt8]) {
        line.append(UInt8(ascii: "\""))
        for unit in text.utf16 {
            switch unit {
            case 0x22: line += "\\\"".utf8
            case 0x5C: line += "\\\\".utf8
            case 0x20..<0x7F: line.append(UInt8(unit))
            default:
                let digits = String(unit, radix: 16)
                line += "\\u".utf8
                line += repeatElement(UInt8(ascii: "0"), count: 4 - digits.count)
                line += digits.utf8
            }
        }
        line.append(UInt8(ascii: "\""))
    }
}
