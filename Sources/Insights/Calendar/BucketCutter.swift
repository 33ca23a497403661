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

    /// Hands out the pieces in order; an instant is one piece without length.
    ///
    /// - Parameter ownOffset: seconds east of UTC that the sample's own clock is; nil when it tells none.
    mutating func cut(
        _ from: Int64, _ to: Int64, ownOffset: Int64?, _ take: (_ from: Int64, _ to: Int64, _ bucket: Int64) -> Void
    ) {
        if let ownOffset, ownOffset != zoneOffset(at: from) {
            return cutByOwnClock(from, to, ownOffset, take)
        }
        var at = from
        repeat {
            if at < start || at >= end { find(at) }
            let piece = min(to, end)
            take(at, piece, key)
            at = piece
        } while at < to
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

    private mutating func cutByOwnClock(
        _ from: Int64, _ to: Int64, _ ownOffset: Int64, _ take: (Int64, Int64, Int64) -> Void
    ) {
        let length: Int64 = isByHour ? 3_600 : 86_400
        var at = from
        // Two hours of its clock may be one of the person's, who skipped the other.
        var open: (from: Int64, bucket: Int64)?
        repeat {
            let local = LocalCalendar.floor(LocalCalendar.floor(at, LocalCalendar.second) + ownOffset, length)
            let piece = min(to, ((local + 1) * length - ownOffset) * LocalCalendar.second)
            let bucket =
                isByHour ? calendar.hour(at: calendar.moment(atLocalSeconds: local * length)).start : local
            if let last = open, last.bucket != bucket {
                take(last.from, at, last.bucket)
                open = nil
            }
            open = open ?? (at, bucket)
            at = piece
        } while at < to
        if let open { take(open.from, at, open.bucket) }
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
