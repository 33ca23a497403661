import Samples
package import Storage

/// The series that a person has of one type: one a device and unit.
struct TypeSeries {
    struct Series {
        var id: Int64
        var unit: [UInt8]?
        var facts = SeriesFacts()
    }

    var person: Person
    var type: String
    var series: [Series]

    var flags: WeekFacts.Flags { series.reduce([]) { $0.union($1.facts.flags) } }
    var rows: Int { series.reduce(0) { $0 + $1.facts.rows } }

    /// By row of `source`.
    var rowsOfSources: [Int64: Int] {
        var found: [Int64: Int] = [:]
        for series in series { found.merge(series.facts.sources) { $0 + $1 } }
        return found
    }

    /// The kind of most rows; of others than quantities the first one that there is.
    var sampleKind: SampleKind {
        let kinds = series.reduce(0) { $0 | $1.facts.kinds }
        let quantities = series.reduce(0) { $0 + $1.facts.quantities }
        if quantities * 2 >= rows && quantities > 0 { return .quantity }
        return SampleKind.allCases.first { $0 != .quantity && kinds >> Int64($0.rawValue) & 1 == 1 } ?? .other
    }

    /// The unit of most rows.
    var usualUnit: [UInt8]? {
        var rows: [[UInt8]?: Int] = [:]
        for series in series { rows[series.unit, default: 0] += series.facts.rows }
        return rows.max { left, right in
            left.value != right.value
                ? left.value < right.value : (left.key ?? []).lexicographicallyPrecedes(right.key ?? [])
        }?.key ?? nil
    }

    /// The first and last week with rows that may touch a time, those without a start not counted.
    var span: ClosedRange<Int64>? {
        let low = WeekFacts.week(of: LocalCalendar.times.lowerBound)
        let high = WeekFacts.week(of: LocalCalendar.times.upperBound)
        var span: ClosedRange<Int64>?
        for series in series {
            let weeks = series.facts.weeks.filter { low...high ~= $0.week }
            guard let first = weeks.first, let last = weeks.last else { continue }
            let latest = weeks.reduce(last.week) { max($0, min(WeekFacts.week(of: $1.latestEnd), high)) }
            span = span.map { min($0.lowerBound, first.week)...max($0.upperBound, latest) } ?? first.week...latest
        }
        return span
    }
}

/// What is to be made of the numbers of a type.
struct FigurePlan {
    var kind: FigureKind
    var aggregation: CatalogType.Aggregation?
    var unit: [UInt8]?
    /// For each series.
    var conversions: [ToUnit]

    init(_ type: TypeSeries, _ catalog: Catalog) {
        let known = catalog.type(named: type.type.utf8)
        let usual = type.usualUnit
        if let known {
            aggregation = known.kind == .category ? nil : known.aggregation ?? .arithmetic
            unit = known.kind == .category ? nil : known.unit.map { Array($0.utf8) } ?? usual
        } else {
            // What nothing is known of is not added up.
            aggregation = type.sampleKind == .quantity ? .arithmetic : nil
            unit = aggregation == nil ? nil : usual
        }
        kind = FigureKind(aggregation)
        conversions = []
        for series in type.series {
            if kind == .duration || series.unit == unit {
                conversions.append(.same)
            } else if let from = series.unit, let unit,
                let conversion = known.flatMap({ catalog.conversion(from: from, to: $0) })
                    ?? catalog.conversion(from: from, to: unit)
            {
                conversions.append(conversion.isIdentity ? .same : .converted(conversion))
            } else {
                conversions.append(.unknown)
            }
        }
    }

    var unitText: String? {
        kind == .duration ? "s" : unit.map { String(decoding: $0, as: UTF8.self) }
    }
}

extension ReadModel {
    /// By name: those of the configuration, and whoever has samples.
    package func persons() throws(StoreError) -> [Person] {
        let statement = try store.connection.prepare(
            """
            SELECT DISTINCT p.name FROM person AS p JOIN device AS d ON d.person = p.id JOIN series AS r ON r.device = d.id
            """)
        var names = Set(setup.persons.map(\.name))
        while try statement.step() { names.insert(statement.text(0) ?? "") }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map(person(named:))
    }

    /// The series of a person, by type; without facts.
    ///
    /// - Parameter type: nil for all.
    func series(of person: Person, type: String?) throws(StoreError) -> [TypeSeries] {
        let statement = try store.connection.prepare(
            """
            SELECT t.text, r.id, u.text FROM person AS p JOIN device AS d ON d.person = p.id
              JOIN series AS r ON r.device = d.id JOIN text AS t ON t.id = r.type LEFT JOIN text AS u ON u.id = r.unit
            WHERE p.name = ?1 AND (?2 IS NULL OR t.text = ?2) ORDER BY t.text, r.id
            """)
        statement.bind(1, text: person.name)
        statement.bind(2, text: type)
        var found: [TypeSeries] = []
        while try statement.step() {
            let name = statement.text(0) ?? ""
            let series = TypeSeries.Series(
                id: statement.integer(1), unit: statement.isNull(2) ? nil : statement.bytes(2))
            if found.last.map({ $0.type.utf8.elementsEqual(name.utf8) }) == true {
                found[found.count - 1].series.append(series)
            } else {
                found.append(TypeSeries(person: person, type: name, series: [series]))
            }
        }
        return found
    }
}
