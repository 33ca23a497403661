import FoundationEssentials
import Glibc
package import Transport

/// An owner-only folder in the system's temporary one, gone with its owner.
package final class TemporaryFolder: Sendable {
    package typealias Failure = Errno

    package let path: String

    package init() throws(Failure) {
        let base = unsafe getenv("TMPDIR").flatMap { unsafe String(validatingCString: $0) } ?? "/tmp"
        var template = Array("\(base)/syncky-receiver-XXXXXX".utf8CString)
        let made = unsafe template.withUnsafeMutableBufferPointer { unsafe mkdtemp($0.baseAddress!) != nil }
        guard made else { throw Errno.current }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
