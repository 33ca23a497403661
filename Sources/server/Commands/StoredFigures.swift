import Receiver
import Samples

/// What the database tells about the endpoints.
struct StoredFigures: Sendable {
    struct Figures: Sendable {
        var samples: Int
        var lastStored: Timestamp?
    }

    /// By NAME.
    var endpoints: [String: Figures] = [:]
    /// Whether the figures can be believed: false when there is a database that could not be read.
    var isReadable = true
    var warnings: [StatusReport.Warning] = []

    static func read(folder: String) -> StoredFigures { StoredFigures() }
}
