import Wire

/// What is known of a type by its name.
enum TypeRule: Equatable {
    case notLookedAt
    /// Not `^[a-z][a-z0-9_]{1,63}$`.
    case invalid
    /// The kind follows from the value.
    case byValue
    /// A kind that is a type of its own.
    case kind(SampleKind)

    init(_ name: Span<UInt8>) {
        guard 2...64 ~= name.count, UInt8(ascii: "a")...UInt8(ascii: "z") ~= name[0] else { self = .invalid; return }
        for index in name.indices {
            switch name[index] {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): break
            default: self = .invalid; return
            }
        }
        for kind in SampleKind.allCases where kind.isTypeOfItsOwn {
            if case let own = kind.name.utf8, own.count == name.count, name.equals(own.span) {
                self = .kind(kind)
                return
            }
        }
        self = .byValue
    }
}

extension SampleKind {
    /// Whether samples of the kind have its name as their type.
    var isTypeOfItsOwn: Bool {
        switch self {
        case .other, .quantity, .category: false
        default: true
        }
    }
}

extension NativeReader {
    mutating func readSamples() throws(JSONFault) {
        place = NativePlace(list: .samples)
        try json.enterArray()
        while try json.nextElement() {
            place.index += 1
            let at = json.position
            guard try json.kind() == .object else {
                throw refuse("member_invalid", "An entry of `samples` is no object.", at: at)
            }
            draft.reset()
            try json.enterObject()
            while let name = try json.nextMember() {
                let member = NativeMember(name, in: json)
                place.member = member.name
                let start = json.position
                try read(member)
                place.member = nil
                draft.present.insert(NativeDraft.Members(member))
                draft.members.append(
                    NativeDraft.Member(
                        start: name.offset - 1, name: name, value: start..<json.position, member: member))
            }
            try finishSample(at: at)
        }
    }

    /// Reads the value of a member and leaves in the draft what the columns may want of it.
    private mutating func read(_ member: NativeMember) throws(JSONFault) {
        switch member {
        case .other: _ = try json.skip()
        case .uuid: draft.key = try readKey()
        case .start: draft.start = try readTime()
        case .end: draft.end = try readTime()
        case .source: draft.source = try readSource()
        case .part: draft.part = try readPart()
        default:
            let kind = try json.kind()
            draft.kinds[Int(member.rawValue)] = kind
            switch (kind, member) {
            case (.string, _): draft.texts[Int(member.rawValue)] = try json.text()
            case (.number, .value): draft.value = try json.number()
            case (.number, .duration): draft.duration = try json.number()
            default: _ = try json.skip()
            }
        }
    }

    // MARK: Values

    mutating func readKey() throws(JSONFault) -> SampleKey {
        let at = json.position
        guard try json.kind() == .string else { throw refuse("member_invalid", "`uuid` is no string.", at: at) }
        let text = try json.text()
        if !text.hasEscapes, let key = unsafe SampleKey.uuid(parsing: storage.bytes(text.range).span) { return key }
        let bytes = json.bytes(of: text)
        if let key = SampleKey.uuid(parsing: bytes.span) { return key }
        guard 1...SampleKey.maximumTextBytes ~= bytes.count, !bytes.contains(0) else {
            throw refuse(
                "key_invalid", "`uuid` is not 1 to \(SampleKey.maximumTextBytes) bytes without NUL.", at: at)
        }
        return .text(batch.append(bytes))
    }

    /// Reads a type, which must match the contract's pattern.
    mutating func readType() throws(JSONFault) -> (index: BatchIndex, rule: TypeRule) {
        let at = json.position
        guard try json.kind() == .string else { throw refuse("member_invalid", "`type` is no string.", at: at) }
        return try type(try json.text())
    }

    /// The index and rule of a type that was read.
    mutating func type(_ text: JSONText) throws(JSONFault) -> (index: BatchIndex, rule: TypeRule) {
        let index = intern(text)
        while typeRules.count <= Int(index) { typeRules.append(.notLookedAt) }
        if typeRules[Int(index)] == .notLookedAt { typeRules[Int(index)] = json.withBytes(of: text) { TypeRule($0) } }
        if takesAnyTypeName, typeRules[Int(index)] == .invalid, !json.bytes(of: text).isEmpty {
            typeRules[Int(index)] = .byValue
        }
        guard typeRules[Int(index)] != .invalid else {
            throw refuse(
                "member_invalid", "`type` is not a small letter and 1 to 63 small letters, digits or underscores.",
                at: text.offset - 1)
        }
        return (index, typeRules[Int(index)])
    }

    mutating func intern(_ text: JSONText) -> BatchIndex {
        if text.hasEscapes { return batch.intern(json.bytes(of: text).span) }
        return batch.intern(text.range, of: storage)
    }

    /// Interns a text for a column; nil when no column holds it: empty, longer than `maximumTextBytes`, or with a NUL.
    mutating func column(_ text: JSONText) -> BatchIndex? {
        guard 1...Self.maximumTextBytes ~= text.count else { return nil }
        // Without an escape there is no NUL.
        guard text.hasEscapes else { return intern(text) }
        let bytes = json.bytes(of: text)
        return bytes.contains(0) ? nil : batch.intern(bytes.span)
    }

    /// Reads a time; nil for null.
    private mutating func readTime() throws(JSONFault) -> ReadTime? {
        let at = json.position
        switch try json.kind() {
        case .null:
            try json.null()
            return nil
        case .string:
            let text = try json.text()
            let time =
                text.hasEscapes
                ? Timestamp.parse(json.bytes(of: text).span)
                : unsafe Timestamp.parse(storage.bytes(text.range).span)
            guard let time else { break }
            return time
        default: break
        }
        throw refuse("time_invalid", "A time is no date and time of RFC 3339.", at: at)
    }

    /// Reads a part's number; nil for null. It belongs to the sample's identity, so it must be right.
    private mutating func readPart() throws(JSONFault) -> Int32? {
        let at = json.position
        switch try json.kind() {
        case .null:
            try json.null()
            return nil
        case .number:
            let number = try json.number()
            guard number.significantDigits == 0 || number.isExact, let part = Int32(exactly: number.value), part >= 0
            else { break }
            return part
        default: break
        }
        throw refuse("member_invalid", "`part` is no whole number from 0 to \(Int32.max).", at: at)
    }

    /// Reads a source: the columns take `app` and `device` where they are texts; what else it has stays in `rest` whole.
    private mutating func readSource() throws(JSONFault) -> ReadSource {
        // Few sources make a body, each always in the same bytes.
        for known in knownSources where json.skip(repeating: known.range) { return known.source }
        let start = json.position
        guard try json.kind() == .object else {
            _ = try json.skip()
            return ReadSource()
        }
        var app: BatchIndex = -1, device: BatchIndex = -1, isWhole = true
        try json.enterObject()
        while let name = try json.nextMember() {
            let isApp = isText(name, "app"), isDevice = isText(name, "device")
            guard try json.kind() == .string, isApp || isDevice else {
                _ = try json.skip()
                isWhole = false
                continue
            }
            let index = column(try json.text())
            if isApp { app = index ?? -1 } else { device = index ?? -1 }
            if index == nil { isWhole = false }
        }
        var source = ReadSource()
        if app >= 0 || device >= 0 {
            source = ReadSource(index: batch.source(app: app, device: device), isWhole: isWhole)
        }
        remember(start..<json.position, source)
        return source
    }

    private mutating func remember(_ range: Range<Int>, _ source: ReadSource) {
        if knownSources.count < 8 {
            knownSources.append((range, source))
        } else {
            knownSources[nextKnownSource] = (range, source)
            nextKnownSource = (nextKnownSource + 1) % 8
        }
    }

    func isText(_ text: JSONText, _ wanted: StaticString) -> Bool { json.withBytes(of: text) { $0.equals(wanted) } }
}
