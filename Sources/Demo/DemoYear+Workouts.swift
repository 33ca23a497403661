import Glibc
import Wire

extension DemoYear {
    mutating func addWorkouts(_ window: inout DayWindow) {
        for workout in window.plan.workouts where workout.end <= until { add(workout, &window) }
    }

    private mutating func add(_ workout: PlannedWorkout, _ window: inout DayWindow) {
        let uuid = window.random.uuid(), source = workout.isOfPhone ? SampleText.Source.runner : .watch
        let duration = workout.motions.reduce(0) { $0 + $1.end - $1.start }
        let energy = workout.motions.reduce(0) { $0 + Double($1.energy * $1.cells) / 256 }
        let metres = workout.motions.reduce(0) { $0 + Double($1.metres * $1.cells) / 16 }
        let points = workout.isOutdoor ? route(workout, window.plan.place) : []
        truth.workouts.append(
            DemoTruth.Workout(
                uuid: String(decoding: uuid, as: UTF8.self), activity: workout.activity, start: workout.start,
                end: workout.end, durationSeconds: duration, energyKilocalories: energy,
                distanceMetres: metres > 0 ? metres : nil, routePoints: points.count))
        let members = self.members(workout, duration: duration, energy: energy, metres: metres)
        add(
            text.other(uuid, "workout", workout.start, workout.end, source, members: members), "workout",
            end: workout.end, at: workout.end + 90)
        addRoute(points, of: workout, uuid: uuid, source, &window)
    }

    private func members(_ workout: PlannedWorkout, duration: Int64, energy: Double, metres: Double) -> [UInt8] {
        var members = Array(",\"activity\":\"\(workout.activity)\",\"duration_s\":\(duration),\"energy_kcal\":".utf8)
        members.append(number: energy)
        if metres > 0 {
            members += ",\"distance_m\":".utf8
            members.append(number: metres)
        }
        members += ",\"location\":\"\(workout.isOutdoor ? "outdoor" : "indoor")\",\"metadata\":{},\"events\":[".utf8
        var hasEvent = false
        for (motion, next) in zip(workout.motions, workout.motions.dropFirst()) where next.start > motion.end {
            for (type, time) in [("pause", motion.end), ("resume", next.start)] {
                if hasEvent { members.append(UInt8(ascii: ",")) }
                hasEvent = true
                members += "{\"type\":\"\(type)\",\"start\":\"".utf8
                text.append(time: time, to: &members)
                members += "\"}".utf8
            }
        }
        members +=
            "],\"activities\":[],\"statistics\":[{\"type\":\"active_energy_burned\",\"unit\":\"kcal\",\"sum\":".utf8
        members.append(number: energy)
        members.append(UInt8(ascii: "}"))
        if metres > 0, let type = workout.motions.first?.distanceType {
            members += ",{\"type\":\"\(type)\",\"unit\":\"m\",\"sum\":".utf8
            members.append(number: metres)
            members.append(UInt8(ascii: "}"))
        }
        members.append(UInt8(ascii: "]"))
        return members
    }

    // MARK: Route

    private struct Point {
        var time: Int64
        var latitude: Double
        var longitude: Double
        var altitude: Double
    }

    /// A wobbly round of the park that ends near where it began, a point every four seconds.
    private func route(_ workout: PlannedWorkout, _ place: Place) -> [Point] {
        let total = workout.motions.reduce(0) { $0 + Double($1.metres * $1.cells) / 16 }
        guard total > 0 else { return [] }
        var points: [Point] = [], gone = 0.0
        var latitude = place.latitude, longitude = place.longitude
        let turn = Double(workout.start % 628) / 100
        for motion in workout.motions {
            let step = Double(motion.metres) / 64  // metres in four seconds
            var time = motion.start
            while time < motion.end {
                let part = gone / total
                points.append(
                    Point(
                        time: time, latitude: (latitude * 1e6).rounded() / 1e6,
                        longitude: (longitude * 1e6).rounded() / 1e6,
                        altitude: ((42 + 9 * sin(part * 12.566) + 3 * sin(part * 44)) * 10).rounded() / 10))
                let heading = turn + 6.283185 * part + 0.5 * sin(part * 37.7)
                latitude += step * cos(heading) / 111_320
                longitude += step * sin(heading) / (111_320 * cos(latitude * 0.01745329252))
                gone += step
                time += 4
            }
        }
        return points
    }

    /// In parts; at times the last ones come much later.
    private mutating func addRoute(
        _ points: [Point], of workout: PlannedWorkout, uuid: [UInt8], _ source: SampleText.Source,
        _ window: inout DayWindow
    ) {
        guard let first = points.first, let last = points.last else { return }
        let partPoints = 240, parts = (points.count + partPoints - 1) / partPoints
        let routeUUID = window.random.uuid(), isSlow = window.random.chance(0.2)
        for part in 0..<parts {
            var members = Array(",\"workout\":\"".utf8)
            members += uuid
            members += "\",\"count\":\(points.count),\"part\":\(part),\"parts\":\(parts),\"points\":[".utf8
            for (index, point) in points[part * partPoints..<min(points.count, (part + 1) * partPoints)].enumerated() {
                if index > 0 { members.append(UInt8(ascii: ",")) }
                members += "{\"t\":\((point.time - first.time) * 1_000),\"lat\":".utf8
                members.append(number: point.latitude)
                members += ",\"lon\":".utf8
                members.append(number: point.longitude)
                members += ",\"alt_m\":".utf8
                members.append(number: point.altitude)
                members.append(UInt8(ascii: "}"))
            }
            members.append(UInt8(ascii: "]"))
            let at = workout.end + 150 + (isSlow && part > 0 ? 7_200 : 0)
            add(
                text.other(routeUUID, "workout_route", first.time, last.time, source, members: members),
                "workout_route", end: last.time, at: at)
        }
    }
}
