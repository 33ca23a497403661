package import Samples
package import Storage

extension ReadModel {
    /// The rings of each day of a person that a stretch of time touches, the phone's beside what the samples come to; days of which nothing is known
    /// are left out.
    ///
    /// How they come about: docs/activity.md.
    ///
    /// - Parameter from: half open.
    package func activity(person name: String, from: Timestamp, to: Timestamp) throws(StoreError) -> [ActivityDay] {
        let times = LocalCalendar.times
        let low = max(times.lowerBound, min(times.upperBound, from.microseconds))
        let high = max(times.lowerBound, min(times.upperBound, to.microseconds))
        guard low < high else { return [] }
        let person = person(named: name)
        let calendar = LocalCalendar(person.zone)
        let days = calendar.day(at: low)...calendar.day(at: high - 1)
        // Buckets have transactions of their own, which can't be within another.
        let move = try computed("active_energy_burned", "kcal", person, calendar, low..<high)
        let exercise = try computed("apple_exercise_time", "min", person, calendar, low..<high)
        return try inTransaction { () throws(StoreError) in
            let phones = try phoneSummaries(of: name, days: days)
            let stand = try stoodHours(person, calendar, days)
            let known = Set(phones.keys).union(move.keys).union(exercise.keys).union(stand.keys)
            return known.filter(days.contains).sorted().map { day in
                let phone = phones[day]
                return ActivityDay(
                    date: CivilDate(daysSince1970: Int32(clamping: day)), move: Self.ring(phone?.move, move[day]),
                    exercise: Self.ring(phone?.exercise, exercise[day]), stand: Self.ring(phone?.stand, stand[day]))
            }
        }
    }

    /// What the samples of a day come to.
    struct ComputedDay: Equatable {
        var sum: Double
        var shares: [Drift.Share]
    }

    private static func ring(_ phone: PhoneSummary.Amount?, _ computed: ComputedDay?) -> ActivityDay.Ring {
        var ring = ActivityDay.Ring(phone: phone?.value, goal: phone?.goal, computed: computed?.sum)
        if let told = ring.phone, let computed {
            ring.explainedBy = Drift.explanation(phone: told, computed: computed.sum, shares: computed.shares)
        }
        return ring
    }

    private func computed(
        _ type: String, _ unit: String, _ person: Person, _ calendar: LocalCalendar, _ times: Range<Int64>
    ) throws(StoreError) -> [Int: ComputedDay] {
        let series = try buckets(
            BucketQuery(
                person: person.name, type: type, from: Timestamp(microseconds: times.lowerBound),
                to: Timestamp(microseconds: times.upperBound), size: .day, withSources: true))
        // The type's own unit as good as always; a catalog may have another one.
        let own = series.unit ?? unit
        let conversion = own == unit ? nil : setup.catalog.conversion(from: own.utf8, to: unit.utf8)
        if own != unit && conversion == nil { return [:] }
        func converted(_ value: Double) -> Double { conversion.map { $0(value) } ?? value }
        var days: [Int: ComputedDay] = [:]
        for bucket in series.buckets {
            guard case .sum(let sum) = bucket.figures else { continue }
            days[calendar.day(at: bucket.start.microseconds)] = ComputedDay(
                sum: converted(sum),
                shares: bucket.sources.map {
                    Drift.Share(source: $0.source, value: converted($0.value), counted: converted($0.counted))
                })
        }
        return days
    }

    private func stoodHours(_ person: Person, _ calendar: LocalCalendar, _ days: ClosedRange<Int>) throws(StoreError)
        -> [Int: ComputedDay]
    {
        let statement = try store.connection.prepare(
            """
            SELECT start, "end", value, value_name, source, kind FROM sample WHERE series = ?1 AND start >= ?2 AND start < ?3
            """)
        var numbers = SourceNumbers(), hours = StandHours()
        for series in try heldSeries(of: person.name, type: "apple_stand_hour") {
            statement.bind(1, series.id)
            statement.bind(2, calendar.start(ofDay: days.lowerBound))
            statement.bind(3, calendar.start(ofDay: days.upperBound + 1))
            while try statement.step() {
                let start = statement.integer(0), day = calendar.day(at: start)
                let source = try numbers.number(ofRow: statement.integer(4), in: self)
                switch UInt8(clamping: statement.integer(5)) {
                case SampleKind.category.rawValue:
                    let hasStood: Bool
                    if let name = statement.optionalInteger(3) {
                        hasStood = try textName(name) == "stood"
                    } else {
                        hasStood = statement.double(2) == 0
                    }
                    hours.add(day: day, source: source, start: start, stood: hasStood)
                case SampleKind.quantity.rawValue:
                    guard let count = statement.double(2) else { continue }
                    let end = statement.optionalInteger(1) ?? start
                    hours.add(
                        day: day, source: source, count: count, start: start,
                        isLong: end > start + 3_600_000_000)
                default: continue
                }
            }
        }
        var found: [Int: ComputedDay] = [:]
        for day in hours.known {
            guard let told = hours.hours(of: day) else { continue }
            found[day] = ComputedDay(
                sum: told.computed,
                shares: told.shares.map {
                    Drift.Share(source: numbers.names[$0.source], value: $0.value, counted: $0.counted)
                })
        }
        return found
    }
}
