import Samples

/// Everything of a row beside its clustered key, ready to be bound or compared.
@safe struct RowContent {
    var end: Int64?
    var value: Double?
    var valueName: Int64?
    var source: Int64?
    var kind: Int64
    var spelled: Int64
    var utcOffset: Int64?
    var rest: UnsafeBufferPointer<UInt8>

    /// - Parameters: `valueName` and `source` are numbers of the dictionaries.
    init(
        _ record: SampleRecord, valueName: Int64?, source: Int64?, isKeyEscaped: Bool, in arena: PinnedArena
    ) {
        end = record.end == .none ? nil : record.end.microseconds
        // No number is infinite in any of the formats; SQLite would store one, and no JSON could show it.
        value = record.value.flatMap { $0.isFinite ? $0 : nil }
        self.valueName = valueName
        self.source = source
        kind = Int64(record.kind.rawValue)
        spelled = StoredSpelling.column(
            record.spelled, value: value, isKeyEscaped: isKeyEscaped, grain: record.grain, rule: record.merge)
        utcOffset = record.utcOffsetMinutes.map(Int64.init)
        unsafe rest = unsafe arena.bytes(record.rest)
    }
}

/// What a row that goes or changes leaves to be settled elsewhere.
struct FormerRow {
    var endpoint: Int64
    var delivery: Int64
    var isSummary: Bool
    var end: Int64?
    var spelled: Int64
    /// Number of the type's text.
    var type: Int64 = 0
}

/// The statements on `sample`.
final class SampleRows {
    enum Insertion { case inserted, present }
    enum Comparison { case same, different(FormerRow) }

    private let connection: Connection
    private let changes: ChangeLog
    private let insertStatement, readStatement, updateStatement, removeStatement, dialectStatement: Statement
    /// What `insertStatement` has of it: the same for all rows of a batch.
    private var boundOrigin: SampleOrigin?

    init(_ connection: Connection, _ changes: ChangeLog) throws(StoreError) {
        self.connection = connection
        self.changes = changes
        insertStatement = try connection.prepare(
            """
            INSERT INTO sample (series, start, uuid, part, "end", value, value_name, source, kind, spelled, utc_offset, rest,
              dialect, endpoint, delivery)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15) ON CONFLICT DO NOTHING
            """)
        readStatement = try connection.prepare(
            """
            SELECT "end", value, value_name, source, kind, spelled, utc_offset, rest, endpoint, delivery FROM sample
            WHERE series = ?1 AND start = ?2 AND uuid = ?3 AND part = ?4
            """)
        updateStatement = try connection.prepare(
            """
            UPDATE sample SET "end" = ?5, value = ?6, value_name = ?7, source = ?8, kind = ?9, spelled = ?10,
              utc_offset = ?11, rest = ?12, dialect = ?13, endpoint = ?14, delivery = ?15
            WHERE series = ?1 AND start = ?2 AND uuid = ?3 AND part = ?4
            """)
        removeStatement = try connection.prepare(
            """
            DELETE FROM sample WHERE series = ?1 AND start = ?2 AND uuid = ?3 AND part = ?4
            RETURNING endpoint, delivery, kind, "end", spelled
            """)
        dialectStatement = try connection.prepare(
            "SELECT dialect FROM sample WHERE series = ?1 AND start = ?2 AND uuid = ?3 AND part = ?4")
    }

    func insert(
        _ place: SamplePlace, _ key: BoundKey, part: Int64, _ content: RowContent, _ origin: SampleOrigin
    ) throws(StoreError) -> Insertion {
        bind(insertStatement, place, key, part)
        bind(insertStatement, content)
        if boundOrigin != origin {
            bind(insertStatement, origin)
            boundOrigin = origin
        }
        try insertStatement.run()
        if connection.changes == 0 { return .present }
        changes.touch(place, end: content.end)
        if let wasThere = try changes.placed(place, key, part: part), wasThere {
            try changes.mark(place, key, part: part, wasThere: true)
        }
        return .inserted
    }

    /// Compares a row that is there with what was sent. Who sent it, and how, is not content.
    func compare(
        _ place: SamplePlace, _ key: BoundKey, part: Int64, _ content: RowContent
    ) throws(StoreError) -> Comparison {
        let row = readStatement
        bind(row, place, key, part)
        guard try row.step() else {
            throw StoreError(.damaged, detail: "a row of sample is gone within one transaction")
        }
        defer { row.reset() }
        let isRestSame = unsafe row.holds(7, content.rest)
        if isRestSame && row.optionalInteger(0) == content.end && row.double(1) == content.value
            && row.optionalInteger(2) == content.valueName && row.optionalInteger(3) == content.source
            && row.integer(4) == content.kind && row.integer(5) & ~StoredSpelling.wasThere == content.spelled
            && row.optionalInteger(6) == content.utcOffset
        {
            return .same
        }
        let isSummary = row.integer(4) == Int64(SampleKind.activitySummary.rawValue)
        return .different(
            FormerRow(
                endpoint: row.integer(8), delivery: row.integer(9), isSummary: isSummary, end: row.optionalInteger(0),
                spelled: row.integer(5)))
    }

    /// - Parameter former: the row as `compare` found it.
    func update(
        _ place: SamplePlace, _ key: BoundKey, part: Int64, from former: FormerRow, _ content: RowContent,
        _ origin: SampleOrigin
    ) throws(StoreError) {
        let noted = try changes.placed(place, key, part: part)
        let wasThere = noted ?? changes.wasThere(delivery: former.delivery, spelled: former.spelled)
        bind(updateStatement, place, key, part)
        bind(updateStatement, content)
        bind(updateStatement, origin)
        if wasThere { updateStatement.bind(10, content.spelled | StoredSpelling.wasThere) }
        try updateStatement.run()
        changes.touch(place, end: max(content.end ?? .min, former.end ?? .min))
    }

    /// - Returns: whose the row is; nil when there is none.
    func dialect(_ place: SamplePlace, _ key: BoundKey, part: Int64) throws(StoreError) -> Int64? {
        bind(dialectStatement, place, key, part)
        defer { dialectStatement.reset() }
        return try dialectStatement.step() ? dialectStatement.integer(0) : nil
    }

    /// - Parameter target: where the key's row is now; nil when it has none.
    /// - Returns: what the row was; nil when there was none.
    func remove(
        _ place: SamplePlace, _ key: BoundKey, part: Int64, movedTo target: SamplePlace? = nil
    ) throws(StoreError) -> FormerRow? {
        let row = removeStatement
        bind(row, place, key, part)
        guard try row.step() else { return nil }
        var former = FormerRow(
            endpoint: row.integer(0), delivery: row.integer(1),
            isSummary: row.integer(2) == Int64(SampleKind.activitySummary.rawValue), end: row.optionalInteger(3),
            spelled: row.integer(4))
        try row.run()
        let subject = try changes.subject(of: place.series)
        former.type = subject.type
        changes.touch(place, end: former.end)
        let wasThere = changes.wasThere(delivery: former.delivery, spelled: former.spelled)
        if let target, try changes.subject(of: target.series).type == subject.type {
            if wasThere { try changes.mark(target, key, part: part, wasThere: true) }
        } else {
            try changes.removed(subject, key, part: part, wasThere: wasThere)
        }
        return former
    }

    private func bind(_ statement: Statement, _ place: SamplePlace, _ key: BoundKey, _ part: Int64) {
        statement.bind(1, place.series)
        statement.bind(2, place.start)
        key.bind(statement, 3)
        statement.bind(4, part)
    }

    private func bind(_ statement: Statement, _ content: RowContent) {
        statement.bind(5, content.end)
        statement.bind(6, content.value)
        statement.bind(7, content.valueName)
        statement.bind(8, content.source)
        statement.bind(9, content.kind)
        statement.bind(10, content.spelled)
        statement.bind(11, content.utcOffset)
        if unsafe content.rest.isEmpty {
            statement.bindNull(12)
        } else {
            unsafe statement.bind(12, borrowedText: content.rest)
        }
    }

    private func bind(_ statement: Statement, _ origin: SampleOrigin) {
        statement.bind(13, origin.dialect)
        statement.bind(14, origin.endpoint)
        statement.bind(15, origin.delivery)
    }
}
