import Insights
import Samples
import Wire

/// Nights, workouts and rings. Each needs its type: see `docs/api.md`.
extension ReadRoutes {
    static let sleep = APIRoute(
        .get, "/api/v1/sleep",
        parameters: [.required("from"), .required("to"), .optional("person"), .optional("source")]
    ) { request in
        try request.requireType("sleep_analysis")
        let person = try request.person()
        let range = try request.requiredRange(of: person)
        let source: SourceName? =
            switch try request.source() {
            case nil: nil
            case .app(let name)?: SourceName(app: name, device: nil)
            case .device(let name)?: SourceName(app: nil, device: name)
            }
        let nights =
            try request.readModel()?
            .sleep(person: person.name, from: range.lowerBound, to: range.upperBound, source: source) ?? []
        return .bytes(
            request.format == .csv ? SleepWriter.csv(nights, of: person) : SleepWriter.json(nights, of: person))
    }

    static let activity = APIRoute(
        .get, "/api/v1/activity", parameters: [.required("from"), .required("to"), .optional("person")]
    ) { request in
        try request.requireType("activity_summary")
        let person = try request.person()
        let range = try request.requiredRange(of: person)
        let days =
            try request.readModel()?.activity(person: person.name, from: range.lowerBound, to: range.upperBound) ?? []
        return .bytes(request.format == .csv ? ActivityWriter.csv(days) : ActivityWriter.json(days))
    }

    // MARK: Workouts

    static let workouts = APIRoute(
        .get, "/api/v1/workouts",
        parameters: [
            .optional("person"), .optional("from"), .optional("to"), .optional("limit"), .optional("cursor"),
        ]
    ) { request in
        try request.requireType("workout")
        let person = try request.person()
        let (from, to) = try request.range(of: person)
        let limit = try request.limit()
        let after = try request.workoutCursor()
        let page = try request.readModel()?
            .workouts(person: person.name, from: from, to: to, limit: limit, after: after)
        var workouts = page?.workouts ?? []
        if !request.grant.allows(type: "workout_route") {
            for index in workouts.indices { workouts[index].hasRoute = false }
        }
        let next = (page?.next).map { String(decoding: base64(Array($0.text.utf8), .url), as: UTF8.self) }
        let bytes =
            request.format == .csv
            ? WorkoutsWriter.csv(workouts, of: person) : WorkoutsWriter.json(workouts, next: next, of: person)
        return .bytes(bytes, fields: request.link(toNext: next))
    }

    static let workout = APIRoute(
        .get, "/api/v1/workouts/{uuid}", parameters: [.optional("person"), .optional("device")], formats: [.json]
    ) { request in
        try request.requireType("workout")
        let person = try request.person()
        return .bytes(WorkoutsWriter.json(try request.workout(of: person), of: person))
    }

    static let gpx = APIRoute(
        .get, "/api/v1/workouts/{uuid}.gpx", parameters: [.optional("person"), .optional("device")], formats: [.gpx]
    ) { request in .bytes(GPXDocument.text(try request.workoutWithRoute())) }

    static let geoJSON = APIRoute(
        .get, "/api/v1/workouts/{uuid}.geojson", parameters: [.optional("person"), .optional("device")],
        formats: [.geoJSON]
    ) { request in .bytes(GeoJSONDocument.text(try request.workoutWithRoute())) }
}

extension APIRequest {
    /// `cursor` of `/workouts`: the read model's, whose key may be any text, in base 64.
    fileprivate func workoutCursor() throws(APIProblem) -> WorkoutCursor? {
        guard let text = text("cursor") else { return nil }
        guard text.utf8.count <= 1_024, let bytes = base64Decoded(Array(text.utf8), .url),
            let plain = String(validating: bytes, as: UTF8.self), let cursor = WorkoutCursor(text: plain)
        else { throw APIProblem.invalidCursor }
        return cursor
    }

    /// The workout that the address names, without what the token is not for.
    fileprivate func workout(of person: Person) throws -> WorkoutDetail {
        let found = try readModel()?.workout(
            person: person.name, uuid: captures["uuid"] ?? "", device: try filledText("device"))
        guard var detail = found else { throw APIProblem.notFound("There is no such workout.") }
        if !grant.allows(type: "workout_route") {
            detail.workout.hasRoute = false
            detail.route = []
            detail.kilometreSplits = []
            detail.mileSplits = []
        }
        // The sender's object may tell of any type, in its statistics.
        if grant.types != nil { detail.bodyJSON = [] }
        if !grant.allows(type: "heart_rate") {
            detail.heartRate = []
            for index in detail.kilometreSplits.indices { detail.kilometreSplits[index].meanHeartRate = nil }
            for index in detail.mileSplits.indices { detail.mileSplits[index].meanHeartRate = nil }
        }
        return detail
    }

    fileprivate func workoutWithRoute() throws -> WorkoutDetail {
        try requireType("workout")
        try requireType("workout_route")
        let detail = try workout(of: person())
        guard !detail.route.isEmpty else { throw APIProblem.notFound("This workout has no route.") }
        return detail
    }
}
