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

    deinit { Self.remove(path) }

    private static func remove(_ folder: String) {
        if let list = unsafe opendir(folder) {
            while let entry = unsafe readdir(list) {
                let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                    unsafe String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
                }
                guard name != ".", name != ".." else { continue }
                if unsafe unlink("\(folder)/\(name)") != 0 { remove("\(folder)/\(name)") }
            }
            unsafe closedir(list)
        }
        unsafe rmdir(folder)
    }
}
