package import Samples
package import Storage
import Wire

extension ReadModel {
    /// Workouts of a person that began in a stretch of time, newest first.
    ///
    /// `hasRoute` says here that points or parts of a route from its time are stored; whether they are complete tells
    /// `workout(person:uuid:device:)`.
    ///
    /// - Parameters:
    ///   - from: half open; nil for no bound.
    ///   - limit: 1 at least.
    ///   - after: the `next` of the page before.
    package func workouts(
        person name: String, from: Timestamp? = nil, to: Timestamp? = nil, limit: Int, after: WorkoutCursor? = nil
    ) throws(StoreError) -> WorkoutPage {
        let person = person(named: name), limit = max(1, limit)
        return try inTransaction { () throws(StoreError) in
            var runs: [[StoredWorkout]] = []
            let series = try heldSeries(of: name, type: "workout")
            for one in series {
                let newer = series.filter { $0.id > one.id }
                runs.append(
                    try rows(of: one, besides: newer, from: from, to: to, limit: limit + 1, after: after))
            }
            // By start, then series, then key, all downwards: as each series is read.
            var merged = runs.joined().enumerated().sorted { left, right in
                let (one, other) = (left.element, right.element)
                if one.start != other.start { return one.start > other.start }
                if one.series.id != other.series.id { return one.series.id > other.series.id }
                return left.offset < right.offset
            }.map(\.element)
            var page = WorkoutPage(workouts: [], next: nil)
            if merged.count > limit {
                merged.removeSubrange(limit...)
                let last = merged[limit - 1]
                page.next = WorkoutCursor(start: last.start, series: last.series.id, key: last.uuid)
            }
            let routes = try RouteFinder(self, person: name)
            for workout in merged {
                page.workouts.append(
                    try summary(of: workout, person, hasRoute: try routes.mayHaveRoute(workout)))
            }
            return page
        }
    }

    /// - Parameters:
    ///   - newer: a workout that one of these has too is theirs: an app that was installed anew sends it as another device.
    ///   - limit: rows at most; one row a key.
    private func rows(
        of series: HeldSeries, besides newer: [HeldSeries], from: Timestamp?, to: Timestamp?, limit: Int,
        after: WorkoutCursor?
    ) throws(StoreError) -> [StoredWorkout] {
        let statement = try store.connection.prepare(
            """
            SELECT \(StoredWorkout.columns) FROM sample
            WHERE series = ?1 AND start >= ?2 AND start <= ?3 AND (start < ?3 OR ?4 OR uuid < ?5)
            ORDER BY start DESC, uuid DESC, part DESC
            """)
        // The least number stands for no time.
        let low = max(from?.microseconds ?? .min + 1, .min + 1)
        var high = to.map { $0.microseconds == .min ? .min : $0.microseconds - 1 } ?? .max
        var takesAll = true, key = SQLValue.null
        if let after {
            if after.start < high || after.start == high {
                high = after.start
                if series.id == after.series {
                    takesAll = false
                    key = StoredWorkout.key(of: after.key)
                } else if series.id > after.series {
                    high = high == .min ? .min : high - 1
                }
            }
        }
        guard low <= high else { return [] }
        statement.bind(1, series.id)
        statement.bind(2, low)
        statement.bind(3, high)
        statement.bind(4, takesAll ? 1 : 0)
        statement.bind(5, key: key)
        let twin = try store.connection.prepare(
            "SELECT 1 FROM sample WHERE series = ?1 AND start = ?2 AND uuid = ?3 LIMIT 1")
        func isTold(_ workout: StoredWorkout) throws(StoreError) -> Bool {
            for other in newer {
                twin.bind(1, other.id)
                twin.bind(2, workout.start)
                twin.bind(3, key: workout.key)
                defer { twin.reset() }
                if try twin.step() { return true }
            }
            return false
        }
        var found: [StoredWorkout] = []
        while found.count < limit, try statement.step() {
            let workout = StoredWorkout(statement, of: series, setup.catalog, keepsRest: false)
            if let last = found.last, last.start == workout.start, last.uuid == workout.uuid { continue }
            if try isTold(workout) { continue }
            found.append(workout)
        }
        statement.reset()
        return found
    }

    func summary(of workout: StoredWorkout, _ person: Person, hasRoute: Bool) throws(StoreError) -> Workout {
        let start = Timestamp(microseconds: workout.start)
        let activity: String
        if let id = workout.activity { activity = try textName(id) } else { activity = "other" }
        return Workout(
            uuid: workout.uuid, device: workout.series.deviceName, activity: activity, start: start,
            end: Timestamp(microseconds: workout.endMicroseconds),
            offsetMinutes: workout.offset ?? person.zone.offsetMinutes(at: start),
            durationSeconds: workout.durationSeconds, energyKilocalories: workout.energyKilocalories,
            distanceMetres: workout.distanceMetres, source: try sourceName(workout.source), hasRoute: hasRoute)
    }

    // MARK: One

    /// One workout with its curve, route and splits.
    ///
    /// - Parameters:
    ///   - uuid: in either case.
    ///   - device: the store's; nil for the first by name that has it.
    /// - Returns: nil when there is none. What it is made of: docs/workouts.md.
    package func workout(person name: String, uuid: String, device: String? = nil) throws(StoreError) -> WorkoutDetail?
    {
        let person = person(named: name)
        return try inTransaction { () throws(StoreError) in
            guard let workout = try storedWorkout(name, uuid, device) else { return nil }
            let curve = try HeartRateReader(self, person: name).curve(of: workout)
            let route = try RouteFinder(self, person: name).route(of: workout)
            let pauses = WorkoutPauses(workout).stretches
            let splits = RouteSplits(route: route, pauses: pauses, heartRate: curve)
            return WorkoutDetail(
                workout: try summary(of: workout, person, hasRoute: !route.isEmpty), heartRate: curve, route: route,
                kilometreSplits: splits.splits(every: 1_000), mileSplits: splits.splits(every: 1_609.344),
                bodyJSON: workout.rest.json(without: "route"))
        }
    }

    private func storedWorkout(_ person: String, _ uuid: String, _ device: String?) throws(StoreError) -> StoredWorkout?
    {
        // A workout's place is by time, and there are a few thousand in a life: one look at the keys of each series.
        let statement = try store.connection.prepare(
            """
            SELECT \(StoredWorkout.columns) FROM sample AS k WHERE series = ?1 AND uuid = ?2 AND start > ?3 ORDER BY start, part LIMIT 1
            """)
        let series = try heldSeries(of: person, type: "workout")
            .filter { device == nil || $0.deviceName.utf8.elementsEqual((device ?? "").utf8) }
            .sorted { $0.deviceName.utf8.lexicographicallyPrecedes($1.deviceName.utf8) }
        for one in series {
            statement.bind(1, one.id)
            statement.bind(2, key: StoredWorkout.key(of: uuid))
            statement.bind(3, Int64.min)
            defer { statement.reset() }
            if try statement.step() { return StoredWorkout(statement, of: one, setup.catalog, keepsRest: true) }
        }
        return nil
    }
}

extension RestMembers {
    /// All members but one as an object of JSON, in the order that they have.
    func json(without left: String) -> [UInt8] {
        var json: [UInt8] = [UInt8(ascii: "{")]
        for (name, member) in members.sorted(by: { $0.value.range.lowerBound < $1.value.range.lowerBound })
        where name != left {
            if json.count > 1 { json.append(UInt8(ascii: ",")) }
            json += StoredText(Array(name.utf8)).json
            json.append(UInt8(ascii: ":"))
            json += bytes[member.range]
        }
        json.append(UInt8(ascii: "}"))
        return json
    }
}
