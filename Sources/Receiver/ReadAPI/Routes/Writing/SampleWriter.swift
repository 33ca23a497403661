import Insights
import Samples
import Storage
import Wire

/// Samples as `/samples`, `/latest` and `/changes` show them: the columns of the view `samples`, row by row.
struct SampleJSON {
    let includesBody: Bool
    private var body = SampleObject(isForReader: false)

    init(includesBody: Bool = false) { self.includesBody = includesBody }

    mutating func append(
        _ sample: borrowing StoredSample, of series: StoredSeries, _ texts: StoredTexts, to out: inout JSONOut
    ) throws(StoreError) {
        let source = try sample.source.map { (id) throws(StoreError) in try texts.source(id) }
        let valueName = try sample.valueName.map { (id) throws(StoreError) in try texts.text(id).json }
        let endpoint = try texts.endpoint(sample.endpoint).json
        let received = try texts.receivedAt(delivery: sample.delivery)
        // Closures can't capture what is borrowed.
        out.beginObject()
        out.name("uuid")
        out.value { SampleObject.appendKey(sample, to: &$0) }
        out.member("part", count: Int(sample.part))
        out.member("type", json: series.type.json)
        out.member("kind", word: sample.kind.name)
        out.member("value", sample.value)
        out.member("value_name", json: valueName)
        out.member("unit", json: series.unit?.json)
        out.member("start", sample.start)
        out.member("end", sample.end)
        out.name("utc_offset")
        if let offset = sample.utcOffsetMinutes { out.value(count: Int(offset)) } else { out.null() }
        out.object("source") {
            $0.member("app", json: source?.app?.json)
            $0.member("device", json: source?.device?.json)
        }
        out.member("device", json: series.device.json)
        out.member("endpoint", json: endpoint)
        out.member("received_at", received)
        if includesBody {
            out.name("body")
            try out.value { (bytes: inout [UInt8]) throws(StoreError) in
                try body.append(sample, of: series, texts, to: &bytes)
            }
        }
        out.endObject()
    }
}

/// The same as lines of CSV.
struct SampleCSV {
    static let header =
        "uuid,part,type,kind,value,value_name,unit,start,end,utc_offset,source.app,source.device,device,endpoint,received_at"

    let includesBody: Bool
    private var body = SampleObject(isForReader: false)
    private var scratch: [UInt8] = []

    init(includesBody: Bool = false) { self.includesBody = includesBody }

    func emptyTable(reservingBytes: Int = 0) -> CSVOut {
        CSVOut(header: includesBody ? Self.header + ",body" : Self.header, reservingBytes: reservingBytes)
    }

    mutating func append(
        _ sample: borrowing StoredSample, of series: StoredSeries, _ texts: StoredTexts, to out: inout CSVOut
    ) throws(StoreError) {
        try appendFields(sample, of: series, texts, to: &out)
        out.endLine()
    }

    /// The fields without a line's end.
    mutating func appendFields(
        _ sample: borrowing StoredSample, of series: StoredSeries, _ texts: StoredTexts, to out: inout CSVOut
    ) throws(StoreError) {
        let source = try sample.source.map { (id) throws(StoreError) in try texts.source(id) }
        scratch.removeAll(keepingCapacity: true)
        switch sample.key {
        case .text: scratch += sample.keyText
        case .uuid(let high, let low): scratch.append(uuidHigh: high, low: low)
        }
        out.field(bytes: scratch)
        out.field(count: Int(sample.part))
        out.field(bytes: series.type.bytes)
        out.field(word: sample.kind.name)
        out.field(sample.value)
        if let id = sample.valueName { out.field(bytes: try texts.text(id).bytes) } else { out.empty() }
        out.field(bytes: series.unit?.bytes ?? [])
        out.field(sample.start)
        out.field(sample.end)
        out.field(count: sample.utcOffsetMinutes.map { Int($0) })
        out.field(bytes: source?.app?.bytes ?? [])
        out.field(bytes: source?.device?.bytes ?? [])
        out.field(bytes: series.device.bytes)
        out.field(bytes: try texts.endpoint(sample.endpoint).bytes)
        out.field(try texts.receivedAt(delivery: sample.delivery))
        if includesBody {
            scratch.removeAll(keepingCapacity: true)
            try body.append(sample, of: series, texts, to: &scratch)
            out.field(bytes: scratch)
        }
    }
}
