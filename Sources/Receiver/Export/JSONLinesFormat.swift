package import Storage
import Samples
import Wire

/// One JSON object a sample, of the shape of `schemas/export.schema.json`: what the view `samples` tells of it, its `body`
/// as `sample`.
package struct JSONLinesFormat: ExportFormat {
    private var object = SampleObject(isForReader: false)
    private var time = TimeText()

    package init() {}

    package mutating func append(
        _ sample: borrowing StoredSample, of series: StoredSeries, _ texts: StoredTexts, to page: inout ExportPage
    ) throws(StoreError) -> Omission? {
        page.bytes.append("{\"person\":")
        page.bytes += series.person.json
        page.bytes.append(",\"device\":")
        page.bytes += series.device.json
        page.bytes.append(",\"endpoint\":")
        page.bytes += try texts.endpoint(sample.endpoint).json
        page.bytes.append(",\"dialect\":\"")
        page.bytes += sample.dialect.rawValue.utf8
        page.bytes.append("\",\"kind\":\"")
        page.bytes += sample.kind.name.utf8
        page.bytes.append("\",\"received_at\":")
        if let received = try texts.receivedAt(delivery: sample.delivery) {
            page.bytes.append(UInt8(ascii: "\""))
            time.append(received, to: &page.bytes)
            page.bytes.append(UInt8(ascii: "\""))
        } else {
            page.bytes.append("null")
        }
        page.bytes.append(",\"utc_offset\":")
        if let offset = sample.utcOffsetMinutes {
            page.bytes.append(decimal: Int64(offset))
        } else {
            page.bytes.append("null")
        }
        page.bytes.append(",\"value\":")
        if let value = sample.value { page.bytes.append(number: value) } else { page.bytes.append("null") }
        if sample.part != 0 {
            page.bytes.append(",\"part\":")
            page.bytes.append(decimal: sample.part)
        }
        if sample.grain != .raw || sample.merge != .replace {
            page.bytes.append(",\"grain\":\"")
            page.bytes.append(sample.grain.name)
            page.bytes.append("\",\"merge\":\"")
            page.bytes.append(sample.merge.name)
            page.bytes.append(UInt8(ascii: "\""))
        }
        page.bytes.append(",\"sample\":")
        try object.append(sample, of: series, texts, to: &page.bytes)
        page.bytes.append("}\n")
        page.endRecord()
        return nil
    }
}
