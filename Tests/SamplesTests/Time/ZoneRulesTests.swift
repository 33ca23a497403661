import Foundation
import Samples
import TestSupport
import Testing

private let database = "/usr/share/zoneinfo"

private func rules(_ name: String) throws -> ZoneRules {
    try ZoneRules(parsing: Array(try Data(contentsOf: URL(filePath: "\(database)/\(name)"))))
}

private func utc(_ text: String) throws -> Timestamp { try #require(Timestamp.parse(text.utf8.span)?.timestamp) }

private func local(_ text: String) throws -> Int64 { try utc(text + "Z").microseconds / 1_000_000 }

/// Zones of every kind: rules north and south, none, half hours, negative summer time, skipped days, many changes.
private let zones = [
    "Europe/Berlin", "Europe/Dublin", "Europe/London", "America/New_York", "America/St_Johns", "America/Sao_Paulo",
    "America/Santiago", "America/Nuuk", "America/Caracas", "America/Anchorage", "Asia/Kolkata", "Asia/Kathmandu",
    "Asia/Gaza", "Asia/Jerusalem", "Asia/Tehran", "Asia/Tokyo", "Asia/Pyongyang", "Australia/Sydney",
    "Australia/Lord_Howe", "Africa/Casablanca", "Africa/Cairo", "Africa/Monrovia", "Pacific/Apia", "Pacific/Chatham",
    "Pacific/Kiritimati", "Antarctica/Troll", "Antarctica/Casey", "Etc/GMT+12", "UTC",
]

@Suite struct ZoneRulesTests {
    /// Some 1,700 moments from 1900 to 2100, none of them at a fixed hour.
    private func moments() throws -> [Int64] {
        var random = SeededGenerator(seed: 7)
        let end = try local("2100-01-01T00:00:00")
        var moments = [try local("1900-01-01T00:00:00")]
        while let last = moments.last, last < end {
            moments.append(last + 2_500_000 + Int64(random.next() % 2_500_000))
        }
        return moments
    }

    @Test("a zone says what Foundation says", arguments: zones)
    func agreesWithFoundation(name: String) throws {
        let zone = try #require(TimeZone(identifier: name))
        let rules = try rules(name)
        // Foundation brings a database of its own, which may know other plans for the years to come.
        let now = try local("2024-01-01T00:00:00")
        let differences = try moments().filter { seconds in
            let expected = seconds < now ? zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds))) : nil
            return expected.map { $0 != Int(rules.offsetSeconds(at: Timestamp(microseconds: seconds * 1_000_000))) }
                ?? false
        }
        #expect(differences == [])
    }

    @Test("a zone says what date(1) reads from the same file, until 2100", arguments: zones)
    func agreesWithDate(name: String) throws {
        let folder = try TemporaryFolder()
        let moments = try moments()
        try Data(moments.map { "@\($0)\n" }.joined().utf8).write(to: URL(filePath: folder.path("moments")))
        let process = Process()
        process.executableURL = URL(filePath: "/bin/date")
        process.arguments = ["--file", folder.path("moments"), "+%s %::z"]
        process.environment = ["TZ": name, "LC_ALL": "C"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        // A place without people has `-00`, an unknown offset, in its file: to us it is 0 like any other.
        let lines = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            .replacing(" -00:00:00", with: " +00:00:00").split(separator: "\n")
        process.waitUntilExit()
        let rules = try rules(name)
        let expected = moments.map { seconds in
            let offset = rules.offsetSeconds(at: Timestamp(microseconds: seconds * 1_000_000))
            let (minutes, second) = offset.magnitude.quotientAndRemainder(dividingBy: 60)
            let parts = [minutes / 60, minutes % 60, second].map { $0 < 10 ? "0\($0)" : "\($0)" }
            return "\(seconds) \(offset < 0 ? "-" : "+")\(parts.joined(separator: ":"))"
        }
        #expect(zip(lines, expected).first { $0 != $1 } == nil)
        #expect(lines.count == expected.count)
    }

    @Test(
        "both sides of a change",
        arguments: [
            ("Europe/Berlin", "2026-03-29T00:59:59.999999Z", 3_600), ("Europe/Berlin", "2026-03-29T01:00:00Z", 7_200),
            ("Europe/Berlin", "2026-10-25T00:59:59Z", 7_200), ("Europe/Berlin", "2026-10-25T01:00:00Z", 3_600),
            ("Europe/Berlin", "2096-07-01T12:00:00Z", 7_200), ("Europe/Berlin", "9999-12-31T23:59:59Z", 3_600),
            ("Asia/Kolkata", "2026-06-01T00:00:00Z", 19_800), ("America/St_Johns", "2026-06-01T00:00:00Z", -9_000),
            ("America/St_Johns", "2026-12-01T00:00:00Z", -12_600),
            ("Pacific/Apia", "2011-12-30T09:59:59Z", -36_000), ("Pacific/Apia", "2011-12-30T10:00:00Z", 50_400),
            ("Europe/Dublin", "2040-01-01T00:00:00Z", 0), ("Europe/Dublin", "2040-07-01T00:00:00Z", 3_600),
            ("Australia/Lord_Howe", "2040-01-01T00:00:00Z", 39_600), ("Asia/Gaza", "2200-07-01T00:00:00Z", 10_800),
            ("Africa/Casablanca", "2026-02-25T00:00:00Z", 0), ("Africa/Casablanca", "2026-06-25T00:00:00Z", 3_600),
        ])
    func atMoments(name: String, time: String, offset: Int32) throws {
        #expect(try rules(name).offsetSeconds(at: utc(time)) == offset)
    }

    @Test(
        "a skipped local time has the offset before the skip; one that comes twice is the first",
        arguments: [
            ("Europe/Berlin", "2026-03-29T01:59:59", 60), ("Europe/Berlin", "2026-03-29T02:00:00", 60),
            ("Europe/Berlin", "2026-03-29T02:59:59", 60), ("Europe/Berlin", "2026-03-29T03:00:00", 120),
            ("Europe/Berlin", "2026-10-25T02:00:00", 120), ("Europe/Berlin", "2026-10-25T02:59:59", 120),
            ("Europe/Berlin", "2026-10-25T03:00:00", 60), ("Europe/Berlin", "2090-03-26T02:30:00", 60),
            ("Europe/Berlin", "2090-10-29T02:59:59", 120), ("Europe/Berlin", "2090-10-29T03:00:00", 60),
            ("America/St_Johns", "2026-11-01T01:30:00", -150), ("Pacific/Apia", "2011-12-29T23:59:59", -600),
            ("Pacific/Apia", "2011-12-30T12:00:00", -600), ("Pacific/Apia", "2011-12-31T00:00:00", 840),
            ("Asia/Kolkata", "2026-01-01T00:00:00", 330), ("Australia/Lord_Howe", "2060-04-04T01:45:00", 660),
            ("Europe/Berlin", "1890-01-01T00:00:00", 53),  // the sun's time, 53:28
        ])
    func atLocalTimes(name: String, time: String, minutes: Int16) throws {
        #expect(try rules(name).offsetMinutes(atLocalSeconds: local(time)) == minutes)
    }

    @Test("UTC needs no file; the ends of time are answered")
    func extremes() throws {
        for rules in [ZoneRules.utc, try rules("Europe/Berlin"), try rules("America/New_York")] {
            for seconds in [Int64.min, .min + 1, -1, 0, .max - 1, .max] {
                #expect(abs(rules.offsetMinutes(atLocalSeconds: seconds)) < 26 * 60)
                #expect(abs(rules.offsetSeconds(at: Timestamp(microseconds: seconds))) < 26 * 3_600)
            }
        }
        #expect(ZoneRules.utc.offsetSeconds(at: Timestamp(microseconds: 1)) == 0)
    }

    @Test("every zone of the database is read")
    func wholeDatabase() throws {
        var read = 0
        for name in TimeZone.knownTimeZoneIdentifiers
        where FileManager.default.fileExists(atPath: "\(database)/\(name)") {
            #expect(throws: Never.self) { try rules(name) }
            read += 1
        }
        #expect(read > 300)
    }
}
