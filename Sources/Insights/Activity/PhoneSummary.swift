import Samples
import Storage

/// A day of the rings as the phone tells it, in the words of any sender.
struct PhoneSummary: Equatable {
    struct Amount: Equatable {
        var value: Double?
        var goal: Double?

        /// What is not known stays as the other has it.
        mutating func fill(from other: Amount) {
            value = value ?? other.value
            goal = goal ?? other.goal
        }
    }

    var day: CivilDate
    /// kcal; none where the ring counts minutes of moving.
    var move = Amount()
    /// Minutes.
    var exercise = Amount()
    /// Hours.
    var stand = Amount()

    /// - Parameters:
    ///   - rest: of a stored `activity_summary`.
    ///   - key: `activity_summary:2026-10-14`, or a uuid.
    /// - Returns: nil when no member, and not the key, tells the day.
    init?(_ rest: RestMembers, key: String, _ catalog: Catalog) {
        let prefix = "activity_summary:"
        let days = [
            rest.text("date"), rest.text("day"), key.hasPrefix(prefix) ? String(key.dropFirst(prefix.count)) : nil,
        ]
        // A date may have a time behind it.
        guard let day = days.lazy.compactMap({ $0.flatMap { CivilDate.parse(Array($0.utf8.prefix(10)).span) } }).first
        else { return nil }
        self.day = day
        let reader = Reader(rest: rest, catalog: catalog)
        if !Self.countsMinutes(rest) {
            move.value = reader.amount(["active_energy_burned", "move", "active_energy"], "kcal", plain: ["moveKcal"])
            move.goal = reader.amount(
                ["active_energy_burned_goal", "move_goal", "active_energy_goal"], "kcal", plain: ["moveGoalKcal"])
        }
        exercise.value = reader.amount(
            ["apple_exercise_time", "exercise_time", "exercise"], "min", plain: ["exerciseMin"])
        exercise.goal = reader.amount(
            ["apple_exercise_time_goal", "exercise_time_goal", "exercise_goal"], "min", plain: ["exerciseGoalMin"])
        stand.value = reader.amount(["apple_stand_hours", "stand_hours", "stand"], nil, plain: ["standHours"])
        stand.goal = reader.amount(
            ["apple_stand_hours_goal", "stand_hours_goal", "stand_goal"], nil, plain: ["standGoalHours"])
    }

    /// Whether the move ring is in minutes: HealthKit's mode 2, PulsHealth's 1.
    private static func countsMinutes(_ rest: RestMembers) -> Bool {
        if let mode = rest.text("activity_move_mode") { return mode == "apple_move_time" }
        return rest.number("activity_move_mode") == 2 || rest.number("moveMode") == 1
    }

    mutating func fill(from other: PhoneSummary) {
        move.fill(from: other.move)
        exercise.fill(from: other.exercise)
        stand.fill(from: other.stand)
    }

    private struct Reader {
        var rest: RestMembers
        var catalog: Catalog

        /// The first that is there: `NAME_UNIT`, then `NAME` as a number with its unit in `NAME_unit` (of a goal also the
        /// name's without `_goal`) or as an object of `value` or `qty` and a unit; then the plain ones. Without a unit it is ours.
        func amount(_ names: [String], _ unit: String?, plain: [String]) -> Double? {
            for name in names {
                if let unit, let number = rest.number("\(name)_\(unit)") { return number }
                if let number = rest.number(name) {
                    let base = name.hasSuffix("_goal") ? String(name.dropLast("_goal".count)) : name
                    return converted(number, rest.text("\(name)_unit") ?? rest.text("\(base)_unit"), to: unit)
                }
                if let object = rest.object(name), let number = object.number("value") ?? object.number("qty") {
                    return converted(number, object.text("unit") ?? object.text("units"), to: unit)
                }
            }
            return plain.lazy.compactMap { rest.number($0) }.first
        }

        private func converted(_ number: Double, _ from: String?, to unit: String?) -> Double? {
            // Apple's export calls a kilocalorie Cal.
            guard let from, let unit, from != unit, from != "Cal" else { return number }
            return catalog.conversion(from: from.utf8, to: unit.utf8).map { $0(number) }
        }
    }
}

extension ReadModel {
    /// What phones said of days; where several did, the newest request counts, and others fill what it leaves out.
    func phoneSummaries(of person: String, days: ClosedRange<Int>) throws(StoreError) -> [Int: PhoneSummary] {
        // A few hundred rows a year, many of them without a time of their own.
        let statement = try store.connection.prepare(
            "SELECT uuid, rest, delivery FROM sample WHERE series = ?1")
        var found: [Int: [(delivery: Int64, summary: PhoneSummary)]] = [:]
        for series in try heldSeries(of: person, type: "activity_summary") {
            statement.bind(1, series.id)
            while try statement.step() {
                let key = StoredWorkout.text(of: statement.value(0))
                guard let summary = PhoneSummary(RestMembers(statement.bytes(1)), key: key, setup.catalog) else {
                    continue
                }
                let day = summary.day.daysSince1970
                if days.contains(day) { found[day, default: []].append((statement.integer(2), summary)) }
            }
        }
        return found.compactMapValues { told in
            var told = told.sorted { $0.delivery > $1.delivery }.map(\.summary)
            var first = told.removeFirst()
            for other in told { first.fill(from: other) }
            return first
        }
    }
}
