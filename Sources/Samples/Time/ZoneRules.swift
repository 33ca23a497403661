/// The clock of one time zone: how far it is from UTC at any moment, past and future.
///
/// What the table of a zone file says, and after its last change the rule of its footer. Source: RFC 9636.
package struct ZoneRules: Equatable, Sendable {
    /// One change of the clock.
    struct Change: Equatable, Sendable {
        /// Seconds since 1970-01-01T00:00:00Z; ascending.
        var at: Int64
        /// The local clock from which on `offset` counts; see `offsetSeconds(atLocalSeconds:)`. Never descending.
        var localStart: Int64
        /// Seconds east of UTC from here on.
        var offset: Int32
    }

    var changes: [Change]
    /// Seconds east of UTC before the first change.
    var firstOffset: Int32
    /// The rule after the last change; nil when the last offset stays.
    var footer: ZoneFooter?

    package static let utc = ZoneRules(changes: [], firstOffset: 0, footer: nil)

    /// Seconds east of UTC at a moment, less than 26 hours.
    package func offsetSeconds(at time: Timestamp) -> Int32 {
        let (quotient, remainder) = time.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        let seconds = remainder < 0 ? quotient - 1 : quotient
        return offset(after: changes.firstIndex(sorted: { $0.at > seconds })) { $0.offset(at: seconds) }
    }

    /// The same in minutes, rounded: before about 1900 clocks kept the sun's time to the second.
    package func offsetMinutes(at time: Timestamp) -> Int16 { Self.minutes(offsetSeconds(at: time)) }

    /// Seconds east of UTC when the zone's clocks show a time.
    ///
    /// A time that the clocks skipped gets the offset from before the skip, so that it is as long after it as the
    /// missing clock would have gone on; one that they showed twice is the first of the two.
    ///
    /// - Parameter local: what the clock shows, as seconds since it showed 1970-01-01 00:00:00; any value.
    package func offsetSeconds(atLocalSeconds local: Int64) -> Int32 {
        offset(after: changes.firstIndex(sorted: { $0.localStart > local })) { $0.offset(atLocal: local) }
    }

    /// The same in minutes, rounded.
    package func offsetMinutes(atLocalSeconds local: Int64) -> Int16 {
        Self.minutes(offsetSeconds(atLocalSeconds: local))
    }

    /// - Parameter count: how many changes lie behind.
    private func offset(after count: Int, byRule: (ZoneFooter) -> Int32) -> Int32 {
        if count == changes.count, let footer { return byRule(footer) }
        return count == 0 ? firstOffset : changes[count - 1].offset
    }

    private static func minutes(_ seconds: Int32) -> Int16 {
        // Within 26 hours, which the reader sees to.
        Int16((seconds + (seconds < 0 ? -30 : 30)) / 60)
    }

    /// From which local clock on a change counts: past the hour that it skips or shows twice.
    static func localStart(_ at: Int64, before: Int32, after: Int32) -> Int64 {
        let (sum, isOver) = at.addingReportingOverflow(Int64(max(before, after)))
        return isOver ? (at < 0 ? .min : .max) : sum
    }
}

extension [ZoneRules.Change] {
    /// The first index whose element is `past`, by halving; `count` when none is.
    fileprivate func firstIndex(sorted past: (Element) -> Bool) -> Int {
        var low = 0, high = count
        while low < high {
            let middle = low + (high - low) / 2
            if past(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
