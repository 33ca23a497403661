import CLinux
import COpenSSL
import Glibc

/// What a command asks about the machine it runs on.
package enum HostState {
    /// Makes this process as private as it can be: files for the owner only, no core dumps, no reading of its memory
    /// by other processes of the same user. Its memory goes back when large blocks are freed. Call it before the first file is opened.
    package static func hardenProcess() {
        umask(0o077)
        ignoreBrokenPipes()
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        _ = linux_forbid_dumps()
        linux_return_large_blocks()
    }

    /// Gives the kernel memory that the allocator keeps without use: some milliseconds after a burst.
    package static func returnFreeMemory() { linux_return_free_memory() }

    /// Whether something keeps the clock right; nil when this process may not ask, as in many containers.
    package static var isClockSynchronized: Bool? {
        switch linux_clock_is_synchronized() {
        case 1: true
        case 0: false
        default: nil
        }
    }

    /// The width of the terminal at descriptor `rawValue`; nil when it is none.
    package static func terminalColumns(_ rawValue: CInt) -> Int? {
        let columns = Int(linux_terminal_columns(rawValue))
        return columns > 0 ? columns : nil
    }

    /// The version of the OpenSSL that runs, such as `3.0.19`; it may be newer than the one built with.
    package static var openSSLVersion: String {
        unsafe OpenSSL_version(OPENSSL_VERSION_STRING).map { unsafe String(cString: $0) } ?? "unknown"
    }
}
