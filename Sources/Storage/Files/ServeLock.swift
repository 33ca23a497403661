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
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            let number = errno
            throw number == EWOULDBLOCK
                ? .held(by: Self.readNumber(descriptor))
                : .unavailable(StoreError(file: "serve.lock", systemError: number))
        }
        let text = Array("\(getpid())\n".utf8)
        let written = unsafe ftruncate(descriptor, 0) == 0 && pwrite(descriptor, text, text.count, 0) == text.count
        if !written { throw .unavailable(StoreError(file: "serve.lock", systemError: errno)) }
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
        var bytes = [UInt8](repeating: 0, count: 16)
        let capacity = bytes.count
        let count = unsafe pread(descriptor, &bytes, capacity, 0)
        guard count > 0 else { return nil }
        let digits = bytes[..<count].prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
        return digits.count == 0 || digits.count > 9 ? nil : Int32(String(decoding: digits, as: UTF8.self))
    }

    deinit { _ = close(descriptor) }
}
