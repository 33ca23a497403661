import Samples

/// Makes one list of segments of rows that overlap: each moment counts once, for the most specific stage.
enum SleepSweep {
    private struct Edge {
        var time: Int64
        var rank: Int
        var change: Int
    }

    /// - Parameter rows: usable ones of one source, in any order.
    /// - Returns: in order, without overlap; neighbours differ in stage or leave a gap.
    static func segments(_ rows: some Collection<SleepRow>) -> [SleepSegment] {
        var edges: [Edge] = []
        edges.reserveCapacity(rows.count * 2)
        for row in rows {
            edges.append(Edge(time: row.start, rank: row.stage.rank, change: 1))
            edges.append(Edge(time: row.end, rank: row.stage.rank, change: -1))
        }
        edges.sort { $0.time < $1.time }
        var open = [Int](repeating: 0, count: SleepStage.allCases.count)
        var segments: [SleepSegment] = []
        var index = 0, last: Int64 = 0
        while index < edges.count {
            let time = edges[index].time
            if let rank = open.firstIndex(where: { $0 > 0 }), time > last {
                append(SleepStage.allCases[rank], last, time, to: &segments)
            }
            while index < edges.count, edges[index].time == time {
                open[edges[index].rank] += edges[index].change
                index += 1
            }
            last = time
        }
        return segments
    }

    private static func append(_ stage: SleepStage, _ start: Int64, _ end: Int64, to segments: inout [SleepSegment]) {
        if let before = segments.last, before.stage == stage, before.end.microseconds == start {
            segments[segments.count - 1].end = Timestamp(microseconds: end)
        } else {
            segments.append(
                SleepSegment(stage: stage, start: Timestamp(microseconds: start), end: Timestamp(microseconds: end)))
        }
    }
}
