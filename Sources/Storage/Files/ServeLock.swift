import Glibc

/// The exclusive lock on `DIR/serve.lock` that one `serve` holds: freed by `release`, by the end of the process, by
/// nothing else.
@safe package final class ServeLock: Sendable {
    package enum Failure: Error, Equatable, Sendable {
        /// Another process serves this folder; its number when the file tells it.
        case held(by: Int32?)
        case unavailable(StoreError)
    }

    private let descriptor: Int32

    /// - Throws: `.held` with the other's process number.
    package init(_ folder: DataFolder) throws(Failure) {
        descriptor = unsafe open(folder.serveLock, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        if descriptor < 0 { throw .unavailable(StoreError(file: "serve.lock", systemError: errno)) }
        giveToOwnerOfFolder(descriptor, path: folder.serveLock)
        var looks = 0
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            // Who asks for the holder has the lock for a moment.
            if errno == EWOULDBLOCK && looks < 20 {
                looks += 1
                usleep(1_000)
                continue
            }
            let number = errno
            throw number == EWOULDBLOCK
                ? .held(by: Self.readNumber(descriptor))
                : .unavailable(StoreError(file: "serve.lock", systemError: number))
        }
        if !write("\(getpid())\n") { throw .unavailable(StoreError(file: "serve.lock", systemError: errno)) }
    }

    /// Tells other commands where the server listens, which a flag may have decided.
    ///
    /// Best effort: a command that can't read it asks where the settings say.
    ///
    /// - Parameter api: where it answers questions; nil where it doesn't.
    package func publish(host: String, port: UInt16, api: (host: String, port: UInt16)? = nil) {
        _ = write("\(getpid())\n\(host) \(port)\n" + (api.map { "\($0.host) \($0.port)\n" } ?? ""))
    }

    private func write(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return unsafe ftruncate(descriptor, 0) == 0 && pwrite(descriptor, bytes, bytes.count, 0) == bytes.count
    }

    /// Where the process that serves the folder listens; nil when none does, or it hasn't told yet.
    package static func address(of folder: DataFolder) -> (host: String, port: UInt16)? { address(of: folder, line: 1) }

    /// Where it answers questions; nil when it doesn't.
    package static func apiAddress(of folder: DataFolder) -> (host: String, port: UInt16)? {
        address(of: folder, line: 2)
    }

    private static func address(of folder: DataFolder, line: Int) -> (host: String, port: UInt16)? {
        let descriptor = unsafe open(folder.serveLock, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { _ = close(descriptor) }
        if flock(descriptor, LOCK_SH | LOCK_NB) == 0 { return nil }
        let lines = read(descriptor).split(separator: UInt8(ascii: "\n"))
        guard lines.count > line else { return nil }
        let words = String(decoding: lines[line], as: UTF8.self).split(separator: " ")
        guard words.count == 2, let port = UInt16(words[1]) else { return nil }
        return (String(words[0]), port)
    }

    /// Which process serves the folder; nil when none does.
    package static func holder(of folder: DataFolder) -> Int32? {
        let descriptor = unsafe open(folder.serveLock, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { _ = close(descriptor) }
        if flock(descriptor, LOCK_SH | LOCK_NB) == 0 { return nil }
        return readNumber(descriptor)
    }

    private static func readNumber(_ descriptor: Int32) -> Int32? {
        let digits = read(descriptor).prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
        return digits.count == 0 || digits.count > 9 ? nil : Int32(String(decoding: digits, as: UTF8.self))
    }

    /// All that the file holds: a line with the process's number, one with its address, and one with the API's.
    private static func read(_ descriptor: Int32) -> ArraySlice<UInt8> {
        var bytes = [UInt8](repeating: 0, count: 192)
        let capacity = bytes.count
        let count = unsafe pread(descriptor, &bytes, capacity, 0)
        return bytes[..<max(0, count)]
    }

    deinit { _ = close(descriptor) }
}
