import Glibc
import Receiver
import Samples
import Synchronization
import Transport

/// Standard output or standard error, written whole and at once.
final class StandardStream: Sendable {
    private let rawValue: CInt
    private let firstFailure = Mutex<Errno?>(nil)

    init(rawValue: CInt) { self.rawValue = rawValue }

    /// Why something was not written; nil while all was.
    var failure: Errno? { firstFailure.withLock { $0 } }

    func write(_ text: String) { _ = write(Array(text.utf8)) }

    /// - Returns: false when this or something before it was not written.
    func write(_ bytes: [UInt8]) -> Bool {
        firstFailure.withLock { failure in
            guard failure == nil else { return false }
            var written = 0
            while written < bytes.count {
                let rest = bytes[written...]
                let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(rawValue, $0.baseAddress, $0.count) }
                if count > 0 {
                    written += count
                } else if errno == EAGAIN {  // a terminal or pipe that somebody made non-blocking
                    var entry = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
                    _ = unsafe poll(&entry, 1, -1)
                } else if errno != EINTR {
                    failure = .current
                    return false
                }
            }
            return true
        }
    }
}

extension CommandContext {
    /// The real thing.
    static func system(output: StandardStream, errors: StandardStream) -> CommandContext {
        CommandContext(
            print: { output.write($0) }, printError: { errors.write($0) }, readLine: readStandardInputLine,
            environment: systemEnvironment(), now: systemTime, isTerminal: isatty(STDOUT_FILENO) == 1,
            terminalColumns: HostState.terminalColumns(STDOUT_FILENO), hostName: systemHostName(), network: .system(),
            pause: { usleep(UInt32(clamping: $0 * 1_000)) }, isClockSynchronized: { HostState.isClockSynchronized },
            writeBytes: { output.write($0) }, isErrorTerminal: isatty(STDERR_FILENO) == 1,
            watchInterrupts: Interrupts.watch)
    }
}

/// The next line of standard input without its end; nil at the end, past 64 KiB, or when it is no UTF-8.
///
/// Byte by byte: what is behind the line belongs to the next reader.
private func readStandardInputLine() -> String? {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while line.count <= 65_536 {
        let count = unsafe read(STDIN_FILENO, &byte, 1)
        if count < 0, errno == EINTR { continue }
        if count <= 0 {
            guard !line.isEmpty else { return nil }
            break
        }
        if byte == UInt8(ascii: "\n") { break }
        line.append(byte)
    }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    return line.count <= 65_536 ? String(validating: line, as: UTF8.self) : nil
}

/// Variables whose name and value are UTF-8.
private func systemEnvironment() -> [String: String] {
    var result: [String: String] = [:]
    var next = unsafe environ
    while let entry = unsafe next.pointee {
        unsafe next += 1
        guard let text = unsafe String(validatingCString: entry), let separator = text.firstIndex(of: "=") else {
            continue
        }
        result[String(text[..<separator])] = String(text[text.index(after: separator)...])
    }
    return result
}

private func systemTime() -> Timestamp {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
}

private func systemHostName() -> String {
    var name = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&name, name.count - 1) == 0 else { return "" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
