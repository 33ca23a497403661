import Samples
import Wire

/// A workout's route as GPX 1.1, with the heart rate in Garmin's TrackPointExtension version 1, which most programs read.
///
/// Sources: topografix.com/GPX/1/1, garmin.com/xmlschemas/TrackPointExtensionv1.xsd.
package enum GPXDocument {
    /// How far the nearest reading may be from a point.
    private static let maximumMicroseconds: Int64 = 30_000_000

    /// UTF-8. A workout without a route has a track without points.
    package static func text(_ detail: WorkoutDetail) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(1_024 + detail.route.count * 240)
        text +=
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="Syncky Receiver" xmlns="http://www.topografix.com/GPX/1/1" \
            xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v1">
            <metadata><time>\(detail.workout.start.text)</time></metadata>
            <trk><name>
            """.utf8
        let name = escaped(detail.workout.activity)
        text += name
        text += "</name>".utf8
        if let app = detail.workout.source.app ?? detail.workout.source.device {
            text += "<src>".utf8
            text += escaped(app)
            text += "</src>".utf8
        }
        text += "<type>".utf8
        text += name
        text += "</type><trkseg>\n".utf8
        var readings = NearestReadings(detail.heartRate, within: maximumMicroseconds)
        for point in detail.route {
            text += "<trkpt lat=\"".utf8
            text.append(fixed: point.latitude, decimals: 7)
            text += "\" lon=\"".utf8
            text.append(fixed: point.longitude, decimals: 7)
            text += "\">".utf8
            if let altitude = point.altitudeMetres {
                text += "<ele>".utf8
                text.append(fixed: altitude, decimals: 2)
                text += "</ele>".utf8
            }
            text += "<time>\(point.time.text)</time>".utf8
            // The schema's type is a byte from 1 on.
            if let rate = readings.value(at: point.time)?.rounded(), 1...255 ~= rate {
                text += "<extensions><gpxtpx:TrackPointExtension><gpxtpx:hr>\(Int(rate))</gpxtpx:hr>".utf8
                text += "</gpxtpx:TrackPointExtension></extensions>".utf8
            }
            text += "</trkpt>\n".utf8
        }
        text += "</trkseg></trk>\n</gpx>\n".utf8
        return text
    }

    /// Character data or an attribute: what XML 1.0 has no character for is left out.
    static func escaped(_ text: String) -> [UInt8] {
        var escaped: [UInt8] = []
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;".utf8
            case "<": escaped += "&lt;".utf8
            case ">": escaped += "&gt;".utf8
            case "\"": escaped += "&quot;".utf8
            case "'": escaped += "&#39;".utf8
            case "\t", "\n", "\r": escaped.append(UInt8(ascii: " "))
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": break
            default: escaped += UTF8.encode(scalar).map { Array($0) } ?? []
            }
        }
        return escaped
    }
}

/// The value of a curve nearest to moments that come in order.
struct NearestReadings {
    private let curve: [CurvePoint]
    private let limit: Int64
    private var index = 0

    /// - Parameter curve: by time.
    init(_ curve: [CurvePoint], within limit: Int64) {
        self.curve = curve
        self.limit = limit
    }

    /// nil when none is near enough.
    mutating func value(at time: Timestamp) -> Double? {
        while index + 1 < curve.count, distance(index + 1, time) <= distance(index, time) { index += 1 }
        guard index < curve.count, distance(index, time) <= Double(limit) else { return nil }
        return curve[index].value
    }

    private func distance(_ index: Int, _ time: Timestamp) -> Double {
        abs(Double(curve[index].time.microseconds) - Double(time.microseconds))
    }
}

extension [UInt8] {
    /// Appends a number without an exponent, with so many decimals at most.
    ///
    /// - Parameters:
    ///   - value: one that isn't finite is 0, one of more than 1e9 in magnitude that.
    ///   - decimals: 1 to 7.
    mutating func append(fixed value: Double, decimals: Int) {
        var power = 1.0
        for _ in 0..<decimals { power *= 10 }
        let scaled = value.isFinite ? (Swift.min(abs(value), 1e9) * power).rounded() : 0
        let (whole, fraction) = UInt64(scaled).quotientAndRemainder(dividingBy: UInt64(power))
        if value < 0 && scaled > 0 { append(UInt8(ascii: "-")) }
        append(decimal: Int64(whole))
        if fraction > 0 {
            append(UInt8(ascii: "."))
            append(fraction: fraction, digits: decimals)
        }
    }
}
