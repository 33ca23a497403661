import Samples

extension Merger {
    /// So many slots later what a look-up needs is there.
    private static let slotsAhead = 4

    func mergeSlots(_ slots: [KeyGroup], _ work: inout Work, _ state: inout MergeState) throws(StoreError) {
        work.records.reserveCapacity(work.records.count + slots.count)
        for (position, slot) in slots.enumerated() {
            if position + Self.slotsAhead < slots.count {
                rows.prefetch(device: state.origin.device, slots[position + Self.slotsAhead].key)
            }
            try mergeSlot(slot, &work, &state)
        }
    }

    private func mergeSlot(_ slot: KeyGroup, _ work: inout Work, _ state: inout MergeState) throws(StoreError) {
        let first = work.batch.samples[slot.indices[slot.indices.startIndex]]
        let stored = try rows.parts(device: state.origin.device, slot.key, in: work.batch)
        if stored.isEmpty && first.grain == .hour && !work.window.isPerSample {
            try removeRecut(slot.indices, &work, &state)
        }
        // As good as always the case, the first time. In a request of several slices samples of Apple Health are counted.
        if stored.isEmpty && slot.indices.count == 1 && (!work.window.isPerSample || state.isOneSlice) {
            work.records.append(first)
            return
        }
        let indices = Array(slot.indices), key = KeyBytes(slot.key, in: work.batch)
        let goesOn = state.touched.contains(key.fingerprint)
        if stored.count == 1 && indices.count == 1 && stored[0].part == 0 && !work.window.isPerSample && !goesOn
            && isRepeat(first, of: stored[0], work)
        {
            work.records.append(first)
            return
        }
        var sentMembers: [SlotMember] = []
        for (position, index) in indices.enumerated() {
            sentMembers.append(member(work.batch.samples[index], .sent(position), &work))
        }
        var storedMembers: [SlotMember] = []
        for (position, row) in stored.enumerated() {
            storedMembers.append(
                SlotMember(
                    .stored(position), sources: try state.sources(row.source, rows), value: row.value, end: row.end,
                    name: row.valueName, series: row.place.series, rest: row.rest))
        }
        var decision: SlotDecision
        if work.window.isPerSample {
            decision = try decideSamples(sentMembers, storedMembers, stored, key, &work, &state)
        } else {
            decision = SlotDecision.slot(
                sent: sentMembers, stored: storedMembers, rule: first.merge, grain: first.grain,
                cutsBuckets: work.window.cutsBuckets, goesOn: goesOn,
                kept: goesOn ? state.kept[key.fingerprint] ?? .init() : .init(), times: try times(first, stored, &state)
            )
            state.noteKept(of: decision, key.fingerprint, goesOn: goesOn)
        }
        if decision.isGuarded { state.guarded += 1 }
        if decision.members.count > Self.maximumMembers {
            // Stored ones first: what is there does not go.
            let kept = decision.members.filter(\.isStored) + decision.members.filter { !$0.isStored }
            work.outcome.skipped += decision.members.count - Self.maximumMembers
            decision.members = kept.prefix(Self.maximumMembers).sorted(by: SlotMember.precedes)
        }
        try place(decision.members, indices, stored, storedMembers, &work, state)
    }

    private func member(_ record: SampleRecord, _ origin: SlotMember.Origin, _ work: inout Work) -> SlotMember {
        SlotMember(
            origin, sources: work.sources(record.source), value: record.value,
            end: record.end == .none ? nil : record.end.microseconds, name: work.ids.text(record.valueName),
            series: work.ids.place(of: record).series, rest: Array(work.batch.bytes(record.rest)))
    }

    /// Whether each column is the same, which most often is what a sample that comes again is.
    private func isRepeat(_ record: SampleRecord, of row: StoredRow, _ work: Work) -> Bool {
        work.ids.place(of: record) == row.place && record.value == row.value
            && (record.end == .none ? nil : record.end.microseconds) == row.end
            && work.ids.source(record.source) == row.source && work.ids.text(record.valueName) == row.valueName
            && record.utcOffsetMinutes.map(Int64.init) == row.utcOffset
            && work.batch.bytes(record.rest).elementsEqual(row.rest)
    }

    private func times(
        _ record: SampleRecord, _ stored: [StoredRow], _ state: inout MergeState
    ) throws(StoreError) -> SlotDecision.Times {
        var newest = Int64.min
        if record.merge == .slotMean {
            for row in stored { newest = max(newest, try state.facts(of: row.delivery, rows).receivedAt) }
        }
        let start = record.start.microseconds
        let length = start.addingReportingOverflow(record.grain.microseconds)
        let end = record.end > record.start ? record.end.microseconds : length.overflow ? .max : length.partialValue
        return SlotDecision.Times(
            bucketStart: start, bucketEnd: end, storedAt: newest,
            sentAt: state.receivedAt)
    }

    // MARK: Placing

    /// Writes the decision down: rows that stay get their parts, rows that another sample takes over are handed to it,
    /// and what was sent joins the records to store.
    private func place(
        _ members: [SlotMember], _ indices: [Int], _ stored: [StoredRow], _ storedMembers: [SlotMember],
        _ work: inout Work, _ state: MergeState
    ) throws(StoreError) {
        var targets = [Int64?](repeating: nil, count: stored.count)  // part that each stored row gets
        var open: [Int64] = []  // parts that sent ones get
        for (part, member) in members.enumerated() {
            if case .stored(let position) = member.origin {
                targets[position] = Int64(part)
            } else {
                open.append(Int64(part))
            }
        }
        // A row that doesn't stay becomes one that was sent: in its own place if it can.
        var free = Set(open)
        for (position, row) in stored.enumerated() where targets[position] == nil && free.contains(row.part) {
            targets[position] = row.part
            free.remove(row.part)
        }
        var left = open.filter(free.contains)[...]
        for (position, row) in stored.enumerated() where targets[position] == nil {
            if let part = left.popFirst() {
                targets[position] = part
            } else {
                try rows.remove(row, device: state.origin.device)
                work.outcome.changed += 1
            }
        }
        let moves = zip(stored, targets).compactMap { row, target in
            target.flatMap { $0 == row.part ? nil : (row: row, part: $0) }
        }
        try rows.renumber(moves, device: state.origin.device)
        let offset = stored.first?.utcOffset
        var holders: [Int64: Int] = [:]
        for (position, target) in targets.enumerated() { if let target { holders[target] = position } }
        for (part, member) in members.enumerated() {
            guard case .sent(let position) = member.origin else { continue }
            var record = work.batch.samples[indices[position]]
            record.part = Int32(part)
            if record.grain.rawValue <= Grain.hour.rawValue, let offset {
                // The zone told first was nearest to where the person was.
                record.utcOffsetMinutes = Int16(clamping: offset)
            }
            let old = holders[Int64(part)]
            if let mixed = member.mixedWith {
                record.value = member.value
                record.end = member.end.map(Timestamp.init) ?? .none
                record.spelled = SpelledMembers(rawValue: UInt8(truncatingIfNeeded: stored[mixed].spelled))
                record.rest = work.batch.append(member.rest)
            } else if let old, storedMembers[old].identity == member.identity, stored[old].rest != member.rest,
                stored[old].spelled & 0xFF == Int64(record.spelled.rawValue),
                CanonicalJSON.whole(rest: stored[old].rest) == CanonicalJSON.whole(rest: member.rest)
            {
                // The same in another order of members: no other content.
                record.rest = work.batch.append(stored[old].rest)
            }
            work.records.append(record)
        }
    }

    // MARK: Buckets of another cut

    /// In a zone with half an hour in its offset hours start elsewhere: the newer ones replace those that they overlap.
    private func removeRecut(
        _ indices: ArraySlice<Int>, _ work: inout Work, _ state: inout MergeState
    ) throws(StoreError) {
        let record = work.batch.samples[indices[indices.startIndex]]
        let start = record.start.microseconds, reach = Grain.hour.microseconds - 1
        let from = start.subtractingReportingOverflow(reach), to = start.addingReportingOverflow(reach)
        guard record.start != .none, !from.overflow, !to.overflow,
            let type = work.ids.text(work.batch.series[Int(record.series)].type)
        else { return }
        let sets = Set(indices.map { work.sources(work.batch.samples[$0].source) })
        for series in try rows.series(type: type, device: state.origin.device) {
            let gone = try rows.rows(
                series: series, starts: from.partialValue...to.partialValue, grain: .hour, limit: Self.maximumNeighbours
            ) {
                (row) throws(StoreError) in
                if row.place.start == start || state.isOfThisRequest(row.key.fingerprint) { return false }
                return sets.contains(try state.sources(row.source, rows))
            }
            for row in gone {
                try rows.remove(row, device: state.origin.device)
                work.outcome.changed += 1
            }
        }
    }

    // MARK: Sessions

    /// A slot of Apple Health's own samples: the database knows what other requests of the session brought.
    private func decideSamples(
        _ sent: [SlotMember], _ stored: [SlotMember], _ storedRows: [StoredRow], _ key: KeyBytes, _ work: inout Work,
        _ state: inout MergeState
    ) throws(StoreError) -> SlotDecision {
        var owned: [SlotMember.Identity: (others: Int, own: Int)] = [:]  // rows of this session
        for (member, row) in zip(stored, storedRows) {
            let facts = try state.facts(of: row.delivery, rows)
            guard let session = state.session, facts.session == session else { continue }
            let isRepeat = facts.name == state.deliveryName || facts.bodyHash != nil && facts.bodyHash == state.bodyHash
            let isOwn = row.delivery == state.origin.delivery || isRepeat
            owned[member.identity, default: (0, 0)].others += isOwn ? 0 : 1
            owned[member.identity, default: (0, 0)].own += isOwn ? 1 : 0
        }
        let identities = Set(sent.map(\.identity))
        var claims: [SlotMember.Identity: SlotDecision.Claims] = [:]
        for identity in identities {
            let claimed = MergeState.Claimed(key: key.fingerprint, content: Fingerprint.of(identity))
            var known = SlotDecision.Claims(
                earlier: state.claimed[claimed]?.sent ?? 0, others: owned[identity]?.others ?? 0)
            if let claim = claim(key, identity, state) { known.others += try rows.claims(claim) }
            claims[identity] = known
        }
        let (decision, repeated, counts) = SlotDecision.samples(sent: sent, stored: stored) { claims[$0] ?? .init() }
        work.outcome.repeated += repeated
        for (identity, count) in counts {
            let claimed = MergeState.Claimed(key: key.fingerprint, content: Fingerprint.of(identity))
            if state.claimed[claimed] != nil || state.claimed.count < MergeState.maximumClaims {
                state.claimed[claimed, default: (0, 0)].sent += count.sent
            }
            guard let claim = claim(key, identity, state) else { continue }
            // Brought, and neither stored now nor at an earlier arrival of this same request.
            let sentInAll = (claims[identity]?.earlier ?? 0) + count.sent
            let again = sentInAll - count.new - (owned[identity]?.own ?? 0)
            if again > 0 { try rows.add(claim, count: again, endpoint: state.origin.endpoint) }
        }
        return decision
    }

    private func claim(_ key: KeyBytes, _ identity: SlotMember.Identity, _ state: MergeState) -> MergeRows.Claim? {
        guard let session = state.session, let name = state.deliveryName else { return nil }
        func hash(_ bytes: [UInt8]) -> Int64 { Int64(bitPattern: Fingerprint.of(bytes)) }
        return MergeRows.Claim(
            device: state.origin.device, session: hash(session), key: key,
            content: Int64(bitPattern: Fingerprint.of(identity)), delivery: state.bodyHash ?? hash(name))
    }

    func forgetOldClaims(_ state: inout MergeState) throws(StoreError) {
        guard let session = state.session, !state.hasForgottenClaims else { return }
        state.hasForgottenClaims = true
        try rows.forgetClaims(device: state.origin.device, except: Int64(bitPattern: Fingerprint.of(session)))
    }
}

extension Grain {
    /// The length of a bucket, months and years at their longest; 0 for single samples.
    var microseconds: Int64 {
        let seconds: Int64 =
            switch self {
            case .raw: 0
            case .second: 1
            case .minute: 60
            case .hour: 3_600
            case .day: 86_400
            case .week: 7 * 86_400
            case .month: 31 * 86_400
            case .year: 366 * 86_400
            }
        return seconds * 1_000_000
    }
}
