import Wire

/// One spelling for JSON that means the same: members in the order of their names, no white space, one form a string and
/// a number. Senders write an object's members in another order from run to run.
enum CanonicalJSON {
    /// What the columns of a row say as well, in whatever zone, unit or spelling the sender chose this time.
    static let toldByColumns: Set<[UInt8]> = Set(
        [
            "date", "startDate", "endDate", "start", "end", "source", "units", "hae_start", "hae_end", "hae_source",
            "hae_unit",
        ].map { Array($0.utf8) })

    /// The content of a sample's `rest`, without the members that columns tell.
    static func content(ofRest rest: [UInt8]) -> [UInt8] {
        if rest.isEmpty { return [] }
        let object = PaddedBytes([UInt8(ascii: "{")] + rest + [UInt8(ascii: "}")])
        var pieces: [(name: [UInt8], value: [UInt8])] = []
        do {
            var scanner = try JSONScanner(object, limits: .stored)
            try scanner.enterObject()
            while let member = try scanner.nextMember() {
                let name = scanner.bytes(of: member)
                if toldByColumns.contains(name) {
                    _ = try scanner.skip()
                } else {
                    var value: [UInt8] = []
                    try append(&scanner, object, to: &value)
                    pieces.append((name, value))
                }
            }
            try scanner.finish()
        } catch {
            return rest  // no decoder lets such a thing through
        }
        return joined(&pieces)
    }

    /// All of `rest`: for "is anything different".
    static func whole(rest: [UInt8]) -> [UInt8] {
        rest.isEmpty ? [] : bytes(of: PaddedBytes([UInt8(ascii: "{")] + rest + [UInt8(ascii: "}")]))
    }

    /// A value's one spelling; the bytes themselves when they are no JSON.
    static func bytes(of text: PaddedBytes) -> [UInt8] {
        var output: [UInt8] = []
        do {
            var scanner = try JSONScanner(text, limits: .stored)
            try append(&scanner, text, to: &output)
            try scanner.finish()
            return output
        } catch {
            return Array(text.content)
        }
    }

    // Depth is the scanner's: 64 at most.
    private static func append(
        _ scanner: inout JSONScanner, _ text: PaddedBytes, to output: inout [UInt8]
    ) throws(JSONFault) {
        switch try scanner.kind() {
        case .object:
            var pieces: [(name: [UInt8], value: [UInt8])] = []
            try scanner.enterObject()
            while let name = try scanner.nextMember() {
                var value: [UInt8] = []
                let key = scanner.bytes(of: name)
                try append(&scanner, text, to: &value)
                pieces.append((key, value))
            }
            output.append(UInt8(ascii: "{"))
            output += joined(&pieces)
            output.append(UInt8(ascii: "}"))
        case .array:
            try scanner.enterArray()
            output.append(UInt8(ascii: "["))
            while try scanner.nextElement() {
                if output.last != UInt8(ascii: "[") { output.append(UInt8(ascii: ",")) }
                try append(&scanner, text, to: &output)
            }
            output.append(UInt8(ascii: "]"))
        case .string:
            let string = try scanner.text()
            output += JSONText.quoted(scanner.bytes(of: string))
        case .number:
            let number = try scanner.number()
            output += number.isExact ? Array("\(number.value)".utf8) : Array(text[number.range])
        case .bool, .null: output += text[try scanner.skip()]
        }
    }

    private static func joined(_ pieces: inout [(name: [UInt8], value: [UInt8])]) -> [UInt8] {
        pieces.sort { $0.name.lexicographicallyPrecedes($1.name) }
        var output: [UInt8] = []
        for (name, value) in pieces {
            if !output.isEmpty { output.append(UInt8(ascii: ",")) }
            output += JSONText.quoted(name)
            output.append(UInt8(ascii: ":"))
            output += value
        }
        return output
    }
}
