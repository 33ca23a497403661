import Samples
import Storage
import Wire

/// The reads of PulsHealth. Source: specs/puls-v1, section 7.
enum PulsQuestions {
    /// 35 days, which the app stays under: it asks for a month at a time.
    private static let maximumUUIDMilliseconds: Int64 = 3_024_000_000
    /// What one answer may hold, 39 bytes each. A year of a sample a second has 2.6 million a month.
    private static let maximumUUIDs = 4_000_000

    static func digest(_ query: SenderQuery) throws -> Response {
        let range = try Range(query)
        let months = try queries(query).months(ofTypes: range.types, from: range.from, to: range.to)
        let entries = months.map { month in
            "{\"window\":\(month.start),\"rows\":\(month.rows),\"digest\":\"\(month.digest.digits)\"}"
        }
        return .json(status: 200, Array("[\(entries.joined(separator: ","))]".utf8))
    }

    static func uuids(_ query: SenderQuery) throws -> Response {
        let range = try Range(query)
        let (length, overflows) = range.toMilliseconds.subtractingReportingOverflow(range.fromMilliseconds)
        if overflows || length > maximumUUIDMilliseconds { throw refusal("range exceeds 35 days") }
        var text = Array("{\"uuids\":[".utf8)
        let start = text.count
        var isTooMany = false
        try queries(query).forEachUUID(ofTypes: range.types, from: range.from, to: range.to) { count in
            isTooMany = count > maximumUUIDs
            // At once: an array that grows has its content twice.
            if !isTooMany { text.reserveCapacity(start + count * 39 + 2) }
            return !isTooMany
        } _: { uuid in
            if text.count > start { text.append(UInt8(ascii: ",")) }
            text.append(UInt8(ascii: "\""))
            uuid.appendText(to: &text, letter: "A")
            text.append(UInt8(ascii: "\""))
        }
        if isTooMany { throw refusal("more than \(maximumUUIDs) samples: ask for a shorter range") }
        text += "]}".utf8
        return .json(status: 200, text)
    }

    static func stats(_ query: SenderQuery) throws -> Response {
        struct Entry {
            var rows = 0
            var earliest: Timestamp?
            var latest: Timestamp?
            var lastBatch: Timestamp?
            var batches = 0
        }
        var entries: [[UInt8]: Entry] = [:]
        let queries = try queries(query)
        for count in try queries.typeCounts() {
            let type = query.catalog.pulsIdentifier(ofType: count.type)
            var entry = entries[type] ?? Entry()
            entry.rows += count.rows
            entry.earliest = min(entry.earliest ?? count.earliest, count.earliest)
            entry.latest = max(entry.latest ?? count.latest, count.latest)
            entries[type] = entry
        }
        for count in try queries.labelCounts() {
            entries[count.label, default: Entry()].batches += count.batches
            entries[count.label]?.lastBatch = count.lastReceived
        }
        let order = entries.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        let objects = order.map { type, entry in
            "{\"type\":\(LogValue.quoted(String(decoding: type, as: UTF8.self))),\"rows\":\(entry.rows),"
                + "\"earliest\":\(milliseconds(entry.earliest)),\"latest\":\(milliseconds(entry.latest)),"
                + "\"lastBatchAt\":\(milliseconds(entry.lastBatch)),\"batches\":\(entry.batches)}"
        }
        return .json(status: 200, Array("[\(objects.joined(separator: ","))]".utf8))
    }

    static func health(_ query: SenderQuery) -> Response {
        let isOK = query.store.probe().state == .ok
        let text = isOK ? #"{"ok":true,"db":true}"# : #"{"ok":false,"db":false}"#
        var response = Response.json(status: isOK ? 200 : 503, Array(text.utf8))
        if !isOK { response.fields.append(("Retry-After", "30")) }
        return response
    }

    private static func queries(_ query: SenderQuery) throws -> PulsQueries {
        try PulsQueries(
            directory: query.directory, person: query.scope.person, device: query.scope.device ?? PulsUser.device)
    }

    /// Whole milliseconds, rounded down.
    private static func milliseconds(_ time: Timestamp?) -> String {
        guard let time else { return "null" }
        let (quotient, remainder) = time.microseconds.quotientAndRemainder(dividingBy: 1_000)
        return String(remainder < 0 ? quotient - 1 : quotient)
    }

    private static func refusal(_ message: String) -> Refusal {
        Refusal(status: 400, code: "query_invalid", message: message)
    }

    /// `type`, `from` and `to` of a query.
    private struct Range {
        /// The names that the type's samples may be stored under.
        var types: [[UInt8]]
        var fromMilliseconds: Int64
        var toMilliseconds: Int64

        init(_ query: SenderQuery) throws(Refusal) {
            guard let type = query.values("type").first, !type.isEmpty else { throw refusal("missing type") }
            types = query.catalog.pulsTypes(ofIdentifier: type.utf8)
            fromMilliseconds = try Self.milliseconds("from", query)
            toMilliseconds = try Self.milliseconds("to", query)
            guard toMilliseconds > fromMilliseconds else { throw refusal("to must be after from") }
        }

        var from: Timestamp { Self.timestamp(fromMilliseconds) }
        var to: Timestamp { Self.timestamp(toMilliseconds) }

        private static func milliseconds(_ name: String, _ query: SenderQuery) throws(Refusal) -> Int64 {
            guard let text = query.values(name).first, !text.isEmpty else { throw refusal("missing \(name)") }
            guard let value = Int64(text) else { throw refusal("invalid \(name): must be epoch milliseconds") }
            return value
        }

        /// The lowest of all stands for no time at all.
        private static func timestamp(_ milliseconds: Int64) -> Timestamp {
            let (product, overflows) = milliseconds.multipliedReportingOverflow(by: 1_000)
            return Timestamp(microseconds: overflows ? (milliseconds < 0 ? .min + 1 : .max) : product)
        }
    }
}
