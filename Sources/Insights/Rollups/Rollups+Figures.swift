import Storage

/// The days of one person and type that were worked out.
struct FigureSet: Equatable {
    var id: Int64
    /// Of all that the figures depend on beside rows and the order of sources.
    var key: Int64
    /// The sources that there were, by rank.
    var order: [Int64]
}

extension Rollups {
    func figureSet(person: String, type: String) throws(StoreError) -> FigureSet? {
        let statement = try file.connection.prepare(
            "SELECT id, key, sources FROM figure_set WHERE person = ?1 AND type = ?2")
        statement.bind(1, text: person)
        statement.bind(2, text: type)
        guard try statement.step() else { return nil }
        guard let bytes = FigureSeal.opened(statement.bytes(2), statement.integer(1)),
            let order = FigureBytes.decodeOrder(bytes)
        else {
            throw StoreError(.damaged, detail: "insights.db can't be read")
        }
        return FigureSet(id: statement.integer(0), key: statement.integer(1), order: order)
    }

    /// Makes a set, or gives it another key and order.
    ///
    /// - Parameter keepsDays: whether what was worked out is right with these, too.
    func putFigureSet(
        person: String, type: String, key: Int64, order: [Int64], keepsDays: Bool
    ) throws(StoreError) {
        let old = try figureSet(person: person, type: type)
        if let old, !keepsDays {
            for table in ["month", "day"] {
                let statement = try file.connection.prepare("DELETE FROM \(table) WHERE figures = ?1")
                statement.bind(1, old.id)
                try statement.run()
            }
        }
        let statement = try file.connection.prepare(
            """
            INSERT INTO figure_set (person, type, key, sources) VALUES (?1, ?2, ?3, ?4)
              ON CONFLICT (person, type) DO UPDATE SET key = excluded.key, sources = excluded.sources
            """)
        statement.bind(1, text: person)
        statement.bind(2, text: type)
        statement.bind(3, key)
        statement.bind(4, blob: FigureSeal.sealed(FigureBytes.encode(order: order), key))
        try statement.run()
    }

    func months(_ set: FigureSet) throws(StoreError) -> Set<Int> {
        let statement = try file.connection.prepare("SELECT month FROM month WHERE figures = ?1")
        statement.bind(1, set.id)
        var months: Set<Int> = []
        while try statement.step() { months.insert(Int(statement.integer(0))) }
        return months
    }

    func add(month: Int, to set: FigureSet) throws(StoreError) {
        try change("INSERT OR IGNORE INTO month VALUES (?1, ?2)", set, month)
    }

    /// Takes away a month that isn't complete any more, and its days: who asks for days doesn't ask for the month.
    func remove(month: Int, days: Range<Int>, of set: FigureSet) throws(StoreError) {
        try change("DELETE FROM month WHERE figures = ?1 AND month = ?2", set, month)
        let statement = try file.connection.prepare("DELETE FROM day WHERE figures = ?1 AND day >= ?2 AND day < ?3")
        statement.bind(1, set.id)
        statement.bind(2, days.lowerBound)
        statement.bind(3, days.upperBound)
        try statement.run()
    }

    private func change(_ sql: String, _ set: FigureSet, _ month: Int) throws(StoreError) {
        let statement = try file.connection.prepare(sql)
        statement.bind(1, set.id)
        statement.bind(2, month)
        try statement.run()
    }

    /// Puts figures in the place of all that some days had.
    func replace(
        _ set: FigureSet, _ days: ClosedRange<Int>, by figures: [Int64: BucketFigures], _ kind: FigureKind
    ) throws(StoreError) {
        let delete = try file.connection.prepare("DELETE FROM day WHERE figures = ?1 AND day BETWEEN ?2 AND ?3")
        delete.bind(1, set.id)
        delete.bind(2, days.lowerBound)
        delete.bind(3, days.upperBound)
        try delete.run()
        let insert = try file.connection.prepare("INSERT INTO day VALUES (?1, ?2, ?3)")
        for (day, content) in figures.sorted(by: { $0.key < $1.key }) {
            insert.bind(1, set.id)
            insert.bind(2, day)
            insert.bind(3, blob: FigureSeal.sealed(FigureBytes.encode(content, kind), set.id, day))
            try insert.run()
            insert.reset()
        }
    }

    /// In order.
    func days(
        _ set: FigureSet, _ days: ClosedRange<Int>, _ kind: FigureKind
    ) throws(StoreError) -> [(day: Int, figures: BucketFigures)] {
        let statement = try file.connection.prepare(
            "SELECT day, content FROM day WHERE figures = ?1 AND day BETWEEN ?2 AND ?3 ORDER BY day")
        statement.bind(1, set.id)
        statement.bind(2, days.lowerBound)
        statement.bind(3, days.upperBound)
        var found: [(day: Int, figures: BucketFigures)] = []
        while try statement.step() {
            guard let bytes = FigureSeal.opened(statement.bytes(1), set.id, statement.integer(0)),
                let figures = FigureBytes.decode(bytes, kind)
            else {
                throw StoreError(.damaged, detail: "insights.db can't be read")
            }
            found.append((Int(statement.integer(0)), figures))
        }
        return found
    }
}
