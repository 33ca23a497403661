import TestSupport
import Testing
@testable import Wire

struct LineProtocolReaderTests {
    /// A point with its texts' own bytes.
    struct Point: Equatable {
        var line: Int
        var measurement: String
        var tags: [[String]] = []
        var fields: [[String]] = []
        var timestamp: Int64
    }

    private func read(_ text: String) throws(LineFault) -> [Point] {
        let content = Array(text.utf8)
        var reader = try LineProtocolReader(PaddedBytes(content), maximumLineBytes: 1 << 20)
        var points: [Point] = []
        while try reader.next() {
            var point = Point(
                line: reader.line,
                measurement: String(decoding: reader.unescaped(reader.measurement, isMeasurement: true), as: UTF8.self),
                timestamp: reader.timestamp)
            for tag in reader.tags {
                point.tags.append(
                    [reader.unescaped(tag.key), reader.unescaped(tag.value)].map { String(decoding: $0, as: UTF8.self) }
                )
            }
            for field in reader.fields {
                let value = reader.unescaped(field.value, isString: field.kind == .string)
                point.fields.append(
                    [reader.unescaped(field.key), value].map { String(decoding: $0, as: UTF8.self) } + ["\(field.kind)"]
                )
            }
            points.append(point)
        }
        return points
    }

    /// Keys, tag values and strings of any text come back as they were, escaped by the specification's rules.
    @Test func everyTextComesBack() throws {
        var generator = SeededGenerator(seed: 12)
        let alphabet = Array(", =\\\"aé\u{0}0123456789\t#")
        func text(_ count: ClosedRange<Int>) -> String {
            String(
                (0..<Int.random(in: count, using: &generator)).map { _ in
                    alphabet.randomElement(using: &generator) ?? "a"
                })
        }
        func escaped(_ text: String, _ special: String) -> String {
            text.reduce(into: "") { $0 += special.contains($1) ? "\\\($1)" : "\($1)" }
        }
        for round in 0..<3_000 {
            // A backslash at the end, or in front of a byte that is escaped, can't be written in a key.
            func key() -> String { "k" + text(0...20).replacing("\\", with: "/") }
            let measurement = "m" + text(0...20).replacing("\\", with: "/")
            let tags = [[key(), key()], [key(), key()]]
            let string = text(0...30) + (round.isMultiple(of: 3) ? "\n" : "") + text(0...9)
            let field = key()
            let line =
                escaped(measurement, ", ") + tags.map { ",\(escaped($0[0], ", ="))=\(escaped($0[1], ", ="))" }.joined()
                + " \(escaped(field, ", ="))=\"\(escaped(string, "\"\\"))\",n=1i \(round)"
            let expected = Point(
                line: 2, measurement: measurement, tags: tags,
                fields: [[field, string, "string"], ["n", "1", "integer"]],
                timestamp: Int64(round))
            #expect(try read("\n" + line + "\r\n") == [expected])
        }
    }

    @Test func everyLengthOfAToken() throws {
        for count in 1..<70 {
            let text = String(repeating: "x", count: count)
            let point = Point(
                line: 1, measurement: text, tags: [[text, text]], fields: [[text, text, "string"]], timestamp: 1)
            #expect(try read("\(text),\(text)=\(text) \(text)=\"\(text)\" 1") == [point])
        }
    }
}
