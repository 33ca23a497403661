import Samples
import TestSupport
import Testing
import Wire

/// A case of `results.json`: a body, and its results or why it is refused; `§` marks the offset and is taken out.
struct ResultsVector: Decodable, Sendable, CustomTestStringConvertible {
    struct Expected: Decodable, Sendable {
        var id: String
        var version: Int64
        var status: String
        var reason: String?
        var json: String
    }

    var name: String
    var body: String
    var results: [Expected]?
    var code: String?
    var path: String?
    var testDescription: String { name }

    static let all = Vectors.load("results.json", as: ResultsVector.self)

    var content: [UInt8] { Array(body.replacing("§", with: "").utf8) }
    var markOffset: Int? { body.firstRange(of: "§").map { body[..<$0.lowerBound].utf8.count } }
}

/// The body of a results request (guide section 10).
@Suite struct ResultsDecoderTests {
    @Test(arguments: ResultsVector.all) func vector(_ vector: ResultsVector) throws {
        do {
            let results = try ResultsDecoder.decode(PaddedBytes(vector.content))
            let expected = try #require(vector.results).map {
                CommandResult(
                    id: $0.id, version: $0.version, isApplied: $0.status == "applied", reason: $0.reason,
                    json: Array($0.json.utf8))
            }
            #expect(results == expected)
        } catch let fault as DecodeFault {
            #expect(fault.code == vector.code)
            #expect(fault.path == vector.path)
            #expect(fault.offset == vector.markOffset)
        }
    }

    @Test func aBodyCutAnywhereIsRefused() {
        for vector in ResultsVector.all where vector.code == nil {
            let content = vector.content
            guard let last = content.lastIndex(of: UInt8(ascii: "}")) else { continue }
            for cut in 0...last {
                #expect(throws: DecodeFault.self) { try ResultsDecoder.decode(PaddedBytes(Array(content[..<cut]))) }
            }
        }
    }

    @Test func damagedBodiesAreRefusedOrReadButNothingElse() {
        var random = SeededGenerator(seed: 11)
        let alphabet = Array("{}[]\",:0123456789eE+-.\\u \u{7F}trfalsn§".utf8)
        for vector in ResultsVector.all {
            for _ in 0..<200 {
                let bytes = vector.content.mutated(alphabet: alphabet, using: &random)
                do throws(DecodeFault) {
                    for result in try ResultsDecoder.decode(PaddedBytes(bytes)) {
                        #expect(result.version >= 1 && 1...64 ~= result.id.utf8.count && !result.json.isEmpty)
                    }
                } catch {
                    #expect((error.offset ?? 0) <= bytes.count)
                }
            }
        }
    }

    @Test func aResultIsKeptUpToItsLimit() throws {
        func body(_ bytes: Int) -> PaddedBytes {
            let frame = #"{"command_id":"c_1","version":1,"status":"rejected","reason":""}"#
            let object = frame.dropLast(2) + String(repeating: "x", count: bytes - frame.utf8.count) + "\"}"
            return PaddedBytes(Array(#"{"v":1,"type":"results","results":[\#(object)]}"#.utf8))
        }
        let kept = try ResultsDecoder.decode(body(ResultsDecoder.maximumResultBytes))
        #expect(kept.first?.json.count == ResultsDecoder.maximumResultBytes)
        let fault = #expect(throws: DecodeFault.self) {
            try ResultsDecoder.decode(body(ResultsDecoder.maximumResultBytes + 1))
        }
        #expect(fault?.code == "member_invalid" && fault?.path == "results[0]")
    }
}
