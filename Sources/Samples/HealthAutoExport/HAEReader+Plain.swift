import Wire

/// What the plain points of one metric have in common, so that it is found out once.
///
/// A point is plain when it has a date in the normal form, `qty` or `Avg` with `Min` and `Max`, a `source` perhaps, and
/// nothing else; one with Min and Max must be in the column's unit. That is what a body of any size consists of; all others are read by `takePoint`, to the same effect.
struct HAEPlan {
    let metric: HAEMetric
    /// Whether such points can be read here at all.
    fileprivate let isUsable: Bool
    /// Whether a number in the metric's unit is the column's number.
    fileprivate let isSame: Bool
    private let merge: MergeRule
    /// Members of ours for a number that the columns hold, and for one that `rest` has as it was sent.
    private let extra, extraAsSent: [UInt8]
    private var name = NameUUID()
    /// Of the slice `slice`.
    fileprivate var series: BatchIndex = -1
    fileprivate var slice = -1
    /// The source that came last, without its quotes, and its index.
    fileprivate var source: [UInt8] = []
    fileprivate var sourceIndex: BatchIndex = -1

    init(_ metric: HAEMetric) {
        self.metric = metric
        isUsable = !metric.isSleep
        isSame = metric.measure.unit == metric.units || metric.units.isEmpty
        merge = metric.merge
        var members = HAEMembers()
        if metric.grain != .raw { members.add(.grain, metric.grain.name) }
        if !metric.measure.isKnown { members.add(.unconverted, true) }
        extra = members.bytes
        if !metric.units.isEmpty { members.add(.units, raw: HAEReader.quoted(metric.units)) }
        extraAsSent = members.bytes
        HAEReader.startKey(metric.type, &name)
        name.add(Int64(metric.grain.rawValue))
    }

    fileprivate func extra(isWhole: Bool) -> [UInt8] { isWhole ? extra : extraAsSent }
    fileprivate func merge(isRange: Bool) -> MergeRule { isRange ? .slotRange : merge }
    fileprivate mutating func key(_ date: HAEDate) -> SampleKey { name.key(adding: metric.grain.slot(date)) }
}

extension HAEReader {
    /// Reads the point in `object` if it is a plain one.
    ///
    /// - Returns: false, with nothing done, when it is not.
    mutating func takePlain(_ plan: inout HAEPlan) throws -> Bool {
        guard plan.isUsable, let point = plainPoint() else { return false }
        let main = object.members[point.main]
        guard let value = plan.metric.measure.value(main.number) else { return false }
        let isWhole = main.isExact && plan.isSame && value == main.number
        // Min and Max that have to be converted, or rounded, are read with all that this takes; a mean of 0 stays 0 in any unit.
        if main.name == .average, !(isWhole && point.isExact && plan.metric.measure.keepsNumbers) { return false }
        let key = plan.key(point.date)
        try makeRoom(for: 1, slot: key)
        if plan.slice != sliceNumber { plan.source = [] }
        let source = point.source.map { sourceIndex($0, &plan) } ?? -1
        if plan.slice != sliceNumber {
            plan.slice = sliceNumber
            let type = batch.intern(plan.metric.type)
            plan.series = batch.series(type: type, unit: plan.metric.measure.unit.map { batch.intern($0) } ?? -1)
        }
        let start = batch.arenaBytes
        for index in object.members.indices {
            let name: StaticString
            switch object.members[index].name {
            case .minimum: name = "\"Min\":"
            case .maximum: name = "\"Max\":"
            case .qty where !isWhole: name = "\"qty\":"
            default: continue
            }
            if batch.arenaBytes > start { batch.extend(",") }
            batch.extend(name)
            batch.extend(object.members[index].range, of: body)
        }
        let extra = plan.extra(isWhole: isWhole)
        if !extra.isEmpty {
            if batch.arenaBytes > start { batch.extend(",") }
            batch.extend(extra)
        }
        let grain = plan.metric.grain
        append(
            SampleRecord(
                key: key, start: point.date.timestamp, end: grain.end(of: point.date, zone: context.offsetMinutes),
                value: value, series: plan.series, source: source, valueName: -1, part: 0,
                utcOffsetMinutes: point.date.offsetMinutes, kind: .quantity, spelled: [],
                merge: plan.merge(isRange: main.name == .average), grain: grain, rest: batch.arenaRange(from: start)))
        return true
    }

    /// What a plain point consists of; nil when `object` is another one.
    private func plainPoint() -> (date: HAEDate, source: JSONText?, main: Int, isExact: Bool)? {
        var date: HAEDate?, source: JSONText?, main = -1, hasExtremes = false, isExact = true
        let members = object.members.span
        for index in members.indices {
            switch (members[index].name, members[index].kind) {
            case (.date, .string) where !members[index].text.hasEscapes:
                date = json.withBytes(of: members[index].text) { HAEDate.plain($0) }
                guard date?.isPlain == true else { return nil }
            case (.source, .string) where !members[index].text.hasEscapes:
                source = members[index].text
                guard 1...Self.maximumTextBytes ~= members[index].text.count else { return nil }
            case (.qty, .number) where main < 0 && members[index].number.isFinite: main = index
            case (.average, .number) where main < 0 && members[index].number.isFinite: main = index
            case (.minimum, .number) where members[index].number.isFinite,
                (.maximum, .number) where members[index].number.isFinite:
                hasExtremes = true
                isExact = isExact && members[index].isExact
            default: return nil
            }
        }
        guard let date, main >= 0, !hasExtremes || members[main].name == .average else { return nil }
        return (date, source, main, isExact)
    }

    /// The index of a source, which most often is that of the point before.
    private mutating func sourceIndex(_ text: JSONText, _ plan: inout HAEPlan) -> BatchIndex {
        let last = plan.source
        if json.withBytes(of: text, { $0.equals(last.span) }) { return plan.sourceIndex }
        plan.source = json.bytes(of: text)
        plan.sourceIndex = batch.source(app: batch.intern(plan.source), device: -1)
        return plan.sourceIndex
    }
}

extension SampleBatch {
    fileprivate mutating func extend(_ word: StaticString) {
        unsafe extend(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }
}
