import Receiver
import Samples
import Testing

private func reader(_ zone: String, now: String = "2026-10-14T07:12:03.999999Z") throws -> WriteTime {
    let now = try #require(Timestamp.parse(now.utf8.span)?.timestamp)
    return WriteTime(now: now) { () throws(ConfigurationError) in try TimeZoneName.rules(of: zone) }
}

@Suite struct WriteTimeTests {
    @Test(
        "every shape of a time",
        arguments: [
            ("UTC", "now", "2026-10-14T07:12:03Z"), ("Europe/Berlin", "now", "2026-10-14T07:12:03Z"),
            ("Europe/Berlin", "2026-10-14T07:00:00Z", "2026-10-14T07:00:00Z"),
            ("Europe/Berlin", "2026-10-14t07:00:00.25-05:30", "2026-10-14T12:30:00.250000Z"),
            ("UTC", "2026-10-14 07:00", "2026-10-14T07:00:00Z"),
            ("Europe/Berlin", "2026-10-14 07:00", "2026-10-14T05:00:00Z"),
            ("Europe/Berlin", "2026-01-14T07:00:09", "2026-01-14T06:00:09Z"),
            ("Europe/Berlin", "2026-01-14 07:00:09", "2026-01-14T06:00:09Z"),
            ("Asia/Kolkata", "2026-10-14T07:00", "2026-10-14T01:30:00Z"),
            ("Europe/Berlin", "07:00", "2026-10-14T05:00:00Z"), ("Europe/Berlin", "07:00:59", "2026-10-14T05:00:59Z"),
            ("Europe/Berlin", "00:00", "2026-10-13T22:00:00Z"), ("Europe/Berlin", "23:59", "2026-10-14T21:59:00Z"),
            // There it is the 13th, or the 15th here.
            ("Pacific/Pago_Pago", "07:00", "2026-10-13T18:00:00Z"),
            ("Pacific/Kiritimati", "07:00", "2026-10-13T17:00:00Z"),
            // A skipped hour, and one that comes twice.
            ("Europe/Berlin", "2026-03-29 02:30", "2026-03-29T01:30:00Z"),
            ("Europe/Berlin", "2026-10-25 02:30", "2026-10-25T00:30:00Z"),
            ("UTC", "0000-01-01 00:00", "0000-01-01T00:00:00Z"), ("UTC", "9999-12-31 23:59:59", "9999-12-31T23:59:59Z"),
        ])
    func shapes(zone: String, text: String, expected: String) throws {
        #expect(try reader(zone).read(text)?.text == expected)
    }

    @Test("today is a day of the zone before 1970, too")
    func today() throws {
        #expect(try reader("UTC", now: "1969-12-30T23:30:00Z").read("01:00")?.text == "1969-12-30T01:00:00Z")
        #expect(try reader("UTC", now: "1969-12-31T23:59:59.5Z").read("now")?.text == "1969-12-31T23:59:59Z")
    }

    @Test(
        "other text is no time",
        arguments: [
            "", "Now", "today", "7:00", "24:00", "07:60", "07:00:60", "07.00", "07:00 ", " 07:00", "0a:00", "07:0a",
            "-7:00",
            "2026-10-14", "2026-10-14 7:00", "2026-10-14 07:00Z", "2026-10-14 07:00:00.5", "2026-10-14_07:00",
            "2026-02-29 07:00", "2026-13-01 07:00", "2026-10-14 24:00", "2026-10-14 07:00+02:00", "14.10.2026 07:00",
            "1791961923", "٠٧:٠٠", "2026-10-14\u{0}07:00",
        ])
    func others(text: String) throws { #expect(try reader("Europe/Berlin").read(text) == nil) }

    @Test("a zone that can't be read matters to local times alone")
    func unknownZone() throws {
        let reader = try reader("Europe/Atlantis")
        #expect(try reader.read("2026-10-14T07:00:00Z") != nil && reader.read("now") != nil && reader.read("x") == nil)
        #expect(throws: ConfigurationError.self) { try reader.read("07:00") }
        #expect(throws: ConfigurationError.self) { try reader.read("2026-10-14 07:00") }
    }
}
