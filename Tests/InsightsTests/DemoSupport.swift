import Demo
import Foundation
import Samples
import Storage
import TestSupport

@testable import Insights

/// A store with an invented year, and what is true of it.
final class DemoFixture: Sendable {
    let folder: TemporaryFolder
    let settings: DemoSettings
    let summary: DemoStore.Summary
    let home: ZoneRules

    /// - Parameter until: seconds since 1970-01-01T00:00:00Z.
    init(
        days: Int, seed: UInt64 = 1, until: Int64, hasHeartRate: Bool = false, writesOffsets: Bool = false
    ) throws {
        folder = try TemporaryFolder()
        home = try Self.zone("Europe/Berlin")
        var settings = DemoSettings(
            days: days, seed: seed, until: Timestamp(microseconds: until * 1_000_000), home: home,
            away: try Self.zone("America/New_York"))
        settings.hasHeartRate = hasHeartRate
        settings.writesOffsets = writesOffsets
        self.settings = settings
        summary = try DemoStore.fill(directory: folder.path("data"), settings, hasCommands: false)
    }

    static func zone(_ name: String) throws -> ZoneRules {
        try ZoneRules(parsing: Array(Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/\(name)"))))
    }

    func model(sourceOrder: [SourceName] = []) throws -> ReadModel {
        let person = Person(name: DemoStore.person, zoneName: "Europe/Berlin", zone: home)
        return try ReadModel(
            ReadModel.Setup(
                directory: folder.path("data"), catalog: .builtIn, persons: [person],
                sourceOrder: sourceOrder.isEmpty ? [:] : [DemoStore.person: sourceOrder]))
    }

    /// The begin of each home day, and the end of the last one.
    var days: [Timestamp] {
        let begin = DemoYear(settings).begin.microseconds / 1_000_000
        let first = (begin + Int64(home.offsetSeconds(at: Timestamp(microseconds: begin * 1_000_000)))) / 86_400
        return (0...settings.days).map { day in
            let local = (first + Int64(day)) * 86_400
            return Timestamp(microseconds: (local - Int64(home.offsetSeconds(atLocalSeconds: local))) * 1_000_000)
        }
    }

    /// One row of a type, as it is stored.
    struct Row {
        var start: Int64
        var end: Int64
        var value: Double
        var isOfWatch: Bool
    }

    /// In seconds.
    func rows(_ type: String) throws -> [Row] {
        let reader = try StoreReader(directory: folder.path("data"))
        let statement = try reader.connection.prepare(
            "SELECT start_us, end_us, value, source_device FROM samples WHERE type = ?1 ORDER BY start_us")
        statement.bind(1, text: type)
        var rows: [Row] = []
        while try statement.step() {
            rows.append(
                Row(
                    start: statement.integer(0) / 1_000_000, end: statement.integer(1) / 1_000_000,
                    value: statement.double(2) ?? .nan, isOfWatch: statement.text(3) == "Apple Watch"))
        }
        return rows
    }
}
