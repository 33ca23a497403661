import Samples
import Storage

/// One change of `/changes`.
struct ChangeWriter {
    private var sample = SampleJSON()

    init() {}

    mutating func append(_ change: Change, _ texts: StoredTexts, to out: inout JSONOut) throws(StoreError) {
        out.beginObject()
        out.member("op", word: change.operation.rawValue)
        out.member("type", json: change.type.json)
        out.member("device", json: change.device.json)
        out.name("uuid")
        switch change.key {
        case .text: out.value(json: StoredText(change.keyText).json)
        case .uuid(let high, let low):
            out.value { bytes in
                bytes.append(UInt8(ascii: "\""))
                bytes.append(uuidHigh: high, low: low)
                bytes.append(UInt8(ascii: "\""))
            }
        }
        out.member("part", count: Int(change.part))
        if let stored = change.stored {
            out.name("sample")
            try sample.append(stored.sample, of: stored.series, texts, to: &out)
        }
        out.endObject()
    }

    static let header =
        "op,type,device,uuid,part,sample.kind,sample.value,sample.value_name,sample.unit,sample.start,sample.end,sample.utc_offset,sample.source.app,sample.source.device,sample.endpoint,sample.received_at"

    static func append(_ change: Change, _ texts: StoredTexts, to out: inout CSVOut) throws(StoreError) {
        out.field(word: change.operation.rawValue)
        out.field(bytes: change.type.bytes)
        out.field(bytes: change.device.bytes)
        var key = change.keyText
        if case .uuid(let high, let low) = change.key {
            key = []
            key.append(uuidHigh: high, low: low)
        }
        out.field(bytes: key)
        out.field(count: Int(change.part))
        if let (sample, series) = change.stored {
            let source = try sample.source.map { (id) throws(StoreError) in try texts.source(id) }
            out.field(word: sample.kind.name)
            out.field(sample.value)
            if let id = sample.valueName { out.field(bytes: try texts.text(id).bytes) } else { out.empty() }
            out.field(bytes: series.unit?.bytes ?? [])
            out.field(sample.start)
            out.field(sample.end)
            out.field(count: sample.utcOffsetMinutes.map { Int($0) })
            out.field(bytes: source?.app?.bytes ?? [])
            out.field(bytes: source?.device?.bytes ?? [])
            out.field(bytes: try texts.endpoint(sample.endpoint).bytes)
            out.field(try texts.receivedAt(delivery: sample.delivery))
        } else {
            for _ in 0..<11 { out.empty() }
        }
        out.endLine()
    }
}
