import TestSupport
import Testing
@testable import Wire

struct CSVReaderTests {
    struct Record: Equatable {
        var line: Int
        var fields: [[UInt8]]
    }

    /// Why and where a text was refused.
    struct Refusal: Error, Equatable {
        var reason: CSVFault.Reason
        var offset: Int
    }

    private func read(_ content: [UInt8], maximumFields: Int = 1_000) throws(CSVFault) -> [Record] {
        var reader = try CSVReader(PaddedBytes(content), maximumFields: maximumFields)
        var records: [Record] = []
        while try reader.next() {
            let fields = reader.fields.map { $0.hasEscapes ? reader.unescaped($0) : Array(content[$0.range]) }
            records.append(Record(line: reader.line, fields: fields))
        }
        return records
    }

    /// The grammar once more, a byte at a time and with nothing in common with the reader but the rules.
    private func naive(_ content: [UInt8]) -> Result<[Record], Refusal> {
        let comma = UInt8(ascii: ","), quote = UInt8(ascii: "\""), feed = UInt8(ascii: "\n"), cr = UInt8(ascii: "\r")
        var records: [Record] = [], at = 0, line = 1
        func byte(_ index: Int) -> UInt8? { index < content.count ? content[index] : nil }
        while at < content.count {
            if byte(at) == feed || (byte(at) == cr && byte(at + 1) == feed) {
                at += byte(at) == cr ? 2 : 1
                line += 1
                continue
            }
            var record = Record(line: line, fields: [])
            while true {
                var field: [UInt8] = []
                if byte(at) == quote {
                    let start = at
                    at += 1
                    while true {
                        guard let next = byte(at) else {
                            return .failure(Refusal(reason: .unterminatedQuote, offset: start))
                        }
                        if next == quote {
                            guard byte(at + 1) == quote else { break }
                            at += 1
                        }
                        if next == feed { line += 1 }
                        field.append(next)
                        at += 1
                    }
                    at += 1
                    if let next = byte(at), next != comma, next != feed, next != cr {
                        return .failure(Refusal(reason: .textBehindQuote, offset: at))
                    }
                } else {
                    while let next = byte(at), next != comma, next != feed, next != cr {
                        if next == quote { return .failure(Refusal(reason: .bareQuote, offset: at)) }
                        field.append(next)
                        at += 1
                    }
                }
                if byte(at) == cr && byte(at + 1) != feed {
                    return .failure(Refusal(reason: .bareReturn, offset: at))
                }
                record.fields.append(field)
                guard byte(at) == comma else { break }
                at += 1
            }
            at += byte(at) == cr ? 2 : 1
            line += 1
            records.append(record)
        }
        return .success(records)
    }

    /// Whatever the bytes, the reader says what a reader without any tricks says.
    @Test func equalsANaiveReader() {
        var generator = SeededGenerator(seed: 11)
        let pieces = [
            "a", "bcdefgh", ",", ",", "\"", "\"\"", "\n", "\r\n", "\r", "é", "0123456789abcdef", "\u{0}", "\"x,y\"", "",
        ]
        for _ in 0..<20_000 {
            var text = ""
            for _ in 0..<Int.random(in: 0...24, using: &generator) {
                text += pieces.randomElement(using: &generator) ?? ""
            }
            let content = Array(text.utf8)
            let got: Result<[Record], Refusal>
            do throws(CSVFault) { got = .success(try read(content)) } catch {
                got = .failure(Refusal(reason: error.reason, offset: error.offset))
            }
            let expected = naive(content)
            guard got != expected else { continue }
            Issue.record("\(text.debugDescription): \(got), not \(expected)")
        }
    }

    @Test func everyLengthOfAField() throws {
        for count in 0..<70 {
            let field = String(repeating: "x", count: count)
            for text in ["\(field),\(field)\r\ny", "\"\(field)\",\"\(field)\"\ny", "y,\(field)", "\"\(field)\""] {
                guard case .success(let expected) = naive(Array(text.utf8)) else { continue }
                #expect(try read(Array(text.utf8)) == expected)
            }
        }
    }

    @Test func numberOfFields() throws {
        #expect(try read(Array("a,b\nc".utf8), maximumFields: 2).map(\.fields.count) == [2, 1])
        let many = #expect(throws: CSVFault.self) { try read(Array("a,b\nc,d,e".utf8), maximumFields: 2) }
        #expect(many == CSVFault(reason: .tooManyFields, offset: 8, line: 2, field: 2))
        let faults = [
            ("a,b\nc", CSVFault(reason: .tooFewFields, offset: 4, line: 2, field: nil)),
            ("a,b\nc,d,e", CSVFault(reason: .surplusField, offset: 8, line: 2, field: 2)),
        ]
        for (text, fault) in faults {
            var reader = try CSVReader(PaddedBytes(Array(text.utf8)), maximumFields: 2)
            #expect(try reader.next())
            reader.fieldCount = 2
            do throws(CSVFault) {
                _ = try reader.next()
                Issue.record("another number of fields than the header row's")
            } catch { #expect(error == fault) }
        }
    }
}
