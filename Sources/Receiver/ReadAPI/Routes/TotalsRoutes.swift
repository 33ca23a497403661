import Insights
import Samples

/// What there is and what it comes to.
extension ReadRoutes {
    static let types = APIRoute(.get, "/api/v1/types", parameters: [.optional("person")]) { request in
        let person = try request.person()
        let types = try request.readModel()?.types(of: person.name).filter { request.grant.allows(type: $0.type) } ?? []
        return .bytes(request.format == .csv ? TypesWriter.csv(types) : TypesWriter.json(types, of: person))
    }

    static let buckets = APIRoute(
        .get, "/api/v1/buckets",
        parameters: [
            .required("type"), .required("from"), .required("to"), .optional("person"), .optional("by"),
            .optional("merge"), .optional("sources"),
        ]
    ) { request in
        let type = try request.requiredType()
        let person = try request.person()
        let range = try request.requiredRange(of: person)
        let query = BucketQuery(
            person: person.name, type: type, from: range.lowerBound, to: range.upperBound,
            size: try request.choice("by") ?? .day, rule: try request.choice("merge") ?? .priority,
            withSources: try request.flag("sources"))
        guard query.size.count(in: range, of: person) <= maximumBuckets else { throw APIProblem.tooManyBuckets }
        let series =
            try request.readModel()?.buckets(query)
            ?? BucketSeries(
                query: query, zoneName: person.zoneName, unit: nil, unconverted: 0, aggregation: nil, buckets: [])
        return .bytes(
            request.format == .csv ? BucketsWriter.csv(series, of: person) : BucketsWriter.json(series, of: person))
    }

    private static let maximumBuckets = 10_000

    /// A token for some types names one: the order among all sources counts the samples of all types.
    static let sources = APIRoute(
        .get, "/api/v1/sources", parameters: [.optional("person"), .optional("type")]
    ) { request in
        let type = try request.filledText("type")
        if let type { try request.requireType(type, parameter: "type") }
        if type == nil, request.grant.types != nil { throw APIProblem.missing("type") }
        let person = try request.person()
        let sources = try request.readModel()?.sources(of: person.name, type: type) ?? []
        return .bytes(request.format == .csv ? SourcesWriter.csv(sources) : SourcesWriter.json(sources))
    }
}

extension BucketSize {
    /// How many buckets a range touches, by what the person's clock shows at its ends; an hour that clocks show twice
    /// counts once.
    func count(in range: Range<Timestamp>, of person: Person) -> Int {
        guard range.lowerBound < range.upperBound else { return 0 }
        let last = Timestamp(microseconds: range.upperBound.microseconds - 1)
        return number(at: last, person.zone) - number(at: range.lowerBound, person.zone) + 1
    }

    /// The number of the bucket from some fixed one on. Times of a query are in the years 0 to 9999.
    private func number(at moment: Timestamp, _ zone: ZoneRules) -> Int {
        let local = Self.floor(Int(moment.microseconds), 1_000_000) + Int(zone.offsetSeconds(at: moment))
        let day = Self.floor(local, 86_400)
        let date = CivilDate(daysSince1970: Int32(clamping: day))
        switch self {
        case .hour: return Self.floor(local, 3_600)
        case .day: return day
        case .week: return Self.floor(day + 3, 7)  // 1970-01-01 was a Thursday
        case .month: return date.year * 12 + date.month
        case .year: return date.year
        }
    }

    private static func floor(_ value: Int, _ divisor: Int) -> Int {
        value / divisor - (value % divisor < 0 ? 1 : 0)
    }
}
