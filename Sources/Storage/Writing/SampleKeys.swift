/// Where a sample's row is: the rest of its clustered key beside uuid and part.
struct SamplePlace: Hashable {
    var series: Int64
    var start: Int64
}

/// Finds samples by (device, uuid, part). The one thing that knows how.
///
/// Keys that are texts are in a b-tree, `sample_key`. HealthKit's uuids are random, and a b-tree over them would dirty a page a key,
/// which is what makes receivers slow (`performance.md`). For them there are hints, `KeyIndex`, and each hint is
/// compared with the clustered table before it counts: so a row that goes or moves leaves its hint behind, a hash that
/// two uuids share costs one look more, and a repeat, which the clustered table finds by itself, never comes here.
final class SampleKeys {
    private let connection: Connection
    let index: KeyIndex
    private let insertStatement, findStatement, partsStatement, moveStatement, removeStatement, partStatement: Statement
    private let rowStatement, rowPartsStatement, uuidsStatement, deviceStatement: Statement
    private let linkStatement, unlinkStatement, linkPartStatement, linksStatement: Statement
    private let devicesStatement, legacyStatement, unfinishedStatement: Statement
    /// Hashes of uuids that commands are linked to; more of them than there are do no harm.
    private var links: Set<UInt64> = []
    /// Those of the open savepoint.
    private var newLinks: [UInt64] = []
    /// `sample_key` may have uuids that an older program put there.
    private var hasLegacy = false
    /// Where the search for them goes on.
    private var legacyDevices: [Int64] = []
    private var devices: [Int64: Int64] = [:]
    private var candidates: [SamplePlace] = []
    /// The key that was looked up last, where it has many places: else each of its parts would look at all of them.
    private var crowd: Crowd?
    private static let crowdPlaces = 8

    private struct Crowd {
        var device: Int64, high: UInt64, low: UInt64
        /// Where rows are.
        var parts: [Int64: [SamplePlace]]
        /// Hints of this transaction.
        var added: Set<SamplePlace> = []
    }
    /// Others may have left work on the disk.
    var looksAgain = true

    init(_ connection: Connection, _ tuning: KeyTuning = KeyTuning()) throws(StoreError) {
        self.connection = connection
        index = try KeyIndex(connection, tuning)
        insertStatement = try connection.prepare(
            "INSERT INTO sample_key (device, uuid, part, series, start) VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING"
        )
        findStatement = try connection.prepare(
            "SELECT series, start FROM sample_key WHERE device = ?1 AND uuid = ?2 AND part = ?3")
        partsStatement = try connection.prepare(
            "SELECT part, series, start FROM sample_key WHERE device = ?1 AND uuid = ?2 ORDER BY part")
        moveStatement = try connection.prepare(
            "UPDATE sample_key SET series = ?4, start = ?5 WHERE device = ?1 AND uuid = ?2 AND part = ?3")
        removeStatement = try connection.prepare(
            "DELETE FROM sample_key WHERE device = ?1 AND uuid = ?2 AND part = ?3")
        partStatement = try connection.prepare(
            "UPDATE sample_key SET part = ?4 WHERE device = ?1 AND uuid = ?2 AND part = ?3")
        rowStatement = try connection.prepare(
            "SELECT 1 FROM sample WHERE series = ?1 AND start = ?2 AND uuid = ?3 AND part = ?4")
        rowPartsStatement = try connection.prepare(
            "SELECT part FROM sample WHERE series = ?1 AND start = ?2 AND uuid = ?3 ORDER BY part")
        uuidsStatement = try connection.prepare(
            "SELECT uuid FROM sample WHERE series = ?1 AND start = ?2 LIMIT \(Self.maximumCompared + 1)")
        deviceStatement = try connection.prepare("SELECT device FROM series WHERE id = ?1")
        linkStatement = try connection.prepare(
            "INSERT INTO linked_sample (device, uuid, part) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING")
        unlinkStatement = try connection.prepare(
            "DELETE FROM linked_sample WHERE device = ?1 AND uuid = ?2 AND part = ?3")
        linkPartStatement = try connection.prepare(
            "UPDATE linked_sample SET part = ?4 WHERE device = ?1 AND uuid = ?2 AND part = ?3")
        linksStatement = try connection.prepare(
            "SELECT link_device, link_uuid FROM command WHERE typeof(link_uuid) = 'blob'")
        devicesStatement = try connection.prepare("SELECT id FROM device")
        // Texts come before blobs, so that this is one step into the tree.
        legacyStatement = try connection.prepare(
            "SELECT uuid, part, series, start FROM sample_key WHERE device = ?1 AND uuid >= x'' LIMIT ?2")
        unfinishedStatement = try connection.prepare(
            """
            SELECT EXISTS (SELECT 1 FROM key_rebuild)
              OR EXISTS (SELECT 1 FROM key_state WHERE stale > 0 AND (stale_since > ?1 OR stale_since <= ?1 - ?2))
              OR EXISTS (SELECT 1 FROM key_run AS r, key_state AS s WHERE r.state <> 1 OR r.id < s.clean_run)
              OR EXISTS (SELECT 1 FROM key_log AS l, key_state AS s WHERE l.id <= s.clean_log)
              OR EXISTS (SELECT 1 FROM device AS d, sample_key AS k WHERE k.device = d.id AND k.uuid >= x'')
            """)
    }

    // MARK: What the store asks

    /// Points the key at `place`, where its row is already.
    ///
    /// - Returns: the other place that has a row of the key; nil when it is new.
    func put(device: Int64, _ key: BoundKey, part: Int64, at place: SamplePlace) throws(StoreError) -> SamplePlace? {
        guard let (high, low) = key.uuid else { return try putText(device: device, key, part: part, at: place) }
        let hash = try search(device: device, high, low, key)
        var old: SamplePlace?
        if crowd != nil {
            old = crowd?.parts[part]?.first { $0 != place }
            let isNewPlace = crowd?.added.insert(place).inserted == true
            crowd?.parts[part] = [place]
            if isNewPlace { try add(hash, place) }
        } else {
            for candidate in candidates where candidate != place {
                guard try hasRow(candidate, key, part: part) else { continue }
                old = candidate
                break
            }
            try add(hash, place, isFirst: candidates.isEmpty)
        }
        if links.contains(hash) {
            bind(linkStatement, device, key, part)
            try linkStatement.run()
        }
        if old != nil { index.noteStale() }
        if old != nil && hasLegacy { try removeText(device: device, key, part: part) }
        return old
    }

    /// `put` comes for this key soon.
    func prefetch(device: Int64, _ key: StoredKey) {
        if key.isUUID && index.isLoaded { index.prefetch(hash(device, key.high, key.low)) }
    }

    /// Whether the key has no row in whatever part: false where only a look at the rows could tell.
    func isAbsent(device: Int64, _ key: StoredKey) throws(StoreError) -> Bool {
        guard key.isUUID else { return false }
        try prepare()
        if hasLegacy { return false }
        candidates.removeAll(keepingCapacity: true)
        try index.find(hash(device, key.high, key.low), found: &candidates)
        return candidates.isEmpty
    }

    func find(device: Int64, _ key: BoundKey, part: Int64) throws(StoreError) -> SamplePlace? {
        guard let (high, low) = key.uuid else { return try findText(device: device, key, part: part) }
        _ = try search(device: device, high, low, key)
        if let crowd { return crowd.parts[part]?.first }
        for candidate in candidates where try hasRow(candidate, key, part: part) { return candidate }
        return nil
    }

    /// Every part of a key, in order.
    func parts(device: Int64, _ key: BoundKey) throws(StoreError) -> [(part: Int64, place: SamplePlace)] {
        guard let (high, low) = key.uuid else { return try textParts(device: device, key) }
        _ = try search(device: device, high, low, key)
        var found: [(part: Int64, place: SamplePlace)] = []
        if let crowd {
            for (part, places) in crowd.parts { for place in places { found.append((part, place)) } }
            return found.sorted { $0.part < $1.part }
        }
        for candidate in candidates {
            for part in try rowParts(candidate, key) { found.append((part, candidate)) }
        }
        return found.sorted { $0.part < $1.part }
    }

    /// Forgets a key whose row goes.
    func remove(device: Int64, _ key: BoundKey, part: Int64) throws(StoreError) {
        crowd = nil
        guard let (high, low) = key.uuid else { return try removeText(device: device, key, part: part) }
        try prepare()
        index.noteStale()
        if hasLegacy { try removeText(device: device, key, part: part) }
        if links.contains(hash(device, high, low)) {
            bind(unlinkStatement, device, key, part)
            try unlinkStatement.run()
        }
    }

    /// Gives a key another part, as its row gets one.
    func move(device: Int64, _ key: BoundKey, from part: Int64, to target: Int64) throws(StoreError) {
        crowd = nil
        if let (high, low) = key.uuid {
            try prepare()
            if links.contains(hash(device, high, low)) {
                bind(linkPartStatement, device, key, part)
                linkPartStatement.bind(4, target)
                try linkPartStatement.run()
            }
            if !hasLegacy { return }
        }
        bind(partStatement, device, key, part)
        partStatement.bind(4, target)
        try partStatement.run()
    }

    /// A command is linked to this key now: plain SQL must find out whether it is stored.
    func link(device: Int64, _ key: BoundKey) throws(StoreError) {
        guard let (high, low) = key.uuid else { return }
        for (part, _) in try parts(device: device, key) {
            bind(linkStatement, device, key, part)
            try linkStatement.run()
        }
        let hash = hash(device, high, low)
        guard links.insert(hash).inserted else { return }
        newLinks.append(hash)
        try index.announce()
    }

    // MARK: Candidates

    private func hash(_ device: Int64, _ high: UInt64, _ low: UInt64) -> UInt64 {
        index.tuning.hash(index.tables.seed, device, high, low) & KeyHash.mask
    }

    /// Fills `candidates` with the places, each once, where rows of the key may be.
    private func search(device: Int64, _ high: UInt64, _ low: UInt64, _ key: BoundKey) throws(StoreError) -> UInt64 {
        try prepare()
        let hash = hash(device, high, low)
        if let crowd, crowd.device == device, crowd.high == high, crowd.low == low { return hash }
        crowd = nil
        candidates.removeAll(keepingCapacity: true)
        try index.find(hash, found: &candidates)
        if hasLegacy { candidates += try textParts(device: device, key).map(\.place) }
        if candidates.isEmpty { return hash }
        if candidates.count > 1 {
            candidates.sort { $0.series != $1.series ? $0.series < $1.series : $0.start < $1.start }
        }
        var kept = 0
        for candidate in candidates {
            if kept > 0 && candidates[kept - 1] == candidate { continue }
            if try self.device(of: candidate.series) != device { continue }
            candidates[kept] = candidate
            kept += 1
        }
        candidates.removeLast(candidates.count - kept)
        if kept > Self.crowdPlaces {
            var parts: [Int64: [SamplePlace]] = [:]
            for candidate in candidates {
                for part in try rowParts(candidate, key) { parts[part, default: []].append(candidate) }
            }
            crowd = Crowd(device: device, high: high, low: low, parts: parts)
        }
        return hash
    }

    /// - Parameter isFirst: whether none was found under this hash, so that it isn't there already.
    private func add(_ hash: UInt64, _ place: SamplePlace, isFirst: Bool = false) throws(StoreError) {
        guard let series = UInt32(exactly: place.series) else {
            throw StoreError(.failed, detail: "a series has a number past 2^32")
        }
        let entry = KeyEntry(hash: hash, start: place.start, series: series)
        if isFirst || !index.hasPending(entry) { try index.add(entry) }
    }

    private func device(of series: Int64) throws(StoreError) -> Int64? {
        if let known = devices[series] { return known }
        deviceStatement.bind(1, series)
        guard try deviceStatement.step() else { return nil }
        defer { deviceStatement.reset() }
        if devices.count >= 8_192 { devices = [:] }
        devices[series] = deviceStatement.integer(0)
        return devices[series]
    }

    private func hasRow(_ place: SamplePlace, _ key: BoundKey, part: Int64) throws(StoreError) -> Bool {
        rowStatement.bind(1, place.series)
        rowStatement.bind(2, place.start)
        key.bind(rowStatement, 3)
        rowStatement.bind(4, part)
        defer { rowStatement.reset() }
        return try rowStatement.step()
    }

    private func rowParts(_ place: SamplePlace, _ key: BoundKey) throws(StoreError) -> [Int64] {
        rowPartsStatement.bind(1, place.series)
        rowPartsStatement.bind(2, place.start)
        key.bind(rowPartsStatement, 3)
        var parts: [Int64] = []
        while try rowPartsStatement.step() { parts.append(rowPartsStatement.integer(0)) }
        return parts
    }

    // MARK: Transactions

    private func prepare() throws(StoreError) {
        guard try index.prepare() else { return }
        do throws(StoreError) { try prepareTexts() } catch {
            index.unload()
            throw error
        }
    }

    /// What belongs to an index that was read anew.
    private func prepareTexts() throws(StoreError) {
        links = []
        while try linksStatement.step() {
            if let (high, low) = linksStatement.uuid(1) { links.insert(hash(linksStatement.integer(0), high, low)) }
        }
        legacyDevices = []
        while try devicesStatement.step() { legacyDevices.append(devicesStatement.integer(0)) }
        hasLegacy = false
        for device in legacyDevices where !hasLegacy {
            legacyStatement.bind(1, device)
            legacyStatement.bind(2, 1)
            hasLegacy = try legacyStatement.step()
            legacyStatement.reset()
        }
    }

    /// A savepoint begins; `truncate` takes what this returns.
    func mark() -> Int {
        newLinks = []
        return index.mark()
    }
    func release() { index.release() }
    func truncate(to mark: Int) {
        crowd = nil
        links.subtract(newLinks)
        index.truncate(to: mark)
        devices = [:]
    }

    func flush() throws(StoreError) { try index.flush() }
    func committed() {
        crowd = nil
        index.committed()
    }

    func rolledBack() {
        crowd = nil
        index.rolledBack()
        devices = [:]
    }

    // MARK: Upkeep

    /// Has all entries compared with the samples, by whoever tends the index.
    func requestCleaning() throws(StoreError) {
        try prepare()
        try index.requestCleaning()
    }

    /// Counts entries of rows that another took away in this transaction.
    func noteStale(_ count: Int) { index.noteStale(count) }

    /// Whether entries of rows are there that are gone.
    func hasStale() throws(StoreError) -> Bool {
        try prepare()
        return index.tables.stale.count > 0
    }

    /// Whether `tend` has something to do, as far as this process knows; `looksAgain` has it ask the disk.
    func hasWork() throws(StoreError) -> Bool {
        if index.tables.damage != nil { return true }
        if index.isLoaded { return hasLegacy || index.hasWork }
        if !looksAgain { return false }
        unfinishedStatement.bind(1, index.tuning.now())
        unfinishedStatement.bind(2, index.tuning.staleMicroseconds)
        defer { unfinishedStatement.reset() }
        looksAgain = try unfinishedStatement.step() && unfinishedStatement.integer(0) != 0
        return looksAgain
    }

    /// Why the index is made anew; nil when it is not, as far as this process knows.
    func rebuildReason() throws(StoreError) -> String? {
        if let damage = index.tables.damage { return damage }
        return index.isLoaded ? nil : try index.rebuild.reason()
    }

    /// Nothing is to be done for a while.
    func rest() {
        index.unload()
        looksAgain = true
    }

    /// One slice of rebuilding, of merging, of removing what was merged, or of moving what an older program left in `sample_key`.
    ///
    /// - Parameter entries: about as many are looked at.
    func tend(entries: Int) throws(StoreError) {
        if let damage = index.tables.damage {
            index.unload()
            try index.rebuild.mark(damage)
            index.tables.damage = nil
            looksAgain = true
            return
        }
        if try index.rebuild.reason() != nil {
            index.unload()
            looksAgain = true
            _ = try index.tables.state()
            _ = try index.rebuild.slice { hash($0, $1, $2) }
            return
        }
        try prepare()
        if hasLegacy && (!index.hasWork || index.logs.count < 8) { return try moveLegacy(entries / 4) }
        try index.tend(entries: entries) { (entry) throws(StoreError) in try isLive(entry) }
    }

    /// Rows at one place that are looked at; past it an entry is taken for one of them.
    private static let maximumCompared = 1_000

    private func isLive(_ entry: KeyEntry) throws(StoreError) -> Bool {
        guard let device = try device(of: Int64(entry.series)) else { return false }
        uuidsStatement.bind(1, Int64(entry.series))
        uuidsStatement.bind(2, entry.start)
        defer { uuidsStatement.reset() }
        var count = 0
        while try uuidsStatement.step() {
            if let (high, low) = uuidsStatement.uuid(0), hash(device, high, low) == entry.hash { return true }
            count += 1
            if count > Self.maximumCompared { return true }
        }
        return false
    }

    private func moveLegacy(_ limit: Int) throws(StoreError) {
        index.willChange()
        while let device = legacyDevices.last {
            legacyStatement.bind(1, device)
            legacyStatement.bind(2, max(1, limit))
            var rows: [(uuid: [UInt8], part: Int64)] = []
            while try legacyStatement.step() {
                let uuid = legacyStatement.bytes(0)
                rows.append((uuid, legacyStatement.integer(1)))
                guard let (high, low) = legacyStatement.uuid(0),
                    let series = UInt32(exactly: legacyStatement.integer(2))
                else { continue }
                try index.add(
                    KeyEntry(hash: hash(device, high, low), start: legacyStatement.integer(3), series: series))
            }
            if rows.isEmpty {
                legacyDevices.removeLast()
                continue
            }
            for row in rows {
                removeStatement.bind(1, device)
                removeStatement.bind(2, blob: row.uuid)
                removeStatement.bind(3, row.part)
                try removeStatement.run()
            }
            return
        }
        hasLegacy = false
    }

    // MARK: Texts

    private func putText(
        device: Int64, _ key: BoundKey, part: Int64, at place: SamplePlace
    ) throws(StoreError) -> SamplePlace? {
        bind(insertStatement, device, key, part)
        insertStatement.bind(4, place.series)
        insertStatement.bind(5, place.start)
        try insertStatement.run()
        if connection.changes > 0 { return nil }
        guard let old = try findText(device: device, key, part: part) else { return nil }
        bind(moveStatement, device, key, part)
        moveStatement.bind(4, place.series)
        moveStatement.bind(5, place.start)
        try moveStatement.run()
        return old
    }

    private func findText(device: Int64, _ key: BoundKey, part: Int64) throws(StoreError) -> SamplePlace? {
        bind(findStatement, device, key, part)
        guard try findStatement.step() else { return nil }
        let place = SamplePlace(series: findStatement.integer(0), start: findStatement.integer(1))
        findStatement.reset()
        return place
    }

    private func textParts(
        device: Int64, _ key: BoundKey
    ) throws(StoreError) -> [(part: Int64, place: SamplePlace)] {
        partsStatement.bind(1, device)
        key.bind(partsStatement, 2)
        var found: [(part: Int64, place: SamplePlace)] = []
        while try partsStatement.step() {
            let place = SamplePlace(series: partsStatement.integer(1), start: partsStatement.integer(2))
            found.append((partsStatement.integer(0), place))
        }
        return found
    }

    private func removeText(device: Int64, _ key: BoundKey, part: Int64) throws(StoreError) {
        bind(removeStatement, device, key, part)
        try removeStatement.run()
    }

    private func bind(_ statement: Statement, _ device: Int64, _ key: BoundKey, _ part: Int64) {
        statement.bind(1, device)
        key.bind(statement, 2)
        statement.bind(3, part)
    }
}
