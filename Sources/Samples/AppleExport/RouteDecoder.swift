import Wire

/// Decodes one GPX file of `workout-routes`: a sample `workout_route` in parts, as the phone's own routes come.
///
/// Each point is `{"t","lat","lon","alt_m","speed_m_s","course_deg","h_acc_m","v_acc_m"}`: t in milliseconds since the start, the
/// others where the file has them; a negative accuracy is Core Location's word for "not known" and left out. Source: GPX
/// 1.1, and the extensions that Apple's files have.
package struct RouteDecoder {
    /// Points of a part, as many as fit a phone's request.
    private static let partPoints = 1_000
    /// A day of one point a second, and some.
    private static let maximumPoints = 200_000

    private struct Point {
        var time: Timestamp?
        var latitude = Double.nan
        var longitude = Double.nan
        /// In the order of `names`.
        var numbers: [Double?] = [nil, nil, nil, nil, nil]
    }

    private static let names: [(tag: StaticString, member: StaticString)] = [
        ("ele", "alt_m"), ("speed", "speed_m_s"), ("course", "course_deg"), ("hAcc", "h_acc_m"), ("vAcc", "v_acc_m"),
    ]

    private var scanner = XMLTagScanner(takesText: true)
    private var point: Point?
    private var tag = -1
    private var points: [Point] = []
    private var isTooLarge = false
    package private(set) var hasRoot = false
    package private(set) var isComplete = false

    package init() {}

    package mutating func feed(_ bytes: Span<UInt8>) {
        scanner.feed(bytes)
        read()
    }

    private mutating func read() {
        while let token = scanner.next() {
            switch token {
            case .open: open()
            case .text: takeText()
            case .close:
                if scanner.equals(scanner.name, "trkpt") { endPoint() }
                if scanner.equals(scanner.name, "gpx") { isComplete = true }
                tag = -1
            case .damaged: tag = -1
            }
        }
    }

    private mutating func open() {
        if scanner.equals(scanner.name, "gpx") { hasRoot = true }
        tag = -1
        if scanner.equals(scanner.name, "trkpt") {
            endPoint()
            var new = Point()
            if let latitude = number(scanner.attribute("lat")) { new.latitude = latitude }
            if let longitude = number(scanner.attribute("lon")) { new.longitude = longitude }
            point = new
            if scanner.isEmptyElement { endPoint() }
        } else if point != nil, !scanner.isEmptyElement {
            if scanner.equals(scanner.name, "time") { tag = Self.names.count }
            if let index = Self.names.firstIndex(where: { scanner.equals(scanner.name, $0.tag) }) { tag = index }
        }
    }

    private func number(_ range: Range<Int>?) -> Double? {
        range.flatMap { scanner.withBytes($0) { DecimalText.parse($0)?.value } }
    }

    private mutating func takeText() {
        guard tag >= 0, point != nil else { return }
        if tag == Self.names.count {
            let time = scanner.withBytes(scanner.text) { Timestamp.parse($0)?.timestamp }
            point?.time = time
        } else {
            let number = number(scanner.text), index = tag
            point?.numbers[index] = number
        }
    }

    private mutating func endPoint() {
        guard let point = point.take(), -90...90 ~= point.latitude, -180...180 ~= point.longitude else { return }
        if points.count < Self.maximumPoints { points.append(point) } else { isTooLarge = true }
    }

    /// Says that the file is at its end.
    ///
    /// - Parameter route: what the workout says of it.
    /// - Returns: the parts; nil when the file has no points with times, or more than any route.
    package mutating func finish(_ route: AppleRoute?) -> SampleBatch? {
        scanner.finish()
        read()
        endPoint()
        guard !isTooLarge, let start = points.lazy.compactMap(\.time).min(),
            let end = points.lazy.compactMap(\.time).max()
        else { return nil }
        var batch = SampleBatch()
        batch.extras = .imported
        let parts = (points.count + Self.partPoints - 1) / Self.partPoints
        var texts: [[UInt8]] = []
        var name = NameUUID()
        name.add("apple".utf8)
        name.add("workout_route".utf8)
        name.add(start.microseconds)
        for part in 0..<parts {
            let slice = points[part * Self.partPoints..<min(points.count, (part + 1) * Self.partPoints)]
            texts.append(Self.text(slice, start: start))
            name.add(texts[part])
        }
        let app = route.map(\.app) ?? [], device = route.map(\.device) ?? []
        let source =
            app.isEmpty && device.isEmpty
            ? -1
            : batch.source(
                app: app.isEmpty ? -1 : batch.intern(app.span), device: device.isEmpty ? -1 : batch.intern(device.span))
        let series = batch.series(type: batch.intern("workout_route".utf8), unit: -1)
        for part in 0..<parts {
            let rest = Array("\"count\":\(points.count),\"parts\":\(parts),\"points\":".utf8) + texts[part]
            batch.samples.append(
                SampleRecord(
                    key: name.key, start: start, end: end, value: nil, series: series, source: source, valueName: -1,
                    part: Int32(part), utcOffsetMinutes: route?.offsetMinutes, kind: .workoutRoute,
                    spelled: .partGiven, rest: batch.append(rest)))
        }
        return batch
    }

    private static func text(_ points: ArraySlice<Point>, start: Timestamp) -> [UInt8] {
        var text: [UInt8] = [UInt8(ascii: "[")]
        for point in points {
            if text.count > 1 { text.append(UInt8(ascii: ",")) }
            text.append(UInt8(ascii: "{"))
            if let time = point.time {
                text.append(contentsOf: "\"t\":".utf8)
                text.append(decimal: (time.microseconds - start.microseconds) / 1_000)
                text.append(UInt8(ascii: ","))
            }
            text.append(contentsOf: "\"lat\":".utf8)
            text.append(number: point.latitude)
            text.append(contentsOf: ",\"lon\":".utf8)
            text.append(number: point.longitude)
            for (index, number) in point.numbers.enumerated() {
                // Altitudes may be below the sea; all else below zero is not known.
                guard let number, index == 0 || number >= 0 else { continue }
                text.append(contentsOf: ",\"\(names[index].member)\":".utf8)
                text.append(number: number)
            }
            text.append(UInt8(ascii: "}"))
        }
        text.append(UInt8(ascii: "]"))
        return text
    }
}
