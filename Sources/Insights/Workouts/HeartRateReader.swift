import Samples
import Storage

/// A workout's heart-rate curve.
struct HeartRateReader {
    private let model: ReadModel
    private let person: String

    /// Points that a curve has at most: a reading a second for two days.
    private static let maximumPoints = 200_000
    private static let unit = "count/min"

    init(_ model: ReadModel, person: String) {
        self.model = model
        self.person = person
    }

    /// The samples in its window of one source, by time: that which the person put first, else the workout's own, else watch before iPhone before
    /// others, else that with most. Where there are none the workout's own curve: PulsHealth's points, Health Auto
    /// Export's `heartRateData`.
    func curve(of workout: StoredWorkout) throws(StoreError) -> [CurvePoint] {
        let sampled = try samples(of: workout)
        if !sampled.isEmpty { return sampled }
        let points = try pulsPoints(of: workout)
        return points.isEmpty ? ownPoints(of: workout) : points
    }

    private func samples(of workout: StoredWorkout) throws(StoreError) -> [CurvePoint] {
        let statement = try model.store.connection.prepare(
            """
            SELECT start, value, source FROM sample WHERE series = ?1 AND start >= ?2 AND start <= ?3 AND value IS NOT NULL
            """)
        var numbers = SourceNumbers()
        var curves: [Int: [CurvePoint]] = [:]
        for series in try model.heldSeries(of: person, type: "heart_rate") {
            guard let convert = conversion(from: series.unit) else { continue }
            statement.bind(1, series.id)
            statement.bind(2, workout.start)
            statement.bind(3, workout.endMicroseconds)
            while try statement.step() {
                guard let value = statement.double(1), value.isFinite else { continue }
                let number = try numbers.number(ofRow: statement.integer(2), in: model)
                guard curves[number, default: []].count < Self.maximumPoints else { continue }
                curves[number, default: []].append(
                    CurvePoint(time: Timestamp(microseconds: statement.integer(0)), value: convert(value)))
            }
        }
        let own = try model.sourceName(workout.source)
        let order = model.setup.sourceOrder[person] ?? []
        let best = curves.keys.min { left, right in
            let (one, other) = (numbers.names[left], numbers.names[right])
            let places = [one, other].map { order.firstIndex(of: $0) ?? .max }
            if places[0] != places[1] { return places[0] < places[1] }
            if (one == own) != (other == own) { return one == own }
            let classes = [one, other].map { SourceClass($0) }
            if classes[0] != classes[1] { return classes[0] < classes[1] }
            let counts = [left, right].map { curves[$0]?.count ?? 0 }
            return counts[0] != counts[1] ? counts[0] > counts[1] : one.sortKey.lexicographicallyPrecedes(other.sortKey)
        }
        return Self.sorted(best.flatMap { curves[$0] } ?? [])
    }

    private func pulsPoints(of workout: StoredWorkout) throws(StoreError) -> [CurvePoint] {
        guard case .blob = workout.key else { return [] }
        let statement = try model.store.connection.prepare(
            """
            SELECT k.time, k.value, u.text FROM curve_point AS k LEFT JOIN text AS u ON u.id = k.unit
            WHERE k.device = ?1 AND k.workout = ?2 AND k.type = (SELECT id FROM text WHERE text = 'heart_rate')
            ORDER BY k.time LIMIT ?3
            """)
        statement.bind(1, workout.series.device)
        statement.bind(2, key: workout.key)
        statement.bind(3, Self.maximumPoints)
        var points: [CurvePoint] = []
        while try statement.step() {
            guard let value = statement.double(1), value.isFinite, let convert = conversion(from: statement.text(2))
            else { continue }
            points.append(CurvePoint(time: Timestamp(microseconds: statement.integer(0)), value: convert(value)))
        }
        return points
    }

    private func ownPoints(of workout: StoredWorkout) -> [CurvePoint] {
        var points: [CurvePoint] = []
        workout.rest.forEachObject(in: "heartRateData") { point in
            guard points.count < Self.maximumPoints, let time = point.time("date", offsetMinutes: workout.offset),
                let value = point.number("Avg") ?? point.number("avg") ?? point.number("qty")
            else { return }
            // Its units are `bpm` or `count/min` in every language.
            points.append(CurvePoint(time: time, value: value))
        }
        return Self.sorted(points)
    }

    private func conversion(from unit: String?) -> ((Double) -> Double)? {
        guard let unit, unit != Self.unit else { return { $0 } }
        guard let conversion = model.setup.catalog.conversion(from: unit.utf8, to: Self.unit.utf8) else { return nil }
        return { conversion($0) }
    }

    /// By time; of one moment the first stays.
    private static func sorted(_ points: [CurvePoint]) -> [CurvePoint] {
        let ordered = points.enumerated().sorted {
            ($0.element.time.microseconds, $0.offset) < ($1.element.time.microseconds, $1.offset)
        }
        var sorted: [CurvePoint] = []
        for (_, point) in ordered where sorted.last?.time != point.time { sorted.append(point) }
        return sorted
    }
}
