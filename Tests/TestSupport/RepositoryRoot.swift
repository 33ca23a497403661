package import Foundation

/// Where this package's files are, for tests that read them.
package enum RepositoryRoot {
    package static let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The contents of a file, given its path from the root.
    package static func contents(of path: String) throws -> Data { try Data(contentsOf: url.appending(path: path)) }
}
