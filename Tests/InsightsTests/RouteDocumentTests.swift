import Foundation
import Samples
import TestSupport
import Testing
import Wire

@testable import Insights

/// GPX and GeoJSON as others read them.
struct RouteDocumentTests {
    private static func detail(_ route: [RoutePoint], activity: String = "running", heartRate: [CurvePoint] = [])
        -> WorkoutDetail
    {
        WorkoutDetail(
            workout: Workout(
                uuid: "0B6F0000-0000-4000-8000-000000000001", device: "d_1", activity: activity,
                start: moment("2026-10-14T07:00:00Z"), end: moment("2026-10-14T07:31:10Z"), offsetMinutes: 120,
                durationSeconds: 1_870, energyKilocalories: 312.4, distanceMetres: nil,
                source: SourceName(app: "R&D <\"watch\">", device: nil), hasRoute: !route.isEmpty),
            heartRate: heartRate, route: route, kilometreSplits: [], mileSplits: [], bodyJSON: Array("{}".utf8))
    }

    private static func point(_ second: Double, _ latitude: Double, _ longitude: Double, _ altitude: Double? = nil)
        -> RoutePoint
    {
        RoutePoint(
            time: Timestamp(microseconds: moment("2026-10-14T07:00:00Z").microseconds + Int64(second * 1e6)),
            latitude: latitude, longitude: longitude, altitudeMetres: altitude)
    }

    private static let hostile = "a&b<c>\"d'\u{0}\u{1B}\u{FFFF}é\n"

    private static let route = [
        point(0, 59.329323, 18.068581, 12.5), point(1, 59.3294011234, 18.068702), point(2, -0.0000001, 0, -3),
        point(3.25, 0.00000001, -179.9999999, 0), point(400, 90, 180, 8_848.864),
    ]

    @Test func aGPXTextIsWholeXMLOfTheSchemasShape() throws {
        let curve = [
            CurvePoint(time: Self.point(-2, 0, 0).time, value: 141.6),
            CurvePoint(time: Self.point(3, 0, 0).time, value: 300),
            CurvePoint(time: Self.point(100, 0, 0).time, value: 150),
        ]
        let text = GPXDocument.text(Self.detail(Self.route, activity: Self.hostile, heartRate: curve))
        #expect(
            String(decoding: text, as: UTF8.self) == """
                <?xml version="1.0" encoding="UTF-8"?>
                <gpx version="1.1" creator="Syncky Receiver" xmlns="http://www.topografix.com/GPX/1/1" \
                xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v1">
                <metadata><time>2026-10-14T07:00:00Z</time></metadata>
                <trk><name>a&amp;b&lt;c&gt;&quot;d&#39;é </name><src>R&amp;D &lt;&quot;watch&quot;&gt;</src>\
                <type>a&amp;b&lt;c&gt;&quot;d&#39;é </type><trkseg>
                <trkpt lat="59.329323" lon="18.068581"><ele>12.5</ele><time>2026-10-14T07:00:00Z</time>\
                <extensions><gpxtpx:TrackPointExtension><gpxtpx:hr>142</gpxtpx:hr></gpxtpx:TrackPointExtension></extensions></trkpt>
                <trkpt lat="59.3294011" lon="18.068702"><time>2026-10-14T07:00:01Z</time></trkpt>
                <trkpt lat="-0.0000001" lon="0"><ele>-3</ele><time>2026-10-14T07:00:02Z</time></trkpt>
                <trkpt lat="0" lon="-179.9999999"><ele>0</ele><time>2026-10-14T07:00:03.250000Z</time></trkpt>
                <trkpt lat="90" lon="180"><ele>8848.86</ele><time>2026-10-14T07:06:40Z</time></trkpt>
                </trkseg></trk>
                </gpx>

                """)
    }

    @Test func ourOwnImportReadsTheGPXBack() throws {
        let text = GPXDocument.text(Self.detail(Self.route, activity: Self.hostile))
        var decoder = RouteDecoder()
        decoder.feed(text.span)
        let finished = decoder.finish(nil)
        let batch = try #require(finished)
        #expect(decoder.isComplete && decoder.hasRoot && batch.samples.count == 1)
        let rest = RestMembers(Array(batch.bytes(batch.samples[0].rest)))
        let member = try #require(rest.members["points"])
        var points: [RoutePoint] = []
        let start = Self.route[0].time.microseconds
        #expect(
            RoutePoints.read(rest.bytes, at: member.range.lowerBound, start: start, offset: nil, into: &points)
                == Self.route.count)
        #expect(points.map(\.time) == Self.route.map(\.time))
        for (one, other) in zip(points, Self.route) {
            #expect(abs(one.latitude - other.latitude) < 1e-7 && abs(one.longitude - other.longitude) < 1e-7)
            #expect(
                (one.altitudeMetres == nil) == (other.altitudeMetres == nil)
                    && abs((one.altitudeMetres ?? 0) - (other.altitudeMetres ?? 0)) < 0.01)
        }
    }

    @Test func aGPXThatWasImportedIsAWorkoutsRouteAgain() throws {
        let route = (0..<30).map { Self.point(Double($0) * 10, 59 + Double($0) * 0.0002, 18, Double($0)) }
        var decoder = RouteDecoder()
        decoder.feed(GPXDocument.text(Self.detail(route)).span)
        let bench = try NightBench()
        let batch = decoder.finish(nil)
        try bench.write(try #require(batch), device: "import", dialect: .apple)
        try bench.native([
            #"{"uuid":"\#(NightBench.uuid(1))","type":"workout","start":"2026-10-14T07:00:00Z","duration_s":600}"#
        ])
        let detail = try #require(try bench.model().workout(person: "me", uuid: NightBench.uuid(1)))
        #expect(detail.route.count == 30 && detail.kilometreSplits.map { $0.metres.rounded() } == [645])
    }

    @Test func aGeoJSONFeatureIsWhatRFC7946Says() throws {
        let text = GeoJSONDocument.text(Self.detail(Self.route, activity: Self.hostile))
        let feature = try #require(try JSONSerialization.jsonObject(with: Data(text)) as? [String: Any])
        #expect(feature["type"] as? String == "Feature")
        let geometry = try #require(feature["geometry"] as? [String: Any])
        #expect(geometry["type"] as? String == "LineString")
        #expect(
            geometry["coordinates"] as? [[Double]] == [
                [18.068581, 59.329323, 12.5], [18.068702, 59.3294011], [0, -0.0000001, -3], [-179.9999999, 0, 0],
                [180, 90, 8_848.86],
            ])
        let properties = try #require(feature["properties"] as? [String: Any])
        #expect(properties["activity"] as? String == Self.hostile)
        #expect(properties["energy_kcal"] as? Double == 312.4 && properties["distance_m"] == nil)
        #expect((properties["coordTimes"] as? [String])?[3] == "2026-10-14T07:00:03.250000Z")
    }

    @Test func aRouteOfOnePointOrNone() throws {
        let one = String(decoding: GeoJSONDocument.text(Self.detail([Self.point(0, 1, 2)])), as: UTF8.self)
        #expect(one.contains(#""geometry":{"type":"Point","coordinates":[2,1]}"#))
        let none = String(decoding: GeoJSONDocument.text(Self.detail([])), as: UTF8.self)
        #expect(none.contains(#""geometry":null"#))
        #expect(String(decoding: GPXDocument.text(Self.detail([])), as: UTF8.self).contains("<trkseg>\n</trkseg>"))
    }

    @Test(
        arguments: [
            (0.0, "0"), (-0.0, "0"), (1.5, "1.5"), (-1.25, "-1.25"), (1e-9, "0"), (-1e-9, "0"), (0.99999999, "1"),
            (180, "180"),
            (.nan, "0"), (.infinity, "0"), (1e300, "1000000000"), (-0.05, "-0.05"),
        ] as [(Double, String)])
    func numbersHaveNoExponent(value: Double, text: String) {
        var bytes: [UInt8] = []
        bytes.append(fixed: value, decimals: 7)
        #expect(String(decoding: bytes, as: UTF8.self) == text)
    }
}
