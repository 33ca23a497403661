import Wire

/// What the first line says.
struct PulsHeader {
    var batchID = UUIDBits(high: 0, low: 0)
    var exportedAt = Timestamp.none
    var type: JSONText?
    var reason: JSONText?
    var deviceID: JSONText?
    var clientVersion: JSONText?
    var timeZoneID: JSONText?
    var counts: [Int] = .init(repeating: 0, count: PulsSlot.allCases.count)

    func count(of slot: PulsSlot) -> Int {
        PulsSlot.allCases.firstIndex(of: slot).map { counts[$0] } ?? 0
    }

    /// Lines behind the header.
    var total: Int { counts.reduce(0, +) }
}

extension PulsReader {
    /// Members of the header, in the order in which they are judged.
    private static let members: [(name: PulsName, slot: PulsSlot?)] = [
        (.batchID, nil), (.type, nil), (.exportedAt, nil), (.reason, nil), (.deviceID, nil), (.clientVersion, nil),
        (.timeZoneID, nil), (.sampleCount, .sample), (.deletionCount, .deletion), (.routeCount, .route),
        (.seriesCount, .series), (.aggregateCount, .aggregate), (.activitySummaryCount, .activitySummary),
        (.profileCount, .profile),
    ]

    /// Reads the header: the version is judged before everything else in it, so where the members stand is noted first.
    mutating func readHeader() throws(JSONFault) {
        guard try json.kind() == .object else {
            throw refuse("header_missing", "the first line is no JSON object", at: json.position)
        }
        var found: [PulsName: Range<Int>] = [:]
        try json.enterObject()
        while let name = try json.nextMember() {
            let known = json.withBytes(of: name) { PulsName($0) }
            let isNull = try json.kind() == .null, range = try json.skip()
            if known != .other && !isNull { found[known] = range }
        }
        try endLine()
        try checkVersion(found[.schemaVersion])
        for (name, slot) in Self.members {
            guard let range = found[name] else {
                if name == .batchID || name == .type { throw missing(name) }
                continue
            }
            json.restart(at: range.lowerBound)
            if let slot { try readCount(name, slot) } else { try readHeaderMember(name) }
        }
        guard header.total <= limits.maximumTotal else {
            throw refuse(
                "count_invalid", "all counts together are more than \(limits.maximumTotal)", at: line.lowerBound)
        }
    }

    private mutating func checkVersion(_ range: Range<Int>?) throws(JSONFault) {
        guard let range else { return }
        json.restart(at: range.lowerBound)
        guard try json.kind() == .number, try json.number().value == 1 else {
            throw refuse("version_unsupported", "unsupported protocol version", at: range.lowerBound)
        }
    }

    private mutating func readCount(_ name: PulsName, _ slot: PulsSlot) throws(JSONFault) {
        let at = json.position, most = slot == .profile ? 1 : limits.maximumCount
        guard try json.kind() == .number, let count = PulsReader.integer(try json.number()), 0...Int64(most) ~= count,
            let index = PulsSlot.allCases.firstIndex(of: slot)
        else {
            throw refuse("count_invalid", "\(name.rawValue) is no whole number from 0 to \(most)", at: at)
        }
        header.counts[index] = Int(count)
    }

    private mutating func readHeaderMember(_ name: PulsName) throws(JSONFault) {
        let at = json.position
        switch name {
        case .batchID:
            guard let uuid = try readUUID(name) else { throw missing(name) }
            header.batchID = uuid
        case .type: header.type = try readName(name)
        case .exportedAt:
            guard let time = try readTime(name) else { return }
            header.exportedAt = time.isZero ? .none : time.timestamp
        case .reason: header.reason = try readText(name)
        case .deviceID: header.deviceID = try readText(name)
        case .clientVersion: header.clientVersion = try readText(name)
        // Never a reason to refuse.
        case .timeZoneID: header.timeZoneID = try json.kind() == .string ? try json.text() : nil
        default: throw invalid(name, "is unknown", at: at)
        }
    }
}
