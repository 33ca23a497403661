import Samples
package import Storage

extension ReadModel {
    /// Hands out one page of samples in order, in one read transaction and in memory that doesn't grow with their number.
    ///
    /// - Parameter take: gets each sample and what all of its series share; returns false to end the page behind it.
    package func samples(
        _ query: SampleQuery, _ take: (borrowing StoredSample, StoredSeries) throws(StoreError) -> Bool
    ) throws(StoreError) -> SamplePageEnd {
        try inTransaction { () throws(StoreError) in
            let series = try SeriesRow.all(
                of: query.person, type: query.type, device: query.device, in: store.connection)
            var pages = try SamplePages(query, series: series, texts: texts, connection: store.connection)
            return try pages.read(take)
        }
    }
}

/// Merges the series of a type: of each only where it stands is kept, and one statement reads them by turns.
///
/// A run is what one series has before the next one's first row, so that a type whose rows come from one series, as most
/// do, is one range of the clustered table, and a thousand series take no more than their numbers.
struct SamplePages {
    /// Rows that are looked at for one page, wanted or not.
    static let maximumRows = 200_000

    /// Where a series is read from.
    private enum Position {
        /// This start included.
        case start(Int64)
        case behind(SamplePlace)
    }

    private let query: SampleQuery
    private let texts: StoredTexts
    /// In order.
    private let series: [SeriesRow]
    private let isDescending: Bool
    private let starts: ClosedRange<Int64>?
    private let sources: Set<Int64>?
    private let fromStart, fromPlace: Statement
    private var positions: [Position] = []
    /// By the next row's start, then the series' place in the order; negative backwards.
    private var heads = MinimumHeap<Head>()
    private var row = StoredSample()
    private var known: [Int64: StoredSeries] = [:]

    private struct Head: Comparable {
        var start: Int64
        var rank: Int

        static func < (left: Head, right: Head) -> Bool { (left.start, left.rank) < (right.start, right.rank) }
    }

    /// - Parameter series: of one type and person, by device and unit.
    init(
        _ query: SampleQuery, series: [SeriesRow], texts: StoredTexts, connection: Connection
    ) throws(StoreError) {
        self.query = query
        self.texts = texts
        isDescending = query.order == .descending
        self.series = isDescending ? series.reversed() : series
        starts = query.starts
        sources = try query.source.map { (filter) throws(StoreError) in try filter.identifiers(in: connection) }
        let read = "SELECT \(StoredSample.columns) FROM sample AS k WHERE k.series = ?1 AND"
        let direction = isDescending ? " DESC" : ""
        let order = "ORDER BY k.start\(direction), k.uuid\(direction), k.part\(direction)"
        fromStart = try connection.prepare("\(read) k.start BETWEEN ?2 AND ?3 \(order)")
        // The bound that the place doesn't have, as a bound of the range too.
        let bounds =
            isDescending
            ? "k.start >= ?5 AND (k.start, k.uuid, k.part) < (?2, ?3, ?4)"
            : "k.start <= ?5 AND (k.start, k.uuid, k.part) > (?2, ?3, ?4)"
        fromPlace = try connection.prepare("\(read) \(bounds) \(order)")
    }

    mutating func read(
        _ take: (borrowing StoredSample, StoredSeries) throws(StoreError) -> Bool
    ) throws(StoreError) -> SamplePageEnd {
        if let after = query.after, !series.contains(where: { $0.id == after.series }) { return .foreignPlace }
        guard starts != nil, sources?.isEmpty != true, query.limit > 0 else { return .last }
        try findHeads()
        var taken = 0, looked = 0, isFull = false
        while let head = heads.removeFirst() {
            let series = self.series[head.rank]
            let statement = open(head.rank)
            defer { statement.reset() }
            let next = heads.first
            while try statement.step() {
                let here = Head(start: ordered(statement.integer(0)), rank: head.rank)
                if let next, next < here {
                    heads.insert(here)
                    break
                }
                if isFull || looked == Self.maximumRows, case .behind(let place) = positionOfLast {
                    return .more(place)
                }
                try row.read(statement)
                looked += 1
                lastSeries = series.id
                if let sources, row.source.map({ !sources.contains($0) }) ?? true { continue }
                taken += 1
                isFull = try !take(row, try stored(series)) || taken == query.limit
            }
            if lastSeries == series.id { positions[head.rank] = positionOfLast }
        }
        return .last
    }

    /// Of the row that was read last; nil before the first one.
    private var lastSeries: Int64?

    private var positionOfLast: Position {
        guard let lastSeries else { return .start(0) }
        return .behind(SamplePlace(row, series: lastSeries))
    }

    // MARK: Series

    /// Starts the way they are read: larger is later, so backwards the sign is the other one (`~` has no overflow).
    private func ordered(_ start: Int64) -> Int64 { isDescending ? ~start : start }

    private mutating func findHeads() throws(StoreError) {
        let afterRank = query.after.flatMap { place in series.firstIndex { $0.id == place.series } }
        for rank in series.indices {
            guard let position = firstPosition(rank, afterRank: afterRank) else {
                positions.append(.start(0))
                continue
            }
            positions.append(position)
            let statement = open(rank)
            if try statement.step() { heads.insert(Head(start: ordered(statement.integer(0)), rank: rank)) }
            statement.reset()
        }
    }

    /// nil when nothing of the series comes after the place.
    private func firstPosition(_ rank: Int, afterRank: Int?) -> Position? {
        guard let starts else { return nil }
        let first = isDescending ? starts.upperBound : starts.lowerBound
        guard let after = query.after, let afterRank else { return .start(first) }
        // A place outside of the range is as one at its edge.
        if ordered(after.start) < ordered(first) { return .start(first) }
        if rank == afterRank { return .behind(after) }
        if rank > afterRank { return .start(after.start) }
        let (next, isOver) =
            isDescending ? after.start.subtractingReportingOverflow(1) : after.start.addingReportingOverflow(1)
        return isOver ? nil : .start(next)
    }

    /// The statement that reads the series from its position on, bound.
    private func open(_ rank: Int) -> Statement {
        let range = starts ?? 0...0
        switch positions[rank] {
        case .start(let start):
            fromStart.bind(1, series[rank].id)
            fromStart.bind(2, isDescending ? range.lowerBound : start)
            fromStart.bind(3, isDescending ? start : range.upperBound)
            return fromStart
        case .behind(let place):
            fromPlace.bind(1, series[rank].id)
            fromPlace.bind(2, place.start)
            place.bindKey(3, of: fromPlace)
            fromPlace.bind(4, place.part)
            fromPlace.bind(5, isDescending ? range.lowerBound : range.upperBound)
            return fromPlace
        }
    }

    private mutating func stored(_ row: SeriesRow) throws(StoreError) -> StoredSeries {
        if let known = known[row.id] { return known }
        let found = try row.stored(texts)
        // A handful; a hostile sender can make very many.
        if known.count >= 256 { known.removeAll(keepingCapacity: true) }
        known[row.id] = found
        return found
    }
}
