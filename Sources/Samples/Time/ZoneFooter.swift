/// The rule of a zone for all years after its table: the `TZ` string at the end of a zone file.
///
/// Shape: `CET-1CEST,M3.5.0,M10.5.0/3`, `<+03>-3`. Source: RFC 9636 section 3.3.1, POSIX.1-2024 section 8.3.
struct ZoneFooter: Equatable, Sendable {
    /// A day of a year, and the time on it when the clock changes.
    struct Rule: Equatable, Sendable {
        enum Day: Equatable, Sendable {
            /// `Jn`: 1 to 365, the leap day never counted.
            case julian(Int)
            /// `n`: 0 to 365, the leap day counted.
            case zeroBased(Int)
            /// `Mm.w.d`: month, week 1 to 5 (5: the last), weekday with Sunday 0.
            case weekday(month: Int, week: Int, day: Int)
        }
        var day: Day
        /// Seconds after midnight, -167 to 167 hours.
        var seconds: Int

        /// Seconds since 1970-01-01 00:00:00 of the local clock before the change.
        func localSeconds(year: Int) -> Int64 {
            let newYear = CivilDate(year: year, month: 1, day: 1).daysSince1970
            let leap = CivilDate.days(inMonth: 2, year: year) == 29
            let dayNumber =
                switch day {
                case .julian(let number): newYear + number - 1 + (leap && number >= 60 ? 1 : 0)
                case .zeroBased(let number): newYear + number
                case .weekday(let month, let week, let day): Self.day(year, month, week, day)
                }
            return Int64(dayNumber) * 86_400 + Int64(seconds)
        }

        private static func day(_ year: Int, _ month: Int, _ week: Int, _ weekday: Int) -> Int {
            let first = CivilDate(year: year, month: month, day: 1).daysSince1970
            // 1970-01-01 was a Thursday: 4. Years are 1968 and later, so `first` is above -800.
            let firstWeekday = (first + 4 + 7_000) % 7
            var day = (weekday - firstWeekday + 7) % 7 + (week - 1) * 7
            if day >= CivilDate.days(inMonth: month, year: year) { day -= 7 }
            return first + day
        }
    }

    struct Summer: Equatable, Sendable {
        /// Seconds east of UTC; less than `standard` where winter is the exception.
        var offset: Int32
        var start: Rule
        var end: Rule
    }

    /// Seconds east of UTC.
    var standard: Int32
    var summer: Summer?

    /// 400 years, after which dates and weekdays repeat.
    private static let cycle: Int64 = 146_097 * 86_400

    /// Seconds east of UTC; `seconds` since 1970-01-01T00:00:00Z, any value.
    func offset(at seconds: Int64) -> Int32 { offset(seconds) { change, _ in change } }

    /// Seconds east of UTC when the local clock shows a time, which `ZoneRules.offsetSeconds(atLocalSeconds:)` explains.
    func offset(atLocal seconds: Int64) -> Int32 {
        offset(seconds) { change, summer in change + Int64(max(standard, summer.offset)) }
    }

    /// - Parameter start: from when on a change counts, on the clock of `seconds`.
    private func offset(_ seconds: Int64, start: (Int64, Summer) -> Int64) -> Int32 {
        guard let summer else { return standard }
        let remainder = seconds % Self.cycle
        let time = remainder < 0 ? remainder + Self.cycle : remainder
        let year = CivilDate(daysSince1970: Int32(time / 86_400)).year
        // A change may be a week outside of its year, and the last one before may be two years back.
        var last = (at: Int64.min, offset: standard)
        for year in (year - 2)...(year + 1) {
            let end = start(summer.end.localSeconds(year: year) - Int64(summer.offset), summer)
            let begin = start(summer.start.localSeconds(year: year) - Int64(standard), summer)
            if end <= time && end > last.at { last = (end, standard) }
            // At the same second the start wins: so RFC 9636 section 3.3.1 writes summer time all year.
            if begin <= time && begin >= last.at { last = (begin, summer.offset) }
        }
        return last.offset
    }
}
