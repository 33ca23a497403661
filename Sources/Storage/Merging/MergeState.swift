import Samples

/// What storing one request remembers from slice to slice. Lives as long as the request's transaction.
///
/// Memory: `touched` is bounded by itself, `claimed`, `kept`, `nights` and `spans` by the numbers below, the rest by what the dictionaries
/// hold of this request's sources.
struct MergeState {
    static let maximumClaims = 1 << 16
    static let maximumSpans = 4_096

    struct Claimed: Hashable {
        var key: UInt64
        var content: UInt64
    }

    var origin: SampleOrigin
    var receivedAt: Int64
    /// The sender's id of the delivery, UTF-8.
    var deliveryName: [UInt8]?
    /// As it is stored; known once the first batch came.
    var session: [UInt8]?
    /// Of the body where it has a session.
    var bodyHash: Int64?

    /// Keys of the slices before this one, and in order those of this one.
    var touched = TouchedKeys()
    var slice: [UInt64] = []
    /// What is being merged is all that the request has.
    var isOneSlice = false
    /// What the request's segments of sleep cover, by the number of the type's text and by source.
    var spans: [Int64: [SourceSet: ClosedRange<Int64>]] = [:]
    var claimed: [Claimed: (sent: Int, new: Int)] = [:]
    var hasForgottenClaims = false
    /// By slots that may go on in a later slice: what the guard kept there.
    private(set) var kept: [UInt64: SlotDecision.Kept] = [:]
    /// By keys of nights the parts that this request brought.
    private var nights: [UInt64: Set<Int64>] = [:]
    /// The last slot of a slice, whose other members may be the first of the next one.
    var carried: SampleBatch?
    var guarded = 0
    var skips = SkipBudget()

    private var sourceSets: [Int64: SourceSet] = [:]
    private var deliveries: [Int64: DeliveryFacts] = [:]

    init(_ origin: SampleOrigin, receivedAt: Int64, deliveryName: [UInt8]?) {
        self.origin = origin
        self.receivedAt = receivedAt
        self.deliveryName = deliveryName
    }

    /// The session as it is stored and compared: what the header's bound lets through, repaired where it is not UTF-8.
    static func stored(session: [UInt8]?) -> [UInt8]? {
        guard let session, !session.isEmpty else { return nil }
        return Array(String(decoding: session.prefix(256), as: UTF8.self).utf8)
    }

    /// Notes which stored members of a slot stay without having come in this request.
    mutating func noteKept(of decision: SlotDecision, _ key: UInt64, goesOn: Bool) {
        if isOneSlice { return }
        var now = SlotDecision.Kept(
            sources: Set(decision.members.filter(\.isStored).map(\.sources)),
            isAll: !decision.members.contains { !$0.isStored })
        if goesOn {
            let former = kept[key] ?? SlotDecision.Kept()
            now.sources.formIntersection(former.sources)
            now.isAll = former.isAll
        }
        if !now.sources.isEmpty && kept[key] == nil && kept.count >= Self.maximumClaims { return }
        kept[key] = now.sources.isEmpty ? nil : now
    }

    mutating func noteNight(_ key: UInt64, part: Int64) {
        if isOneSlice || nights[key] == nil && nights.count >= Self.maximumClaims { return }
        nights[key, default: []].insert(part)
    }

    func broughtNight(_ key: UInt64, part: Int64) -> Bool { nights[key]?.contains(part) == true }

    func isOfThisRequest(_ key: UInt64) -> Bool {
        TouchedKeys.find(key, in: slice) || touched.contains(key)
    }

    mutating func sources(_ id: Int64?, _ rows: MergeRows) throws(StoreError) -> SourceSet {
        guard let id else { return .unknown }
        if let known = sourceSets[id] { return known }
        let (app, device) = try rows.source(id)
        let set = SourceSet(app: app, device: device)
        if sourceSets.count >= 8_192 { sourceSets.removeAll() }
        sourceSets[id] = set
        return set
    }

    mutating func facts(of delivery: Int64, _ rows: MergeRows) throws(StoreError) -> DeliveryFacts {
        if delivery == origin.delivery {
            return DeliveryFacts(receivedAt: receivedAt, session: session, name: deliveryName, bodyHash: bodyHash)
        }
        if let known = deliveries[delivery] { return known }
        let facts = try rows.delivery(delivery) ?? DeliveryFacts(receivedAt: .min)
        if deliveries.count >= 8_192 { deliveries.removeAll() }
        deliveries[delivery] = facts
        return facts
    }

    /// Notes a stretch that segments of one source cover.
    mutating func cover(type: Int64, _ sources: SourceSet, _ stretch: ClosedRange<Int64>) {
        if let span = spans[type]?[sources] {
            spans[type]?[sources] =
                min(span.lowerBound, stretch.lowerBound)...max(span.upperBound, stretch.upperBound)
        } else if spans.values.reduce(0, { $0 + $1.count }) < Self.maximumSpans {
            spans[type, default: [:]][sources] = stretch
        }
    }
}
