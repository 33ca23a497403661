package import Wire

/// Decodes the body of a results request (guide section 10).
package enum ResultsDecoder {
    /// Longest object of one result, in bytes: it is kept whole.
    package static let maximumResultBytes = 16_384
    /// Where whole numbers of a double end.
    static let maximumVersion = Double(1 << 53)

    /// Reads one whole body: `{"v":1,"type":"results","results":[{"command_id","version","status","reason"}…]}`.
    ///
    /// `status` is `applied` or `rejected`; `reason` may be any string, null or absent. Members that the contract doesn't
    /// know are skipped at the top and kept in `json` in a result. Refused as a whole: one wrong result means that none
    /// of them counts.
    ///
    /// - Throws: codes `json_invalid`, `json_too_deep`, `json_too_wide`, `number_invalid`, `member_repeated`,
    ///   `member_missing`, `member_invalid`, `not_results`.
    package static func decode(
        _ body: PaddedBytes, limits: JSONLimits = JSONLimits()
    ) throws(DecodeFault) -> [CommandResult] {
        let json: JSONScanner
        do throws(JSONFault) { json = try JSONScanner(body, limits: limits) } catch {
            throw DecodeFault(code: error.code, message: error.message, offset: error.offset, line: 1)
        }
        var reader = ResultsReader(json, body)
        do throws(JSONFault) {
            try reader.readBody()
        } catch {
            throw reader.decodeFault(error)
        }
        return reader.results
    }
}

/// Reads one results body front to back. Methods leave their own code and sentence in `refusal` before they throw.
private struct ResultsReader: ~Copyable {
    private static let topMembers: [StaticString] = ["v", "type", "results"]
    private static let resultMembers: [StaticString] = ["command_id", "version", "status", "reason"]

    private var json: JSONScanner
    /// What `json` reads, to keep raw bytes of.
    private let body: PaddedBytes
    private var refusal: (code: String, message: String)?
    /// Of the element of `results`; -1 in front of the first, nil at the top.
    private var index: Int?
    private var member: StaticString?
    private(set) var results: [CommandResult] = []

    init(_ json: consuming JSONScanner, _ body: PaddedBytes) {
        self.json = json
        self.body = body
    }

    mutating func readBody() throws(JSONFault) {
        let start = json.position
        guard try json.kind() == .object else { throw refuse("not_results", "The body is no JSON object.", at: start) }
        try json.enterObject()
        var seen: [StaticString] = []
        while let known = try nextMember(of: Self.topMembers) {
            guard let name = known else { continue }
            let at = json.position
            seen.append(name)
            switch "\(name)" {
            case "v":
                guard try json.kind() == .number, try json.number().value == 1 else {
                    throw refuse("member_invalid", "`v` is not the number 1.", at: at)
                }
            case "type":
                guard try json.kind() == .string, try text().elementsEqual("results".utf8) else {
                    throw refuse("not_results", "The body's `type` is not \"results\".", at: at)
                }
            default: try readResults()
            }
            member = nil
        }
        try require(Self.topMembers, seen, at: start)
        try json.finish()
    }

    private mutating func readResults() throws(JSONFault) {
        guard try json.kind() == .array else {
            throw refuse("member_invalid", "`results` is no array.", at: json.position)
        }
        member = nil
        index = -1
        try json.enterArray()
        while try json.nextElement() {
            index = (index ?? -1) + 1
            results.append(try readResult())
        }
        index = nil
    }

    private mutating func readResult() throws(JSONFault) -> CommandResult {
        let start = json.position
        guard try json.kind() == .object else {
            throw refuse("member_invalid", "An entry of `results` is no object.", at: start)
        }
        try json.enterObject()
        var result = CommandResult(id: "", version: 0, isApplied: false)
        var seen: [StaticString] = []
        while let known = try nextMember(of: Self.resultMembers) {
            guard let name = known else { continue }
            seen.append(name)
            try read(name, into: &result)
            member = nil
        }
        try require(Self.resultMembers.dropLast(), seen, at: start)
        guard json.position - start <= ResultsDecoder.maximumResultBytes else {
            throw refuse(
                "member_invalid", "A result is longer than \(ResultsDecoder.maximumResultBytes) bytes.", at: start)
        }
        let end = json.position
        result.json = body.withContent { content in (start..<end).map { content[$0] } }
        return result
    }

    private mutating func read(_ name: StaticString, into result: inout CommandResult) throws(JSONFault) {
        let at = json.position, kind = try json.kind()
        switch "\(name)" {
        case "command_id":
            guard kind == .string else { throw refuse("member_invalid", "`command_id` is no string.", at: at) }
            let id = try text()
            guard 1...64 ~= id.count, id.allSatisfy(isIDByte) else {
                throw refuse(
                    "member_invalid", "`command_id` is not 1 to 64 letters, digits, or characters of _ . : -", at: at)
            }
            result.id = String(decoding: id, as: UTF8.self)
        case "version":
            let version = kind == .number ? try json.number().value : 0
            guard version >= 1, version <= ResultsDecoder.maximumVersion, version.rounded() == version else {
                throw refuse("member_invalid", "`version` is not a whole number from 1.", at: at)
            }
            result.version = Int64(version)
        case "status":
            let status = kind == .string ? String(decoding: try text(), as: UTF8.self) : ""
            guard status == "applied" || status == "rejected" else {
                throw refuse("member_invalid", "`status` is neither \"applied\" nor \"rejected\".", at: at)
            }
            result.isApplied = status == "applied"
        default:
            switch kind {
            case .null: try json.null()
            case .string: result.reason = String(decoding: try text(), as: UTF8.self)
            default: throw refuse("member_invalid", "`reason` is no string.", at: at)
            }
        }
    }

    // MARK: Steps

    /// Goes to the value of the open object's next member, past those that are not in `names`.
    ///
    /// - Returns: the member; `.some(nil)` for one that was skipped; nil when the object has ended.
    private mutating func nextMember(of names: [StaticString]) throws(JSONFault) -> StaticString?? {
        guard let text = try json.nextMember() else { return nil }
        let bytes = json.bytes(of: text)
        if let known = names.first(where: { bytes.span.equals($0) }) {
            member = known
            return .some(known)
        }
        _ = try json.skip()
        return .some(nil)
    }

    private mutating func text() throws(JSONFault) -> [UInt8] { json.bytes(of: try json.text()) }

    private mutating func require(
        _ names: some Collection<StaticString>, _ seen: [StaticString], at start: Int
    ) throws(JSONFault) {
        for name in names where !seen.contains(where: { "\($0)" == "\(name)" }) {
            member = name
            throw refuse("member_missing", "An object has no `\(name)`.", at: start)
        }
    }

    private mutating func refuse(_ code: String, _ message: String, at offset: Int) -> JSONFault {
        refusal = (code, message)
        return JSONFault(.otherKind, offset: offset)
    }

    func decodeFault(_ fault: JSONFault) -> DecodeFault {
        let line = body.withContent { content in
            (0..<min(fault.offset, content.count)).reduce(1) { $0 + (content[$1] == UInt8(ascii: "\n") ? 1 : 0) }
        }
        return DecodeFault(
            code: refusal?.code ?? fault.code, message: refusal?.message ?? fault.message, offset: fault.offset,
            line: line, path: path)
    }

    /// Such as `results[3].status`; nil at the top.
    private var path: String? {
        guard let index else { return member.map { "\($0)" } }
        let element = index < 0 ? "results" : "results[\(index)]"
        return member.map { "\(element).\($0)" } ?? element
    }
}

private func isIDByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
    default: "_.:-".utf8.contains(byte)
    }
}
