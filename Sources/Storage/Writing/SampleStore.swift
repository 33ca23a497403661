import Samples

/// Where samples of a submission come from, as numbers of the dictionaries.
struct SampleOrigin: Equatable {
    var device: Int64
    var endpoint: Int64
    var delivery: Int64
    var dialect: Int64
}

/// Applies a batch to the tables. Inside the caller's transaction; on an error the caller rolls back.
///
/// Any number of times, in any order: a repeat writes nothing, the newest content of a key wins, its place included.
final class SampleStore {
    let dictionaries: Dictionaries
    let ledger: Ledger
    let keys: SampleKeys
    let rows: SampleRows
    private let days: SummaryDays
    let deletionLines: DeletionLines
    let merger: Merger
    let relayDays: RelayDays
    private let twins: ImportedTwins
    /// Holds the uuid that is bound at the moment.
    let scratch = UUIDScratch()

    init(
        _ connection: Connection, dictionaries: Dictionaries, ledger: Ledger, tuning: KeyTuning = KeyTuning()
    ) throws(StoreError) {
        self.dictionaries = dictionaries
        self.ledger = ledger
        keys = try SampleKeys(connection, tuning)
        rows = try SampleRows(connection, ledger.changes)
        days = try SummaryDays(connection)
        deletionLines = try DeletionLines(connection)
        twins = try ImportedTwins(connection)
        merger = try Merger(connection, keys: keys, rows: rows, ledger: ledger)
        relayDays = try RelayDays(connection, merger.rows)
    }

    /// Applies one slice of a request whose samples share slots; `finish` ends the request.
    func apply(_ batch: SampleBatch, _ state: inout MergeState) throws(StoreError) -> StoreOutcome {
        guard let window = batch.window else { return try apply(batch, from: state.origin) }
        if state.session == nil {
            (state.session, state.bodyHash) = (MergeState.stored(session: window.session), window.bodyHash)
        }
        let ids = try BatchIDs(batch, device: state.origin.device, dictionaries)
        var (merged, outcome, workouts) = try merger.merge(batch, ids, window, &state)
        outcome += try apply(merged, from: state.origin, ids)
        while !workouts.isEmpty {
            let (copies, settled) = try merger.mergeWorkouts(&workouts, batch, ids, window, state)
            outcome += settled
            outcome += try apply(copies, from: state.origin)
        }
        return outcome
    }

    /// Settles what only a whole request can tell.
    func finish(_ state: inout MergeState) throws(StoreError) -> StoreOutcome { try merger.finish(&state) }

    /// What was remembered of a transaction that is no more.
    func forget() { twins.forget() }

    /// - Parameter known: the batch's numbers in the dictionaries, when they were looked up before.
    func apply(
        _ sent: SampleBatch, from origin: SampleOrigin, _ known: BatchIDs? = nil
    ) throws(StoreError) -> StoreOutcome {
        let isImport = if case .imported = sent.extras { true } else { false }
        if let extras = sent.extras, !isImport { return try apply(sent, extras, from: origin) }
        var batch = sent
        let ids = if let known { known } else { try BatchIDs(batch, device: origin.device, dictionaries) }
        var repeated = 0
        var mayHaveTwins = false
        if isImport {
            repeated = try twins.screen(&batch, ids, origin)
        } else {
            mayHaveTwins = try twins.prepare(batch, ids)
        }
        var plan = BatchPlan(batch)
        return try unsafe batch.arena.withUnsafeBufferPointer { (bytes) throws(StoreError) -> StoreOutcome in
            let arena = unsafe PinnedArena(bytes, scratch: scratch.bytes)
            var outcome = StoreOutcome()
            outcome.repeated = repeated
            try storeInPlaceOrder(&plan, batch, ids, arena, origin, mayHaveTwins, &outcome)
            try storeKeys(&plan, batch, ids, arena, origin, &outcome)
            try settleDays(plan, batch, arena, origin, &outcome)
            try delete(plan, batch, ids, arena, origin, &outcome)
            if isImport { try twins.widen(batch, ids) }
            return outcome
        }
    }

    // MARK: Samples

    /// First pass, along the clustered table: neighbours lie on the same page. A repeat is found here and ends here,
    /// without a look at the random keys.
    private func storeInPlaceOrder(
        _ plan: inout BatchPlan, _ batch: SampleBatch, _ ids: BatchIDs, _ arena: PinnedArena, _ origin: SampleOrigin,
        _ mayHaveTwins: Bool, _ outcome: inout StoreOutcome
    ) throws(StoreError) {
        var order = plan.entries.indices.map { position in
            (place: ids.place(of: batch.samples[plan.entries[position].index]), position: position)
        }
        order.sort { left, right in
            left.place.series != right.place.series
                ? left.place.series < right.place.series
                : left.place.start != right.place.start
                    ? left.place.start < right.place.start : left.position < right.position
        }
        var gained: Int64 = 0
        for (place, position) in order {
            let entry = plan.entries[position]
            let record = batch.samples[entry.index]
            let key = arena.key(entry.key), part = Int64(entry.part)
            let content = RowContent(
                record, valueName: ids.text(record.valueName), source: ids.source(record.source),
                isKeyEscaped: try registerEscape(of: entry.key, batch), in: arena)
            if case .inserted = try rows.insert(place, key, part: part, content, origin) {
                plan.entries[position].isNew = true
                outcome.stored += 1
                gained += 1
                if mayHaveTwins { try removeTwins(of: batch.samples[entry.index], content) }
                continue
            }
            switch try rows.compare(place, key, part: part, content) {
            case .same: outcome.repeated += 1
            case .different(let former):
                try rows.update(place, key, part: part, from: former, content, origin)
                outcome.changed += 1
                try settle(former, arena, entry, origin)
                gained += 1
                if mayHaveTwins { try removeTwins(of: batch.samples[entry.index], content) }
            }
        }
        ledger.gained(gained, delivery: origin.delivery, endpoint: origin.endpoint)
    }

    /// The live sample takes the place of what an import brought of it: the same sample under another name, so no deletion.
    private func removeTwins(of record: SampleRecord, _ content: RowContent) throws(StoreError) {
        for twin in try twins.twins(of: record, content) {
            try unsafe twin.key.withUnsafeBufferPointer { (bytes) throws(StoreError) in
                let key = unsafe BoundKey(isUUID: twin.isUUID, bytes: bytes)
                _ = try removeRow(key, part: twin.part, at: twin.place, device: twin.device)
            }
        }
    }

    /// Puts a key that JSON escapes into the dictionary, where the view finds its JSON.
    private func registerEscape(of key: StoredKey, _ batch: SampleBatch) throws(StoreError) -> Bool {
        if key.isUUID || !batch.bytes(key.text).contains(where: JSONText.needsEscape) { return false }
        _ = try dictionaries.text(Array(batch.bytes(key.text)))
        return true
    }

    /// So many keys later what a look-up needs is there.
    private static let keysAhead = 4

    /// Second pass, along the keys. A key that was elsewhere has moved: its old row goes, and it was no new sample.
    private func storeKeys(
        _ plan: inout BatchPlan, _ batch: SampleBatch, _ ids: BatchIDs, _ arena: PinnedArena, _ origin: SampleOrigin,
        _ outcome: inout StoreOutcome
    ) throws(StoreError) {
        for position in plan.entries.indices where plan.entries[position].isNew {
            if position + Self.keysAhead < plan.entries.count {
                keys.prefetch(device: origin.device, plan.entries[position + Self.keysAhead].key)
            }
            let entry = plan.entries[position]
            let place = ids.place(of: batch.samples[entry.index])
            let key = arena.key(entry.key), part = Int64(entry.part)
            guard let old = try keys.put(device: origin.device, key, part: part, at: place), old != place else {
                continue
            }
            plan.entries[position].isNew = false
            outcome.stored -= 1
            outcome.changed += 1
            if let former = try rows.remove(old, key, part: part, movedTo: place) {
                try settle(former, arena, entry, origin)
            }
        }
    }

    private func settle(
        _ former: FormerRow, _ arena: PinnedArena, _ entry: BatchPlan.Entry, _ origin: SampleOrigin
    ) throws(StoreError) {
        ledger.lost(delivery: former.delivery, endpoint: former.endpoint)
        if former.isSummary {
            try days.forget(device: origin.device, arena.key(entry.key), part: Int64(entry.part))
        }
    }

    // MARK: Activity summaries

    /// One row a day: whoever held the day of a summary that came goes.
    private func settleDays(
        _ plan: BatchPlan, _ batch: SampleBatch, _ arena: PinnedArena, _ origin: SampleOrigin,
        _ outcome: inout StoreOutcome
    ) throws(StoreError) {
        for (key, part) in plan.replaced {
            _ = try removeRow(arena.key(key), part: Int64(part), device: origin.device)
        }
        for day in plan.vacatedDays {
            guard let holder = try days.holder(device: origin.device, day: Int64(day)) else { continue }
            _ = try removeRow(of: holder, device: origin.device)
        }
        if !plan.hasDays { return }
        for entry in plan.entries {
            guard let day = batch.samples[entry.index].summaryDay.map(Int64.init) else { continue }
            let part = Int64(entry.part)
            if let holder = try days.holder(device: origin.device, day: day) {
                if unsafe holder.part == part && holder.isUUID == entry.key.isUUID
                    && holder.bytes.elementsEqual(arena.key(entry.key).bytes)
                {
                    continue
                }
                let wasThere = try removeRow(of: holder, device: origin.device)
                if wasThere && entry.isNew {
                    outcome.stored -= 1
                    outcome.changed += 1
                }
            }
            try days.set(device: origin.device, day: day, arena.key(entry.key), part: part)
        }
    }

    private func removeRow(of holder: SummaryDays.Holder, device: Int64) throws(StoreError) -> Bool {
        try unsafe holder.bytes.withUnsafeBufferPointer { (bytes) throws(StoreError) -> Bool in
            let key = unsafe BoundKey(isUUID: holder.isUUID, bytes: bytes)
            return try removeRow(key, part: holder.part, device: device) != nil
        }
    }

    private func removeRow(_ key: BoundKey, part: Int64, device: Int64) throws(StoreError) -> FormerRow? {
        guard let place = try keys.find(device: device, key, part: part) else { return nil }
        return try removeRow(key, part: part, at: place, device: device)
    }

    func removeRow(
        _ key: BoundKey, part: Int64, at place: SamplePlace, device: Int64
    ) throws(StoreError) -> FormerRow? {
        try keys.remove(device: device, key, part: part)
        guard let former = try rows.remove(place, key, part: part) else { return nil }
        ledger.lost(delivery: former.delivery, endpoint: former.endpoint)
        if former.isSummary { try days.forget(device: device, key, part: part) }
        return former
    }

    // MARK: Deletions

    private func delete(
        _ plan: BatchPlan, _ batch: SampleBatch, _ ids: BatchIDs, _ arena: PinnedArena, _ origin: SampleOrigin,
        _ outcome: inout StoreOutcome
    ) throws(StoreError) {
        for (storedKey, index, sentParts) in plan.deletions {
            let key = arena.key(storedKey)
            var removed = 0
            var type: Int64 = 0
            for (part, place) in try keys.parts(device: origin.device, key) {
                guard let former = try removeRow(key, part: part, at: place, device: origin.device) else { continue }
                removed += 1
                type = former.type
            }
            outcome.deleted += removed
            let record = batch.deletions[index]
            if record.type >= 0 { type = try dictionaries.text(Array(batch.text(record.type))) }
            if removed > 0 {
                let previous = try deletionLines.set(key, type: type, parts: removed, origin)
                ledger.deletionLine(delivery: origin.delivery, previous: previous)
            } else if sentParts > 0 {
                // The same body brings the sample and deletes it. The first time that is a sample stored and deleted;
                // a repeat finds the line of the first time and is one.
                if try deletionLines.add(key, type: type, parts: sentParts, origin) {
                    ledger.deletionLine(delivery: origin.delivery, previous: nil)
                    outcome.stored += sentParts
                    outcome.deleted += sentParts
                } else {
                    outcome.repeated += sentParts
                }
            }
        }
    }
}

/// Sixteen bytes at a fixed address.
@safe final class UUIDScratch {
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 16)
    init() { unsafe bytes.initialize(repeating: 0) }
    deinit { unsafe bytes.deallocate() }
}
