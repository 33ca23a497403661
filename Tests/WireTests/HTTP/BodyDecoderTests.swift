import TestSupport
import Testing

@testable import Wire

struct ChunkedVector: Decodable, Sendable, CustomTestStringConvertible {
    var name: String, input: String
    var rest: String?, body: String?
    var maximumBodyBytes: Int?
    var status: Int?, code: String?, incomplete: Bool?
    var testDescription: String { name }
}

enum BodyOutcome: Equatable {
    case refused(HTTPFault)
    case body([UInt8], consumed: Int, isComplete: Bool)
}

/// Feeds `bytes` in pieces that end at `cuts`.
func decodeBody(
    _ bytes: [UInt8], framing: BodyFraming = .chunked, cuts: [Int] = [], limits: HTTPLimits = HTTPLimits(),
    maximumBodyBytes: Int = 1_000_000
) -> BodyOutcome {
    var decoder = BodyDecoder(framing: framing, limits: limits, maximumBodyBytes: maximumBodyBytes)
    var body: [UInt8] = []
    var start = 0
    do {
        for end in cuts + [bytes.count] {
            let (consumed, isComplete) = try decoder.consume(bytes.span.extracting(start..<end), into: &body)
            #expect(isComplete == decoder.isComplete)
            #expect(body.count <= maximumBodyBytes)
            if isComplete { return .body(body, consumed: start + consumed, isComplete: true) }
            guard consumed == end - start else {
                Issue.record("took \(consumed) of \(end - start) bytes of an unfinished body")
                break
            }
            start = end
        }
        return .body(body, consumed: start, isComplete: false)
    } catch {
        #expect(throws: error) { try decoder.consume([UInt8(ascii: "0")].span, into: &body) }
        #expect(!decoder.isComplete && decoder.missingBytes == nil)
        return .refused(error)
    }
}

private let vectors = Vectors.load("http/chunked.json", as: ChunkedVector.self)

@Test(arguments: vectors) func chunkedBody(vector: ChunkedVector) throws {
    let bytes = vector.input.latin1Bytes
    let maximum = vector.maximumBodyBytes ?? 1_000_000
    let outcome = decodeBody(bytes, maximumBodyBytes: maximum)
    switch outcome {
    case .refused(let fault):
        #expect(fault.status == vector.status && fault.code == vector.code, "\(fault)")
        #expect((fault.offset ?? -1) >= 0 && (fault.offset ?? 0) <= bytes.count)
    case .body(let body, let consumed, let isComplete):
        try #require(vector.status == nil, "accepted")
        #expect(isComplete == (vector.incomplete != true))
        #expect(String(latin1: body) == vector.body)
        #expect(bytes.dropFirst(consumed).elementsEqual((vector.rest ?? "").latin1Bytes))
    }
    for cut in 0...bytes.count {
        #expect(decodeBody(bytes, cuts: [cut], maximumBodyBytes: maximum) == outcome, "cut at \(cut)")
    }
    #expect(decodeBody(bytes, cuts: Array(0...bytes.count), maximumBodyBytes: maximum) == outcome, "byte by byte")
}

@Test func mutatedChunksAreReadTheSameHoweverTheyArrive() {
    var generator = SeededGenerator(seed: 71)
    let alphabet = Array("\r\n\r\n;: \t0159afFg\0".utf8) + [0x80]
    var limits = HTTPLimits()
    limits.chunkLineBytes = 24
    limits.fieldBytes = 20
    limits.headerBlockBytes = 40
    limits.fieldCount = 3
    for round in 0..<3000 {
        let bytes = vectors[round % vectors.count].input.latin1Bytes.mutated(alphabet: alphabet, using: &generator)
        let whole = decodeBody(bytes, limits: limits, maximumBodyBytes: 30)
        let cut = Int.random(in: 0...bytes.count, using: &generator)
        for cuts in [[cut], Array(0...bytes.count)] {
            #expect(
                decodeBody(bytes, cuts: cuts, limits: limits, maximumBodyBytes: 30) == whole,
                "\(String(latin1: bytes).debugDescription)")
        }
    }
}

@Test func chunkLimits() {
    let line = { (count: Int) in "5;" + String(repeating: "a", count: count - 2) + "\r\nhello\r\n0\r\n\r\n" }
    let trailer = { (count: Int) in "0\r\nX: " + String(repeating: "a", count: count - 3) + "\r\n\r\n" }
    let trailers = { (count: Int) in "0\r\n" + String(repeating: "X:\r\n", count: count) + "\r\n" }
    // Two trailers of 16,000 with their CRLFs, one that fills up, then the empty line.
    let block = { (count: Int) in
        let long = "X: " + String(repeating: "a", count: 15995) + "\r\n"
        return "0\r\n" + long + long + "X: " + String(repeating: "a", count: count - 32007) + "\r\n\r\n"
    }
    for (make, limit, status, code) in [
        (line, 256, 400, "chunk_line_too_long"), (trailer, 16384, 431, "field_too_large"),
        (trailers, 100, 431, "too_many_fields"), (block, 32768, 431, "fields_too_large"),
    ] {
        for count in [limit, limit + 1] {
            let bytes = Array(make(count).utf8)
            let outcome = decodeBody(bytes)
            switch outcome {
            case .body(_, let consumed, let isComplete):
                #expect(count == limit && isComplete && consumed == bytes.count, "\(code)")
            case .refused(let fault): #expect(count > limit && fault.status == status && fault.code == code)
            }
            #expect(decodeBody(bytes, cuts: Array(1..<bytes.count)) == outcome, "\(code) byte by byte")
        }
    }
}

@Test func lengthBody() throws {
    let bytes = Array("helloGET".utf8)
    for cut in 0...bytes.count {
        #expect(
            decodeBody(bytes, framing: .length(5), cuts: [cut], maximumBodyBytes: 5)
                == .body(Array("hello".utf8), consumed: 5, isComplete: true))
    }
    for framing in [BodyFraming.none, .length(0)] {
        #expect(decodeBody(bytes, framing: framing, maximumBodyBytes: 0) == .body([], consumed: 0, isComplete: true))
    }
    for (length, maximum) in [(6, 5), (1, 0), (1, -1), (Int.max, Int.max - 1)] {
        guard case .refused(let fault) = decodeBody([], framing: .length(length), maximumBodyBytes: maximum) else {
            Issue.record("\(length) bytes accepted")
            continue
        }
        #expect(fault.status == 413 && fault.code == "body_too_large")
    }
    #expect(
        decodeBody(bytes, framing: .length(Int.max), maximumBodyBytes: Int.max)
            == .body(bytes, consumed: 8, isComplete: false))
}

@Test func lengthBodyReadInPlace() throws {
    var decoder = BodyDecoder(framing: .length(10), limits: HTTPLimits(), maximumBodyBytes: 10)
    var body: [UInt8] = []
    #expect(decoder.missingBytes == 10)
    #expect(try decoder.consume(Array("abc".utf8).span, into: &body) == (3, false))
    decoder.advance(by: 4)
    #expect(decoder.missingBytes == 3 && !decoder.isComplete)
    decoder.advance(by: 3)
    #expect(decoder.missingBytes == 0 && decoder.isComplete)
    decoder.advance(by: 0)
    #expect(try decoder.consume(Array("GET".utf8).span, into: &body) == (0, true))
    #expect(body == Array("abc".utf8))
    #expect(BodyDecoder(framing: .chunked, limits: HTTPLimits(), maximumBodyBytes: 10).missingBytes == nil)
    #expect(BodyDecoder(framing: .length(11), limits: HTTPLimits(), maximumBodyBytes: 10).missingBytes == nil)
    #expect(BodyDecoder(framing: .none, limits: HTTPLimits(), maximumBodyBytes: 10).isComplete)
}

@Test func bodiesThatAreTooLargeAreRefusedByTheirHead() {
    let cases: [(BodyFraming, maximum: Int, isRefused: Bool)] = [
        (.none, 0, false), (.length(0), 0, false), (.length(1), 0, true), (.chunked, 0, false),
        (.length(10), 10, false),
        (.length(11), 10, true), (.chunked, 1, false),
    ]
    for (framing, maximum, isRefused) in cases {
        let decoder = BodyDecoder(framing: framing, limits: HTTPLimits(), maximumBodyBytes: maximum)
        #expect(decoder.fault?.status == (isRefused ? 413 : nil), "\(framing) of \(maximum)")
    }
}
