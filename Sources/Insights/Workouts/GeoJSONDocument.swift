import Samples
import Storage
import Wire

/// A workout's route as one GeoJSON feature.
///
/// A `LineString`, of one point a `Point`, without one null; positions are longitude, latitude, and altitude in metres where it is known.
/// `coordTimes` in its properties has the time of each position, as other writers do it. Source: RFC 7946.
package enum GeoJSONDocument {
    /// UTF-8.
    package static func text(_ detail: WorkoutDetail) -> [UInt8] {
        let workout = detail.workout
        var text: [UInt8] = []
        text.reserveCapacity(1_024 + detail.route.count * 80)
        text += "{\"type\":\"Feature\",\"geometry\":".utf8
        switch detail.route.count {
        case 0: text += "null".utf8
        case 1:
            text += "{\"type\":\"Point\",\"coordinates\":".utf8
            append(detail.route[0], to: &text)
            text.append(UInt8(ascii: "}"))
        default:
            text += "{\"type\":\"LineString\",\"coordinates\":[".utf8
            for (index, point) in detail.route.enumerated() {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                append(point, to: &text)
            }
            text += "]}".utf8
        }
        text += ",\"properties\":{\"uuid\":".utf8
        text += json(workout.uuid)
        text += ",\"activity\":".utf8
        text += json(workout.activity)
        text += ",\"start\":\"\(workout.start.text)\",\"end\":\"\(workout.end.text)\"".utf8
        append("duration_s", workout.durationSeconds, to: &text)
        append("energy_kcal", workout.energyKilocalories, to: &text)
        append("distance_m", workout.distanceMetres, to: &text)
        text += ",\"coordTimes\":[".utf8
        for (index, point) in detail.route.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            text += "\"\(point.time.text)\"".utf8
        }
        text += "]}}\n".utf8
        return text
    }

    private static func json(_ text: String) -> [UInt8] { StoredText(Array(text.utf8)).json }

    private static func append(_ point: RoutePoint, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "["))
        text.append(fixed: point.longitude, decimals: 7)
        text.append(UInt8(ascii: ","))
        text.append(fixed: point.latitude, decimals: 7)
        if let altitude = point.altitudeMetres {
            text.append(UInt8(ascii: ","))
            text.append(fixed: altitude, decimals: 2)
        }
        text.append(UInt8(ascii: "]"))
    }

    private static func append(_ name: String, _ value: Double?, to text: inout [UInt8]) {
        guard let value, value.isFinite else { return }
        text += ",\"\(name)\":".utf8
        text.append(number: value)
    }
}
