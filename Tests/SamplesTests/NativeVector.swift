import Samples
import TestSupport
import Testing
import Wire

/// A case of `native-accepted.json` or `native-refused.json`: a body, or a sample to put into one.
struct NativeVector: Decodable, Sendable, CustomTestStringConvertible {
    var name: String
    var sample: String?
    var body: String?

    // Refused: the code and path; `§` marks the offset and is taken out.
    var code: String?
    var path: String?

    // Accepted: what the record must have; absent means none.
    var kind: String?
    var type: String?
    var key: String?
    var value: Double?
    var valueName: String?
    var unit: String?
    var start: String?
    var end: String?
    var sourceApp: String?
    var sourceDevice: String?
    var part: Int32?
    var day: Int32?
    var offset: Int16?
    var spelled: [String]?
    var rest: String?

    var testDescription: String { name }

    static let accepted = Vectors.load("native-accepted.json", as: NativeVector.self)
    static let refused = Vectors.load("native-refused.json", as: NativeVector.self)

    private var marked: String {
        body ?? #"{"v":1,"type":"sync","device":"d_1","samples":["# + (sample ?? "") + "]}"
    }

    var content: [UInt8] { Array(marked.replacing("§", with: "").utf8) }

    /// Of the mark, in bytes.
    var markOffset: Int? { marked.firstRange(of: "§").map { marked[..<$0.lowerBound].utf8.count } }
}

func decode(_ content: [UInt8]) throws(DecodeFault) -> DecodedBody {
    try NativeDecoder.decode(PaddedBytes(content))
}

/// A body around samples as text.
func body(_ samples: String, more: String = "") -> [UInt8] {
    Array(#"{"v":1,"type":"sync","device":"d_1","samples":[\#(samples)]\#(more)}"#.utf8)
}

extension SampleBatch {
    func string(_ index: BatchIndex) -> String? {
        index < 0 ? nil : String(decoding: text(index), as: UTF8.self)
    }

    func keyText(_ key: SampleKey) -> String {
        switch key {
        case .uuid(let high, let low): "\(hex(high))\(hex(low))"
        case .text(let range): String(decoding: bytes(range), as: UTF8.self)
        }
    }

    private func hex(_ half: UInt64) -> String {
        let digits = String(half, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
