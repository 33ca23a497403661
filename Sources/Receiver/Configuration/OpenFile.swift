import Glibc
import Storage

/// What a system call said when it failed.
struct SystemError: Error, Equatable {
    var number: CInt

    /// The system's own words, such as `Permission denied`.
    var words: String { unsafe String(cString: strerror(number)) }
}

/// An open file of the data folder; closed when it goes out of scope.
struct OpenFile: ~Copyable {
    private let descriptor: CInt
    let status: stat

    init(_ path: String, _ flags: CInt, mode: mode_t = 0) throws(SystemError) {
        var opened: CInt
        repeat { opened = unsafe open(path, flags | O_CLOEXEC, mode) } while opened < 0 && errno == EINTR
        guard opened >= 0 else { throw SystemError(number: errno) }
        if flags & O_CREAT != 0 { giveToOwnerOfFolder(opened, path: path) }
        var status = stat()
        guard unsafe fstat(opened, &status) == 0 else {
            let failure = SystemError(number: errno)
            close(opened)
            throw failure
        }
        descriptor = opened
        self.status = status
    }

    deinit { close(descriptor) }

    var isRegular: Bool { status.st_mode & S_IFMT == S_IFREG }

    /// Reads to the end, but not past `limit` bytes.
    borrowing func read(atMost limit: Int) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 4096)
        while bytes.count < limit {
            let wanted = min(block.count, limit - bytes.count)
            let count = unsafe block.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, wanted) }
            if count == 0 { break }
            if count < 0 {
                if errno == EINTR { continue }
                throw SystemError(number: errno)
            }
            bytes += block[..<count]
        }
        return bytes
    }

    borrowing func write(_ bytes: [UInt8]) throws(SystemError) {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe Glibc.write(descriptor, $0.baseAddress?.advanced(by: written), bytes.count - written)
            }
            if count < 0 && errno != EINTR { throw SystemError(number: errno) }
            written += max(0, count)
        }
    }

    borrowing func synchronize() throws(SystemError) {
        guard fsync(descriptor) == 0 else { throw SystemError(number: errno) }
    }

    /// Takes the file's exclusive `flock`, which ends with this value; false when another holds it.
    borrowing func tryLock() throws(SystemError) -> Bool {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK { return false }
            if errno != EINTR { throw SystemError(number: errno) }
        }
        return true
    }
}
