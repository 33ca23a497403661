import Signing
import Wire

/// Reads one body of the Health Auto Export shape front to back.
///
/// The columns and `rest` of a record hold the sender's object by these rules:
///
/// - A date written `YYYY-MM-DD HH:MM:SS ±HHMM` is in the columns (instant and offset) and not in `rest`; any other form is
///   in both. `"zone_assumed":true` is beside a date that names no zone.
/// - `qty` and `units` (`systolic`, `diastolic` likewise) are in `rest` when the columns hold another number or unit.
/// - `Min` and `Max` are in `rest` as numbers in the column's unit; what the sender wrote in another one, or as a text, is
///   beside them as `hae_Min`, `hae_Avg`, `hae_Max` and `units`.
/// - `source` is the column `source_app`; an empty one, and one that is no string, is in `rest` as well.
/// - A category's `value` is in `rest` when its text is not the name that the column holds.
/// - A member that is null is as good as absent, and in neither.
/// - A member with a name that a column or one of our own members (`HAEName.isReserved`) stands for, and one whose name
///   begins with `hae_`, is in `rest` under its name with `hae_` in front.
/// - White space between tokens is left out; the tokens `NaN` and `Infinity` are null.
struct HAEReader: ~Copyable {
    /// Left-out records of one body that are kept with their bytes; the rest is counted.
    static let maximumSkippedRecords = 1_000
    /// A record longer than this is left out: its row would take several times as much memory.
    static let maximumRecordBytes = 32 << 20
    /// A slice with more in its arena is given away.
    static let sliceBytes = 2 << 20
    /// Syncky sends 1,000,000 bytes at most.
    static let maximumHashedBytes = 1 << 20
    /// Longest text that a column holds.
    static let maximumTextBytes = 1_024

    let body: PaddedBytes
    let limits: JSONLimits
    let context: DecodeContext
    let aggregation: HAEAggregation?
    let window: MergeWindow
    var json: JSONScanner

    /// Takes each slice; nil: all goes into one.
    var sink: ((SampleBatch) throws -> Void)?
    var sliceRecords = Int.max
    /// A record longer than this has a slice of its own, so that nothing else is in memory beside it, and is copied in pieces.
    var pieceBytes = HealthAutoExportDecoder.pieceBytes
    var batch = SampleBatch()
    /// Counts the slices: indices into a batch are those of one slice.
    private(set) var sliceNumber = 0

    var place = HAEPlace()
    var refusal: (code: String, message: String)?
    /// A section was met: the body is of this format, whatever is wrong with it.
    var hasSection = false
    /// The object being read, and one inside of it.
    var object = HAEObject()
    var inner = HAEObject()
    /// What was made of the object being read.
    var pending: [HAERecord] = []

    private var recordCount = 0
    private var skippedCount = 0
    private var lastSlot: SampleKey?

    init(_ json: consuming JSONScanner, body: PaddedBytes, limits: JSONLimits, context: DecodeContext) {
        self.json = json
        self.body = body
        self.limits = limits
        self.context = context
        let automation = context.automation
        aggregation = HAEAggregation(automation.aggregation)
        let period = automation.period.map { HAEText.fold($0.utf8) } ?? []
        let isCut = period.elementsEqual("since_last_sync".utf8) || period.elementsEqual("realtime".utf8)
        window = MergeWindow(
            cutsBuckets: isCut && !automation.isSyncky, isPerSample: automation.isSyncky,
            session: automation.isSyncky ? automation.session : nil,
            bodyHash: automation.isSyncky && automation.session != nil ? Self.hash(body) : nil)
        batch.window = window
    }

    /// A hash of the whole body; nil past what a sender with sessions sends, since all of it is in memory for this.
    private static func hash(_ body: PaddedBytes) -> Int64? {
        guard body.count <= maximumHashedBytes else { return nil }
        let digest = body.withContent { content in Digest.sha1(content) }
        return (0..<8).reduce(0) { $0 << 8 | Int64(digest[$1]) }
    }

    /// Whether nothing was in the body: the sender's test, or a run with nothing new.
    var isTest: Bool { recordCount == 0 && skippedCount == 0 }

    // MARK: Slices

    /// Gives the slice away and says that what was read won't be needed.
    mutating func flush() throws {
        guard let sink, !batch.samples.isEmpty || !batch.skipped.isEmpty || batch.skippedBeyond > 0 else { return }
        let slice = batch
        batch = SampleBatch()
        batch.window = window
        // The next one has about as many.
        batch.samples.reserveCapacity(slice.samples.count)
        sliceNumber += 1
        // The slice has what it needs: what is stored now takes memory, too.
        body.discard(before: json.position)
        try sink(slice)
    }

    /// Moves `pending` into the batch, into a new one first when this one is full.
    mutating func commit() throws {
        guard let first = pending.first else { return }
        // A key of its own is no slot.
        try makeRoom(for: pending.count, slot: first.keyText == nil ? first.key : nil)
        let isLarge = object.range.count > pieceBytes
        if isLarge {
            try flush()
            // An array that grows by itself is there twice meanwhile.
            batch.reserve(arenaBytes: object.range.count + 4_096)
        }
        for record in pending { add(record) }
        pending.removeAll(keepingCapacity: true)
        if isLarge { try flush() }
    }

    /// Adds a record that is whole but for its place in a slice: `makeRoom` went before.
    mutating func append(_ record: SampleRecord) {
        recordCount += 1
        batch.samples.append(record)
    }

    /// Gives the slice away when it is full, or nearly and `slot` is another one than that of the record before.
    mutating func makeRoom(for added: Int, slot: SampleKey?) throws {
        let count = batch.samples.count + added
        // Towards the end of a slice the first place between two slots is good.
        let isNearlyFull = count > sliceRecords - min(1_000, sliceRecords / 8) || batch.arenaBytes > Self.sliceBytes
        if count > sliceRecords || isNearlyFull && (slot == nil || lastSlot != slot) { try flush() }
        lastSlot = slot
    }

    /// Notes that the value in `range` was left out; its path is `place`'s, `member` added.
    mutating func skip(_ skip: HAESkip, _ range: Range<Int>, member: JSONText? = nil) throws {
        skippedCount += 1
        guard skippedCount <= Self.maximumSkippedRecords else {
            batch.skippedBeyond += 1
            return
        }
        if batch.arenaBytes > Self.sliceBytes { try flush() }
        var path = Array((place.path ?? "").utf8)
        if let member {
            if !path.isEmpty { path.append(UInt8(ascii: ".")) }
            path.append(contentsOf: json.bytes(of: member).prefix(128))
        }
        let raw = bytes(cut(range))
        batch.skipped.append(SkippedRecord(path: batch.append(path), code: skip.code, raw: batch.append(raw)))
    }

    /// A copy of some of the body.
    func bytes(_ range: Range<Int>) -> [UInt8] {
        body.withContent { content in
            // Bounds are checked by `extracting`; copying a buffer is one move, a span byte by byte is not.
            unsafe content.extracting(range).withUnsafeBufferPointer { unsafe Array($0) }
        }
    }

    /// At most `maximumRawBytes` of the range, characters whole.
    private func cut(_ range: Range<Int>) -> Range<Int> {
        guard range.count > SkippedRecord.maximumRawBytes else { return range }
        return body.withContent { content in
            var end = range.lowerBound + SkippedRecord.maximumRawBytes
            while content[end] & 0xC0 == 0x80 && end > range.lowerBound { end -= 1 }
            return range.lowerBound..<end
        }
    }

    // MARK: Faults

    mutating func refuse(_ message: String, at offset: Int) -> JSONFault {
        refusal = ("envelope_invalid", message)
        return JSONFault(.otherKind, offset: offset)
    }

    /// The fault as the peer is told it.
    func decodeFault(_ fault: JSONFault) -> DecodeFault {
        let line = body.withContent { content in
            var lines = 1
            for offset in 0..<min(fault.offset, content.count) where content[offset] == UInt8(ascii: "\n") {
                lines += 1
            }
            return lines
        }
        let message = (refusal?.message ?? fault.message) + (hasSection ? "" : Self.hint(context))
        return DecodeFault(
            code: refusal?.code ?? fault.code, message: message, offset: fault.offset, line: line, path: place.path)
    }

    /// Which header says that the body is of this format, if one does.
    static func hint(_ context: DecodeContext) -> String {
        context.automation.isSyncky ? " X-Syncky-Format says that the body is Health Auto Export JSON." : ""
    }

    // MARK: Records

    /// Adds a record made of `object`.
    private mutating func add(_ record: HAERecord) {
        var dropped = record.dropped
        let source = takeSource(dropped: &dropped)
        let type = batch.intern(record.type), unit = record.unit.map { batch.intern($0) } ?? -1
        let valueName = record.valueName.map { batch.intern($0) } ?? -1
        var key = record.key
        if let text = record.keyText { key = .text(batch.append(text)) }
        let series = batch.series(type: type, unit: unit)
        let rest = appendRest(record, dropped: dropped)
        append(
            SampleRecord(
                key: key, start: record.start?.timestamp ?? .none, end: record.end, value: record.value, series: series,
                source: source, valueName: valueName, part: 0, utcOffsetMinutes: record.start?.offsetMinutes,
                kind: record.kind, spelled: [], merge: record.merge, grain: record.grain, rest: rest))
    }

    /// The index of the object's source.
    private mutating func takeSource(dropped: inout [HAEName]) -> BatchIndex {
        let name = sourceName()
        if object[.source]?.kind == .string && name != nil { dropped.append(.source) }
        guard let name else { return -1 }
        return batch.source(app: batch.intern(name), device: -1)
    }

    /// The text of the object's source, of an object its `name`; nil when there is none that a column holds. Nights of
    /// before 2023 have another name for it.
    mutating func sourceName() -> [UInt8]? {
        guard let source = object[.source] ?? object[.sleepSource] else { return nil }
        switch source.kind {
        case .string: return column(json.bytes(of: source.text))
        case .object:
            readInner(source.range)
            guard let name = inner[.name], name.kind == .string else { return nil }
            return column(json.bytes(of: name.text))
        default: return nil
        }
    }

    /// The text when a column can hold it.
    func column(_ text: [UInt8]) -> [UInt8]? {
        1...Self.maximumTextBytes ~= text.count && !text.contains(0) ? text : nil
    }

    /// Reads an object again that was skipped before, into `inner`.
    mutating func readInner(_ range: Range<Int>) {
        var scanner = JSONScanner(body, at: range.lowerBound, limits: limits)
        // It was read without a fault before.
        do throws(JSONFault) { try scanner.read(into: &inner) } catch { inner.members.removeAll() }
    }
}
