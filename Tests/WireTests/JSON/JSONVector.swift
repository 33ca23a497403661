import Foundation
import TestSupport
import Testing
import Wire

/// A case of `test-vectors/json/`: a text, or bytes with one character a byte, and how it is refused.
struct JSONVector: Decodable, Sendable, CustomTestStringConvertible {
    var name: String
    var text: String?
    var bytes: String?
    var reason: String?
    var offset: Int?

    var testDescription: String { name }
    var content: [UInt8] { text.map { Array($0.utf8) } ?? (bytes ?? "").latin1Bytes }

    static let accepted = Vectors.load("json/accepted.json", as: JSONVector.self)
    static let refused = Vectors.load("json/refused.json", as: JSONVector.self)
}

/// Reads one text to its end by `skip`; nil when it is accepted.
func faultOfSkipping(_ content: [UInt8]) -> JSONFault? {
    do throws(JSONFault) {
        var json = try JSONScanner(PaddedBytes(content))
        let range = try json.skip()
        try json.finish()
        #expect(json.depth == 0 && json.position == content.count && content.indices.contains(range.lowerBound))
        return nil
    } catch {
        return error
    }
}

/// Reads one text to its end by asking for each value, as a decoder does; nil when it is accepted.
func faultOfWalking(_ content: [UInt8]) -> JSONFault? {
    func walk(_ json: inout JSONScanner) throws(JSONFault) {
        switch try json.kind() {
        case .object:
            try json.enterObject()
            while let name = try json.nextMember() {
                _ = json.bytes(of: name)
                try walk(&json)
            }
        case .array:
            try json.enterArray()
            while try json.nextElement() { try walk(&json) }
        case .string: #expect(String(validating: json.bytes(of: try json.text()), as: UTF8.self) != nil)
        case .number: #expect(try json.number().value.isFinite)
        case .bool: _ = try json.bool()
        case .null: try json.null()
        }
    }
    do throws(JSONFault) {
        var json = try JSONScanner(PaddedBytes(content))
        try walk(&json)
        try json.finish()
        return nil
    } catch {
        return error
    }
}

/// Whether Foundation's parser takes the text.
func foundationAccepts(_ content: [UInt8]) -> Bool {
    (try? JSONSerialization.jsonObject(with: Data(content), options: .fragmentsAllowed)) != nil
}
