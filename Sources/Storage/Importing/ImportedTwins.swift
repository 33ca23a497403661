import Samples

/// Finds samples that are there twice: as a live sender brought them, and as an import did. The live one stays.
///
/// Costs nothing while nobody imports: which series imports wrote to, and their range of starts, is in memory, read anew when
/// another connection has written (`PRAGMA data_version`). A live row within a range is one step more into the table.
final class ImportedTwins {
    private struct Range {
        var series: Int64
        var first: Int64
        var last: Int64
    }
    private struct Subject: Hashable {
        var person: Int64
        var type: Int64
    }
    /// A series of the same subject, and how its values become those of the type's own unit.
    private struct Other {
        var series: Int64
        var device: Int64
        var conversion: UnitConversion?
    }
    struct Twin {
        var place: SamplePlace
        var device: Int64
        var isUUID: Bool
        var key: [UInt8]
        var part: Int64
    }

    private let versionStatement, rangesStatement, seriesStatement, ownersStatement, sourceStatement: Statement
    private let scanStatement, widenStatement: Statement
    private var version: Int64?
    private var ranges: [Subject: [Range]] = [:]
    private var isEmpty = true
    private var sourceNames: [Int64: SourceNames] = [:]
    /// Of the batch in hand, by its index of a series: what may hold twins.
    private var others: [[Other]] = []
    private var conversions: [UnitConversion?] = []
    private let catalog = Catalog.builtIn
    private let scratch = UUIDScratch()

    init(_ connection: Connection) throws(StoreError) {
        versionStatement = try connection.prepare("PRAGMA data_version")
        rangesStatement = try connection.prepare(
            """
            SELECT d.person, s.type, i.series, i.first, i.last
            FROM import_series AS i JOIN series AS s ON s.id = i.series JOIN device AS d ON d.id = s.device
            """)
        seriesStatement = try connection.prepare(
            """
            SELECT s.id, s.device, u.text FROM series AS s JOIN device AS d ON d.id = s.device
              LEFT JOIN text AS u ON u.id = s.unit
            WHERE s.type = (SELECT type FROM series WHERE id = ?1)
              AND d.person = (SELECT d.person FROM series AS o JOIN device AS d ON d.id = o.device WHERE o.id = ?1)
            """)
        ownersStatement = try connection.prepare(
            "SELECT d.person, s.type FROM series AS s JOIN device AS d ON d.id = s.device WHERE s.id = ?1")
        sourceStatement = try connection.prepare(
            """
            SELECT o.app, o.device, (SELECT text FROM text WHERE id = o.app) FROM source AS o WHERE o.id = ?1
            """)
        scanStatement = try connection.prepare(
            """
            SELECT start, uuid, part, "end", value, value_name, source, kind, spelled, rest, delivery FROM sample
            WHERE series = ?1 AND start BETWEEN ?2 AND ?3
            """)
        widenStatement = try connection.prepare(
            """
            INSERT INTO import_series (series, first, last) VALUES (?1, ?2, ?3) ON CONFLICT (series) DO UPDATE SET
              first = min(first, excluded.first), last = max(last, excluded.last)
            WHERE first > excluded.first OR last < excluded.last
            """)
    }

    /// What was remembered of a transaction that is no more.
    func forget() { version = nil }

    // MARK: A live batch

    /// Called before a batch that is no import is stored.
    ///
    /// - Returns: whether any of it can have a twin.
    func prepare(_ batch: SampleBatch, _ ids: BatchIDs) throws(StoreError) -> Bool {
        try refresh()
        if isEmpty || batch.samples.isEmpty { return false }
        others = []
        conversions = []
        var isAny = false
        for index in batch.series.indices {
            let series = ids.series(BatchIndex(index))
            var found: [Other] = []
            if let subject = try subject(of: series), let imported = ranges[subject] {
                let alike = try self.series(like: series, batch.text(batch.series[index].type))
                // Within a device keys tell samples apart: a row is no twin of itself when an export of this store comes back.
                let own = alike.first { $0.series == series }?.device
                for other in alike
                where other.device != own && imported.contains(where: { $0.series == other.series }) {
                    found.append(other)
                }
            }
            isAny = isAny || !found.isEmpty
            others.append(found)
            conversions.append(conversion(batch, batch.series[index]))
        }
        return isAny
    }

    /// The imported rows that are the same sample as a live one.
    func twins(
        of record: SampleRecord, _ content: RowContent
    ) throws(StoreError) -> [Twin] {
        let candidates = others[Int(record.series)]
        if candidates.isEmpty || record.grain != .raw || record.start == .none { return [] }
        let facts = facts(of: record, content)
        var found: [Twin] = []
        for other in candidates {
            guard let range = rangeOf(other.series), record.start.microseconds >= range.first - SampleFacts.second,
                record.start.microseconds <= range.last + SampleFacts.second
            else { continue }
            try scan(other, around: facts) { (row, place) throws(StoreError) in
                found.append(
                    Twin(
                        place: place, device: other.device, isUUID: row.isBlob(1), key: row.bytes(1),
                        part: row.integer(2)))
                // Parts of a route go together; of all else one row is one sample.
                return record.kind == .workoutRoute
            }
        }
        return found
    }

    // MARK: An imported batch

    /// Leaves out of an imported batch what is there already, as a live sender or another import brought it.
    ///
    /// Of several records of one key and content the one that tells more stays, whichever came first: so the order of files
    /// and of interruptions changes nothing. Of another content the newer one stays.
    ///
    /// - Returns: how many were left out.
    func screen(
        _ batch: inout SampleBatch, _ ids: BatchIDs, _ origin: SampleOrigin
    ) throws(StoreError) -> Int {
        try refresh()
        let count = batch.samples.count
        keepRichest(&batch)
        others = []
        conversions = []
        for index in batch.series.indices {
            others.append(try series(like: ids.series(BatchIndex(index)), batch.text(batch.series[index].type)))
            conversions.append(conversion(batch, batch.series[index]))
        }
        let samples = batch.samples
        batch.samples = try unsafe batch.arena.withUnsafeBufferPointer { (bytes) throws(StoreError) -> [SampleRecord] in
            let arena = unsafe PinnedArena(bytes, scratch: scratch.bytes)
            var kept: [SampleRecord] = []
            kept.reserveCapacity(samples.count)
            for record in samples where try !isKnown(record, ids, origin, arena) { kept.append(record) }
            return kept
        }
        return count - batch.samples.count
    }

    private func isKnown(
        _ record: SampleRecord, _ ids: BatchIDs, _ origin: SampleOrigin, _ arena: PinnedArena
    ) throws(StoreError) -> Bool {
        guard record.start != .none, case .uuid(let high, let low) = record.key else { return false }
        let content = RowContent(
            record, valueName: ids.text(record.valueName), source: ids.source(record.source), isKeyEscaped: false,
            in: arena)
        let facts = facts(of: record, content)
        var isKnown = false
        for other in others[Int(record.series)] {
            let isOwn = other.device == origin.device
            try scan(other, around: facts, isOwn: isOwn, (high, low)) { (row, _) throws(StoreError) in
                if let key = row.uuid(1), isOwn, key.high == high, key.low == low {
                    // Itself. Of another content the newer one counts, as everywhere; else the row that tells more stays.
                    guard row.integer(2) == Int64(record.part) else { return true }
                    guard other.series == ids.series(record.series), Self.tells(row, what: content) else {
                        return false
                    }
                    // A route by itself says nothing of its source, the archive it is in does.
                    let hasSource = row.optionalInteger(6) == nil && content.source != nil
                    let isRicher = unsafe hasSource || Self.precedes(row.bytes(9), Array(content.rest))
                    isKnown = !isRicher
                    return false
                }
                // What the file itself has twice under two keys is there twice, wherever the run was cut.
                if isOwn && row.integer(10) == origin.delivery { return true }
                isKnown = true
                return false
            }
            if isKnown { return true }
        }
        return false
    }

    /// Whether a row of the same key has the content's own columns. A source that one of both lacks is no difference.
    private static func tells(_ row: Statement, what content: RowContent) -> Bool {
        let source = row.optionalInteger(6)
        return row.optionalInteger(3) == content.end && row.double(4) == content.value
            && row.optionalInteger(5) == content.valueName && row.integer(7) == content.kind
            && (source == nil || content.source == nil || source == content.source)
    }

    /// Leaves one record of each key: of those that differ in `rest` alone the one that tells more, else the last.
    private func keepRichest(_ batch: inout SampleBatch) {
        struct Name: Hashable {
            var key: SampleKey
            var part: Int32
        }
        var places: [Name: Int] = [:]
        places.reserveCapacity(batch.samples.count)
        var kept: [SampleRecord] = []
        kept.reserveCapacity(batch.samples.count)
        for record in batch.samples {
            let name = Name(key: record.key, part: record.part)
            if case .uuid = record.key, let place = places[name] {
                let first = kept[place]
                let isSame =
                    first.series == record.series && first.start == record.start && first.end == record.end
                    && first.value == record.value && first.valueName == record.valueName && first.kind == record.kind
                    && (first.source == record.source || first.source < 0 || record.source < 0)
                if !isSame || Self.precedes(Array(batch.bytes(first.rest)), Array(batch.bytes(record.rest))) {
                    kept[place] = record
                }
            } else {
                places[name] = kept.count
                kept.append(record)
            }
        }
        batch.samples = kept
    }

    /// Whether the first is shorter, or of the same length and smaller.
    static func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count != right.count ? left.count < right.count : left.lexicographicallyPrecedes(right)
    }

    /// Notes where the batch's samples are, once they are stored.
    func widen(_ batch: SampleBatch, _ ids: BatchIDs) throws(StoreError) {
        var bounds: [Int64: (first: Int64, last: Int64)] = [:]
        for record in batch.samples where record.start != .none {
            let series = ids.series(record.series), start = record.start.microseconds
            let old = bounds[series] ?? (start, start)
            bounds[series] = (min(old.first, start), max(old.last, start))
        }
        for (series, bound) in bounds {
            widenStatement.bind(1, series)
            widenStatement.bind(2, bound.first)
            widenStatement.bind(3, bound.last)
            try widenStatement.run()
        }
        if !bounds.isEmpty { version = nil }
    }

    // MARK: Rows

    /// Hands over rows of a series that are the same sample, until `take` answers false.
    private func scan(
        _ other: Other, around facts: SampleFacts, isOwn: Bool = false, _ own: (UInt64, UInt64) = (0, 0),
        _ take: (Statement, SamplePlace) throws(StoreError) -> Bool
    ) throws(StoreError) {
        let row = scanStatement
        let low = facts.start.subtractingReportingOverflow(SampleFacts.second)
        let high = facts.start.addingReportingOverflow(SampleFacts.second)
        row.bind(1, other.series)
        row.bind(2, low.overflow ? facts.start : low.partialValue)
        row.bind(3, high.overflow ? facts.start : high.partialValue)
        defer { row.reset() }
        while try row.step() {
            if row.integer(8) >> Int64(StoredSpelling.grainShift) & 15 != Int64(Grain.raw.rawValue) { continue }
            let start = row.integer(0)
            var stored = SampleFacts(
                start: start, end: row.optionalInteger(3), kind: row.integer(7), value: row.double(4),
                valueName: row.optionalInteger(5), source: row.optionalInteger(6))
            if let conversion = other.conversion, let value = stored.value { stored.value = conversion(value) }
            let isItself =
                isOwn && start == facts.start && row.uuid(1).map { $0.high == own.0 && $0.low == own.1 } == true
            // Rows of one import are whole seconds, so a neighbour of theirs is another sample.
            if isOwn && !isItself && start != facts.start { continue }
            if !isItself {
                guard facts.isSame(as: stored) else { continue }
                guard try names(stored.source).canBe(names(facts.source)) else { continue }
            }
            if try !take(row, SamplePlace(series: other.series, start: start)) { return }
        }
    }

    private func facts(of record: SampleRecord, _ content: RowContent) -> SampleFacts {
        var value = content.value
        if let conversion = conversions[Int(record.series)], let number = value { value = conversion(number) }
        return SampleFacts(
            start: record.start.microseconds, end: content.end, kind: content.kind, value: value,
            valueName: content.valueName, source: content.source)
    }

    private func names(_ source: Int64?) throws(StoreError) -> SourceNames {
        guard let source else { return SourceNames() }
        if let known = sourceNames[source] { return known }
        sourceStatement.bind(1, source)
        guard try sourceStatement.step() else { return SourceNames() }
        let names = SourceNames(
            app: sourceStatement.optionalInteger(0), device: sourceStatement.optionalInteger(1),
            isIdentifier: SourceNames.isIdentifier(sourceStatement.bytes(2)))
        sourceStatement.reset()
        if sourceNames.count >= 8_192 { sourceNames = [:] }
        sourceNames[source] = names
        return names
    }

    // MARK: Series

    private func refresh() throws(StoreError) {
        _ = try versionStatement.step()
        let now = versionStatement.integer(0)
        versionStatement.reset()
        if now == version { return }
        ranges = [:]
        sourceNames = [:]
        while try rangesStatement.step() {
            let subject = Subject(person: rangesStatement.integer(0), type: rangesStatement.integer(1))
            ranges[subject, default: []].append(
                Range(
                    series: rangesStatement.integer(2), first: rangesStatement.integer(3),
                    last: rangesStatement.integer(4)))
        }
        isEmpty = ranges.isEmpty
        version = now
    }

    private func rangeOf(_ series: Int64) -> Range? {
        for list in ranges.values { for range in list where range.series == series { return range } }
        return nil
    }

    private func subject(of series: Int64) throws(StoreError) -> Subject? {
        ownersStatement.bind(1, series)
        guard try ownersStatement.step() else { return nil }
        defer { ownersStatement.reset() }
        return Subject(person: ownersStatement.integer(0), type: ownersStatement.integer(1))
    }

    /// Every series of the same type and person.
    private func series(like series: Int64, _ typeName: ArraySlice<UInt8>) throws(StoreError) -> [Other] {
        let type = catalog.type(named: typeName)
        seriesStatement.bind(1, series)
        var found: [Other] = []
        while try seriesStatement.step() {
            found.append(
                Other(
                    series: seriesStatement.integer(0), device: seriesStatement.integer(1),
                    conversion: conversion(seriesStatement.bytes(2)[...], type)))
        }
        return found
    }

    private func conversion(_ batch: SampleBatch, _ series: SampleBatch.Series) -> UnitConversion? {
        if series.unit < 0 { return nil }
        return conversion(batch.text(series.unit), catalog.type(named: batch.text(series.type)))
    }

    private func conversion(_ unit: ArraySlice<UInt8>, _ type: CatalogType?) -> UnitConversion? {
        guard let type, !unit.isEmpty else { return nil }
        return catalog.conversion(from: unit, to: type).flatMap { $0.isIdentity ? nil : $0 }
    }
}
