import Wire

extension HAEReader {
    /// Reads an element of `metrics`.
    ///
    /// Its members come in any order. With name and units known its points are read on the way, else they are looked over
    /// first and read again.
    mutating func readMetric() throws {
        guard try json.kind() == .object else { return try skip(HAESkip("metric_invalid"), try json.skip()) }
        let start = json.position
        var name: [UInt8]?, units: [UInt8]?, points: Range<Int>?
        var evidence = HAEGrainEvidence()
        try json.enterObject()
        while let member = try json.nextMember() {
            let kind = try json.kind()
            switch (json.withBytes(of: member) { HAEName($0) }, kind) {
            case (.name, .string): name = json.bytes(of: try json.text())
            case (.units, .string): units = json.bytes(of: try json.text())
            case (.data, .array):
                if let name, let units, var metric = metric(name, units: units) {
                    metric.grain = grain(metric, evidenceAhead())
                    try json.enterArray()
                    try readPoints(metric)
                } else {
                    points = try lookOver(&evidence)
                }
            case (.data, .object): points = try json.skip()
            case (.data, .null): try json.null()
            case (.data, _): try skip(HAESkip("metric_data_invalid"), try json.skip(), member: member)
            default: _ = try json.skip()
            }
        }
        guard let points else { return }
        guard let name, var metric = metric(name, units: units ?? []) else {
            return try skip(HAESkip("metric_name_invalid"), start..<json.position)
        }
        metric.grain = grain(metric, evidence)
        try readAgain(points, metric)
    }

    /// What is known by a metric's name; nil when there is none, or one that no column holds.
    private func metric(_ name: [UInt8], units: [UInt8]) -> HAEMetric? {
        let folded = HAEText.fold(name), units = trimmed(units)
        if let known = context.catalog.type(healthAutoExport: folded) {
            return HAEMetric(type: Array(known.name.utf8), known: known, units: units, in: context.catalog)
        }
        // Blood pressure is two types in one.
        if folded.elementsEqual("blood_pressure".utf8) {
            let known = context.catalog.type(named: "blood_pressure_systolic".utf8)
            return HAEMetric(type: folded, known: known, units: units, in: context.catalog)
        }
        // A name that is no name of Syncky's, such as one in another script, is a type as it is.
        guard let type = HAEText.typeName(folded) ?? column(folded) else { return nil }
        return HAEMetric(type: type, known: context.catalog.type(named: type), units: units, in: context.catalog)
    }

    /// Longest unit; no unit has nearly so many bytes, and each point that isn't converted has them again.
    private static let maximumUnitBytes = 64

    /// Units that a column holds, without white space around them.
    func trimmed(_ units: [UInt8]) -> [UInt8] {
        let space: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        guard let first = units.firstIndex(where: { !space($0) }), let last = units.lastIndex(where: { !space($0) })
        else { return [] }
        var end = last + 1
        if end - first > Self.maximumUnitBytes {
            // Still none that is known, and still text.
            end = first + Self.maximumUnitBytes
            while end > first && units[end] & 0xC0 == 0x80 { end -= 1 }
        }
        return column(Array(units[first..<end])) ?? []
    }

    private func grain(_ metric: HAEMetric, _ evidence: HAEGrainEvidence) -> Grain {
        // The app forces the dates of these counters to midnight, whatever is set.
        if metric.type.elementsEqual("sexual_activity".utf8) { return .day }
        return switch aggregation {
        case .grain(let grain): grain
        case .byMetric: metric.type.elementsEqual("heart_rate".utf8) ? .second : .minute
        case nil: evidence.grain
        }
    }

    private static let dates: [HAEName] = [.date, .startDate, .start, .end]

    /// What the dates of the array at `position` say, read as far as it takes; `position` stays.
    private mutating func evidenceAhead() -> HAEGrainEvidence {
        var evidence = HAEGrainEvidence()
        if aggregation != nil { return evidence }
        var other = JSONScanner(body, at: json.position, limits: limits)
        swap(&json, &other)
        // A fault is met again when the points are read.
        _ = try? lookOver(&evidence, isAhead: true)
        swap(&json, &other)
        place.point = -1
        return evidence
    }

    /// Skips the array of points, looking at dates alone.
    ///
    /// - Parameter isAhead: whether to stop where nothing more can be learned.
    private mutating func lookOver(_ evidence: inout HAEGrainEvidence, isAhead: Bool = false) throws -> Range<Int> {
        let start = json.position
        var discarded = start
        try json.enterArray()
        while try json.nextElement() {
            place.point += 1
            if isAhead && evidence.isSettled { break }
            guard try json.kind() == .object, aggregation == nil, !evidence.isSettled else {
                _ = try json.skip()
                continue
            }
            try json.read(into: &object, only: Self.dates)
            if let date = date(.date) ?? date(.startDate) ?? date(.start) {
                evidence.add(date, start: self.date(.start), end: self.date(.end))
            }
            // The file's pages come back when they are read again.
            if json.position - discarded > Self.sliceBytes {
                discarded = json.position
                body.discard(before: discarded)
            }
        }
        place.point = -1
        return start..<json.position
    }

    /// Reads points that were skipped: an array of them, or a single one.
    private mutating func readAgain(_ points: Range<Int>, _ metric: HAEMetric) throws {
        var other = JSONScanner(body, at: points.lowerBound, limits: limits)
        swap(&json, &other)
        if try json.kind() == .array {
            try json.enterArray()
            try readPoints(metric)
        } else {
            var plan = HAEPlan(metric)
            try readPoint(&plan)
        }
        swap(&json, &other)
    }

    /// Reads the elements of the array that was just entered.
    private mutating func readPoints(_ metric: HAEMetric) throws {
        var plan = HAEPlan(metric)
        while try json.nextElement() {
            place.point += 1
            try readPoint(&plan)
        }
        place.point = -1
    }

    private mutating func readPoint(_ plan: inout HAEPlan) throws {
        guard try json.kind() == .object else { return try skip(HAESkip("point_invalid"), try json.skip()) }
        try json.read(into: &object)
        guard object.range.count <= Self.maximumRecordBytes else {
            return try skip(HAESkip("record_too_large"), object.range)
        }
        if try takePlain(&plan) { return }
        do throws(HAESkip) { try takePoint(plan.metric) } catch {
            pending.removeAll(keepingCapacity: true)
            return try skip(error, object.range)
        }
        try commit()
    }
}
