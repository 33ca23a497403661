import Samples
import Storage
import Wire

/// Finds a workout's route: PulsHealth's points, sets in parts that name the workout, the workout's own member, sets of its
/// time. The first of these that has any points.
struct RouteFinder {
    /// Parts of one route, as far as they are stored.
    private struct RouteSet {
        var series: HeldSeries
        var key: SQLValue
        var start: Int64
        var end: Int64
        /// Rows of `sample`: start and part.
        var rows: [(start: Int64, part: Int64)]
    }

    private struct Route {
        var isLinked: Bool
        var isOfDevice: Bool
        var points: [RoutePoint]

        var start: Int64 { points[0].time.microseconds }
        var end: Int64 { points[points.count - 1].time.microseconds }
    }

    private let model: ReadModel
    private let series: [HeldSeries]
    private let nearby: Statement
    private let part: Statement
    private let puls: Statement

    /// A route begins a little before its workout or ends a little after it.
    private static let slackMicroseconds: Int64 = 60_000_000
    /// Longest route that is found by time.
    private static let lookBackMicroseconds: Int64 = 86_400_000_000
    /// Sets and parts that are looked at for one workout.
    private static let maximumRows = 2_000
    /// Points of several sets: some tell the same way, and `joined` chooses.
    private static let maximumReadPoints = 4 * RoutePoints.maximumPoints
    private static let links = ["workout", "workout_uuid", "workoutUUID", "workout_id", "workoutId"]

    init(_ model: ReadModel, person: String) throws(StoreError) {
        self.model = model
        series = try model.heldSeries(of: person, type: "workout_route")
        let connection = model.store.connection
        nearby = try connection.prepare(
            """
            SELECT start, uuid, part, ifnull("end", start) FROM sample
            WHERE series = ?1 AND start >= ?2 AND start <= ?3 AND ifnull("end", start) >= ?4 ORDER BY start, uuid, part LIMIT ?5
            """)
        part = try connection.prepare(
            "SELECT rest, utc_offset FROM sample WHERE series = ?1 AND start = ?2 AND uuid = ?3 AND part = ?4")
        puls = try connection.prepare(
            "SELECT time, latitude, longitude, altitude FROM route_point WHERE device = ?1 AND workout = ?2 ORDER BY time LIMIT ?3"
        )
    }

    /// Whether anything of a route is stored that may be the workout's; reads no points.
    func mayHaveRoute(_ workout: StoredWorkout) throws(StoreError) -> Bool {
        if workout.hasOwnRoute { return true }
        if case .blob = workout.key {
            puls.bind(1, workout.series.device)
            puls.bind(2, key: workout.key)
            puls.bind(3, 1)
            defer { puls.reset() }
            if try puls.step() { return true }
        }
        for one in series {
            bindNearby(one, workout, limit: 1)
            defer { nearby.reset() }
            if try nearby.step() { return true }
        }
        return false
    }

    private func bindNearby(_ one: HeldSeries, _ workout: StoredWorkout, limit: Int) {
        nearby.bind(1, one.id)
        nearby.bind(2, Self.moved(workout.start, by: -Self.lookBackMicroseconds))
        nearby.bind(3, Self.moved(workout.endMicroseconds, by: Self.slackMicroseconds))
        nearby.bind(4, Self.moved(workout.start, by: -Self.slackMicroseconds))
        nearby.bind(5, limit)
    }

    private static func moved(_ time: Int64, by microseconds: Int64) -> Int64 {
        let (sum, isOver) = time.addingReportingOverflow(microseconds)
        return isOver ? (microseconds < 0 ? .min + 1 : .max) : max(sum, .min + 1)
    }

    /// By time, each moment once; empty when there is none, or none that is complete.
    func route(of workout: StoredWorkout) throws(StoreError) -> [RoutePoint] {
        let points = try pulsPoints(of: workout)
        if !points.isEmpty { return points }
        var routes: [Route] = [], count = 0
        for set in try sets(of: workout) where count < Self.maximumReadPoints {
            guard let route = try read(set, for: workout) else { continue }
            routes.append(route)
            count += route.points.count
        }
        let linked = routes.filter(\.isLinked)
        if !linked.isEmpty { return Self.joined(linked) }
        let own = ownPoints(of: workout)
        return own.isEmpty ? Self.joined(routes.filter { Self.isWithin($0, workout) }) : own
    }

    private func pulsPoints(of workout: StoredWorkout) throws(StoreError) -> [RoutePoint] {
        guard case .blob = workout.key else { return [] }
        puls.bind(1, workout.series.device)
        puls.bind(2, key: workout.key)
        puls.bind(3, RoutePoints.maximumPoints)
        var points: [RoutePoint] = []
        while try puls.step() {
            guard let latitude = puls.double(1), let longitude = puls.double(2),
                let point = RoutePoints.checked(puls.integer(0), latitude, longitude, puls.double(3))
            else { continue }
            points.append(point)
        }
        return points
    }

    private func ownPoints(of workout: StoredWorkout) -> [RoutePoint] {
        guard let member = workout.rest.members["route"], member.kind == .array else { return [] }
        var points: [RoutePoint] = []
        let count = RoutePoints.read(
            workout.rest.bytes, at: member.range.lowerBound, start: workout.start, offset: workout.offset, into: &points
        )
        return count == nil ? [] : RoutePoints.sorted(points)
    }

    // MARK: Sets

    private func sets(of workout: StoredWorkout) throws(StoreError) -> [RouteSet] {
        var sets: [RouteSet] = []
        for one in series {
            var indices: [String: Int] = [:]
            bindNearby(one, workout, limit: Self.maximumRows)
            while try nearby.step() {
                let key = nearby.value(1), name = StoredWorkout.text(of: key)
                let row = (start: nearby.integer(0), part: nearby.integer(2)), end = nearby.integer(3)
                if let index = indices[name] {
                    sets[index].rows.append(row)
                    sets[index].end = max(sets[index].end, end)
                } else {
                    indices[name] = sets.count
                    sets.append(RouteSet(series: one, key: key, start: row.start, end: end, rows: [row]))
                }
            }
        }
        return sets
    }

    /// - Returns: nil for a set that isn't complete (as the view `series_sets` has it), has no points, or names another workout.
    private func read(_ set: RouteSet, for workout: StoredWorkout) throws(StoreError) -> Route? {
        var points: [RoutePoint] = []
        var isLinked = false, present = 0, announced: Double?
        let rows = set.rows.sorted { $0.part < $1.part }
        for (index, row) in rows.enumerated() {
            guard row.part == Int64(index) else { return nil }
            part.bind(1, set.series.id)
            part.bind(2, row.start)
            part.bind(3, key: set.key)
            part.bind(4, row.part)
            defer { part.reset() }
            guard try part.step() else { return nil }
            let rest = RestMembers(part.bytes(0))
            let offset = part.optionalInteger(1).flatMap { Int16(exactly: $0) }
            guard (rest.number("parts") ?? 1) == Double(rows.count) else { return nil }
            if index > 0, rest.number("count") != announced { return nil }
            announced = rest.number("count")
            if let link = Self.links.lazy.compactMap({ rest.text($0) }).first {
                guard StoredWorkout.key(of: link) == workout.key else { return nil }
                isLinked = true
            }
            guard let position = Self.points(in: rest) else { continue }
            guard
                let count = RoutePoints.read(
                    rest.bytes, at: position, start: set.start, offset: offset, into: &points)
            else { return nil }
            present += count
        }
        if let announced, announced != Double(present) { return nil }
        points = RoutePoints.sorted(points)
        if points.isEmpty { return nil }
        return Route(isLinked: isLinked, isOfDevice: set.series.device == workout.series.device, points: points)
    }

    /// Where the part's points stand: the array with a known name, else the longest one.
    private static func points(in rest: RestMembers) -> Int? {
        for name in ["points", "locations", "route"] {
            if let member = rest.members[name], member.kind == .array { return member.range.lowerBound }
        }
        return rest.members.values.filter { $0.kind == .array }.max { $0.range.count < $1.range.count }?.range
            .lowerBound
    }

    /// Whether at least half of its time is in the workout's.
    private static func isWithin(_ route: Route, _ workout: StoredWorkout) -> Bool {
        let start = moved(workout.start, by: -slackMicroseconds)
        let end = moved(workout.endMicroseconds, by: slackMicroseconds)
        guard route.start <= end, route.end >= start else { return false }
        let inside = min(route.end, end) - max(route.start, start)
        return inside >= (route.end - route.start) / 2
    }

    /// Points of all routes by time. The same way told twice, by two devices or an import, counts once: of two routes that share more than half of the
    /// shorter one's time, that of the workout's own device, else the one with more points.
    private static func joined(_ routes: [Route]) -> [RoutePoint] {
        var kept: [Route] = []
        let ordered = routes.enumerated().sorted { left, right in
            let (one, other) = (left.element, right.element)
            if one.isOfDevice != other.isOfDevice { return one.isOfDevice }
            if one.points.count != other.points.count { return one.points.count > other.points.count }
            return left.offset < right.offset
        }
        for (_, route) in ordered {
            let isRepeated = kept.contains { other in
                let shared = min(route.end, other.end) - max(route.start, other.start)
                return shared >= 0 && shared >= min(route.end - route.start, other.end - other.start) / 2
            }
            if !isRepeated { kept.append(route) }
        }
        return Array(RoutePoints.sorted(kept.flatMap(\.points)).prefix(RoutePoints.maximumPoints))
    }
}
