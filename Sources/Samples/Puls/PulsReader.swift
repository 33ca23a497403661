import Wire

/// Reads one PulsHealth batch front to back.
///
/// The columns and `rest` of a sample line's record hold the sender's object by these rules:
///
/// - `uuid`, `type` (by `Catalog.pulsType`), `start` and `end` are in the columns; `puls_start` and `puls_end` are in `rest` where
///   the number is finer than a microsecond. An `end` that is absent or 0 is the start.
/// - Of a quantity, `value` and `unit` are in the columns, also when they are converted to the unit that Syncky writes the
///   type in; then `puls_value` and `puls_unit` are in `rest`. A number that no double holds exactly is in `rest` under its
///   own name (`SpelledMembers`), as is a unit that is no text for a column. Elsewhere both are in `rest` as `puls_…`.
/// - Of a category, `category` is the column `value`, its name by the catalog `value_name`; in `rest` when it has none.
/// - Of a workout, `duration` is the column `value`, `activityType` the name; `rest` has all of `workout` and, as Syncky
///   has them, `energy_kcal` and `distance_m`.
/// - `sourceName` and `device` are the columns of the source where they are texts for one; else in `rest`.
/// - `kind` is the record's kind; `puls_kind` is in `rest` where that is `other`.
/// - The minutes of `startContext` are in `utc_offset`. All contexts, `metadata`, the object of the kind and every member that
///   we don't know are in `rest` as they were written. A member that is null is as good as absent, and in neither.
/// - A member with a name that a column or a member of ours stands for (`PulsName.isReserved`), and one whose name begins
///   with `puls_`, is in `rest` under its name with `puls_` in front.
struct PulsReader: ~Copyable {
    /// A slice with more in its arena is given away.
    static let sliceBytes = 2 << 20
    /// Longest text that a column holds, and longest type.
    static let maximumTextBytes = 1_024
    /// Of the peer's own text in a message.
    static let maximumQuotedCharacters = 40

    var json: JSONScanner
    let body: PaddedBytes
    let context: DecodeContext
    let limits: PulsLimits

    /// Takes each slice; nil: all goes into one.
    var sink: ((SampleBatch) throws -> Void)?
    var sliceRecords = Int.max
    var batch = SampleBatch()
    var extras = PulsExtras(batchID: UUIDBits(high: 0, low: 0))
    /// Counts the slices: indices into a batch are those of one slice.
    private(set) var sliceNumber = 0
    var header = PulsHeader()
    /// What the deletion lines say, types as indices of `knownTypes`; they belong into the last slice.
    var deletions: [(uuid: UUIDBits, type: Int)] = []

    var place = PulsPlace()
    /// Of the line that is read: from 1, its first byte, its end.
    var lineNumber = 0
    var line = 0..<0
    var refusal: (code: String, message: String, status: Int)?

    var draft = PulsDraft()
    var knownTypes = PulsKnownTypes()
    /// The last few contexts: their bytes, and minutes east of UTC.
    var knownContexts: [PulsContext] = []
    var nextKnownContext = 0
    /// The context of the last point or aggregate, where the batch of `slice` has it.
    var lastContext: (slice: Int, bytes: Range<Int>, range: ArenaRange)?
    var routePoints = 0
    var curvePoints = 0

    init(_ json: consuming JSONScanner, body: PaddedBytes, context: DecodeContext, limits: PulsLimits) {
        self.json = json
        self.body = body
        self.context = context
        self.limits = limits
    }

    // MARK: Lines

    mutating func readBody() throws {
        try nextLine(isHeader: true)
        try readHeader()
        beginSlice()
        for slot in PulsSlot.allCases where slot != .header {
            for index in 0..<header.count(of: slot) {
                place = PulsPlace(slot: slot, index: index)
                try nextLine(isHeader: false)
                switch slot {
                case .header: break
                case .sample: try readSample()
                case .deletion: try readDeletion()
                case .route: try readRoute()
                case .series: try readSeries()
                case .aggregate: try readAggregate()
                case .activitySummary: try readActivitySummary()
                case .profile: try readProfile()
                }
                try endLine()
            }
        }
        place = PulsPlace(slot: .profile, index: -1)
        guard try findLine() else { return }
        throw refuse(
            "line_unexpected", "the batch has a line more than the \(header.total) that its header promises",
            at: line.lowerBound)
    }

    /// Goes to the line that must come.
    private mutating func nextLine(isHeader: Bool) throws(JSONFault) {
        if isHeader {
            guard body.count > 0 else { throw refuse("header_missing", "the batch is empty", at: 0) }
            try takeLine(from: 0)
            guard json.firstNonBlank(from: 0, to: line.upperBound) < line.upperBound else {
                throw refuse("header_missing", "the first line is blank", at: 0)
            }
            json.restart(at: json.firstNonBlank(from: 0, to: line.upperBound))
        } else if !(try findLine()) {
            throw refuse(
                "line_missing", "the line is missing: the batch ends before all lines that its header promises",
                at: body.count)
        }
    }

    /// Goes to the next line that is not blank; false when there is none.
    private mutating func findLine() throws(JSONFault) -> Bool {
        while line.upperBound < body.count {
            try takeLine(from: line.upperBound + 1)
            let first = json.firstNonBlank(from: line.lowerBound, to: line.upperBound)
            guard first == line.upperBound else {
                json.restart(at: first)
                return true
            }
        }
        line = body.count..<body.count
        return false
    }

    private mutating func takeLine(from start: Int) throws(JSONFault) {
        lineNumber += 1
        guard let end = json.lineEnd(from: start, limit: limits.maximumLineBytes) else {
            line = start..<start
            throw refuse(
                "line_too_long", "the line is longer than \(limits.maximumLineBytes) bytes", status: 413, at: start)
        }
        line = start..<end
    }

    /// Checks that the line held one object and no more.
    mutating func endLine() throws(JSONFault) {
        let end = json.position
        // White space may be a line feed: then the object went on in the next line.
        guard end <= line.upperBound else {
            throw refuse("json_invalid", "the object does not end in its line", at: line.upperBound)
        }
        guard end < line.upperBound else { return }
        let next = json.firstNonBlank(from: end, to: line.upperBound)
        guard next == line.upperBound else { throw refuse("json_invalid", "something is behind the object", at: next) }
    }

    // MARK: Slices

    /// The header's texts belong to each batch anew.
    func newExtras() -> PulsExtras {
        PulsExtras(batchID: header.batchID, exportedAt: header.exportedAt)
    }

    private mutating func beginSlice() {
        extras = newExtras()
        func text(_ text: JSONText?) -> BatchIndex { text.flatMap { column($0) } ?? -1 }
        extras.label = text(header.type)
        extras.reason = text(header.reason)
        extras.deviceID = text(header.deviceID)
        extras.clientVersion = text(header.clientVersion)
        extras.timeZoneID = text(header.timeZoneID)
        let lines = min(header.count(of: .sample), sliceRecords, body.count / 64)
        batch.samples.reserveCapacity(min(lines, 100_000))
    }

    private var sliceCount: Int {
        batch.samples.count + extras.routePoints.count + extras.curvePoints.count + extras.aggregates.count
    }

    /// Gives the slice away when one record more is too many.
    mutating func makeRoom() throws {
        guard let sink, sliceCount >= sliceRecords || batch.arenaBytes > Self.sliceBytes, sliceCount > 0 else { return }
        batch.extras = .puls(extras)
        let slice = batch
        batch = SampleBatch()
        sliceNumber += 1
        beginSlice()
        // The slice has what it needs: what is stored now takes memory, too.
        body.discard(before: line.lowerBound)
        try sink(slice)
    }

    /// What is left at the end, deletions with it.
    mutating func takeBatch() -> SampleBatch {
        batch.deletions.reserveCapacity(deletions.count)
        for deletion in deletions {
            let key = SampleKey.uuid(high: deletion.uuid.high, low: deletion.uuid.low)
            batch.deletions.append(DeletionRecord(key: key, type: typeIndex(deletion.type)))
        }
        batch.extras = .puls(extras)
        return batch
    }

    // MARK: Faults

    mutating func refuse(_ code: String, _ message: String, status: Int = 400, at offset: Int) -> JSONFault {
        refusal = (code, message, status)
        return JSONFault(.otherKind, offset: offset)
    }

    mutating func missing(_ name: PulsName) -> JSONFault {
        refuse("member_missing", "\(name.rawValue) is missing", at: line.lowerBound)
    }

    mutating func invalid(_ name: PulsName, _ what: StaticString, at offset: Int) -> JSONFault {
        refuse("member_invalid", "\(name.rawValue) \(what)", at: offset)
    }

    /// The fault as the peer is told it: the line, its uuid where it has one, and why.
    func decodeFault(_ fault: JSONFault) -> DecodeFault {
        let reason = refusal?.message ?? Self.sentence(fault)
        let place = place.text(uuid: lineUUID())
        return DecodeFault(
            code: refusal?.code ?? fault.code, message: place.map { "\($0): \(reason)" } ?? reason,
            status: refusal?.status ?? 400, offset: fault.offset, line: max(1, lineNumber))
    }

    /// Why a line is no JSON, as the end of a sentence.
    static func sentence(_ fault: JSONFault) -> String {
        switch fault.reason {
        case .syntax, .trailing: "the line is no valid JSON"
        case .truncated: "the JSON ends before its object does"
        case .byteOrderMark: "there is a byte order mark in front"
        case .notUTF8: "a text holds bytes that are not UTF-8"
        case .controlByte: "a text holds a control character that must be escaped"
        case .escape: "a text holds an escape that JSON does not have"
        case .loneSurrogate: "a text escapes one half of a surrogate pair"
        case .tooDeep: "arrays and objects are nested too deeply"
        case .tooWide: "an object has too many members"
        case .repeatedMember: "an object has two members of one name"
        case .numberTooLong: "a number has too many characters"
        case .numberOutOfRange: "a number is beyond the range of a double"
        case .otherKind: "a value is of another kind than its place asks for"
        case .tooLong: "the batch is longer than this reader can address"
        }
    }

    /// The `uuid` or `workoutUUID` of the line that is read, in upper case, wherever in it the fault is.
    private func lineUUID() -> String? {
        guard place.index >= 0, body.count > line.lowerBound else { return nil }
        var scanner = JSONScanner(body, at: json.firstNonBlank(from: line.lowerBound, to: line.upperBound))
        guard (try? scanner.kind()) == .object else { return nil }
        do throws(JSONFault) {
            try scanner.enterObject()
            if let wrapper = place.slot.wrapper {
                var isInside = false
                while !isInside, let name = try scanner.nextMember() {
                    if scanner.withBytes(of: name, { PulsName($0) }) == wrapper, try scanner.kind() == .object {
                        try scanner.enterObject()
                        isInside = true
                    } else {
                        _ = try scanner.skip()
                    }
                }
                guard isInside else { return nil }
            }
            while let name = try scanner.nextMember(), name.offset < line.upperBound {
                let known = scanner.withBytes(of: name) { PulsName($0) }
                guard known == .uuid || known == .workoutUUID, try scanner.kind() == .string else {
                    _ = try scanner.skip()
                    continue
                }
                let text = scanner.bytes(of: try scanner.text())
                guard case .uuid = SampleKey.uuid(parsing: text.span) else { return nil }
                return String(decoding: text, as: UTF8.self).uppercased()
            }
        } catch {}
        return nil
    }

    /// At most `maximumQuotedCharacters` of the peer's text in quotes, what is not printable ASCII escaped.
    func quoted(_ text: JSONText) -> String {
        let characters = String(decoding: json.bytes(of: text).prefix(Self.maximumQuotedCharacters * 4), as: UTF8.self)
        var quoted = "\""
        for (index, scalar) in characters.unicodeScalars.enumerated() {
            guard index < Self.maximumQuotedCharacters else {
                quoted += "…"
                break
            }
            quoted += scalar.escaped(asASCII: true)
        }
        return quoted + "\""
    }
}
