package import Samples

/// Which samples are read; what is nil or empty filters nothing.
package struct SampleFilter: Equatable, Sendable {
    package var types: [String] = []
    /// Start at or after this moment. With a bound, samples without a start are left out.
    package var from: Timestamp?
    /// Start before this moment.
    package var to: Timestamp?
    /// NAME of the endpoint that wrote the row last.
    package var endpoint: String?
    package var person: String?
    package var device: String?

    package init() {}
}

/// Reads stored samples front to back in constant memory, beside a server that writes.
///
/// Order: person, device, type and unit by their bytes, then start, key and part: one range of the clustered table a
/// series. It is read in slices, each in a read transaction of its own that ends before the caller writes a byte: one
/// long transaction would keep every checkpoint from shortening the log for as long as the reader on the other end takes.
/// So this is no snapshot: what is stored meanwhile may or may not come, and a sample that moves between two slices
/// (to another start, type or unit) may come twice or not at all. A backup is a snapshot.
package final class SampleExport {
    /// Rows that one transaction reads.
    package static let sliceRows = 4_096

    package let texts: StoredTexts
    /// The types of the filter of which there is no series.
    package private(set) var missingTypes: [String] = []
    /// How many persons and devices the series left to read have.
    package private(set) var persons = 0, devices = 0

    private let connection: Connection
    private let filter: SampleFilter
    private let endpoint: Int64?
    private let firstSlice, nextSlice, seriesStatement: Statement
    /// The numbers of the series that are left to read, the next one last.
    private var pending: [Int64] = []
    private var series: StoredSeries?
    private var row = StoredSample()
    /// Whether `row` is the last one that was handed out of `series`.
    private var isInside = false

    /// - Throws: `.missing` when nothing was ever stored here, and others of `StoreReader`.
    package init(directory: String, filter: SampleFilter) throws(StoreError) {
        let reader = try StoreReader(directory: directory)
        connection = reader.connection
        self.filter = filter
        texts = try StoredTexts(connection)
        let read = "SELECT \(StoredSample.columns) FROM sample AS k WHERE k.series = ?1 AND"
        let order = "ORDER BY k.start, k.uuid, k.part LIMIT \(Self.sliceRows)"
        firstSlice = try connection.prepare("\(read) k.start >= ?2 \(order)")
        nextSlice = try connection.prepare("\(read) (k.start, k.uuid, k.part) > (?2, ?3, ?4) \(order)")
        seriesStatement = try connection.prepare(
            """
            SELECT p.name, d.name, r.type, r.unit FROM series AS r JOIN device AS d ON d.id = r.device
              JOIN person AS p ON p.id = d.person WHERE r.id = ?1
            """)
        if let name = filter.endpoint {
            let statement = try connection.prepare("SELECT id FROM endpoint WHERE name = ?1")
            statement.bind(1, text: name)
            // No row has the number 0.
            endpoint = try statement.step() ? statement.integer(0) : 0
            statement.reset()
        } else {
            endpoint = nil
        }
        try findSeries()
    }

    /// Only numbers are kept: a hostile sender can make very many series.
    private func findSeries() throws(StoreError) {
        let statement = try connection.prepare(
            """
            SELECT r.id, t.text, d.person, d.id FROM series AS r JOIN device AS d ON d.id = r.device
              JOIN person AS p ON p.id = d.person JOIN text AS t ON t.id = r.type LEFT JOIN text AS u ON u.id = r.unit
            WHERE (?1 IS NULL OR p.name = ?1) AND (?2 IS NULL OR d.name = ?2)
            ORDER BY p.name, d.name, t.text, u.text
            """)
        statement.bind(1, text: filter.person)
        statement.bind(2, text: filter.device)
        let wanted = Set(filter.types)
        var found: Set<String> = []
        var person: Int64?, device: Int64?
        while try statement.step() {
            if !wanted.isEmpty {
                let type = statement.text(1) ?? ""
                guard wanted.contains(type) else { continue }
                found.insert(type)
            }
            pending.append(statement.integer(0))
            if statement.integer(2) != person { persons += 1 }
            if statement.integer(3) != device { devices += 1 }
            (person, device) = (statement.integer(2), statement.integer(3))
        }
        pending.reverse()
        missingTypes = filter.types.filter { !found.contains($0) }
    }

    /// Hands out the next rows, in order, in one read transaction.
    ///
    /// - Parameter take: returns false to end the slice behind this row, since its memory is full.
    /// - Returns: false when there is nothing more.
    package func readSlice(
        _ take: (borrowing StoredSample, StoredSeries) throws(StoreError) -> Bool
    ) throws(StoreError) -> Bool {
        guard let series = try currentSeries() else { return false }
        let statement = isInside ? nextSlice : firstSlice
        bind(statement, series: series.id)
        defer { statement.reset() }
        var rows = 0
        while try statement.step() {
            rows += 1
            try row.read(statement)
            isInside = true
            if let end = filter.to, row.start >= end {
                self.series = nil
                return true
            }
            if let endpoint, row.endpoint != endpoint { continue }
            if try !take(row, series) { return true }
        }
        if rows < Self.sliceRows { self.series = nil }
        return true
    }

    private func bind(_ statement: Statement, series: Int64) {
        statement.bind(1, series)
        guard isInside else {
            // Rows without a start have the lowest there is.
            let lowest = filter.to == nil ? Int64.min : Int64.min + 1
            return statement.bind(2, filter.from?.microseconds ?? lowest)
        }
        statement.bind(2, row.start.microseconds)
        switch row.key {
        case .text: statement.bind(3, text: row.keyText)
        case .uuid(let high, let low):
            let bytes = [high, low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * $0)) } }
            statement.bind(3, blob: bytes)
        }
        statement.bind(4, row.part)
    }

    private func currentSeries() throws(StoreError) -> StoredSeries? {
        if let series { return series }
        guard let id = pending.popLast() else { return nil }
        let statement = seriesStatement
        statement.bind(1, id)
        defer { statement.reset() }
        guard try statement.step() else { throw StoreError(.damaged, detail: "a series is gone") }
        let unit = statement.optionalInteger(3)
        let found = StoredSeries(
            id: id, person: StoredText(statement.bytes(0)), device: StoredText(statement.bytes(1)),
            type: try texts.text(statement.integer(2)),
            unit: try unit.map { (id) throws(StoreError) in try texts.text(id) })
        series = found
        isInside = false
        return found
    }
}
