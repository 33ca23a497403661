import TestSupport
import Testing

@testable import Wire

struct RequestHeadVector: Decodable, Sendable, CustomTestStringConvertible {
    var name: String, input: String
    var rest: String?
    var status: Int?, code: String?, incomplete: Bool?
    var method: String?, path: String?, target: String?, minorVersion: Int?, framing: String?
    var keepAlive: Bool?, expectsContinue: Bool?, fields: [String: [String]]?
    var testDescription: String { name }
}

/// What came of some bytes: enough of it to compare ways of arriving.
enum HeadOutcome: Equatable {
    case refused(HTTPFault)
    case incomplete
    case head(consumed: Int, description: String)
}

/// Feeds `bytes` in pieces that end at `cuts`.
func parseHead(_ bytes: [UInt8], cuts: [Int] = [], limits: HTTPLimits = HTTPLimits()) -> (HeadOutcome, RequestHead?) {
    var parser = RequestHeadParser(limits: limits)
    var start = 0
    do {
        for end in cuts + [bytes.count] {
            let (consumed, head) = try parser.consume(bytes.span.extracting(start..<end))
            if let head { return (.head(consumed: start + consumed, description: "\(head)"), head) }
            guard consumed == end - start else {
                Issue.record("took \(consumed) of \(end - start) bytes without a head")
                return (.incomplete, nil)
            }
            start = end
        }
        return (.incomplete, nil)
    } catch {
        #expect(throws: error) { try parser.consume([UInt8(ascii: "x")].span) }  // once refused, always refused
        return (.refused(error), nil)
    }
}

private let vectors = Vectors.load("http/request-heads.json", as: RequestHeadVector.self)

@Test(arguments: vectors) func requestHead(vector: RequestHeadVector) throws {
    let bytes = vector.input.latin1Bytes
    let (outcome, head) = parseHead(bytes)
    switch outcome {
    case .refused(let fault):
        #expect(fault.status == vector.status && fault.code == vector.code, "\(fault)")
        #expect((fault.offset ?? 0) <= bytes.count)
    case .incomplete: #expect(vector.incomplete == true)
    case .head(let consumed, _):
        let head = try #require(head)
        try #require(vector.status == nil && vector.incomplete == nil, "accepted: \(head)")
        #expect(bytes.dropFirst(consumed).elementsEqual((vector.rest ?? "").latin1Bytes))
        #expect(head.method == vector.method)
        #expect(String(latin1: head.path) == vector.path)
        if let target = vector.target { #expect(String(latin1: head.target) == target) }
        #expect(head.minorVersion == vector.minorVersion ?? 1)
        #expect(describe(head.framing) == vector.framing ?? "none")
        #expect(head.keepAlive == vector.keepAlive ?? true)
        #expect(head.expectsContinue == vector.expectsContinue ?? false)
        for (name, values) in vector.fields ?? [:] {
            #expect(head.fields.values(name).map { String(latin1: $0) } == values, "\(name)")
            #expect(head.fields.first(name).map { String(latin1: $0) } == values.first, "\(name)")
        }
    }
    for cut in 0...bytes.count { #expect(parseHead(bytes, cuts: [cut]).0 == outcome, "cut at \(cut)") }
    #expect(parseHead(bytes, cuts: Array(0...bytes.count)).0 == outcome, "byte by byte")
}

private func describe(_ framing: BodyFraming) -> String {
    switch framing {
    case .none: "none"
    case .length(let bytes): "length \(bytes)"
    case .chunked: "chunked"
    }
}

@Test func headFaultsComeWithTheirLine() {
    // The rest of the head has not arrived: nobody may keep a connection open behind a line that is wrong.
    for vector in vectors where vector.status != nil && vector.code != "host_missing" {
        let bytes = vector.input.latin1Bytes
        guard case .refused(let fault) = parseHead(bytes).0, let offset = fault.offset else {
            Issue.record("\(vector.name): no offset")
            continue
        }
        let lineEnd = bytes[min(offset, bytes.count - 1)...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count - 1
        #expect(parseHead(Array(bytes[...lineEnd])).0 == .refused(fault), "\(vector.name)")
    }
}

@Test func mutatedHeadsAreReadTheSameHoweverTheyArrive() {
    var generator = SeededGenerator(seed: 9112)
    let alphabet = Array("\r\n\r\n\t :;,/?#*[]%@.0159aZ\0\u{7f}".utf8) + [0x80, 0xFF]
    var limits = HTTPLimits()
    limits.requestLineBytes = 60
    limits.fieldBytes = 50
    limits.headerBlockBytes = 90
    limits.fieldCount = 4
    for round in 0..<3000 {
        let bytes = vectors[round % vectors.count].input.latin1Bytes.mutated(alphabet: alphabet, using: &generator)
        let whole = parseHead(bytes, limits: limits).0
        let cut = Int.random(in: 0...bytes.count, using: &generator)
        #expect(parseHead(bytes, cuts: [cut], limits: limits).0 == whole, "\(String(latin1: bytes).debugDescription)")
        #expect(
            parseHead(bytes, cuts: Array(0...bytes.count), limits: limits).0 == whole,
            "\(String(latin1: bytes).debugDescription)")
        if case .refused(let fault) = whole {
            #expect([400, 414, 417, 431, 505].contains(fault.status))
            #expect((fault.offset ?? 0) <= bytes.count)
        }
    }
}

@Test func pipelinedHeadsOfOneParser() throws {
    let requests = [
        "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n", "\r\nGET /2 HTTP/1.0\r\n\r\n", "GET /3 HTTP/1.1\r\nHost: b\r\n\r\n",
    ]
    let bytes = Array(requests.joined().utf8)
    var parser = RequestHeadParser(limits: HTTPLimits())
    var start = 0
    var paths: [String] = []
    while start < bytes.count {
        #expect(!parser.hasBegun)
        let (consumed, head) = try parser.consume(bytes.span.extracting(start...))
        paths.append(String(latin1: try #require(head).path))
        start += consumed
    }
    #expect(paths == ["/1", "/2", "/3"])
    #expect(throws: HTTPFault.self) { try parser.consume(Array("GET /4 HTTP/1.1\r\n\r\n".utf8).span) }
}

@Test func hasBegun() throws {
    var parser = RequestHeadParser(limits: HTTPLimits())
    for (byte, begun) in zip(
        "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r".utf8, [false, false] + Array(repeating: true, count: 99))
    {
        #expect(try parser.consume([byte].span).head == nil)
        #expect(parser.hasBegun == begun)
    }
    #expect(try parser.consume([UInt8(ascii: "\n")].span).head != nil)
    #expect(!parser.hasBegun)
}

struct LimitCase: Sendable, CustomTestStringConvertible {
    var name: String, accepted: String, refused: String, status: Int, code: String
    var testDescription: String { name }

    static let all: [LimitCase] = {
        let line = { (count: Int) in
            "GET /" + String(repeating: "a", count: count - 14) + " HTTP/1.1\r\nHost: a\r\n\r\n"
        }
        let field = { (count: Int) in
            "GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "a", count: count - 3) + "\r\n\r\n"
        }
        // Host's line has 9 bytes, two fields of 10,000 with their CRLFs, the last one fills up, then the empty line.
        let block = { (count: Int) in
            let long = "X: " + String(repeating: "a", count: 9995) + "\r\n"
            let last = "X: " + String(repeating: "a", count: count - 9 - 20000 - 5 - 2) + "\r\n"
            return "GET / HTTP/1.1\r\nHost: a\r\n" + long + long + last + "\r\n"
        }
        let fields = { (count: Int) in
            "GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: "X:\r\n", count: count - 1) + "\r\n"
        }
        return [
            LimitCase(
                name: "request line", accepted: line(8192), refused: line(8193), status: 414,
                code: "request_line_too_long"),
            LimitCase(
                name: "field", accepted: field(16384), refused: field(16385), status: 431, code: "field_too_large"),
            LimitCase(
                name: "header block", accepted: block(32768), refused: block(32769), status: 431,
                code: "fields_too_large"),
            LimitCase(
                name: "fields", accepted: fields(100), refused: fields(101), status: 431, code: "too_many_fields"),
        ]
    }()
}

@Test(arguments: LimitCase.all) func headLimit(limit: LimitCase) throws {
    for (text, isAccepted) in [(limit.accepted, true), (limit.refused, false)] {
        let bytes = Array(text.utf8)
        let (outcome, head) = parseHead(bytes)
        if isAccepted {
            #expect(head != nil, "\(outcome)")
        } else if case .refused(let fault) = outcome {
            #expect(fault.status == limit.status && fault.code == limit.code)
        } else {
            Issue.record("accepted one past the limit")
        }
        let everyByte = parseHead(bytes, cuts: Array(1..<bytes.count)).0
        #expect(everyByte == outcome, "byte by byte")
    }
}

@Test func anEndlessLineIsRefusedWithoutItsLF() {
    for (start, byte, status) in [
        ("", "a", 414), ("", "\r", 414), ("GET / HTTP/1.1\r\n", "a", 431), ("GET / HTTP/1.1\r\n", "\r", 431),
    ] {
        let bytes = Array((start + String(repeating: byte, count: 20000)).utf8)
        for cuts in [[], [9000], Array(stride(from: 1, to: 20000, by: 7))] {
            guard case .refused(let fault) = parseHead(bytes, cuts: cuts).0 else {
                Issue.record("not refused")
                continue
            }
            #expect(fault.status == status)
        }
    }
}
