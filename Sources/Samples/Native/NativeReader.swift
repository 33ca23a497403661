import Wire

/// Reads one native body front to back.
///
/// Every method throws the scanner's small fault; one of ours leaves its code and sentence in `refusal` first.
struct NativeReader: ~Copyable {
    static let maximumDeviceBytes = 1_024
    static let hint = " X-Syncky-Format says that the body is Syncky's own JSON."
    /// The longest text that goes into a column; a longer one stays in `rest`.
    static let maximumTextBytes = 1_024

    var json: JSONScanner
    /// What `json` reads, to look at raw bytes.
    let storage: PaddedBytes
    let catalog: Catalog
    /// Whether a type's name may be one that no phone sends, such as HealthKit's.
    let takesAnyTypeName: Bool
    var place = NativePlace()
    var refusal: (code: String, message: String)?

    var batch = SampleBatch()
    var device: [UInt8] = []
    var deliveryID: [UInt8]?
    var isTest = false
    /// Whether the body's `type` says what it should.
    private var isSync = false

    /// What is known of the types met so far, by index of their text.
    var typeRules: [TypeRule] = []
    /// The last type and raw value that each value name of a category had, by index of its text.
    var categoryValues: [(type: BatchIndex, raw: Double?)] = []
    /// The bytes of the last few sources and what they are in the batch.
    var knownSources: [(range: Range<Int>, source: ReadSource)] = []
    var nextKnownSource = 0
    var draft = NativeDraft()

    init(_ json: consuming JSONScanner, storage: PaddedBytes, catalog: Catalog, takesAnyTypeName: Bool = false) {
        self.json = json
        self.takesAnyTypeName = takesAnyTypeName
        self.catalog = catalog
        self.storage = storage
        // A sample is rarely shorter; what the guess misses costs one copy.
        batch.samples.reserveCapacity(min(8_192, storage.count / 200))
        batch.reserve(arenaBytes: min(1_024, storage.count / 8))
        batch.reserveTexts()
        draft.members.reserveCapacity(16)
        typeRules.reserveCapacity(16)
    }

    mutating func takeBody() -> DecodedBody {
        DecodedBody(device: device, deliveryID: deliveryID, isTest: isTest, batch: isTest ? SampleBatch() : batch)
    }

    // MARK: The top

    mutating func readBody() throws(JSONFault) {
        let start = json.position
        guard try json.kind() == .object else { throw refuse("not_sync", "The body is no JSON object.", at: start) }
        try json.enterObject()
        var seen: UInt8 = 0
        while let name = try json.nextMember() {
            guard let member = json.withBytes(of: name, { NativeTop($0) }) else {
                _ = try json.skip()
                continue
            }
            place.member = member.name
            if try readTop(member) { seen |= member.bit }
            place = NativePlace()
        }
        for member in NativeTop.required where seen & member.bit == 0 {
            place.member = member.name
            throw refuse("member_missing", "The body has no `\(member.name)`.", at: start)
        }
        try json.finish()
    }

    /// Reads the value of a member of the top.
    ///
    /// - Returns: whether it was there and not null.
    private mutating func readTop(_ member: NativeTop) throws(JSONFault) -> Bool {
        let at = json.position
        switch member {
        case .version:
            guard try json.kind() == .number, try json.number().value == 1 else {
                throw refuse("member_invalid", "`v` is not the number 1.", at: at)
            }
        case .type:
            guard try json.kind() == .string else { throw refuse("member_invalid", "`type` is no string.", at: at) }
            guard isText(try json.text(), "sync") else {
                throw refuse("not_sync", "The body's `type` is not \"sync\".", at: at)
            }
            isSync = true
        case .device:
            guard try json.kind() == .string else { throw refuse("member_invalid", "`device` is no string.", at: at) }
            device = json.bytes(of: try json.text())
            guard 1...Self.maximumDeviceBytes ~= device.count, !device.contains(0) else {
                throw refuse(
                    "member_invalid", "`device` is not 1 to \(Self.maximumDeviceBytes) bytes without NUL.", at: at)
            }
        case .samples:
            guard try json.kind() == .array else { throw refuse("member_invalid", "`samples` is no array.", at: at) }
            try readSamples()
        case .deleted, .delivery, .acks, .more: return try readOptional(member)
        }
        return true
    }

    private mutating func readOptional(_ member: NativeTop) throws(JSONFault) -> Bool {
        let at = json.position
        if try json.kind() == .null {
            try json.null()
            return false
        }
        switch member {
        case .deleted:
            guard try json.kind() == .array else { throw refuse("member_invalid", "`deleted` is no array.", at: at) }
            try readDeleted()
        case .delivery:
            guard try json.kind() == .object else { throw refuse("member_invalid", "`delivery` is no object.", at: at) }
            try readDelivery()
        default: _ = try json.skip()  // `acks` and `more` tell us nothing that we use
        }
        return true
    }

    private mutating func readDelivery() throws(JSONFault) {
        place = NativePlace(list: .delivery)
        try json.enterObject()
        while let name = try json.nextMember() {
            let at = json.position, isID = isText(name, "id"), isFlag = isText(name, "test")
            place.member = json.withBytes(of: name) { place.member($0) }
            switch try json.kind() {
            case .string where isID: deliveryID = json.bytes(of: try json.text())
            case .bool where isFlag: isTest = try json.bool()
            case .null where isID || isFlag: try json.null()
            case _ where isID: throw refuse("member_invalid", "`delivery.id` is no string.", at: at)
            case _ where isFlag: throw refuse("member_invalid", "`delivery.test` is not true or false.", at: at)
            default: _ = try json.skip()
            }
            place.member = nil
        }
    }

    private mutating func readDeleted() throws(JSONFault) {
        place = NativePlace(list: .deleted)
        try json.enterArray()
        while try json.nextElement() {
            place.index += 1
            let at = json.position
            guard try json.kind() == .object else {
                throw refuse("member_invalid", "An entry of `deleted` is no object.", at: at)
            }
            try json.enterObject()
            var key: SampleKey?
            var type: BatchIndex = -1
            while let name = try json.nextMember() {
                switch NativeMember(name, in: json) {
                case .uuid:
                    place.member = "uuid"
                    key = try readKey()
                case .type:
                    place.member = "type"
                    if try json.kind() == .null { try json.null() } else { type = try readType().index }
                default: _ = try json.skip()
                }
                place.member = nil
            }
            guard let key else { throw missing("uuid", at: at) }
            batch.deletions.append(DeletionRecord(key: key, type: type))
        }
    }

    // MARK: Faults

    mutating func refuse(_ code: String, _ message: String, at offset: Int) -> JSONFault {
        refusal = (code, message)
        return JSONFault(.otherKind, offset: offset)
    }

    mutating func missing(_ member: StaticString, at offset: Int) -> JSONFault {
        place.member = member
        return refuse("member_missing", "An object has no `\(member)`.", at: offset)
    }

    /// The fault as the peer is told it.
    func decodeFault(_ fault: JSONFault, in body: PaddedBytes) -> DecodeFault {
        // What doesn't say that it is a sync message is most often a body of another format.
        let isForeign = !isSync && place.list == .top
        let message = (refusal?.message ?? fault.message) + (isForeign ? Self.hint : "")
        var place = place
        if fault.reason == .repeatedMember && place.member == nil {
            place.member = knownMember(at: fault.offset, in: body)
        }
        let line = 1 + body[0..<fault.offset].count { $0 == UInt8(ascii: "\n") }
        return DecodeFault(
            code: refusal?.code ?? fault.code, message: message, offset: fault.offset,
            line: line, path: place.path)
    }

    /// The member of the contract that the string at `offset` names.
    private func knownMember(at offset: Int, in body: PaddedBytes) -> StaticString? {
        var json = JSONScanner(body, at: offset)
        guard let name = try? json.text() else { return nil }
        return json.withBytes(of: name) { place.member($0) }
    }
}

extension NativeMember {
    init(_ name: JSONText, in json: borrowing JSONScanner) {
        self = json.withBytes(of: name) { NativeMember($0) }
    }
}
