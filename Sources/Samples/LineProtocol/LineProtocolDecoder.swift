package import Wire

/// Decodes the body in InfluxDB line protocol (guide section 4).
///
/// Measurement: the type. Tags: `unit`, `source` (the app) and `device`, of a workout `activity`; further ones are kept in
/// `rest` within `tags`. Timestamp: the start; what is finer than a microsecond is kept in `rest` as `start`. Kinds:
///
/// | kind | when | fields |
/// | --- | --- | --- |
/// | workout | measurement `workout` | `duration_s`; the unit is `s` |
/// | another that is a type of its own | by measurement | all in `rest` |
/// | category | `value_name` is a string | `value_name`, `value` (HealthKit's number, from the catalog where there is none) |
/// | quantity | `value` is a number | `value` |
/// | category | `value` is a string | `value` (the name) |
/// | other | else | all in `rest` |
///
/// Other fields are kept in `rest` under their own names, as numbers, booleans and strings, or within `fields` where a
/// sample's own member has that name; whether a number was an integer is not kept. No line has an end, so no record has
/// one, workouts included. A body without a point is the Check connection request.
///
/// A point is its measurement, tags and timestamp, whatever the order of the tags: the key is a uuid of these. Of two
/// points with one key the later replaces the earlier, its fields included; of a field that a line has twice the last
/// counts, and a tag that it has twice is refused, as InfluxDB has it.
package enum LineProtocolDecoder {
    /// Reads one whole body.
    ///
    /// - Throws: codes `line_invalid`, `line_too_long`, `timestamp_missing`, `time_invalid`, `number_invalid`,
    ///   `field_invalid`, `tag_repeated`; the line is where the point starts, the path `measurement`, `timestamp` or the name
    ///   of a field that the format has.
    package static func decode(_ body: PaddedBytes, context: DecodeContext) throws(DecodeFault) -> DecodedBody {
        guard body.count <= JSONScanner.maximumBytes else {
            throw DecodeFault(code: "line_invalid", message: "The body is longer than this reader can address.")
        }
        let points: LineProtocolReader
        do throws(LineFault) {
            points = try LineProtocolReader(body, maximumLineBytes: context.maximumProtocolLineBytes)
        } catch {
            throw DecodeFault(code: "line_invalid", message: error.message, offset: error.offset, line: error.line)
        }
        var reader = LinePointReader(
            points, JSONScanner(body, at: 0, limits: context.json), body.content, limits: context.json,
            catalog: context.catalog)
        try reader.readBody()
        return reader.takeBody()
    }
}

/// A field that the format has.
enum LineFieldName: UInt8, CaseIterable {
    case value, valueName, duration, energy, distance

    init?(_ name: Span<UInt8>) {
        for known in Self.allCases where name.equals(known.name) {
            self = known
            return
        }
        return nil
    }

    var name: StaticString {
        switch self {
        case .value: "value"
        case .valueName: "value_name"
        case .duration: "duration_s"
        case .energy: "energy_kcal"
        case .distance: "distance_m"
        }
    }
}

/// Some of them.
struct LineFieldNames: OptionSet {
    let rawValue: UInt8
    init(rawValue: UInt8) { self.rawValue = rawValue }
    init(_ name: LineFieldName) { rawValue = 1 << name.rawValue }
    var count: Int { rawValue.nonzeroBitCount }
}
