/// Where rows were put, changed or taken away: stretches of time of series. Pure, and bounded whatever is noted.
///
/// Times are counted in units of 2^24 microseconds, 17 s: a stretch is at most that much wider on each side.
struct TouchedSet {
    /// Starts from `low` to `high`, and the latest end of a row among them, in units.
    struct Stretch: Equatable {
        var low: Int64
        var high: Int64
        var reach: Int64
    }

    private struct Entry {
        /// In order, further apart than `gap`, at most `maximumStretches`.
        var stretches: [Stretch] = []
        /// A row without a start.
        var hasTimeless = false
    }

    static let unitShift: Int64 = 24
    /// Stretches that are no further apart are one: 72 minutes. A number in the blob costs as much as looking at a few rows more.
    static let gap: Int64 = 256
    static let maximumStretches = 8
    /// Series that are told apart; past them one stretch has all series between the first and the last.
    static let maximumSeries = 1_024

    private var entries: [Int64: Entry] = [:]
    /// The stretch that was noted last: rows come in the order of the clustered table.
    private var open: (series: Int64, stretch: Stretch)?
    /// Set once there are too many series to tell apart.
    private var wide: (series: ClosedRange<Int64>, entry: Entry)?

    var isEmpty: Bool { entries.isEmpty && open == nil && wide == nil }

    mutating func removeAll() {
        entries.removeAll(keepingCapacity: entries.count < 64)
        open = nil
        wide = nil
    }

    /// - Parameters: microseconds; `Int64.min` for no start, nil for no end.
    mutating func note(series: Int64, start: Int64, end: Int64?) {
        if start == .min { return noteTimeless(series) }
        let low = start >> Self.unitShift
        add(series, Stretch(low: low, high: low, reach: max(low, (end ?? start) >> Self.unitShift)))
    }

    mutating func noteTimeless(_ series: Int64) {
        if widen(over: series) {
            wide?.entry.hasTimeless = true
        } else {
            entries[series, default: Entry()].hasTimeless = true
        }
    }

    mutating func add(_ series: Int64, _ stretch: Stretch) {
        if let last = open {
            if last.series == series && stretch.low - last.stretch.high <= Self.gap
                && last.stretch.low - stretch.high <= Self.gap
            {
                open?.stretch = Self.joined(last.stretch, stretch)
                return
            }
            put(last.series, last.stretch)
        }
        open = (series, stretch)
    }

    private static func joined(_ one: Stretch, _ other: Stretch) -> Stretch {
        Stretch(
            low: min(one.low, other.low), high: max(one.high, other.high), reach: max(one.reach, other.reach))
    }

    private mutating func put(_ series: Int64, _ stretch: Stretch) {
        if widen(over: series) {
            let old = wide?.entry.stretches.first ?? stretch
            wide?.entry.stretches = [Self.joined(old, stretch)]
        } else {
            Self.put(stretch, into: &entries[series, default: Entry()].stretches)
        }
    }

    private static func put(_ stretch: Stretch, into list: inout [Stretch]) {
        var new = stretch
        // All that are near enough become one with it.
        let first = list.firstIndex { $0.high >= new.low - gap } ?? list.count
        var end = first
        while end < list.count && list[end].low <= new.high + gap {
            new = joined(new, list[end])
            end += 1
        }
        list.replaceSubrange(first..<end, with: [new])
        if list.count <= maximumStretches { return }
        let nearest = (1..<list.count).min { list[$0].low - list[$0 - 1].high < list[$1].low - list[$1 - 1].high }
        guard let nearest else { return }
        list[nearest - 1] = joined(list[nearest - 1], list[nearest])
        list.remove(at: nearest)
    }

    /// Has `wide` take a series, if series are no longer told apart.
    private mutating func widen(over series: Int64) -> Bool {
        if let range = wide?.series {
            wide?.series = min(range.lowerBound, series)...max(range.upperBound, series)
            return true
        }
        if entries.count < Self.maximumSeries || entries[series] != nil { return false }
        let all = entries
        entries = [:]
        var entry = Entry(), range = series...series
        for (series, one) in all {
            range = min(range.lowerBound, series)...max(range.upperBound, series)
            entry.hasTimeless = entry.hasTimeless || one.hasTimeless
            for stretch in one.stretches { entry.stretches = [Self.joined(entry.stretches.first ?? stretch, stretch)] }
        }
        wide = (range, entry)
        return true
    }

    // MARK: Reading

    /// One stretch of one series, or of all between two.
    struct Area: Equatable {
        var series: ClosedRange<Int64>
        /// Nil for rows without a start.
        var stretch: Stretch?

        /// Starts in microseconds, both ends included.
        var starts: ClosedRange<Int64> {
            guard let stretch else { return Int64.min...Int64.min }
            // No start is the lowest of all numbers, and not a time.
            let low = max(stretch.low << unitShift, Int64.min + 1)
            return low...max(low, TouchedSet.last(stretch.high))
        }

        /// The last microsecond that a row of it reaches.
        var reach: Int64 { stretch.map { TouchedSet.last($0.reach) } ?? .min }
    }

    private static func last(_ unit: Int64) -> Int64 { unit << unitShift | (1 << unitShift - 1) }

    /// In the order of series and time, those without a start first.
    mutating func areas() -> [Area] {
        settle()
        var all: [Area] = []
        func append(_ series: ClosedRange<Int64>, _ entry: Entry) {
            if entry.hasTimeless { all.append(Area(series: series, stretch: nil)) }
            for stretch in entry.stretches { all.append(Area(series: series, stretch: stretch)) }
        }
        if let wide { append(wide.series, wide.entry) }
        for series in entries.keys.sorted() { if let entry = entries[series] { append(series...series, entry) } }
        return all
    }

    /// Adds what another one has.
    mutating func add(_ area: Area) {
        if area.series.lowerBound != area.series.upperBound && wide == nil {
            settle()
            let all = entries
            entries = [:]
            wide = (area.series, Entry())
            for (series, entry) in all {
                if entry.hasTimeless { noteTimeless(series) }
                for stretch in entry.stretches { put(series, stretch) }
            }
        }
        for series in Set([area.series.lowerBound, area.series.upperBound]) {
            if let stretch = area.stretch { add(series, stretch) } else { noteTimeless(series) }
        }
    }

    private mutating func settle() {
        guard let last = open else { return }
        open = nil
        put(last.series, last.stretch)
    }

    // MARK: Bytes

    /// Shape, all numbers LEB128: how many series, 0 for one stretch of all series from one number to another, which then
    /// stand here. Of each series: its number less the one before, twice the count of stretches (and 1 for rows without
    /// a start), and of each stretch where it begins (of a series' first one: less where the first one before began, with the sign
    /// in the lowest bit; of others: less the end before), how long it is, and how far it reaches beyond its end.
    mutating func encoded() -> [UInt8] {
        settle()
        if isEmpty { return [] }
        var bytes: [UInt8] = []
        var lastSeries: Int64 = 0, lastLow: Int64 = 0
        func append(_ entry: Entry) {
            VarInt.append(UInt64(entry.stretches.count) << 1 | (entry.hasTimeless ? 1 : 0), to: &bytes)
            var end: Int64?
            for stretch in entry.stretches {
                if let end {
                    VarInt.append(UInt64(stretch.low - end), to: &bytes)
                } else {
                    VarInt.append(VarInt.zigzag(stretch.low - lastLow), to: &bytes)
                    lastLow = stretch.low
                }
                VarInt.append(UInt64(stretch.high - stretch.low), to: &bytes)
                VarInt.append(UInt64(stretch.reach - stretch.high), to: &bytes)
                end = stretch.high
            }
        }
        if let wide {
            VarInt.append(0, to: &bytes)
            VarInt.append(UInt64(max(0, wide.series.lowerBound)), to: &bytes)
            VarInt.append(UInt64(max(0, wide.series.upperBound)), to: &bytes)
            append(wide.entry)
            return bytes
        }
        VarInt.append(UInt64(entries.count), to: &bytes)
        for series in entries.keys.sorted() {
            guard let entry = entries[series] else { continue }
            // Numbers that SQLite gives begin at 1.
            VarInt.append(UInt64(max(0, series - lastSeries)), to: &bytes)
            lastSeries = series
            append(entry)
        }
        return bytes
    }

    /// - Returns: nil for bytes that `encoded` doesn't make.
    static func decode(_ bytes: [UInt8]) -> [Area]? {
        if bytes.isEmpty { return [] }
        var reader = VarInt.Reader(bytes)
        guard let count = reader.next() else { return nil }
        var areas: [Area] = []
        var lastSeries: Int64 = 0, lastLow: Int64 = 0
        if count == 0 {
            guard let low = reader.next(), let high = reader.next(), low <= high, high <= UInt64(Int64.max),
                append(Int64(low)...Int64(high), &reader, &lastLow, to: &areas), reader.isAtEnd
            else { return nil }
            return areas
        }
        if count > UInt64(maximumSeries) { return nil }
        for index in 0..<count {
            guard let delta = reader.next(), index == 0 || delta > 0, let step = Int64(exactly: delta) else {
                return nil
            }
            let series = lastSeries.addingReportingOverflow(step)
            if series.overflow { return nil }
            lastSeries = series.partialValue
            if !append(lastSeries...lastSeries, &reader, &lastLow, to: &areas) { return nil }
        }
        return reader.isAtEnd ? areas : nil
    }

    private static func append(
        _ series: ClosedRange<Int64>, _ reader: inout VarInt.Reader, _ lastLow: inout Int64, to areas: inout [Area]
    ) -> Bool {
        guard let head = reader.next(), head >> 1 <= UInt64(maximumStretches), head > 0 else { return false }
        if head & 1 == 1 { areas.append(Area(series: series, stretch: nil)) }
        var end: Int64?
        for _ in 0..<head >> 1 {
            guard let start = reader.next(), let length = reader.next(), let beyond = reader.next() else {
                return false
            }
            var low = lastLow
            if let end {
                if start > UInt64(2 * limit) { return false }
                low = end + Int64(start)
            } else {
                let step = VarInt.unzigzag(start)
                if step > 2 * limit || step < -2 * limit { return false }
                low += step
                lastLow = low
            }
            guard length <= UInt64(2 * limit), beyond <= UInt64(2 * limit) else { return false }
            let high = low + Int64(length), reach = low + Int64(length) + Int64(beyond)
            guard low >= -limit, reach < limit else { return false }
            areas.append(Area(series: series, stretch: Stretch(low: low, high: high, reach: reach)))
            end = high
        }
        return true
    }

    /// Units that 64 bits of microseconds have on either side of 1970.
    private static let limit: Int64 = 1 << (63 - unitShift)
}
