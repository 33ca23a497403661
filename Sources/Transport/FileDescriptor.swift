import Glibc

/// The only owner of an open descriptor: moved, never copied, closed exactly once.
package struct FileDescriptor: ~Copyable, Sendable {
    package let rawValue: CInt

    package init(adopting rawValue: CInt) { self.rawValue = rawValue }

    deinit { _ = Glibc.close(rawValue) }  // never retried: Linux frees the number even when close fails

    /// Calls `read(2)`, appending at most `buffer.freeCapacity` bytes.
    ///
    /// - Returns: bytes read, 0 at end of stream; nil when it would block.
    package borrowing func read(into buffer: inout OutputSpan<UInt8>) throws(Errno) -> Int? {
        try unsafe buffer.withUnsafeMutableBufferPointer { (all, count) throws(Errno) -> Int? in
            let free = all.extracting(count...)
            while true {
                let n = unsafe Glibc.read(rawValue, free.baseAddress, free.count)
                if n >= 0 {
                    count += n
                    return n
                }
                let error = Errno.current
                if error.rawValue == EAGAIN { return nil }
                if error.rawValue != EINTR { throw error }
            }
        }
    }

    /// Calls `write(2)`.
    ///
    /// - Returns: bytes taken, which may be fewer than given; nil when it would block.
    package borrowing func write(_ bytes: Span<UInt8>) throws(Errno) -> Int? {
        try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(Errno) -> Int? in
            while true {
                let n = unsafe Glibc.write(rawValue, buffer.baseAddress, buffer.count)
                if n >= 0 { return n }
                let error = Errno.current
                if error.rawValue == EAGAIN { return nil }
                if error.rawValue != EINTR { throw error }
            }
        }
    }
}
