import Samples

/// One sample of a slot, stored or sent, as far as merging looks at it. Numbers are those of the dictionaries.
struct SlotMember {
    enum Origin: Equatable {
        /// Index into the sent, or into the stored members of the slot.
        case sent(Int)
        case stored(Int)
    }

    var origin: Origin
    var sources: SourceSet
    /// Nil where there is none, or none that a column holds.
    var value: Double?
    var end: Int64?
    var name: Int64?
    /// Type and unit: numbers of different units can't be compared.
    var series: Int64
    /// As it is to be stored.
    var rest: [UInt8]
    /// `rest` in its one spelling, without what columns tell.
    var content: [UInt8]
    /// Index into the stored members of the one whose `value`, `end` and `rest` a sent one has taken over.
    var mixedWith: Int?

    init(
        _ origin: Origin, sources: SourceSet, value: Double?, end: Int64?, name: Int64?, series: Int64, rest: [UInt8]
    ) {
        self.origin = origin
        self.sources = sources
        self.value = value.flatMap { $0.isFinite ? $0 : nil }
        self.end = end
        self.name = name
        self.series = series
        self.rest = rest
        content = CanonicalJSON.content(ofRest: rest)
    }

    var isMixed: Bool { mixedWith != nil }
    var isStored: Bool { if case .stored = origin { true } else { false } }

    /// The order of a slot's members, which gives them their parts: a request in another order gives the same.
    static func precedes(_ left: SlotMember, _ right: SlotMember) -> Bool {
        if left.sources != right.sources { return left.sources < right.sources }
        if left.value != right.value { return (left.value ?? -.infinity) < (right.value ?? -.infinity) }
        if left.end != right.end { return (left.end ?? .min) < (right.end ?? .min) }
        if left.name != right.name { return (left.name ?? 0) < (right.name ?? 0) }
        return left.content.lexicographicallyPrecedes(right.content)
    }

    /// What makes two samples of one slot the same sample, when each is one of Apple Health's own.
    var identity: Identity { Identity(sources: sources, value: value, end: end, name: name, content: content) }

    struct Identity: Hashable {
        var sources: SourceSet
        var value: Double?
        var end: Int64?
        var name: Int64?
        var content: [UInt8]
    }
}
