/// Cuts stretches of time where buckets begin: days, named by their number, or hours, named by their start.
///
/// A sample whose own clock shows something else than the person's is cut at its own midnights and full hours, and belongs to
/// the bucket of the person's calendar that has the date and hour which its clock showed.
struct BucketCutter {
    let calendar: LocalCalendar
    let isByHour: Bool
    /// The bucket that was looked at last, since the next row is most often in it.
    private var start = Int64.max, end = Int64.min, key: Int64 = 0
    /// The clock hour (UTC) whose offset was looked up last; nil where it changes within.
    private var offsetHour = Int64.min, offset: Int64?

    init(_ calendar: LocalCalendar, isByHour: Bool) {
        self.calendar = calendar
        self.isByHour = isByHour
    }

    /// A sample's time on its own clock.
    struct Clock {
        /// Where the sample begins: that tells whether its clock is another than the person's, wherever a run begins.
        var start: Int64
        /// Seconds east of UTC; nil when the sample tells none.
        var ownOffset: Int64?
    }

    /// Hands out the pieces in order; an instant is one piece without length.
    mutating func cut(
        _ from: Int64, _ to: Int64, _ clock: Clock, _ take: (_ from: Int64, _ to: Int64, _ bucket: Int64) -> Void
    ) {
        var at = from
        repeat {
            let piece = piece(at, to, clock)
            take(at, piece.end, piece.bucket)
            at = piece.end
        } while at < to
    }

    /// The first piece from `from` on, which ends at `to` or before.
    mutating func piece(_ from: Int64, _ to: Int64, _ clock: Clock) -> (end: Int64, bucket: Int64) {
        if let ownOffset = clock.ownOffset, ownOffset != zoneOffset(at: clock.start) {
            return pieceByOwnClock(from, to, ownOffset)
        }
        if from < start || from >= end { find(from) }
        return (min(to, end), key)
    }

    private mutating func find(_ time: Int64) {
        if isByHour {
            (start, end) = calendar.hour(at: time)
            key = start
        } else {
            let day = calendar.day(at: time)
            (start, end) = (calendar.start(ofDay: day), calendar.start(ofDay: day + 1))
            key = Int64(day)
        }
    }

    private func pieceByOwnClock(_ from: Int64, _ to: Int64, _ ownOffset: Int64) -> (end: Int64, bucket: Int64) {
        let length: Int64 = isByHour ? 3_600 : 86_400
        var at = from
        var found: Int64?
        repeat {
            let local = LocalCalendar.floor(LocalCalendar.floor(at, LocalCalendar.second) + ownOffset, length)
            let bucket =
                isByHour ? calendar.hour(at: calendar.moment(atLocalSeconds: local * length)).start : local
            // Two hours of its clock may be one of the person's, who skipped the other.
            if let found, found != bucket { return (at, found) }
            found = bucket
            at = min(to, ((local + 1) * length - ownOffset) * LocalCalendar.second)
        } while at < to
        return (at, found ?? 0)
    }

    private mutating func zoneOffset(at time: Int64) -> Int64 {
        let hour = LocalCalendar.floor(time, LocalCalendar.hour)
        if hour != offsetHour {
            offsetHour = hour
            let first = calendar.offset(at: hour * LocalCalendar.hour)
            offset = first == calendar.offset(at: (hour + 1) * LocalCalendar.hour - 1) ? first : nil
        }
        return offset ?? calendar.offset(at: time)
    }
}
