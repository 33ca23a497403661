package import Foundation

/// A folder of its own for a test, removed with everything in it when the last reference goes.
package final class TemporaryFolder: Sendable {
    package let url: URL

    package init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "receiver-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { remove() }

    /// Removes it before its time.
    package func remove() { try? FileManager.default.removeItem(at: url) }

    /// The path of a file in it, which need not exist.
    package func path(_ name: String) -> String { url.appending(path: name).path(percentEncoded: false) }
}
