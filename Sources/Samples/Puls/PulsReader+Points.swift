import Wire

/// Lines of points within a workout.
extension PulsReader {
    mutating func readRoute() throws {
        let points = try readPointLine()
        guard let workout = draft.uuid else { throw missing(.workoutUUID) }
        let end = json.position
        try readPoints(points) { reader in
            let point = try reader.readRoutePoint(workout)
            reader.routePoints += 1
            guard reader.routePoints <= reader.limits.maximumPoints else { throw reader.tooManyPoints() }
            try reader.makeRoom()
            reader.extras.routePoints.append(point.point)
            let index = reader.extras.routePoints.count - 1
            reader.extras.routePoints[index].context = reader.arenaRange(of: point.context)
        }
        json.restart(at: end)
    }

    mutating func readSeries() throws {
        let points = try readPointLine()
        guard let workout = draft.uuid else { throw missing(.workoutUUID) }
        guard let type = draft.type else { throw missing(.type) }
        let unit = draft.unit, end = json.position
        // The indices are those of one slice.
        var slice = -1, series: BatchIndex = -1
        try readPoints(points) { reader in
            let (time, value, context) = try reader.readCurvePoint()
            reader.curvePoints += 1
            guard reader.curvePoints <= reader.limits.maximumPoints else { throw reader.tooManyPoints() }
            try reader.makeRoom()
            if slice != reader.sliceNumber {
                slice = reader.sliceNumber
                let index = unit.flatMap { reader.column($0) } ?? -1
                series = reader.batch.series(type: reader.typeIndex(type), unit: index)
            }
            reader.extras.curvePoints.append(
                CurvePointRecord(
                    workout: workout, series: series, time: time, value: value,
                    context: reader.arenaRange(of: context)))
        }
        json.restart(at: end)
    }

    /// Reads the members of the line but for the points, which need the others first.
    ///
    /// - Returns: where the points stand.
    private mutating func readPointLine() throws(JSONFault) -> Range<Int> {
        var points: Range<Int>?
        let isSeries = place.slot == .series
        try readWrapped { (reader, _, known) throws(JSONFault) in
            switch known {
            case .workoutUUID: reader.draft.uuid = try reader.readUUID(known)
            case .type where isSeries: reader.draft.type = try reader.readType(known)
            case .unit where isSeries: reader.draft.unit = try reader.readText(known)
            case .points:
                guard try reader.json.kind() == .array else {
                    throw reader.invalid(known, "is no array", at: reader.json.position)
                }
                points = try reader.json.skip()
            default: _ = try reader.json.skip()
            }
        }
        guard let points else { throw missing(.points) }
        return points
    }

    private mutating func readPoints(_ range: Range<Int>, _ read: (inout PulsReader) throws -> Void) throws {
        json.restart(at: range.lowerBound)
        try json.enterArray()
        var count = 0
        while try json.nextElement() {
            guard try json.kind() == .object else {
                throw invalid(.points, "has an element that is no object", at: json.position)
            }
            count += 1
            guard count <= limits.maximumLinePoints else {
                throw refuse(
                    "count_invalid", "points are more than \(limits.maximumLinePoints)", at: json.position)
            }
            try json.enterObject()
            try read(&self)
        }
    }

    private mutating func tooManyPoints() -> JSONFault {
        refuse(
            "count_invalid", "the points of all such lines are more than \(limits.maximumPoints)", at: json.position)
    }

    /// Reads the members of a point whose object is open.
    private mutating func readRoutePoint(_ workout: UUIDBits) throws(JSONFault) -> (
        point: RoutePointRecord, context: PulsContext?
    ) {
        var point = RoutePointRecord(workout: workout, time: .none, latitude: .nan, longitude: .nan)
        var context: PulsContext?
        while let name = try json.nextMember() {
            let known = json.withBytes(of: name) { PulsName($0) }
            switch known {
            case .t: point.time = try readPointTime()
            case .lat: point.latitude = try readNumber(known)?.value ?? .nan
            case .lon: point.longitude = try readNumber(known)?.value ?? .nan
            case .alt: point.altitude = try readNumber(known)?.value
            case .hAcc: point.horizontalAccuracy = try readNumber(known)?.value
            case .vAcc: point.verticalAccuracy = try readNumber(known)?.value
            case .speed: point.speed = try readNumber(known)?.value
            case .course: point.course = try readNumber(known)?.value
            case .temporalContext: context = try readContext(known)
            default: _ = try json.skip()
            }
        }
        guard point.time != .none else { throw missing(.t) }
        guard !point.latitude.isNaN else { throw missing(.lat) }
        guard !point.longitude.isNaN else { throw missing(.lon) }
        return (point, context)
    }

    private mutating func readCurvePoint() throws(JSONFault) -> (time: Timestamp, value: Double, PulsContext?) {
        var time = Timestamp.none, value: Double?, context: PulsContext?
        while let name = try json.nextMember() {
            let known = json.withBytes(of: name) { PulsName($0) }
            switch known {
            case .t: time = try readPointTime()
            case .value: value = try readNumber(known)?.value
            case .temporalContext: context = try readContext(known)
            default: _ = try json.skip()
            }
        }
        guard time != .none else { throw missing(.t) }
        guard let value else { throw missing(.value) }
        return (time, value, context)
    }

    /// `none` for 0 and null.
    private mutating func readPointTime() throws(JSONFault) -> Timestamp {
        guard let time = try readTime(.t), !time.isZero else { return .none }
        return time.timestamp
    }
}
