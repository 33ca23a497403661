import Insights
import Samples

/// `/workouts` and one of them.
enum WorkoutsWriter {
    static func json(_ workouts: [Workout], next: String?, of person: Person) -> [UInt8] {
        JSONOut.text(reservingBytes: 64 + workouts.count * 320) { out in
            out.array("workouts", of: workouts) { out, workout in
                out.object { append(workout, person.zone, to: &$0) }
            }
            out.member("next", word: next)
        }
    }

    private static func append(_ workout: Workout, _ zone: ZoneRules, to out: inout JSONOut) {
        let clock = WallClock(zone, offsetMinutes: workout.offsetMinutes, at: workout.start)
        out.member("uuid", workout.uuid)
        out.member("device", workout.device)
        out.member("activity", workout.activity)
        out.member("start", workout.start, offsetMinutes: workout.offsetMinutes)
        out.member("end", workout.end, offsetMinutes: clock.offsetMinutes(at: workout.end))
        out.member("duration_s", workout.durationSeconds)
        out.member("energy_kcal", workout.energyKilocalories)
        out.member("distance_m", workout.distanceMetres)
        out.member("source", workout.source)
        out.member("has_route", workout.hasRoute)
    }

    static func csv(_ workouts: [Workout], of person: Person) -> [UInt8] {
        var out = CSVOut(
            header:
                "uuid,device,activity,start,end,duration_s,energy_kcal,distance_m,source.app,source.device,has_route",
            reservingBytes: 128 + workouts.count * 160)
        for workout in workouts {
            let clock = WallClock(person.zone, offsetMinutes: workout.offsetMinutes, at: workout.start)
            out.field(workout.uuid)
            out.field(workout.device)
            out.field(workout.activity)
            out.field(workout.start, offsetMinutes: workout.offsetMinutes)
            out.field(workout.end, offsetMinutes: clock.offsetMinutes(at: workout.end))
            out.field(workout.durationSeconds)
            out.field(workout.energyKilocalories)
            out.field(workout.distanceMetres)
            out.fields(workout.source)
            out.field(workout.hasRoute)
            out.endLine()
        }
        return out.bytes
    }

    // MARK: One

    /// - Parameter leavingOut: what the token is not for.
    static func json(_ detail: WorkoutDetail, of person: Person) -> [UInt8] {
        JSONOut.text(reservingBytes: 1024 + detail.route.count * 80 + detail.heartRate.count * 40) { out in
            append(detail.workout, person.zone, to: &out)
            out.name("heart_rate")
            appendCurve(detail.heartRate, to: &out)
            out.array("route", of: detail.route) { out, point in
                out.array {
                    $0.value(point.time)
                    $0.value(point.latitude)
                    $0.value(point.longitude)
                    $0.value(point.altitudeMetres)
                }
            }
            out.object("splits") {
                $0.array("km", of: detail.kilometreSplits, append)
                $0.array("mile", of: detail.mileSplits, append)
            }
            out.member("body", json: detail.bodyJSON.isEmpty ? Array("{}".utf8) : detail.bodyJSON)
        }
    }

    private static func appendCurve(_ points: [Insights.CurvePoint], to out: inout JSONOut) {
        guard let first = points.first else { return out.null() }
        var minimum = first.value, maximum = first.value, sum = 0.0
        for point in points {
            minimum = min(minimum, point.value)
            maximum = max(maximum, point.value)
            sum += point.value
        }
        out.object { out in
            out.member("min", minimum)
            out.member("mean", sum / Double(points.count))
            out.member("max", maximum)
            out.array("points", of: points) { out, point in
                out.array {
                    $0.value(point.time)
                    $0.value(point.value)
                }
            }
        }
    }

    private static func append(to out: inout JSONOut, _ split: Split) {
        out.object {
            $0.member("m", split.metres)
            $0.member("s", split.seconds)
            $0.member("start", split.start)
            $0.member("heart_rate", split.meanHeartRate)
            $0.member("climb_m", split.climbMetres)
        }
    }
}
