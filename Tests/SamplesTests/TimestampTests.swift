import Foundation
import Samples
import TestSupport
import Testing

struct TimestampTests {
    private func read(_ text: String) -> ReadTime? { Timestamp.parse(Array(text.utf8).span) }

    /// Against Foundation's calendar, each way.
    @Test func everyFewDays() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
        // From 1600 on, where Foundation's calendar is Gregorian, to 2400, with steps that meet every month's end.
        for days in stride(from: Int32(-135_140), through: 157_000, by: 13) {
            let date = CivilDate(daysSince1970: days)
            let moment = Date(timeIntervalSince1970: Double(days) * 86_400)
            let parts = calendar.dateComponents([.year, .month, .day], from: moment)
            #expect(parts.year == date.year && parts.month == date.month && parts.day == date.day)
            #expect(date.daysSince1970 == Int(days) && date.isValid)
        }
    }

    @Test func everyDayOfTheYearsWithFourDigits() {
        var date = CivilDate(year: 0, month: 1, day: 1)
        var days = date.daysSince1970
        #expect(days == -719_528)
        while date.year < 10_000 {
            #expect(CivilDate(daysSince1970: Int32(days)) == date)
            days += 1
            if date.day < CivilDate.days(inMonth: date.month, year: date.year) {
                date.day += 1
            } else {
                date = CivilDate(
                    year: date.month == 12 ? date.year + 1 : date.year, month: date.month % 12 + 1, day: 1)
            }
        }
        #expect(date.daysSince1970 == days)
    }

    @Test func farDaysDoNotTrap() {
        for days in [Int32.min, .min + 1, -1, 0, 1, .max - 1, .max] {
            #expect(CivilDate(daysSince1970: days).daysSince1970 == Int(days))
        }
        for microseconds in [Int64.min, .min + 1, -1, 0, 1, .max] {
            #expect(Timestamp(microseconds: microseconds).text.hasSuffix("Z"))
        }
        #expect(Timestamp(microseconds: -1).text == "1969-12-31T23:59:59.999999Z")
        #expect(Timestamp(microseconds: 0).text == "1970-01-01T00:00:00Z")
    }

    @Test func fractionsAreWrittenAsLongAsAsked() {
        func written(_ microseconds: Int64, _ digits: Int) -> String {
            var text = Array("at ".utf8)
            Timestamp(microseconds: microseconds).append(to: &text, fractionDigits: digits)
            return String(decoding: text, as: UTF8.self)
        }
        #expect(written(1_005_999, 0) == "at 1970-01-01T00:00:01Z")
        #expect(written(1_005_999, 3) == "at 1970-01-01T00:00:01.005Z")
        #expect(written(1_000_000, 6) == "at 1970-01-01T00:00:01.000000Z")
        #expect(written(-1, 1) == "at 1969-12-31T23:59:59.9Z")
        #expect(written(-62_167_219_200_000_001, 6) == "at -0001-12-31T23:59:59.999999Z")
        #expect(Timestamp(microseconds: 253_402_300_800_000_000).text == "10000-01-01T00:00:00Z")
    }

    @Test func randomTimesSurviveWritingAndReading() throws {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<5_000 {
            let microseconds = Int64.random(in: -62_167_219_200_000_000...253_402_300_799_999_999, using: &generator)
            let timestamp = Timestamp(microseconds: microseconds)
            let time = try #require(read(timestamp.text))
            #expect(time.timestamp == timestamp && time.isUTC && time.offsetMinutes == 0)
            #expect(time.isPlain == (microseconds % 1_000_000 == 0 || microseconds % 10 != 0))
        }
    }

    @Test func offsetsMove() throws {
        for minutes in -1_439...1_439 {
            let (hours, rest) = minutes.magnitude.quotientAndRemainder(dividingBy: 60)
            let zone =
                (minutes < 0 ? "-" : "+") + (hours < 10 ? "0" : "") + "\(hours):" + (rest < 10 ? "0" : "") + "\(rest)"
            let time = try #require(read("1970-01-01T00:00:00\(zone)"))
            #expect(time.timestamp.microseconds == Int64(-minutes) * 60_000_000)
            #expect(time.offsetMinutes == Int16(minutes) && !time.isPlain && !time.isUTC)
        }
    }

    @Test func cutAtEveryByte() {
        for whole in ["2026-10-14T07:01:00.123456Z", "2026-10-14T07:01:00+02:00"] {
            for cut in whole.indices { #expect(read(String(whole[..<cut])) == nil) }
        }
        let long = "2026-10-14T07:01:00." + String(repeating: "9", count: 100_000) + "Z"
        #expect(read(long)?.timestamp.microseconds == 1_791_961_260_999_999)
    }

    @Test func mutated() {
        var generator = SeededGenerator(seed: 6)
        let alphabet = Array("0123456789-:.+TZtz\u{0}é".utf8)
        for _ in 0..<20_000 {
            let content = Array("2026-10-14T07:01:00.5+02:00".utf8).mutated(alphabet: alphabet, using: &generator)
            guard let time = Timestamp.parse(content.span) else { continue }
            let text = time.timestamp.text
            // An offset may leave the years 0000 to 9999, which can't be read back.
            let hasFourDigits =
                text.first != "-" && text.firstIndex(of: "-") == text.index(text.startIndex, offsetBy: 4)
            #expect(read(text)?.timestamp == (hasFourDigits ? time.timestamp : nil))
        }
    }
}
