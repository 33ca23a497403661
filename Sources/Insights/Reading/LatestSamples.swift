package import Storage

extension ReadModel {
    /// Hands out the newest sample of each type of a person, by type: the last in the order of `samples`, so one step
    /// backwards a series.
    ///
    /// - Parameter types: nil for all.
    package func latest(
        of person: String, types: Set<String>?,
        _ take: (borrowing StoredSample, StoredSeries) throws(StoreError) -> Void
    ) throws(StoreError) {
        try inTransaction { () throws(StoreError) in
            let connection = store.connection
            let list = try connection.prepare(
                """
                SELECT r.id, p.name, d.name, r.type, r.unit, t.text FROM person AS p JOIN device AS d ON d.person = p.id
                  JOIN series AS r ON r.device = d.id JOIN text AS t ON t.id = r.type
                  LEFT JOIN text AS u ON u.id = r.unit
                WHERE p.name = ?1 ORDER BY t.text, d.name, u.text, r.id
                """)
            list.bind(1, text: person)
            let lastStart = try connection.prepare(
                "SELECT start FROM sample WHERE series = ?1 ORDER BY start DESC LIMIT 1")
            let lastRow = try connection.prepare(
                """
                SELECT \(StoredSample.columns) FROM sample AS k WHERE k.series = ?1
                ORDER BY k.start DESC, k.uuid DESC, k.part DESC LIMIT 1
                """)
            var row = StoredSample()
            var newest: (series: SeriesRow, start: Int64)?

            func finish() throws(StoreError) {
                guard let found = newest else { return }
                newest = nil
                lastRow.bind(1, found.series.id)
                defer { lastRow.reset() }
                guard try lastRow.step() else { return }
                try row.read(lastRow)
                try take(row, try found.series.stored(texts))
            }

            while try list.step() {
                let series = SeriesRow(list)
                if series.type != newest?.series.type { try finish() }
                if let types, !types.contains(list.text(5) ?? "") { continue }
                lastStart.bind(1, series.id)
                let start = try lastStart.step() ? lastStart.integer(0) : nil
                lastStart.reset()
                // Of equal starts the series that comes later in the order.
                if let start, newest.map({ $0.start <= start }) ?? true { newest = (series, start) }
            }
            try finish()
        }
    }
}
