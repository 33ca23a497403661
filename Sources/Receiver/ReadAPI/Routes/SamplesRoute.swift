import Insights
import Samples
import Storage

extension ReadRoutes {
    /// What `include` takes.
    private enum Included: String, CaseIterable { case body }

    static let samples = APIRoute(
        .get, "/api/v1/samples",
        parameters: [
            .required("type"), .optional("person"), .optional("from"), .optional("to"), .optional("order"),
            .optional("limit"), .optional("cursor"), .optional("device"), .optional("source"), .optional("include"),
        ]
    ) { request in
        let type = try request.requiredType()
        let person = try request.person()
        let (from, to) = try request.range(of: person)
        let query = SampleQuery(
            person: person.name, type: type, from: from, to: to,
            order: try request.choice("order") ?? .ascending, device: try request.filledText("device"),
            source: try request.source(), after: try request.place(), limit: try request.limit())
        // A workout's body may tell of any type, in its statistics: it is for tokens of all types.
        let includesBody =
            try request.choice("include", Included.self) != nil && (type != "workout" || request.grant.types == nil)
        guard let model = try request.readModel() else {
            guard query.after == nil else { throw APIProblem.invalidCursor }
            return SamplePage(request, includesBody).answer(next: nil)
        }
        var page = SamplePage(request, includesBody)
        let texts = model.texts
        let end = try model.samples(query) { (sample, series) throws(StoreError) in
            try page.append(sample, of: series, texts)
            return page.bytes < SamplePage.fullBytes
        }
        switch end {
        case .foreignPlace: throw APIProblem.invalidCursor
        case .last: return page.answer(next: nil)
        case .more(let place): return page.answer(next: place.text)
        }
    }

    static let latest = APIRoute(.get, "/api/v1/latest", parameters: [.optional("person"), .optional("types")]) {
        request in
        let person = try request.person()
        let types = try request.types()
        var page = SamplePage(request, false)
        if let model = try request.readModel() {
            let texts = model.texts
            try model.latest(of: person.name, types: types) { (sample, series) throws(StoreError) in
                try page.append(sample, of: series, texts)
            }
        }
        return page.answer()
    }
}

/// Samples on their way out, in the form that was asked for.
private struct SamplePage {
    /// A page ends behind the sample that makes it as long as this: a body alone can have megabytes.
    static let fullBytes = 8 << 20

    private let request: APIRequest
    private let isCSV: Bool
    private var json = JSONOut()
    private var csv: CSVOut
    private var jsonWriter: SampleJSON
    private var csvWriter: SampleCSV

    init(_ request: APIRequest, _ includesBody: Bool) {
        self.request = request
        isCSV = request.format == .csv
        jsonWriter = SampleJSON(includesBody: includesBody)
        csvWriter = SampleCSV(includesBody: includesBody)
        csv = csvWriter.emptyTable()
        json.beginObject()
        json.name("samples")
        json.beginArray()
    }

    mutating func append(
        _ sample: borrowing StoredSample, of series: StoredSeries, _ texts: StoredTexts
    ) throws(StoreError) {
        if isCSV {
            try csvWriter.append(sample, of: series, texts, to: &csv)
        } else {
            try jsonWriter.append(sample, of: series, texts, to: &json)
        }
    }

    var bytes: Int { isCSV ? csv.bytes.count : json.bytes.count }

    /// `{"samples":[…]}`.
    consuming func answer() -> APIAnswer {
        if isCSV { return .bytes(csv.bytes) }
        json.endArray()
        json.endObject()
        return .bytes(json.finished())
    }

    /// `{"samples":[…],"next"}`; CSV has no place for it, there `next` is in the field `Link` alone.
    consuming func answer(next: String?) -> APIAnswer {
        let link = request.link(toNext: next)
        if isCSV { return .bytes(csv.bytes, fields: link) }
        json.endArray()
        json.member("next", word: next)
        json.endObject()
        return .bytes(json.finished(), fields: link)
    }
}
