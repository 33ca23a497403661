import Samples
import Wire

/// Points of a route as senders write them, in an array of objects or of arrays of numbers.
///
/// An object has `lat` or `latitude`, `lon`, `lng` or `longitude`, perhaps `alt_m`, `altitude`, `alt` or `ele`, and a time: `t`, milliseconds since the
/// route's start, or `time`, `timestamp` or `date`. A point without a place on earth or a time is left out.
enum RoutePoints {
    /// A day of one point a second, and some: as many as an import takes.
    static let maximumPoints = 200_000

    /// - Parameters:
    ///   - start: what `t` counts from, microseconds.
    ///   - offset: of times that name no zone.
    /// - Returns: how many elements the array has, those that are left out too; nil when it can't be read to its end.
    static func read(
        _ bytes: PaddedBytes, at position: Int, start: Int64, offset: Int16?, into points: inout [RoutePoint]
    ) -> Int? {
        var scanner = JSONScanner(bytes, at: position, limits: .stored)
        var count = 0
        do throws(JSONFault) {
            try scanner.enterArray()
            while try scanner.nextElement() {
                count += 1
                guard try scanner.kind() == .object, points.count < maximumPoints else {
                    _ = try scanner.skip()
                    continue
                }
                if let point = try point(&scanner, start: start, offset: offset) { points.append(point) }
            }
        } catch { return nil }
        return count
    }

    private static func point(_ scanner: inout JSONScanner, start: Int64, offset: Int16?) throws(JSONFault)
        -> RoutePoint?
    {
        var latitude: Double?, longitude: Double?, altitude: Double?, time: Int64?
        try scanner.enterObject()
        while let name = try scanner.nextMember() {
            let word = scanner.withBytes(of: name) { Word($0) }
            let kind = try scanner.kind()
            switch word {
            case .some(.latitude) where kind == .number: latitude = try scanner.number().value
            case .some(.longitude) where kind == .number: longitude = try scanner.number().value
            case .some(.altitude) where kind == .number: altitude = try scanner.number().value
            case .some(.elapsed) where kind == .number:
                let milliseconds = try scanner.number().value
                if abs(milliseconds) < 1e13 {
                    let sum = start.addingReportingOverflow(Int64((milliseconds * 1_000).rounded()))
                    if !sum.overflow { time = sum.partialValue }
                }
            case .some(.time) where kind == .number:
                time = RestMembers.time(epoch: try scanner.number().value)?.microseconds
            case .some(.time) where kind == .string:
                let text = try scanner.text()
                time = RestMembers.time(scanner.bytes(of: text), offsetMinutes: offset)?.microseconds
            default: _ = try scanner.skip()
            }
        }
        guard let latitude, let longitude, let time else { return nil }
        return checked(time, latitude, longitude, altitude)
    }

    /// nil when it is no place on earth.
    static func checked(_ time: Int64, _ latitude: Double, _ longitude: Double, _ altitude: Double?) -> RoutePoint? {
        guard -90...90 ~= latitude, -180...180 ~= longitude, LocalCalendar.times.contains(time) else { return nil }
        return RoutePoint(
            time: Timestamp(microseconds: time), latitude: latitude, longitude: longitude,
            altitudeMetres: altitude.flatMap { abs($0) < 1e6 ? $0 : nil })
    }

    private enum Word {
        case latitude, longitude, altitude, elapsed, time

        private static let words: [(name: StaticString, word: Word)] = [
            ("lat", .latitude), ("latitude", .latitude), ("lon", .longitude), ("lng", .longitude),
            ("longitude", .longitude), ("alt_m", .altitude), ("altitude", .altitude), ("alt", .altitude),
            ("ele", .altitude), ("t", .elapsed), ("time", .time), ("timestamp", .time), ("date", .time),
        ]

        init?(_ bytes: Span<UInt8>) {
            guard let found = Self.words.first(where: { bytes.equals($0.name) }) else { return nil }
            self = found.word
        }
    }

    /// By time; of one moment the first stays.
    static func sorted(_ points: [RoutePoint]) -> [RoutePoint] {
        let isSorted = zip(points, points.dropFirst()).allSatisfy { $0.time < $1.time }
        if isSorted { return points }
        let ordered = points.enumerated().sorted {
            ($0.element.time.microseconds, $0.offset) < ($1.element.time.microseconds, $1.offset)
        }
        var sorted: [RoutePoint] = []
        for (_, point) in ordered where sorted.last?.time != point.time { sorted.append(point) }
        return sorted
    }
}
