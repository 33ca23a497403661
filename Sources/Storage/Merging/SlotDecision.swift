import Samples

/// What becomes of a slot: pure, no database. Source: the Health Auto Export contract, identity and corrections.
struct SlotDecision {
    /// What is known of the two deliveries, for a mean of a bucket that the window may have cut; microseconds.
    struct Times {
        var bucketStart: Int64
        var bucketEnd: Int64
        var storedAt: Int64
        var sentAt: Int64
    }

    /// Stored members that stay though a request that may go on did not bring them.
    struct Kept: Equatable {
        var sources: Set<SourceSet> = []
        /// Nothing of what was sent is stored: it was a part of what stays.
        var isAll = false
    }

    /// All that the slot holds afterwards, in the order of their parts.
    var members: [SlotMember]
    /// Stored members were kept, or mixed in, because the window may have cut what was sent.
    var isGuarded = false

    // MARK: Whole slots

    /// A slot of a sender that repeats whole buckets.
    ///
    /// - Parameters:
    ///   - sent: at least one, those of one request.
    ///   - goesOn: members of this slot came earlier in the same request, and are stored.
    ///   - kept: what the guard kept then, which this request did not bring.
    static func slot(
        sent: [SlotMember], stored: [SlotMember], rule: MergeRule, grain: Grain, cutsBuckets: Bool, goesOn: Bool,
        kept: Kept = Kept(), times: Times
    ) -> SlotDecision {
        var decision = SlotDecision(members: sent)
        let isGuardedRule = cutsBuckets && grain.rawValue >= Grain.hour.rawValue && rule != .slot
        if stored.isEmpty {
            // What was sent is all there is.
        } else if goesOn {
            // Earlier members of the same request stay; a bucket that the window may have cut has one of each source.
            decision.members = []
            if isGuardedRule {
                decision.bySource(sent, stored, rule, true, times)
            } else {
                let own = stored.filter { !kept.sources.contains($0.sources) }
                let old = stored.filter { kept.sources.contains($0.sources) }
                // As if all had come at once: what was kept stays as long as no source is new.
                let sentSets = Set(sent.map(\.sources))
                if sentSets.isSubset(of: kept.sources.union(own.map(\.sources))) {
                    decision.bySource(sent, old, rule, false, times)
                } else if kept.isAll
                    && !Set(sent.flatMap(\.sources.names)).isSubset(of: Set(old.flatMap(\.sources.names)))
                {
                    // What came before was a part of what was kept, and is gone; that stays beside a new source.
                    decision.members = sent + old.filter { !sentSets.contains($0.sources) }
                } else {
                    decision.guarded(sent, old, rule, false, times)
                }
                decision.members += own
            }
            decision.isGuarded = false
        } else if cutsBuckets {
            decision.members = []
            decision.guarded(sent, stored, rule, isGuardedRule, times)
        }
        decision.members.sort(by: SlotMember.precedes)
        return decision
    }

    /// The guard: no source that was there is lost, and a bucket's part doesn't take the place of the bucket.
    private mutating func guarded(
        _ sent: [SlotMember], _ stored: [SlotMember], _ rule: MergeRule, _ isGuardedRule: Bool, _ times: Times
    ) {
        let sentSets = Set(sent.map(\.sources)), storedSets = Set(stored.map(\.sources))
        if sentSets.isSubset(of: storedSets) {
            bySource(sent, stored, rule, isGuardedRule, times)
            return
        }
        let sentNames = Set(sent.flatMap(\.sources.names)), storedNames = Set(stored.flatMap(\.sources.names))
        if isGuardedRule {
            take(sent, over: stored, rule, true, times, isWider: sentNames.isSuperset(of: storedNames))
        } else if sentNames.isStrictSubset(of: storedNames) {
            // `Watch` where `Watch|Phone` is stored: a part of that number, which must not be added to it.
            let isMore = rule == .slotSum && Self.total(sent) ?? -.infinity >= Self.total(stored) ?? -.infinity
            members = isMore ? sent : stored
            if !isMore { isGuarded = true }
        } else {
            members = sent
        }
    }

    /// Each source by itself; stored members of a source that sent none stay.
    private mutating func bySource(
        _ sent: [SlotMember], _ stored: [SlotMember], _ rule: MergeRule, _ isGuardedRule: Bool, _ times: Times
    ) {
        var storedGroups = Dictionary(grouping: stored, by: \.sources)
        for group in Dictionary(grouping: sent, by: \.sources).values {
            take(group, over: storedGroups.removeValue(forKey: group[0].sources) ?? [], rule, isGuardedRule, times)
        }
        if !storedGroups.isEmpty { isGuarded = true }
        members += storedGroups.values.joined()
    }

    /// Settles one group of members with the stored ones that it would replace.
    ///
    /// - Parameter isWider: the sent ones have every source that the stored ones have.
    private mutating func take(
        _ sent: [SlotMember], over stored: [SlotMember], _ rule: MergeRule, _ isGuardedRule: Bool, _ times: Times,
        isWider: Bool = true
    ) {
        guard isGuardedRule, let series = stored.first?.series, (sent + stored).allSatisfy({ $0.series == series })
        else {
            members += sent
            return
        }
        if rule == .slotRange, sent.count == 1, stored.count == 1,
            let mixed = RangeMerge.widen(stored[0], by: sent[0])
        {
            members.append(mixed)
            if mixed.isMixed || mixed.isStored && !Self.isSame(sent, stored) { isGuarded = true }
            return
        }
        let isTaken =
            switch rule {
            case .slotSum: Self.total(sent) ?? -.infinity >= Self.total(stored) ?? -.infinity
            case .slotMean: Self.meanIsTaken(times)
            default: isWider
            }
        members += isTaken || Self.isSame(sent, stored) ? sent : stored
        if !isTaken && !Self.isSame(sent, stored) { isGuarded = true }
    }

    /// Whether a mean takes the place of the stored one: when its delivery can have seen more of the bucket.
    ///
    /// The stored one's delivery has seen the bucket up to its own arrival, the new one what came after that: so a mean
    /// that came after the bucket's end stays, and one that came before stays while it has seen the longer part. After a
    /// day the new one wins in any case.
    static func meanIsTaken(_ times: Times) -> Bool {
        let (age, overflow) = times.sentAt.subtractingReportingOverflow(times.storedAt)
        if overflow { return times.sentAt > times.storedAt }
        if age > 86_400_000_000 { return true }
        if times.storedAt >= times.bucketEnd { return false }
        // Both within a day of each other, and the bucket's ends are times that a decoder made.
        let unseen = min(times.sentAt, times.bucketEnd).subtractingReportingOverflow(times.storedAt)
        let seen = times.storedAt.subtractingReportingOverflow(times.bucketStart)
        return unseen.overflow || seen.overflow ? false : unseen.partialValue > seen.partialValue
    }

    private static func total(_ members: [SlotMember]) -> Double? {
        let values = members.compactMap(\.value)
        return values.isEmpty ? nil : values.sorted().reduce(0, +)
    }

    private static func isSame(_ left: [SlotMember], _ right: [SlotMember]) -> Bool {
        left.count == right.count
            && zip(left.sorted(by: SlotMember.precedes), right.sorted(by: SlotMember.precedes))
                .allSatisfy { $0.identity == $1.identity }
    }

    // MARK: Samples of Apple Health

    /// What is known of one sample of Apple Health beside the stored members of its slot.
    struct Claims {
        /// Times that this very request brought it before, in an earlier slice.
        var earlier = 0
        /// Times that other requests of the same session brought it.
        var others = 0
    }

    /// A slot of a sender whose every sample is one of Apple Health's: nothing goes, and what is missing is added.
    ///
    /// A session sends each sample once, over as many requests as it takes; another session may send it again. So of
    /// samples that look the same there are as many as the session that sent most of them did.
    ///
    /// - Returns: the decision; how many of the sent ones were there before; and for each of what was sent, how often
    ///   it was sent and how many of those are new.
    static func samples(
        sent: [SlotMember], stored: [SlotMember], claims: (SlotMember.Identity) -> Claims
    ) -> (SlotDecision, repeated: Int, counts: [SlotMember.Identity: (sent: Int, new: Int)]) {
        var decision = SlotDecision(members: stored)
        let storedCounts = Dictionary(stored.map { ($0.identity, 1) }, uniquingKeysWith: +)
        var counts: [SlotMember.Identity: (sent: Int, new: Int)] = [:]
        var repeated = 0
        for (identity, group) in Dictionary(grouping: sent, by: \.identity) {
            let known = claims(identity), had = storedCounts[identity] ?? 0
            let added = min(group.count, max(0, known.others + known.earlier + group.count - had))
            decision.members += group.prefix(added)
            repeated += group.count - added
            counts[identity] = (group.count, added)
        }
        decision.members.sort(by: SlotMember.precedes)
        return (decision, repeated, counts)
    }
}
