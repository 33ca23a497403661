import Samples

/// The statements on PulsHealth's own tables.
final class PulsRows {
    private let connection: Connection
    private let dictionaries: Dictionaries
    private let findBatch, addBatch, addRoutePoint, addCurvePoint, putAggregate, removeRoute, removeCurves: Statement
    /// The contexts seen last: points of a workout have one and the same.
    private var latestContext: (bytes: [UInt8], id: Int64)?

    init(_ connection: Connection, _ dictionaries: Dictionaries) throws(StoreError) {
        self.connection = connection
        self.dictionaries = dictionaries
        findBatch = try connection.prepare("SELECT 1 FROM puls_batch WHERE device = ?1 AND batch = ?2")
        addBatch = try connection.prepare(
            """
            INSERT INTO puls_batch (device, batch, label, reason, exported_at, received_at, wake, wake_trigger, endpoint)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            """)
        addRoutePoint = try connection.prepare(
            """
            INSERT INTO route_point (device, workout, time, latitude, longitude, altitude, horizontal_accuracy,
              vertical_accuracy, speed, course, context, endpoint)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12) ON CONFLICT DO NOTHING
            """)
        addCurvePoint = try connection.prepare(
            """
            INSERT INTO curve_point (device, workout, type, time, value, unit, context, endpoint)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO NOTHING
            """)
        putAggregate = try connection.prepare(
            """
            INSERT INTO aggregate (device, type, function, interval_unit, interval_value, device_filter, start, "end", value,
              unit, contexts, received_at, endpoint)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
              ON CONFLICT DO UPDATE SET "end" = excluded."end", value = excluded.value, unit = excluded.unit,
                contexts = excluded.contexts, received_at = excluded.received_at, endpoint = excluded.endpoint
            """)
        removeRoute = try connection.prepare("DELETE FROM route_point WHERE device = ?1 AND workout = ?2")
        removeCurves = try connection.prepare("DELETE FROM curve_point WHERE device = ?1 AND workout = ?2")
    }

    /// The statements that deletions run, for tests of their plans.
    static let deletions = [
        "DELETE FROM route_point WHERE device = ?1 AND workout = ?2",
        "DELETE FROM curve_point WHERE device = ?1 AND workout = ?2",
    ]

    // MARK: Batches

    func knows(batch: UUIDBits, device: Int64) throws(StoreError) -> Bool {
        findBatch.bind(1, device)
        findBatch.bind(2, blob: batch.bytes)
        defer { findBatch.reset() }
        return try findBatch.step()
    }

    /// Longest label, reason and trigger that is kept, in bytes: what is past it is cut off.
    private static let maximumLabelBytes = 256

    func add(
        _ extras: PulsExtras, of batch: SampleBatch, _ wake: PulsWake, _ origin: SampleOrigin, at receivedAt: Int64
    ) throws(StoreError) {
        addBatch.bind(1, origin.device)
        addBatch.bind(2, blob: extras.batchID.bytes)
        addBatch.bind(3, try label(extras.label, batch))
        addBatch.bind(4, try label(extras.reason, batch))
        addBatch.bind(5, extras.exportedAt == .none ? nil : extras.exportedAt.microseconds)
        addBatch.bind(6, receivedAt)
        if let id = wake.id { addBatch.bind(7, blob: id.bytes) } else { addBatch.bindNull(7) }
        if let trigger = wake.trigger { addBatch.bind(8, text: Self.kept(trigger[...])) } else { addBatch.bindNull(8) }
        addBatch.bind(9, origin.endpoint)
        try addBatch.run()
    }

    private func label(_ index: BatchIndex, _ batch: SampleBatch) throws(StoreError) -> Int64? {
        index < 0 ? nil : try dictionaries.text(Self.kept(batch.text(index)))
    }

    /// Repaired where a cut split a character.
    private static func kept(_ text: ArraySlice<UInt8>) -> [UInt8] {
        Array(String(decoding: text.prefix(maximumLabelBytes), as: UTF8.self).utf8)
    }

    // MARK: Points

    /// - Returns: whether it was not there.
    func add(_ point: RoutePointRecord, of batch: SampleBatch, _ origin: SampleOrigin) throws(StoreError) -> Bool {
        let row = addRoutePoint
        row.bind(1, origin.device)
        row.bind(2, blob: point.workout.bytes)
        row.bind(3, point.time.microseconds)
        row.bind(4, point.latitude)
        row.bind(5, point.longitude)
        for (index, value) in [
            point.altitude, point.horizontalAccuracy, point.verticalAccuracy, point.speed, point.course,
        ].enumerated() {
            row.bind(Int32(6 + index), value.flatMap { $0.isFinite ? $0 : nil })
        }
        row.bind(11, try context(point.context, batch))
        row.bind(12, origin.endpoint)
        try row.run()
        return connection.changes > 0
    }

    /// - Parameters: `type` and `unit` are numbers of texts.
    /// - Returns: whether it was not there.
    func add(
        _ point: CurvePointRecord, type: Int64, unit: Int64?, of batch: SampleBatch, _ origin: SampleOrigin
    ) throws(StoreError) -> Bool {
        let row = addCurvePoint
        row.bind(1, origin.device)
        row.bind(2, blob: point.workout.bytes)
        row.bind(3, type)
        row.bind(4, point.time.microseconds)
        row.bind(5, point.value)
        row.bind(6, unit)
        row.bind(7, try context(point.context, batch))
        row.bind(8, origin.endpoint)
        try row.run()
        return connection.changes > 0
    }

    /// Takes all that a workout's route and curves left.
    func removePoints(ofWorkout workout: UUIDBits, device: Int64) throws(StoreError) {
        for statement in [removeRoute, removeCurves] {
            statement.bind(1, device)
            statement.bind(2, blob: workout.bytes)
            try statement.run()
        }
    }

    // MARK: Aggregates

    func put(
        _ key: AggregateKey, _ record: AggregateRecord, unit: Int64?, of batch: SampleBatch, _ origin: SampleOrigin,
        at receivedAt: Int64
    ) throws(StoreError) {
        let row = putAggregate
        row.bind(1, origin.device)
        row.bind(2, key.type)
        row.bind(3, key.function)
        row.bind(4, key.intervalUnit)
        row.bind(5, key.intervalValue)
        row.bind(6, key.deviceFilter)
        row.bind(7, key.start)
        row.bind(8, record.end.microseconds)
        row.bind(9, record.value.flatMap { $0.isFinite ? $0 : nil })
        row.bind(10, unit)
        row.bind(11, try context(record.contexts, batch, isBare: true))
        row.bind(12, receivedAt)
        row.bind(13, origin.endpoint)
        try row.run()
    }

    /// - Parameter isBare: the braces around the members are missing.
    private func context(
        _ range: ArenaRange, _ batch: SampleBatch, isBare: Bool = false
    ) throws(StoreError) -> Int64? {
        if range.count == 0 { return nil }
        let bytes = batch.bytes(range)
        if let latestContext, latestContext.bytes.elementsEqual(bytes) { return latestContext.id }
        let text = isBare ? [UInt8(ascii: "{")] + bytes + [UInt8(ascii: "}")] : Array(bytes)
        let id = try dictionaries.text(text)
        latestContext = (Array(bytes), id)
        return id
    }

    /// A rolled back transaction takes texts away.
    func forget() { latestContext = nil }
}

/// Which bucket an aggregate is, beside its device; names are numbers of texts.
struct AggregateKey: Hashable {
    var type: Int64
    var function: Int64
    var intervalUnit: Int64
    var intervalValue: Int64
    var deviceFilter: Int64
    var start: Int64
}
