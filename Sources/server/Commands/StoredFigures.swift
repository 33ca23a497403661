import Receiver
import Samples
import Storage

extension CommandFailure {
    /// What is wrong with the database, as an exit status.
    init(_ error: StoreError) {
        let status: ExitStatus =
            switch error.reason {
            case .tooNew, .foreign, .damaged: .data
            case .full, .locked, .readOnly, .rebuilding, .missing, .failed, .refused, .givenUp: .inputOutput
            }
        self.init(status, sentence(error.sentence))
    }
}

/// What the database tells about the endpoints.
struct StoredFigures: Sendable {
    struct Figures: Sendable {
        var samples: Int
        var lastStored: Timestamp?
    }

    /// By NAME; those that were removed as well.
    var endpoints: [String: Figures] = [:]
    /// The latest version of each command for the phone, in queue order.
    var commands: [CommandRow] = []
    /// Where stored values were kept because the sender's window cut what came.
    var guards: [StoreReader.WindowGuard] = []
    /// The uuid index is made anew.
    var isRebuilding = false
    /// Why the figures can't be had; nil when they were read, and when there is no database yet.
    var error: StoreError?

    /// Reads them beside a server that runs, or without one.
    static func read(folder: String) -> StoredFigures {
        var figures = StoredFigures()
        do throws(StoreError) {
            let reader = try StoreReader(directory: folder)
            for endpoint in try reader.endpoints() {
                figures.endpoints[endpoint.name] = Figures(samples: endpoint.samples, lastStored: endpoint.lastStored)
            }
            figures.commands = try reader.commands()
            figures.guards = try reader.windowGuards()
            figures.isRebuilding = try reader.isRebuildingKeys()
        } catch {
            if error.reason != .missing { figures.error = error }
        }
        return figures
    }

    /// For `check`.
    var checkLine: CheckLine {
        if let error { return CheckLine(.fail, "database", error.sentence) }
        if isRebuilding { return CheckLine(.warn, "database", StoreFault.rebuilding.sentence) }
        guard !endpoints.isEmpty else { return CheckLine(.ok, "database", "nothing was stored yet") }
        return CheckLine(.ok, "database", counted(endpoints.values.reduce(0) { $0 + $1.samples }, "sample", "samples"))
    }

    /// For `status`; the code is the reason's word.
    var warning: StatusReport.Warning? {
        guard let error else {
            if !isRebuilding { return nil }
            return StatusReport.Warning(code: "index_rebuilding", message: sentence(StoreFault.rebuilding.sentence))
        }
        let code =
            switch error.reason {
            case .damaged: "damaged"
            case .tooNew: "too_new"
            case .foreign: "foreign_database"
            case .full, .locked, .readOnly, .rebuilding, .missing, .failed, .refused, .givenUp: "unreadable"
            }
        return StatusReport.Warning(code: code, message: sentence(error.sentence))
    }
}

/// Whether a server runs on the folder.
func isServed(folder: String) -> Bool {
    guard let folder = try? DataFolder(existing: folder) else { return false }
    return ServeLock.holder(of: folder) != nil
}

extension Configuration {
    /// These settings with the address on which the folder is really served: `serve` may have it from a flag.
    func asServed(folder: String) -> Configuration {
        guard let folder = try? DataFolder(existing: folder), let address = ServeLock.address(of: folder) else {
            return self
        }
        var configuration = self
        configuration.bind = address.host
        configuration.port = Int(address.port)
        return configuration
    }
}
