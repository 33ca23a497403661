import Samples
import Wire

/// A whole night in one record, as Health Auto Export summarises it, made into rows.
///
/// It tells how long each stage was, not when. So the rows are laid one behind the other from when sleep began, deep
/// before core before rem before the rest, then what was awake: sums are right, and nothing is known of the order.
struct NightSummary {
    var start: Int64
    var end: Int64
    /// How long the sleep was, in minutes.
    var minutes: Double?
    var source: Int
    var offset: Int16?

    private static let stages: [(member: String, stage: SleepStage)] = [
        ("deep", .deep), ("core", .core), ("rem", .rem), ("awake", .awake),
    ]

    /// - Parameter rest: the row's other members, whose durations are in `units`, hours when nothing else is said.
    func rows(_ rest: RestMembers, _ catalog: Catalog) -> [SleepRow] {
        let night = SleepRow(start: start, end: end, stage: .inBed, source: source, offset: offset)
        guard night.isUsable, LocalCalendar.times.contains(start) else { return [] }
        let unit = rest.text("units") ?? rest.text("unit") ?? "hr"
        let conversion = catalog.conversion(from: unit.utf8, to: "s".utf8)
        func number(_ name: String) -> Double { max(0, rest.number(name) ?? 0) }
        var seconds = { (number: Double) in conversion.map { $0(number) } ?? number * 3_600 }
        // A night of more than a day in hours is in minutes, whatever it said, and so are its stages.
        if rest.isTrue("units_suspect"), seconds(1) == 3_600,
            Self.stages.reduce(0, { $0 + seconds(number($1.member)) }) > 86_400
        {
            seconds = { $0 * 60 }
        }
        var lengths = Self.stages.map { (stage: $0.stage, seconds: min(seconds(number($0.member)), 86_400)) }
        let staged = lengths.reduce(0) { $1.stage.isAsleep ? $0 + $1.seconds : $0 }
        let total = max(0, min((minutes ?? 0) * 60, 86_400))
        // Sleep without a stage goes between the stages and the time awake.
        lengths.insert((.asleep, max(0, total - staged)), at: lengths.count - 1)

        var rows: [SleepRow] = []
        // In bed is what surrounds the rest, where the record tells it.
        let inBed = [rest.time("inBedStart", offsetMinutes: offset), rest.time("inBedEnd", offsetMinutes: offset)]
        let bed = SleepRow(
            start: min(start, inBed[0]?.microseconds ?? start), end: max(end, inBed[1]?.microseconds ?? end),
            stage: .inBed,
            source: source, offset: offset)
        rows.append(bed.isUsable ? bed : night)
        let sum = lengths.reduce(0) { $0 + $1.seconds }
        guard sum > 0 else { return rows }
        // What doesn't fit between begin and end is made shorter, each stage as much.
        let scale = min(1, Double(end - start) / (sum * 1e6))
        var at = start
        for length in lengths where length.seconds > 0 {
            let next = min(end, at + Int64((length.seconds * 1e6 * scale).rounded()))
            if next > at {
                rows.append(SleepRow(start: at, end: next, stage: length.stage, source: source, offset: offset))
            }
            at = next
        }
        return rows
    }
}
