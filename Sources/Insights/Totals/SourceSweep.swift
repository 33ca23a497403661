/// A stretch of one sample within one bucket, on its way through `SourceSweep`.
struct SweepPiece {
    /// Half open; equal for a moment.
    var start: Int64
    var end: Int64
    /// The place of its source: 0 counts first.
    var rank: Int
    /// Of the whole sample, and how long that is.
    var value: Double
    var length: Int64
    var bucket: Int64
    /// Where the last piece of this stretch ends: one piece a stretch is under way, the next is cut when it ends.
    var until: Int64
    var clock: BucketCutter.Clock
}

/// Finds for how long each piece is of the highest source that has data, in one pass over time.
///
/// A moment belongs to the source with the lowest rank of those that have a piece there; all pieces of that source count,
/// also where they overlap. Of moments without length, such as a glass of water, one counts unless it lies within a piece of
/// a higher source (at its start, but not at its end) or at exactly the moment of a higher source's.
///
/// For each rank a clock runs while it is the highest; a piece counts for what its clock went on between its start and
/// end. So a row costs the logarithm of the pieces under way, however many there are.
struct SourceSweep {
    private struct Running {
        var end: Int64
        /// Of equal ends the one that came first goes first, so that sums don't depend on where a pass began.
        var number: Int
        var clockAtStart: Int64
        var piece: SweepPiece

        static func < (left: Running, right: Running) -> Bool {
            (left.end, left.number) < (right.end, right.number)
        }
    }

    private struct Waiting {
        var piece: SweepPiece
        var number: Int

        static func < (left: Waiting, right: Waiting) -> Bool {
            (left.piece.start, left.number) < (right.piece.start, right.number)
        }
    }

    private var now = Int64.min
    private var number = 0
    private var running = Heap<Running>(<)
    private var waiting = Heap<Waiting>(<)
    /// At `now`.
    private var moments: [SweepPiece] = []
    private var clocks: [Int64]
    private var ranks: RankSet

    init(ranks count: Int) {
        clocks = Array(repeating: 0, count: count)
        ranks = RankSet(count)
    }

    /// Takes a piece that starts at any time from `now` on; `move` first.
    mutating func add(_ piece: SweepPiece) {
        number += 1
        if piece.start <= now { begin(piece, number) } else { waiting.push(Waiting(piece: piece, number: number)) }
    }

    /// Goes on to a time at or after the last one.
    ///
    /// - Parameter finished: is called with each piece that ended, and how many microseconds of it count, of a moment
    ///   without length 1 or 0; returns the piece that goes on where it ended, if any.
    mutating func move(to time: Int64, _ finished: (SweepPiece, Int64) -> SweepPiece?) {
        while true {
            let start = waiting.first?.piece.start ?? .max, end = running.first?.end ?? .max
            let next = min(start, end)
            if next > time || next == .max { break }
            pass(to: next, finished)
            if end <= start {
                finish(running.pop(), finished)
            } else {
                let item = waiting.pop()
                begin(item.piece, item.number)
            }
        }
        if time != .max { pass(to: time, finished) }
    }

    /// Hands out what is left.
    mutating func finish(_ finished: (SweepPiece, Int64) -> SweepPiece?) {
        move(to: .max, finished)
        takeMoments(finished)
    }

    private mutating func pass(to time: Int64, _ finished: (SweepPiece, Int64) -> SweepPiece?) {
        guard time > now else { return }
        if !moments.isEmpty { takeMoments(finished) }
        if let rank = ranks.first { clocks[rank] += time - now }
        now = time
    }

    private mutating func begin(_ piece: SweepPiece, _ number: Int) {
        if piece.start == piece.end { return moments.append(piece) }
        running.push(Running(end: piece.end, number: number, clockAtStart: clocks[piece.rank], piece: piece))
        ranks.add(piece.rank)
    }

    private mutating func finish(_ item: Running, _ finished: (SweepPiece, Int64) -> SweepPiece?) {
        ranks.remove(item.piece.rank)
        let next = finished(item.piece, clocks[item.piece.rank] - item.clockAtStart)
        if let next { begin(next, item.number) }
    }

    private mutating func takeMoments(_ finished: (SweepPiece, Int64) -> SweepPiece?) {
        let highest = min(moments.reduce(Int.max) { min($0, $1.rank) }, ranks.first ?? .max)
        for piece in moments { _ = finished(piece, piece.rank <= highest ? 1 : 0) }
        moments.removeAll(keepingCapacity: true)
    }
}

/// Which ranks have pieces under way, and how many.
struct RankSet {
    private var counts: [Int]
    private var words: [UInt64]
    /// The lowest; nil when there is none.
    private(set) var first: Int?

    init(_ count: Int) {
        counts = Array(repeating: 0, count: count)
        words = Array(repeating: 0, count: (count + 63) / 64)
    }

    mutating func add(_ rank: Int) {
        counts[rank] += 1
        guard counts[rank] == 1 else { return }
        words[rank >> 6] |= 1 << UInt64(rank & 63)
        first = min(first ?? .max, rank)
    }

    mutating func remove(_ rank: Int) {
        counts[rank] -= 1
        guard counts[rank] == 0 else { return }
        words[rank >> 6] &= ~(1 << UInt64(rank & 63))
        guard first == rank else { return }
        first = words[(rank >> 6)...].firstIndex { $0 != 0 }.map { $0 << 6 + words[$0].trailingZeroBitCount }
    }
}

/// The smallest first.
struct Heap<Element> {
    private var items: [Element] = []
    private let precedes: (Element, Element) -> Bool

    init(_ precedes: @escaping (Element, Element) -> Bool) { self.precedes = precedes }

    var first: Element? { items.first }

    mutating func push(_ item: Element) {
        items.append(item)
        var child = items.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard precedes(items[child], items[parent]) else { return }
            items.swapAt(child, parent)
            child = parent
        }
    }

    /// There must be one.
    mutating func pop() -> Element {
        items.swapAt(0, items.count - 1)
        let popped = items.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < items.count && precedes(items[child], items[least]) {
                least = child
            }
            if least == parent { return popped }
            items.swapAt(parent, least)
            parent = least
        }
    }
}
