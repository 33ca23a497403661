package import Samples

/// The total of a day.
package struct StepTotal: Equatable, Sendable {
    package var date: CivilDate
    package var steps: Int64
}

extension StoreReader {
    /// Day totals of steps under their dates, in the order of these; days without one are left out.
    package func stepTotals(
        person: String, device: [UInt8], from: CivilDate, to: CivilDate
    ) throws(StoreError) -> [StepTotal] {
        let statement = try connection.prepare(
            """
            SELECT CAST(k.uuid AS TEXT), s.value FROM device AS d JOIN person AS p ON p.id = d.person
              JOIN sample_key AS k ON k.device = d.id AND k.uuid BETWEEN ?3 AND ?4
              JOIN sample AS s ON s.series = k.series AND s.start = k.start AND s.uuid = k.uuid AND s.part = k.part
            WHERE p.name = ?1 AND d.name = ?2 AND k.part = 0 AND s.dialect = ?5 ORDER BY k.uuid
            """)
        statement.bind(1, text: person)
        statement.bind(2, text: device)
        statement.bind(3, text: StepsDay.key(from))
        statement.bind(4, text: StepsDay.key(to))
        statement.bind(5, Dialect.steps.code)
        var found: [StepTotal] = []
        while try statement.step() {
            guard let key = statement.text(0), let steps = statement.double(1).flatMap({ Int64(exactly: $0) }),
                let date = CivilDate.parse(Array(key.utf8.suffix(10)).span), StepsDay.key(date) == key
            else { continue }
            found.append(StepTotal(date: date, steps: steps))
        }
        return found
    }
}
