package import Samples
package import Storage
import Wire

/// Whole native bodies, one a line, that any receiver of the native format takes: each is a delivery of its own.
package struct NativeFormat: ExportFormat {
    /// What a phone's body is at most.
    package static let standardBodyBytes = 1_000_000

    private let maximumBytes: Int
    private let now: @Sendable () -> Timestamp
    private let randomBytes: @Sendable (Int) -> [UInt8]
    private var object = SampleObject(isForReader: true)
    private var time = TimeText()
    /// The body so far, without its end; empty when there is none.
    private var body: [UInt8] = []
    private var tail: [UInt8] = []
    private var sampleBytes: [UInt8] = []
    private var hasSamples = false
    private var seriesID: Int64?
    private var owner: (person: [UInt8], device: [UInt8])?
    /// Why no sample of the series can be written; nil when they can.
    private var omission: Omission?

    /// - Parameters:
    ///   - maximumBytes: of a body, its line end not counted; one sample that is longer makes a longer one.
    ///   - now: for `sent_at` and the delivery's id.
    ///   - randomBytes: for the delivery's id.
    package init(
        maximumBytes: Int = NativeFormat.standardBodyBytes, now: @escaping @Sendable () -> Timestamp,
        randomBytes: @escaping @Sendable (Int) -> [UInt8]
    ) {
        self.maximumBytes = maximumBytes
        self.now = now
        self.randomBytes = randomBytes
    }

    package var isOneRecordAFile: Bool { true }

    package mutating func append(
        _ sample: borrowing StoredSample, of series: StoredSeries, _ texts: StoredTexts, to page: inout ExportPage
    ) throws(StoreError) -> Omission? {
        if seriesID != series.id { enter(series, &page) }
        if let omission { return omission }
        sampleBytes.removeAll(keepingCapacity: true)
        try object.append(sample, of: series, texts, to: &sampleBytes)
        if hasSamples, body.count + 1 + sampleBytes.count + tail.count > maximumBytes { finish(&page) }
        if body.isEmpty { begin(series.device) }
        if hasSamples { body.append(UInt8(ascii: ",")) }
        hasSamples = true
        body += sampleBytes
        return nil
    }

    package mutating func finish(_ page: inout ExportPage) {
        guard hasSamples else { return }
        body += tail
        if body.count > maximumBytes { page.oversized += 1 }
        page.bytes += body
        page.bytes.append(0x0A)
        page.endRecord()
        body.removeAll(keepingCapacity: true)
        hasSamples = false
    }

    /// A body has one device, which belongs to a person.
    private mutating func enter(_ series: StoredSeries, _ page: inout ExportPage) {
        seriesID = series.id
        if let owner, owner.person == series.person.bytes, owner.device == series.device.bytes {
        } else {
            finish(&page)
            owner = (series.person.bytes, series.device.bytes)
        }
        omission = nil
        if !isTypeName(series.type.bytes) { omission = .type }
        if !Self.isDevice(series.device.bytes) { omission = .device }
    }

    private static func isDevice(_ name: [UInt8]) -> Bool {
        1...1_024 ~= name.count && !name.contains(0) && String(validating: name, as: UTF8.self) != nil
    }

    private mutating func begin(_ device: StoredText) {
        body.append("{\"v\":1,\"type\":\"sync\",\"device\":")
        body += device.json
        body.append(",\"samples\":[")
        let sentAt = now()
        tail.removeAll(keepingCapacity: true)
        tail.append("],\"deleted\":[],\"acks\":[],\"more\":false,\"delivery\":{\"destination\":\"wh_export\",\"id\":\"")
        tail += deliveryID(sentAt)
        tail.append("\",\"index\":0,\"count\":1,\"sent_at\":\"")
        time.append(Timestamp(microseconds: sentAt.microseconds / 1_000_000 * 1_000_000), to: &tail)
        tail.append("\"}}")
    }

    /// A uuid of version 7: RFC 9562 section 5.7.
    private func deliveryID(_ time: Timestamp) -> [UInt8] {
        let random = randomBytes(10).reduce((UInt64(0), UInt64(0))) { sum, byte in
            (sum.0 << 8 | sum.1 >> 56, sum.1 << 8 | UInt64(byte))
        }
        let milliseconds = UInt64(bitPattern: time.microseconds / 1_000)
        var id: [UInt8] = []
        id.append(
            uuidHigh: milliseconds << 16 | 0x7000 | random.0 & 0x0FFF, low: random.1 & ~(0b11 << 62) | 0b10 << 62)
        return lowercased(id)
    }

    private func lowercased(_ bytes: [UInt8]) -> [UInt8] { bytes.map(asciiLowercased) }
}
