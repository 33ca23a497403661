import Samples
import Storage

/// What the figures of a person's type depend on.
struct TypeContext {
    let type: TypeSeries
    let plan: FigurePlan
    let ranking: SourceRanking
    let calendar: LocalCalendar

    /// The days whose figures rows may be in; nil when there are none.
    ///
    /// A day more on both sides, since a sample's own clock may show another day.
    var days: ClosedRange<Int>? {
        type.span.map { weeks in
            let low = WeekFacts.starts(of: weeks.lowerBound).lowerBound
            let high = WeekFacts.starts(of: weeks.upperBound).upperBound
            return calendar.day(at: low) - 2...calendar.day(at: high) + 2
        }
    }
}

/// Works out the figures of some days, or of their hours, from rows: one pass over them, two where some may leave others out.
struct BucketRun {
    /// How far a sample's own clock and the person's are apart at most.
    private static let clockReach = 26 * LocalCalendar.hour

    let context: TypeContext
    let days: ClosedRange<Int>
    let isByHour: Bool
    private let connection: Connection
    private let goesOn: () -> Bool
    private var found: [Int64: BucketFigures] = [:]
    /// Where the last piece was counted: most often the next one belongs there too.
    private var place: (bucket: Int64, rank: Int, share: Int)?
    private var current = BucketFigures()
    /// Of durations the time that is counted, of each bucket for all sources (rank -1) and for each.
    private var counted: [Place: IntervalUnion] = [:]

    private struct Place: Hashable {
        var bucket: Int64
        var rank: Int
    }

    init(
        _ context: TypeContext, days: ClosedRange<Int>, isByHour: Bool, _ connection: Connection,
        goesOn: @escaping () -> Bool
    ) {
        (self.context, self.days, self.isByHour) = (context, days, isByHour)
        (self.connection, self.goesOn) = (connection, goesOn)
    }

    /// - Returns: by the number of a day, or the start of an hour; without those that no row touches.
    /// - Throws: `.givenUp` when `goesOn` says so.
    mutating func run() throws(StoreError) -> [Int64: BucketFigures] {
        let calendar = context.calendar
        let inner = calendar.start(ofDay: days.lowerBound)..<calendar.start(ofDay: days.upperBound + 1)
        guard !inner.isEmpty else { return [:] }
        let flags = context.type.flags
        // Where rows leave others out, as far around as that reaches.
        let mayLeaveOut = Self.mayLeaveOut(flags)
        let reach = flags.contains(.offsets) ? Self.clockReach : 0
        let times = inner.lowerBound - reach..<inner.upperBound + reach
        var coverage: Coverage?
        var row = TotalsRow()
        if mayLeaveOut {
            // A row of a day may be left out by what is at its other end, and a day by the days around it.
            let wider = times.lowerBound - Self.coverageReach..<times.upperBound + Self.coverageReach
            var noted = Coverage(calendar, wider)
            let rows = try RowStream(connection, context.type, context.plan, times: wider)
            var count = 0
            while try rows.next(into: &row) {
                if row.isUsable { noted.note(row) }
                try check(&count)
            }
            coverage = noted
        }
        try read(times, coverage)
        return found
    }

    private static let coverageReach = 2 * Coverage.wholeLength

    private static func mayLeaveOut(_ flags: WeekFacts.Flags) -> Bool {
        flags.contains(.guest) && (flags.contains(.native) || flags.contains(.aggregated))
    }

    /// How far from a row figures may depend on it, in microseconds.
    static func reach(_ flags: WeekFacts.Flags) -> Int64 {
        (flags.contains(.offsets) ? clockReach : 0) + (mayLeaveOut(flags) ? coverageReach : 0)
    }

    private mutating func read(_ times: Range<Int64>, _ coverage: Coverage?) throws(StoreError) {
        let rows = try RowStream(connection, context.type, context.plan, times: times)
        var cutter = BucketCutter(context.calendar, isByHour: isByHour)
        var sweep = SourceSweep(ranks: context.ranking.entries.count)
        var row = TotalsRow()
        var lastSource: Int64 = -1, rank = 0, count = 0
        while try rows.next(into: &row) {
            try check(&count)
            if row.start == row.end && row.start < times.lowerBound { continue }
            if row.source != lastSource {
                // Rows that came after the facts were read are not there: all is read in one transaction.
                guard let known = context.ranking.ranks[row.source] else {
                    throw StoreError(.damaged, detail: "a source is not among the rows'")
                }
                (lastSource, rank) = (row.source, known)
            }
            let from = max(row.start, times.lowerBound), to = min(row.end, max(times.upperBound, from))
            if context.plan.kind == .sum { sweep.move(to: from) { finished($0, $1, &cutter) } }
            if let coverage, row.isUsable {
                coverage.parts(of: row, from, to) { from, to in take(row, from, to, rank, &cutter, &sweep) }
            } else {
                take(row, from, to, rank, &cutter, &sweep)
            }
        }
        if context.plan.kind == .sum { sweep.finish { finished($0, $1, &cutter) } }
        leave()
    }

    private func check(_ count: inout Int) throws(StoreError) {
        count &+= 1
        if count & 1_023 == 0 && !goesOn() { throw StoreError(.givenUp) }
    }

    /// Takes a part of a row that counts, piece by piece.
    private mutating func take(
        _ row: TotalsRow, _ from: Int64, _ to: Int64, _ rank: Int, _ cutter: inout BucketCutter,
        _ sweep: inout SourceSweep
    ) {
        let clock = BucketCutter.Clock(start: row.start, ownOffset: row.ownOffset)
        if context.plan.kind == .sum && row.isUsable {
            // Those of other days cover what is in ours.
            return sweep.add(
                piece(
                    SweepPiece(
                        start: from, end: to, rank: rank, value: row.value, length: row.length, bucket: 0, until: to,
                        clock: clock), &cutter))
        }
        cutter.cut(from, to, clock) { from, to, bucket in
            let isWanted = isWanted(bucket)
            guard row.isUsable else {
                if isWanted && from == row.start {
                    enter(bucket)
                    current.unconverted += 1
                }
                return
            }
            guard isWanted else { return }
            count(bucket, rank, begins: from == row.start)
            switch context.plan.kind {
            case .sum: break
            case .duration: addDuration(from, to, bucket, rank)
            case .arithmetic, .temporallyWeighted, .level:
                current.shares[place!.share].add(row, from: from, to: to, as: context.plan.kind)
            }
        }
    }

    /// Makes a bucket and source `current`, and counts a sample that begins there or goes on.
    private mutating func count(_ bucket: Int64, _ rank: Int, begins: Bool) {
        enter(bucket, rank)
        if begins {
            current.shares[place!.share].samples += 1
        } else {
            current.shares[place!.share].carried += 1
        }
    }

    /// The piece of a stretch that begins at its `start`.
    private mutating func piece(_ stretch: SweepPiece, _ cutter: inout BucketCutter) -> SweepPiece {
        var piece = stretch
        (piece.end, piece.bucket) = cutter.piece(piece.start, piece.until, piece.clock)
        if isWanted(piece.bucket) { count(piece.bucket, piece.rank, begins: piece.start == piece.clock.start) }
        return piece
    }

    private func isWanted(_ bucket: Int64) -> Bool {
        days.contains(isByHour ? context.calendar.day(at: bucket) : Int(bucket))
    }

    /// Takes what counts of a piece.
    ///
    /// - Returns: the next of the same stretch; nil when there is none.
    private mutating func finished(
        _ piece: SweepPiece, _ counted: Int64, _ cutter: inout BucketCutter
    ) -> SweepPiece? {
        if isWanted(piece.bucket) {
            enter(piece.bucket, piece.rank)
            let share = place!.share
            current.shares[share].alone.add(Self.part(piece.value, piece.end - piece.start, piece.length))
            if counted > 0 {
                current.shares[share].counted.add(
                    piece.length == 0 ? piece.value : Self.part(piece.value, counted, piece.length))
            }
        }
        guard piece.end < piece.until else { return nil }
        var next = piece
        next.start = piece.end
        return self.piece(next, &cutter)
    }

    /// In proportion; the whole value of a whole sample, to the last bit.
    private static func part(_ value: Double, _ part: Int64, _ whole: Int64) -> Double {
        if part == whole { return value }
        let product = value * Double(part)
        return product.isFinite ? product / Double(whole) : value * (Double(part) / Double(whole))
    }

    private mutating func addDuration(_ from: Int64, _ to: Int64, _ bucket: Int64, _ rank: Int) {
        // Where clocks differ, pieces of a bucket don't come in order.
        let isInOrder = !context.type.flags.contains(.offsets)
        let new = counted[Place(bucket: bucket, rank: -1), default: IntervalUnion()].add(from, to, isInOrder: isInOrder)
        current.union.add(Double(new) / 1e6)
        let ofSource = counted[Place(bucket: bucket, rank: rank), default: IntervalUnion()]
            .add(from, to, isInOrder: isInOrder)
        current.shares[place!.share].alone.add(Double(ofSource) / 1e6)
        current.shares[place!.share].counted.add(Double(ofSource) / 1e6)
    }

    /// Makes a bucket `current`.
    private mutating func enter(_ bucket: Int64) {
        if place?.bucket == bucket { return }
        leave()
        current = found[bucket] ?? BucketFigures()
        found[bucket] = BucketFigures()  // so that the arrays are not shared, and not copied
        place = (bucket, -1, -1)
    }

    private mutating func enter(_ bucket: Int64, _ rank: Int) {
        if let place, place.bucket == bucket && place.rank == rank { return }
        enter(bucket)
        let ranks = context.ranking.ranks, source = context.ranking.entries[rank].id
        var share = current.shares.firstIndex { $0.source == source }
        if share == nil {
            share = current.shares.firstIndex { (ranks[$0.source] ?? .max) > rank } ?? current.shares.count
            current.shares.insert(Share(source: source), at: share!)
        }
        place = (bucket, rank, share!)
    }

    private mutating func leave() {
        if let place { found[place.bucket] = current }
        place = nil
    }
}
