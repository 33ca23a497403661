import Samples

/// What one request may still leave in the table of skipped records.
struct SkipBudget {
    var rows = 1_000
    var bytes = 4 << 20
}

/// The table of what decoders left out: the same once, with a count, and no more of it than its bounds.
final class SkippedRows {
    /// Of one endpoint; past either the oldest go.
    static let maximumRows = 10_000
    static let maximumBytes = 16 << 20

    private let connection: Connection
    private let put, total, oldest, removeOldest, prune: Statement

    init(_ connection: Connection) throws(StoreError) {
        self.connection = connection
        put = try connection.prepare(
            """
            INSERT INTO skip (endpoint, digest, code, path, raw, bytes, count, first_at, last_at, delivery)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, 1, ?7, ?7, ?8)
              ON CONFLICT (endpoint, digest) DO UPDATE SET count = count + 1, last_at = max(last_at, excluded.last_at),
                path = excluded.path, delivery = excluded.delivery
            """)
        total = try connection.prepare(
            "SELECT count(*), ifnull(sum(bytes), 0) FROM skip INDEXED BY skip_age WHERE endpoint = ?1")
        oldest = try connection.prepare(
            "SELECT id, bytes FROM skip INDEXED BY skip_age WHERE endpoint = ?1 ORDER BY last_at, bytes")
        removeOldest = try connection.prepare("DELETE FROM skip WHERE id = ?1")
        prune = try connection.prepare("DELETE FROM skip WHERE last_at < ?1")
    }

    /// Keeps what the request's budget and the endpoint's bounds allow of a batch's skipped records.
    func store(
        _ batch: SampleBatch, endpoint: Int64, delivery: Int64, at microseconds: Int64, _ budget: inout SkipBudget
    ) throws(StoreError) {
        if batch.skipped.isEmpty { return }
        var isKept = false
        for record in batch.skipped {
            if budget.rows == 0 { break }
            let raw = Self.whole(batch.bytes(record.raw).prefix(SkippedRecord.maximumRawBytes))
            if raw.count > budget.bytes { continue }
            budget.rows -= 1
            budget.bytes -= raw.count
            try put(record, raw, batch, endpoint, delivery, microseconds)
            isKept = true
        }
        if isKept { try trim(endpoint) }
    }

    private func put(
        _ record: SkippedRecord, _ raw: [UInt8], _ batch: SampleBatch, _ endpoint: Int64, _ delivery: Int64,
        _ microseconds: Int64
    ) throws(StoreError) {
        let code = Array(record.code.description.utf8)
        var name = NameUUID()
        name.add(code)
        name.add(raw)
        put.bind(1, endpoint)
        put.bind(2, blob: KeyBytes(name.key, in: batch).bytes)
        put.bind(3, text: code)
        put.bind(4, text: Self.whole(batch.bytes(record.path).prefix(1_024)))
        put.bind(5, text: raw)
        put.bind(6, raw.count)
        put.bind(7, microseconds)
        put.bind(8, delivery)
        try put.run()
    }

    /// Without a character that the cut split.
    private static func whole(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var end = bytes.endIndex
        // At most three bytes follow the first of a character.
        while end > bytes.startIndex && bytes.endIndex - end < 3 && bytes[end - 1] & 0xC0 == 0x80 { end -= 1 }
        guard end > bytes.startIndex, bytes[end - 1] >= 0xC0 else { return Array(bytes) }
        let length = bytes[end - 1] >= 0xF0 ? 4 : bytes[end - 1] >= 0xE0 ? 3 : 2
        return bytes.endIndex - end + 1 == length ? Array(bytes) : Array(bytes[..<(end - 1)])
    }

    private func trim(_ endpoint: Int64) throws(StoreError) {
        total.bind(1, endpoint)
        _ = try total.step()
        var rows = Int(total.integer(0)), bytes = Int(total.integer(1))
        total.reset()
        if rows <= Self.maximumRows && bytes <= Self.maximumBytes { return }
        var ids: [Int64] = []
        oldest.bind(1, endpoint)
        while rows > Self.maximumRows || bytes > Self.maximumBytes, try oldest.step() {
            ids.append(oldest.integer(0))
            rows -= 1
            bytes -= Int(oldest.integer(1))
        }
        oldest.reset()
        for id in ids {
            removeOldest.bind(1, id)
            try removeOldest.run()
        }
    }

    /// Removes what came last before `cutoff`.
    func prune(before cutoff: Int64) throws(StoreError) {
        prune.bind(1, cutoff)
        try prune.run()
    }
}
