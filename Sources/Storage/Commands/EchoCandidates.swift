import Samples

/// A write that went out and may come back as a sample.
struct EchoCandidate {
    /// The row of `command`.
    var id: Int64
    /// `command_id`.
    var name: [UInt8]
    var type: [UInt8]
    /// A quantity's number and unit, or a category's name.
    var value: Double?
    var unit: [UInt8]
    var valueName: [UInt8]
    var startSecond: Int64
    var endSecond: Int64

    /// The row that a statement made of `EchoCandidates.select` stands on.
    init(_ row: Statement) {
        id = row.integer(0)
        name = row.bytes(1)
        type = row.bytes(2)
        value = row.double(3)
        unit = row.bytes(4)
        valueName = row.bytes(5)
        startSecond = EchoCandidates.second(row.integer(6))
        endSecond = EchoCandidates.second(row.integer(7))
    }
}

/// The writes of one endpoint that went out, were not rejected, and are linked to no sample yet.
///
/// A sample is the echo of a write when its sync identifier says so, else when type, start, end and value are the same: times
/// to the second, since some dialects write no more, and a value to a millionth of itself in either unit.
struct EchoCandidates {
    /// The newest so many are looked for.
    static let maximum = 10_000

    static let isUnlinked =
        "op = 'write' AND sent > 0 AND state <> 'rejected' AND (link_version IS NULL OR link_version < version)"
    static let select = """
        SELECT id, name, type, value, unit, value_name, start, "end" FROM command INDEXED BY command_unlinked
        WHERE endpoint = ?1 AND \(isUnlinked) ORDER BY id DESC LIMIT ?2
        """

    /// By type and the second of the start, the newest first.
    private var byType: [[UInt8]: [Int64: [EchoCandidate]]] = [:]
    /// By command id.
    private var byName: [[UInt8]: EchoCandidate] = [:]

    static func second(_ microseconds: Int64) -> Int64 {
        let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return remainder < 0 ? quotient - 1 : quotient
    }

    mutating func insert(_ candidate: EchoCandidate) {
        byType[candidate.type, default: [:]][candidate.startSecond, default: []].append(candidate)
        byName[candidate.name] = candidate
    }

    mutating func remove(_ candidate: EchoCandidate) {
        byName[candidate.name] = nil
        byType[candidate.type]?[candidate.startSecond]?.removeAll { $0.id == candidate.id }
        if byType[candidate.type]?[candidate.startSecond]?.isEmpty == true {
            byType[candidate.type]?[candidate.startSecond] = nil
        }
        if byType[candidate.type]?.isEmpty == true { byType[candidate.type] = nil }
    }

    /// - Parameter destination: the sender's name for this server; nil when it gave none.
    func matches(in batch: SampleBatch, destination: [UInt8]?) -> [(candidate: EchoCandidate, key: SampleKey)] {
        if byType.isEmpty || batch.samples.isEmpty { return [] }
        let wanted = batch.series.map { byType[Array(batch.text($0.type))] }
        if wanted.allSatisfy({ $0 == nil }) { return [] }
        var found: [(candidate: EchoCandidate, key: SampleKey)] = []
        var taken: Set<Int64> = []
        for sample in batch.samples {
            guard let candidates = wanted[Int(sample.series)] else { continue }
            let match: EchoCandidate?
            if let identifier = SyncIdentifier(in: batch.bytes(sample.rest)) {
                guard destination == nil || identifier.destination == destination else { continue }
                match = byName[identifier.command].flatMap { taken.contains($0.id) ? nil : $0 }
            } else {
                match = candidates[Self.second(sample.start.microseconds)]?
                    .last { !taken.contains($0.id) && isSame($0, sample, batch) }
            }
            guard let match else { continue }
            taken.insert(match.id)
            found.append((match, sample.key))
        }
        return found
    }

    private func isSame(_ candidate: EchoCandidate, _ sample: SampleRecord, _ batch: SampleBatch) -> Bool {
        if sample.end != .none && Self.second(sample.end.microseconds) != candidate.endSecond { return false }
        guard let wanted = candidate.value else {
            if sample.valueName >= 0 { return batch.text(sample.valueName).elementsEqual(candidate.valueName) }
            // A dialect that has HealthKit's number and no name for it.
            guard let number = sample.value else { return false }
            return Catalog.builtIn.categoryValue(type: candidate.type, name: candidate.valueName) == number
        }
        guard let value = sample.value else { return false }
        let index = batch.series[Int(sample.series)].unit
        let unit = index < 0 ? [] : Array(batch.text(index))
        if unit == candidate.unit || unit.isEmpty { return isNear(wanted, value) }
        return conversion(candidate, to: unit).map { isNear($0(wanted), value) } ?? false
    }

    /// nil when the units are of no one family. The type's own comes first: a `mol` of glucose has another mass than others.
    private func conversion(_ candidate: EchoCandidate, to unit: [UInt8]) -> UnitConversion? {
        let catalog = Catalog.builtIn
        if let family = catalog.type(named: candidate.type)?.family.flatMap(catalog.family) {
            return family.conversion(from: candidate.unit, to: unit)
        }
        return catalog.conversion(from: candidate.unit, to: unit)
    }

    private func isNear(_ left: Double, _ right: Double) -> Bool {
        abs(left - right) <= max(abs(left), abs(right)) * 1e-6
    }
}

/// `syncky:DESTINATION:COMMAND`, the HealthKit sync identifier of what the phone writes for a command. Source: guide section 10.
struct SyncIdentifier {
    var destination: [UInt8]
    var command: [UInt8]

    private static let mark = Array("\"syncky:".utf8)

    /// The first one that is a JSON string in `rest`; nil when there is none.
    init?(in rest: ArraySlice<UInt8>) {
        let mark = Self.mark
        guard rest.count > mark.count else { return nil }
        var start = rest.startIndex
        while let quote = rest[start...].firstIndex(of: mark[0]), rest.endIndex - quote > mark.count {
            start = quote + 1
            guard rest[quote..<quote + mark.count].elementsEqual(mark) else { continue }
            // Neither part has a character that JSON escapes.
            let text = rest[(quote + mark.count)...].prefix { $0 != UInt8(ascii: "\"") }
            guard text.count <= 512, let colon = text.firstIndex(of: UInt8(ascii: ":")) else { continue }
            destination = Array(text[..<colon])
            command = Array(text[(colon + 1)...])
            return
        }
        return nil
    }
}
