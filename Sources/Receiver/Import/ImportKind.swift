import Wire

/// What a file is, by its first bytes.
enum ImportKind: Equatable, Sendable {
    case zip
    /// Apple's `export.xml`, whatever it is called: its name is in the phone's language.
    case appleExport
    case route
    /// XML of another kind, such as `export_cda.xml`, which has the same data once more.
    case otherXML
    case csv
    /// Our own, `server export --format jsonl` or `native`.
    case jsonLines
    case native
    case healthAutoExport
    case unknown

    /// Bytes that tell it.
    static let headBytes = 256 << 10

    init(_ head: [UInt8]) {
        var text = head[...]
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        if text.starts(with: [0x50, 0x4B, 0x03, 0x04]) || text.starts(with: [0x50, 0x4B, 0x05, 0x06]) {
            self = .zip
            return
        }
        while let byte = text.first, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { text.removeFirst() }
        switch text.first {
        case UInt8(ascii: "<"): self = Self.xml(head)
        case UInt8(ascii: "{"): self = Self.json(text)
        default: self = Self.isCSV(text) ? .csv : .unknown
        }
    }

    private static func xml(_ head: [UInt8]) -> ImportKind {
        var scanner = XMLTagScanner()
        scanner.feed(head.span)
        while let token = scanner.next() {
            guard token == .open else { continue }
            if scanner.equals(scanner.name, "HealthData") { return .appleExport }
            if scanner.equals(scanner.name, "gpx") { return .route }
            return .otherXML
        }
        return .otherXML
    }

    /// By the members of the top, in the text's beginning.
    private static func json(_ text: ArraySlice<UInt8>) -> ImportKind {
        let line = Array(text.prefix { $0 != 0x0A })
        func has(_ member: String) -> Bool { line.firstRange(of: "\"\(member)\"".utf8) != nil }
        if has("person") && has("sample") && has("endpoint") { return .jsonLines }
        if has("samples") && has("v") { return .native }
        let beginning = Array(text.prefix(4_096))
        if beginning.firstRange(of: "\"samples\"".utf8) != nil { return .native }
        for member in ["data", "metrics", "workouts"]
        where beginning.firstRange(of: "\"\(member)\"".utf8) != nil { return .healthAutoExport }
        return .unknown
    }

    /// A header row with the columns that Syncky's has.
    private static func isCSV(_ text: ArraySlice<UInt8>) -> Bool {
        let names = text.prefix { $0 != 0x0A && $0 != 0x0D }.split(separator: UInt8(ascii: ","))
            .map { String(decoding: $0.filter { $0 != UInt8(ascii: "\"") }, as: UTF8.self) }
        return ["type", "uuid", "start", "value"].allSatisfy(names.contains)
    }
}
