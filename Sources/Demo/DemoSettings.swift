package import Samples

/// What the invented person's data is made from: the same settings make the same bytes.
package struct DemoSettings: Sendable {
    /// How many days there are, the one of `until` counted.
    package var days: Int
    package var seed: UInt64
    /// Nothing is later. Whole seconds count.
    package var until: Timestamp
    /// The clock at home, which the endpoint has too.
    package var home: ZoneRules
    /// The clock where the person spends a week.
    package var away: ZoneRules
    /// Heart rate is two thirds of all rows; a test of totals can do without.
    package var hasHeartRate = true
    /// Away from home times are written with their offset from UTC, as a sender does that knows it.
    package var writesOffsets = false

    package init(days: Int, seed: UInt64, until: Timestamp, home: ZoneRules, away: ZoneRules) {
        self.days = days
        self.seed = seed
        self.until = until
        self.home = home
        self.away = away
    }
}

/// The times in which something is different, in days since the first; none in a short demo.
struct DemoSeasons {
    /// The phone is lost; the watch goes on and its data comes a week late.
    var withoutPhone = 0..<0
    /// The watch is in repair.
    var withoutWatch = 0..<0
    var away = 0..<0
    /// In bed: few steps, a high pulse.
    var ill = 0..<0

    init(days: Int) {
        guard days >= 84 else { return }
        withoutPhone = days * 30 / 100..<days * 30 / 100 + 7
        ill = days * 45 / 100..<days * 45 / 100 + 4
        withoutWatch = days * 55 / 100..<days * 55 / 100 + 11
        away = days * 75 / 100..<days * 75 / 100 + 8
    }
}
