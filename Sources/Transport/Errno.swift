import Glibc

/// A Linux error number. Read it right after the call that failed.
package struct Errno: Error, Equatable, Sendable, CustomStringConvertible {
    package let rawValue: CInt

    package init(rawValue: CInt) { self.rawValue = rawValue }

    /// This thread's `errno`.
    package static var current: Errno { Errno(rawValue: errno) }

    /// The system's own text, such as "Address already in use".
    package var description: String {
        guard let text = unsafe strerror(rawValue) else { return "error \(rawValue)" }
        return unsafe String(cString: text)
    }
}

/// Makes writing to a closed connection an error (EPIPE) instead of the end of the process.
///
/// Call it before the first socket is served: OpenSSL writes with `write(2)`, which no flag protects.
package func ignoreBrokenPipes() {
    _ = signal(SIGPIPE, SIG_IGN)
}
