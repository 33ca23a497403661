import Samples
import TestSupport
import Testing

/// A zone file as its parts, so that each can be wrong on its own.
struct ZoneFile {
    var version = UInt8(ascii: "2")
    var times: [Int64] = [0, 1_000_000]
    var indices: [UInt8] = [1, 0]
    var types: [(offset: Int32, isSummer: UInt8, name: UInt8)] = [(3_600, 0, 0), (7_200, 1, 4)]
    var names = Array("CET\0CEST\0".utf8)
    var leaps = 0
    var standard = 0
    var utc = 0
    var footer: String? = "CET-1CEST,M3.5.0,M10.5.0/3"
    var counts: [Int: UInt32] = [:]

    private func block(_ width: Int) -> [UInt8] {
        var bytes = Array("TZif".utf8) + [version] + [UInt8](repeating: 0, count: 15)
        let lengths = [utc, standard, leaps, times.count, types.count, names.count]
        for (index, length) in lengths.enumerated() { bytes += big(Int64(counts[index] ?? UInt32(length)), 4) }
        for time in times { bytes += big(time, width) }
        bytes += indices
        for type in types { bytes += big(Int64(type.offset), 4) + [type.isSummer, type.name] }
        bytes += names + [UInt8](repeating: 0, count: leaps * (width + 4) + standard + utc)
        return bytes
    }

    private func big(_ value: Int64, _ width: Int) -> [UInt8] {
        (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * (width - 1 - $0))) }
    }

    var bytes: [UInt8] {
        version == 0 ? block(4) : block(4) + block(8) + Array("\n\(footer ?? "")\n".utf8)
    }
}

private func reason(_ bytes: [UInt8]) -> ZoneFault.Reason? {
    do { _ = try ZoneRules(parsing: bytes) } catch { return error.reason }
    return nil
}

private func reason(_ change: (inout ZoneFile) -> Void) -> ZoneFault.Reason? {
    var file = ZoneFile()
    change(&file)
    return reason(file.bytes)
}

private func offset(_ footer: String, _ time: String) throws -> Int32 {
    var file = ZoneFile()
    (file.times, file.indices, file.footer) = ([], [], footer)
    let time = try #require(Timestamp.parse(time.utf8.span)?.timestamp)
    return try ZoneRules(parsing: file.bytes).offsetSeconds(at: time)
}

@Suite struct ZoneFileTests {
    @Test("versions 1 to 4 are read, others not")
    func versions() {
        for version in [0, UInt8(ascii: "2"), UInt8(ascii: "3"), UInt8(ascii: "4")] {
            #expect(reason { $0.version = version } == nil)
        }
        for version in [1, UInt8(ascii: "1"), UInt8(ascii: "5"), 255] {
            #expect(reason { $0.version = version } == .notAZoneFile)
        }
        #expect(reason([]) == .wrongLength)
        #expect(reason(Array(repeating: 0, count: 200)) == .notAZoneFile)
    }

    @Test("before the first change the first type counts, after the last the footer")
    func parts() throws {
        let rules = try ZoneRules(parsing: ZoneFile().bytes)
        let at = { rules.offsetSeconds(at: Timestamp(microseconds: $0)) }
        #expect(at(-1) == 3_600 && at(0) == 7_200 && at(999_999_999_999) == 7_200 && at(1_000_000_000_000) == 3_600)
        var file = ZoneFile()
        file.footer = nil
        file.indices = [0, 1]
        let open = try ZoneRules(parsing: file.bytes)
        #expect(open.offsetSeconds(at: Timestamp(microseconds: .max)) == 7_200)
    }

    @Test("what contradicts RFC 9636 section 3 is refused for its reason")
    func refusals() {
        #expect(reason { $0.times = [5, 5] } == .wrongOrder)
        #expect(reason { $0.times = [6, 5] } == .wrongOrder)
        #expect(reason { $0.indices = [2, 0] } == .wrongType)
        #expect(reason { $0.types[1].offset = 93_600 } == .wrongType)
        #expect(reason { $0.types[1].offset = 93_599 } == nil)
        #expect(reason { $0.types[1].offset = -90_000 } == .wrongType)
        #expect(reason { $0.types[1].offset = .min } == .wrongType)
        #expect(reason { $0.types[1].isSummer = 2 } == .wrongType)
        #expect(reason { $0.types[1].name = 9 } == .wrongType)
        #expect(reason { $0.names = [] } == .wrongCounts)
        #expect(reason { ($0.types, $0.times, $0.indices) = ([], [], []) } == .wrongCounts)
        #expect(reason { $0.standard = 1 } == .wrongCounts)
        #expect(reason { $0.utc = 1 } == .wrongCounts)
        #expect(reason { ($0.utc, $0.standard) = (2, 2) } == nil)
        #expect(reason { $0.leaps = 1 } == .leapSeconds)
        for index in 0..<6 { #expect(reason { $0.counts[index] = .max } == .wrongLength) }
        #expect(reason(ZoneFile().bytes + [0]) == .wrongLength)
        #expect(reason { $0.footer = "CET-1\nCET-1" } == .wrongFooter)
    }

    @Test(
        "a footer outside of the grammar is refused",
        arguments: [
            "CET", "CE-1", "-1", "CET-25", "CET-1:60", "CET-1:", "CET-1:00:60", "CET-0001", "<+03-3", "<+3>-3", "<é>-3",
            "CET-1CEST", "CET-1CEST,", "CET-1CEST,M3.5.0", "CET-1CEST,M3.5.0,", "CET-1CEST,M0.5.0,M10.5.0",
            "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.0.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0",
            "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,M3.5,M10.5.0", "CET-1CEST,J0,J365", "CET-1CEST,J1,J366",
            "CET-1CEST,0,366", "CET-1CEST,M3.5.0/168,M10.5.0", "CET-1CEST,M3.5.0/-168,M10.5.0",
            "CET-1CEST,M3.5.0,M10.5.0 ", "CET-1CEST,M3.5.0,M10.5.0,M1.1.1", "CET-1CEST-2-3,M3.5.0,M10.5.0",
            "CET-99999999999999999999", "CET-24:59:59CEST,M3.5.0,M10.5.0/999999999", "CET24:59:59CEST-25,J1,J2", ",",
        ])
    func footers(text: String) { #expect(reason { $0.footer = text } == .wrongFooter) }

    @Test(
        "footers of every shape",
        arguments: [
            ("<+03>-3", "2040-07-01T00:00:00Z", 10_800), ("<-0330>3:30", "2040-07-01T00:00:00Z", -12_600),
            ("AAA-1:02:03", "2040-07-01T00:00:00Z", 3_723), ("AAA+0", "2040-07-01T00:00:00Z", 0),
            // Winter is the exception, one hour behind: Europe/Dublin.
            ("IST-1GMT0,M10.5.0,M3.5.0/1", "2040-07-01T00:00:00Z", 3_600),
            ("IST-1GMT0,M10.5.0,M3.5.0/1", "2040-01-01T00:00:00Z", 0),
            // Hours below 0 and past 24: America/Nuuk and Asia/Jerusalem.
            ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2040-03-25T00:59:59Z", -7_200),
            ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2040-03-25T01:00:00Z", -3_600),
            ("IST-2IDT,M3.4.4/26,M10.5.0", "2040-03-22T23:59:59Z", 7_200),
            ("IST-2IDT,M3.4.4/26,M10.5.0", "2040-03-23T00:00:00Z", 10_800),
            // The leap day counts in `n` and not in `Jn`.
            ("AAA0BBB,J60/0,J300", "2040-02-29T23:59:59Z", 0), ("AAA0BBB,J60/0,J300", "2040-03-01T00:00:00Z", 3_600),
            ("AAA0BBB,59/0,300", "2040-02-28T23:59:59Z", 0), ("AAA0BBB,59/0,300", "2040-02-29T00:00:00Z", 3_600),
            // Summer time all year, as RFC 9636 section 3.3.1 writes it.
            ("EST5EDT,0/0,J365/25", "2040-01-01T04:59:59Z", -14_400),
            ("EST5EDT,0/0,J365/25", "2041-01-01T05:00:00Z", -14_400),
            ("XXX3EDT4,0/0,J365/23", "2040-12-31T23:00:00Z", -14_400),
            ("XXX3EDT4,0/0,J365/23", "2041-01-01T03:00:00Z", -14_400),
            // A change a week into the neighbouring year.
            ("AAA0BBB,J365/167,M3.1.0", "2041-01-06T22:59:59Z", 0),
            ("AAA0BBB,J365/167,M3.1.0", "2041-01-06T23:00:00Z", 3_600),
        ])
    func footerOffsets(footer: String, time: String, expected: Int32) throws {
        #expect(try offset(footer, time) == expected)
    }

    @Test("a file cut anywhere is refused, or without its last line break")
    func cuts() {
        for version in [0, UInt8(ascii: "3")] {
            var file = ZoneFile()
            file.version = version
            let bytes = file.bytes
            for count in bytes.indices { #expect(reason(Array(bytes[..<count])) != nil, "\(count)") }
        }
    }

    @Test("noise never traps")
    func noise() {
        var random = SeededGenerator(seed: 11)
        let bytes = ZoneFile().bytes
        var read = 0
        for _ in 0..<20_000 {
            var mutated = bytes
            for _ in 0...(random.next() % 3) {
                mutated[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            guard let rules = try? ZoneRules(parsing: mutated) else { continue }
            read += 1
            for _ in 0..<3 {
                let any = Int64(bitPattern: random.next())
                #expect(abs(rules.offsetSeconds(at: Timestamp(microseconds: any))) < 26 * 3_600)
                #expect(abs(rules.offsetSeconds(atLocalSeconds: any)) < 26 * 3_600)
            }
        }
        #expect(read > 100)
    }
}
