/// Notes what a submission changes, for whoever keeps a copy of the samples or of what was worked out from them.
///
/// Most of it is in the rows already: which delivery wrote them, and whether they were there before (`StoredSpelling.wasThere`).
/// What is not: where to look for them (`touched`), and rows that went or got another part (`change_note`).
final class ChangeLog {
    /// What `change_note.kind` holds. Stored: never reuse a number.
    enum Note: Int64 {
        case removed = 0
        /// The row of that key and part is another one now.
        case replaced = 1
        /// There was no row of that key and part.
        case added = 2
    }

    private let findNote, putNote, dropNote, seriesStatement, markStatement: Statement
    private var touched = TouchedSet()
    /// Of the change at hand.
    private(set) var number: Int64 = 0
    /// Rows that went, or got another part, in this change: else nothing is looked up.
    private(set) var hasNotes = false
    /// Something was changed since this was taken.
    private var isNews = false
    private var subjects: [Int64: Subject] = [:]

    struct Subject {
        var device: Int64
        var type: Int64
    }

    init(_ connection: Connection) throws(StoreError) {
        let key = "change = ?1 AND device = ?2 AND type = ?3 AND uuid = ?4 AND part = ?5"
        findNote = try connection.prepare("SELECT kind FROM change_note WHERE \(key)")
        putNote = try connection.prepare(
            """
            INSERT OR REPLACE INTO change_note (change, device, type, uuid, part, kind, series, start)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            """)
        dropNote = try connection.prepare("DELETE FROM change_note WHERE \(key)")
        seriesStatement = try connection.prepare("SELECT device, type FROM series WHERE id = ?1")
        markStatement = try connection.prepare(
            """
            UPDATE sample SET spelled = spelled & ~\(StoredSpelling.wasThere) | ?5
            WHERE series = ?1 AND start = ?2 AND uuid = ?3 AND part = ?4
            """)
    }

    /// Starts a change, forgetting one that failed half-way.
    func open(_ number: Int64) {
        self.number = number
        touched.removeAll()
        hasNotes = false
        subjects.removeAll(keepingCapacity: true)
    }

    /// Where the change touched rows, as it is stored; nil when nowhere.
    func close() -> [UInt8]? {
        if touched.isEmpty { return nil }
        isNews = true
        return touched.encoded()
    }

    /// Whether something was changed since this was asked before.
    func takeNews() -> Bool {
        defer { isNews = false }
        return isNews
    }

    // MARK: Rows

    func touch(_ place: SamplePlace, end: Int64?) { touched.note(series: place.series, start: place.start, end: end) }

    /// Whether the row's key was there before this change.
    func wasThere(delivery: Int64, spelled: Int64) -> Bool {
        delivery != number || spelled & StoredSpelling.wasThere != 0
    }

    /// A row of the key is at `place` now, and says itself that this change wrote it.
    ///
    /// - Returns: whether there was one before this change; nil when nothing of it was noted.
    func placed(_ place: SamplePlace, _ key: BoundKey, part: Int64) throws(StoreError) -> Bool? {
        if !hasNotes { return nil }
        let subject = try subject(of: place.series)
        guard let note = try note(subject, key, part) else { return nil }
        try drop(subject, key, part)
        return note != .added
    }

    /// The key has no row any more, as far as is known.
    ///
    /// - Parameter wasThere: whether the row that went was there before this change.
    func removed(_ subject: Subject, _ key: BoundKey, part: Int64, wasThere: Bool) throws(StoreError) {
        let note = hasNotes ? try self.note(subject, key, part) : nil
        if note == .added { return try drop(subject, key, part) }
        if wasThere || note != nil { try put(.removed, subject, key, part) }
    }

    /// The row's bit for a key that was there before.
    func mark(_ place: SamplePlace, _ key: BoundKey, part: Int64, wasThere: Bool) throws(StoreError) {
        markStatement.bind(1, place.series)
        markStatement.bind(2, place.start)
        key.bind(markStatement, 3)
        markStatement.bind(4, part)
        markStatement.bind(5, wasThere ? StoredSpelling.wasThere : 0)
        try markStatement.run()
    }

    /// Rows of one key have other parts now; whose they are stays as it was.
    func renumbered(_ moves: [(row: StoredRow, part: Int64)]) throws(StoreError) {
        for (row, _) in moves {
            touch(row.place, end: row.end)
            let subject = try subject(of: row.place.series)
            try row.key.withBound { (key) throws(StoreError) in
                try removed(
                    subject, key, part: row.part, wasThere: wasThere(delivery: row.delivery, spelled: row.spelled))
            }
        }
        for (row, part) in moves {
            let subject = try subject(of: row.place.series)
            try row.key.withBound { (key) throws(StoreError) in
                let note = try self.note(subject, key, part)
                let wasThere = note != nil && note != .added
                if row.delivery == number {
                    if note != nil { try drop(subject, key, part) }
                    try mark(row.place, key, part: part, wasThere: wasThere)
                } else {
                    try put(wasThere ? .replaced : .added, subject, key, part, at: row.place)
                }
            }
        }
    }

    // MARK: Statements

    func subject(of series: Int64) throws(StoreError) -> Subject {
        if let known = subjects[series] { return known }
        seriesStatement.bind(1, series)
        guard try seriesStatement.step() else { throw StoreError(.damaged, detail: "a series is gone") }
        let subject = Subject(device: seriesStatement.integer(0), type: seriesStatement.integer(1))
        seriesStatement.reset()
        if subjects.count >= 8_192 { subjects = [:] }
        subjects[series] = subject
        return subject
    }

    private func note(_ subject: Subject, _ key: BoundKey, _ part: Int64) throws(StoreError) -> Note? {
        bind(findNote, subject, key, part)
        defer { findNote.reset() }
        return try findNote.step() ? Note(rawValue: findNote.integer(0)) : nil
    }

    private func put(
        _ note: Note, _ subject: Subject, _ key: BoundKey, _ part: Int64, at place: SamplePlace? = nil
    ) throws(StoreError) {
        hasNotes = true
        bind(putNote, subject, key, part)
        putNote.bind(6, note.rawValue)
        putNote.bind(7, place?.series)
        putNote.bind(8, place?.start)
        try putNote.run()
    }

    private func drop(_ subject: Subject, _ key: BoundKey, _ part: Int64) throws(StoreError) {
        bind(dropNote, subject, key, part)
        try dropNote.run()
    }

    private func bind(_ statement: Statement, _ subject: Subject, _ key: BoundKey, _ part: Int64) {
        statement.bind(1, number)
        statement.bind(2, subject.device)
        statement.bind(3, subject.type)
        key.bind(statement, 4)
        statement.bind(5, part)
    }
}
