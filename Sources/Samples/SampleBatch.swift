package import Wire

/// A stretch of a batch's arena.
package struct ArenaRange: Hashable, Sendable {
    package var offset: UInt32
    package var count: UInt32

    @inlinable package init(offset: UInt32, count: UInt32) {
        self.offset = offset
        self.count = count
    }

    @inlinable package static var empty: ArenaRange { ArenaRange(offset: 0, count: 0) }
    @inlinable package var indices: Range<Int> { Int(offset)..<Int(offset) + Int(count) }
}

/// Index into a batch's `texts`, `series` or `sources`; -1 is none.
package typealias BatchIndex = Int32

/// The sender's name of a sample within a device.
package enum SampleKey: Hashable, Sendable {
    /// A HealthKit uuid, big-endian: `high` holds its first 16 hexadecimal digits.
    case uuid(high: UInt64, low: UInt64)
    /// Any other key, 1 to 256 bytes of UTF-8 in the arena, compared as bytes.
    case text(ArenaRange)
}

/// Members of the sender's object whose own spelling is kept in `rest`, since no column holds them exactly.
///
/// Raw values are stored (column `spelled`): never reuse one. A set bit means: the member is in `rest`, and the view's
/// `body` takes it from there, not from the column.
package struct SpelledMembers: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    @inlinable package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let start = SpelledMembers(rawValue: 1 << 0)
    package static let end = SpelledMembers(rawValue: 1 << 1)
    /// `value` of a quantity, category or characteristic, `duration_s` of a workout.
    package static let value = SpelledMembers(rawValue: 1 << 2)
    package static let unit = SpelledMembers(rawValue: 1 << 3)
    package static let source = SpelledMembers(rawValue: 1 << 4)
    /// `activity` of a workout.
    package static let valueName = SpelledMembers(rawValue: 1 << 5)
    /// The sender wrote `part` (without this bit a part of 0 is not shown in `body`).
    package static let partGiven = SpelledMembers(rawValue: 1 << 6)
}

/// One sample as a decoder leaves it: fixed size, everything of variable length in the arena.
///
/// The columns and `rest` together are the sender's object: each of its members is in exactly one of them, but for a number
/// that no double holds exactly, whose nearest double is in `value` too. Of a native sample the columns stand for
///
/// | kind | members |
/// | --- | --- |
/// | all | `uuid` (`key`), `type`, `unit` (but of a workout), `start`, `end`, `part` (with `.partGiven`), `source` |
/// | quantity | `value` (`value`) |
/// | category | `value` (`valueName`; `value` is HealthKit's number for it and in no member) |
/// | workout | `duration_s` (`value`), `activity` (`valueName`); the series' unit is "s" and in no member |
/// | characteristic | `value` (`valueName` when there is one, then `value` is HealthKit's number; else `value`) |
///
/// A member with its bit in `spelled` is in `rest` instead: a time that is not `YYYY-MM-DDTHH:MM:SS[.f]Z` with one to six
/// digits f, the last no zero, or is null; a number that `JSONNumber.isExact` refuses; a text that is empty, has a NUL or
/// is longer than 1,024 bytes; a `source` that is not an object of `app`, `device` or both, each such a text (what it has
/// of them is in the columns too); a value of another kind than the column's. A number's spelling and escapes in a text
/// are not kept.
package struct SampleRecord: Sendable {
    package var key: SampleKey
    /// `Timestamp.none` when the sender gave none.
    package var start: Timestamp
    /// `Timestamp.none` when the sender gave none.
    package var end: Timestamp
    /// By kind as in the table above, HealthKit's number nil where the name is unknown; nil when there is none.
    package var value: Double?
    /// Into `series`: type and unit.
    package var series: BatchIndex
    /// Into `sources`; -1 when the sender gave none.
    package var source: BatchIndex
    /// Into `texts`; -1 when there is none.
    package var valueName: BatchIndex
    /// From 0; 0 where the sender gave none.
    package var part: Int32
    /// The calendar day of an activity summary (its `date`, else its `day`, which stays in `rest`) in days since
    /// 1970-01-01; nil for everything else.
    package var day: Int32?
    /// Minutes east of UTC that the sender wrote the start in, where it tells the sample's own zone; nil otherwise.
    package var utcOffsetMinutes: Int16?
    package var kind: SampleKind
    package var spelled: SpelledMembers
    /// How it meets what is stored under its key; `.replace` in every dialect whose samples have keys of their own.
    package var merge: MergeRule
    /// How long a stretch of time one sample stands for; part of the key's name.
    package var grain: Grain
    /// The other members as the sender's own bytes, in the sender's order: `"name":value` pairs joined by commas, no
    /// braces; empty when none. Names that the table has are written without escapes.
    package var rest: ArenaRange

    package init(
        key: SampleKey, start: Timestamp, end: Timestamp, value: Double?, series: BatchIndex, source: BatchIndex,
        valueName: BatchIndex, part: Int32, day: Int32? = nil, utcOffsetMinutes: Int16? = nil, kind: SampleKind,
        spelled: SpelledMembers, merge: MergeRule = .replace, grain: Grain = .raw, rest: ArenaRange
    ) {
        self.key = key
        self.start = start
        self.end = end
        self.value = value
        self.series = series
        self.source = source
        self.valueName = valueName
        self.part = part
        self.day = day
        self.utcOffsetMinutes = utcOffsetMinutes
        self.kind = kind
        self.spelled = spelled
        self.merge = merge
        self.grain = grain
        self.rest = rest
    }
}

/// One entry of `deleted`: every part of that key goes.
package struct DeletionRecord: Sendable {
    package var key: SampleKey
    /// The type that the sender named, into `texts`; -1 when none.
    package var type: BatchIndex

    package init(key: SampleKey, type: BatchIndex) {
        self.key = key
        self.type = type
    }
}

/// What a decoder makes of a body: arrays of fixed-size records and one arena for the bytes they point to.
///
/// Order is the sender's; the last of a key wins. Deletions apply after all samples. The texts of a batch (types, units,
/// names, sources) are interned: equal bytes have one index, so the store looks each up once a batch, not once a sample.
package struct SampleBatch: Sendable {
    /// Type and unit of a sample, into `texts`; unit -1 when there is none.
    package struct Series: Hashable, Sendable {
        package var type: BatchIndex
        package var unit: BatchIndex
        package init(type: BatchIndex, unit: BatchIndex) {
            self.type = type
            self.unit = unit
        }
    }

    /// Where a sample came from, into `texts`; -1 when not given. At least one of both is given.
    package struct Source: Hashable, Sendable {
        package var app: BatchIndex
        package var device: BatchIndex
        package init(app: BatchIndex, device: BatchIndex) {
            self.app = app
            self.device = device
        }
    }

    package private(set) var arena: [UInt8] = []
    package private(set) var texts: [ArenaRange] = []
    package private(set) var series: [Series] = []
    package private(set) var sources: [Source] = []
    package var samples: [SampleRecord] = []
    package var deletions: [DeletionRecord] = []
    /// What was left out, with the reason (Health Auto Export alone).
    package var skipped: [SkippedRecord] = []
    /// How many more were left out that `skipped` has no place for: they count, and nothing of them is kept.
    package var skippedBeyond = 0
    /// How the sender cut its data; nil in every dialect whose samples have keys of their own.
    package var window: MergeWindow?
    /// What only this sender has; nil where a batch is samples and deletions alone.
    package var extras: BatchExtras?

    private let hashKey = ByteHash.process
    private var textIndices = InternTable()
    private var seriesIndices = InternTable()
    /// The series last asked for of each type, by the index of its text; -1 when none was.
    private var latestSeries: [BatchIndex] = []
    private var sourceIndices = InternTable()

    package init() {}

    /// Appends `bytes` to the arena, once more even if they are there already.
    package mutating func append(_ bytes: some Collection<UInt8>) -> ArenaRange {
        let range = ArenaRange(offset: UInt32(arena.count), count: UInt32(bytes.count))
        arena.append(contentsOf: bytes)
        return range
    }

    /// Makes place for so much in the arena.
    mutating func reserve(arenaBytes: Int) { arena.reserveCapacity(arena.count + arenaBytes) }

    /// Makes place for the few texts that a small batch has: else each of these lists grows four times.
    mutating func reserveTexts() {
        texts.reserveCapacity(16)
        latestSeries.reserveCapacity(16)
    }

    /// The length of the arena.
    package var arenaBytes: Int { arena.count }

    /// Appends `bytes` to a stretch that began at an earlier `arenaBytes`; nothing else may be added in between.
    package mutating func extend(_ bytes: some Collection<UInt8>) { arena.append(contentsOf: bytes) }

    /// Extends by what stands in `range` of `bytes`.
    package mutating func extend(_ range: Range<Int>, of bytes: PaddedBytes) {
        unsafe arena.append(contentsOf: bytes.bytes(range))
    }

    /// What was added since `arenaBytes` was `start`.
    package func arenaRange(from start: Int) -> ArenaRange {
        ArenaRange(offset: UInt32(start), count: UInt32(arena.count - start))
    }

    /// The index of `text` in `texts`, new when it was not there.
    package mutating func intern(_ text: some Collection<UInt8>) -> BatchIndex { intern(Array(text).span) }

    /// The index of `text` in `texts`, new when it was not there.
    package mutating func intern(_ text: Span<UInt8>) -> BatchIndex {
        let hash = hashKey.hash(text)
        let found = textIndices.find(hash: hash) { arena.span.extracting(texts[Int($0)].indices).equals(text) }
        if let found { return found }
        let index = BatchIndex(texts.count), start = arena.count
        arena.append(copying: text)
        texts.append(arenaRange(from: start))
        textIndices.append(hash: hash)
        return index
    }

    /// The index of the text that stands in `range` of `bytes`.
    package mutating func intern(_ range: Range<Int>, of bytes: PaddedBytes) -> BatchIndex {
        unsafe intern(bytes.bytes(range).span)
    }

    /// The index in `series` of a type and unit, both from `intern`; unit -1 when there is none.
    package mutating func series(type: BatchIndex, unit: BatchIndex) -> BatchIndex {
        // A type has one unit, as good as always: the last one of each type answers without hashing.
        while latestSeries.count < texts.count { latestSeries.append(-1) }
        let latest = latestSeries[Int(type)]
        if latest >= 0 && series[Int(latest)].unit == unit { return latest }
        let index = newestSeries(type: type, unit: unit)
        latestSeries[Int(type)] = index
        return index
    }

    /// The series last asked for of a type, if its unit has these bytes.
    func latestSeries(type: BatchIndex, unit: Span<UInt8>) -> BatchIndex? {
        guard Int(type) < latestSeries.count, case let latest = latestSeries[Int(type)], latest >= 0,
            hasText(series[Int(latest)].unit, unit)
        else { return nil }
        return latest
    }

    /// Whether the text at `index` has these bytes; no text is an empty one.
    func hasText(_ index: BatchIndex, _ bytes: Span<UInt8>) -> Bool {
        index < 0 ? bytes.isEmpty : arena.span.extracting(texts[Int(index)].indices).equals(bytes)
    }

    private mutating func newestSeries(type: BatchIndex, unit: BatchIndex) -> BatchIndex {
        let pair = Series(type: type, unit: unit), hash = hash(type, unit)
        if let found = seriesIndices.find(hash: hash, where: { series[Int($0)] == pair }) { return found }
        let index = BatchIndex(series.count)
        series.append(pair)
        seriesIndices.append(hash: hash)
        return index
    }

    /// The index in `sources` of an app and device, both from `intern` or -1.
    package mutating func source(app: BatchIndex, device: BatchIndex) -> BatchIndex {
        let pair = Source(app: app, device: device), hash = hash(app, device)
        if let found = sourceIndices.find(hash: hash, where: { sources[Int($0)] == pair }) { return found }
        let index = BatchIndex(sources.count)
        sources.append(pair)
        sourceIndices.append(hash: hash)
        return index
    }

    private func hash(_ one: BatchIndex, _ other: BatchIndex) -> UInt64 {
        hashKey.hash(word: UInt64(UInt32(bitPattern: one)) << 32 | UInt64(UInt32(bitPattern: other)), count: 8)
    }

    /// The bytes of an interned text.
    package func text(_ index: BatchIndex) -> ArraySlice<UInt8> { arena[texts[Int(index)].indices] }

    /// The bytes of a stretch of the arena.
    package func bytes(_ range: ArenaRange) -> ArraySlice<UInt8> { arena[range.indices] }
}
