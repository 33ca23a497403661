@testable import Samples
import Wire

/// The first byte says how large slices are, and how low the limits. Read whole and in slices, a batch says the same or is
/// refused with the same fault.
func fuzzPuls(_ input: [UInt8]) {
    let (flags, body) = choice(input)
    var limits = PulsLimits()
    if flags & 0x10 != 0 { limits.maximumLineBytes = 300 }
    if flags & 0x20 != 0 { (limits.maximumCount, limits.maximumTotal) = (2, 3) }
    if flags & 0x40 != 0 { (limits.maximumLinePoints, limits.maximumPoints) = (1, 2) }
    var sliced: [String] = [], points: [String] = [], hasEnded = false
    let records = Int(flags & 0x0F) + 1
    let streamed = Result { () throws(DecodeFault) -> Void in
        do {
            try PulsDecoder.decode(padded(body), context: DecodeContext(), limits: limits, sliceRecords: records) {
                slice in
                check(!hasEnded, "a slice behind that with the deletions")
                checkBatch(slice)
                hasEnded = !slice.deletions.isEmpty
                sliced += described(slice)
                points += describedExtras(slice)
            }
        } catch { throw error as! DecodeFault }
    }
    let whole = Result { () throws(DecodeFault) in
        try PulsDecoder.decode(padded(body), context: DecodeContext(), limits: limits).batch
    }
    switch (whole, streamed) {
    case (.success(let whole), .success):
        checkBatch(whole)
        check(described(whole) == sliced, "slices \(sliced), whole \(described(whole))")
        check(describedExtras(whole) == points, "slices \(points), whole \(describedExtras(whole))")
    case (.failure(let whole), .failure(let streamed)):
        check(whole == streamed, "refused whole with \(whole), in slices with \(streamed)")
        checkFault(whole, body)
        check(whole.message.utf8.count < 700, "a message of \(whole.message.utf8.count) bytes")
        check(
            whole.message.unicodeScalars.allSatisfy { $0 == "…" || 0x20..<0x7F ~= $0.value },
            "a message that repeats the body: \(whole.message)")
    default: check(false, "whole \(whole), in slices \(streamed)")
    }
    fuzzPulsTypes(body)
}

/// Whatever an identifier is, its name leads back, and is asked for.
private func fuzzPulsTypes(_ identifier: [UInt8]) {
    let name = Catalog.builtIn.pulsType(ofIdentifier: identifier)
    check(Catalog.builtIn.pulsIdentifier(ofType: name) == identifier, "\(text(identifier)) is stored as \(text(name))")
    check(Catalog.builtIn.pulsTypes(ofIdentifier: identifier).first == name, "a query for another name")
}

/// Points and buckets as texts.
private func describedExtras(_ batch: SampleBatch) -> [String] {
    guard case .puls(let extras) = batch.extras else {
        check(false, "a batch without extras")
        return []
    }
    func text(_ index: BatchIndex) -> String { index < 0 ? "-" : String(decoding: batch.text(index), as: UTF8.self) }
    func series(_ index: BatchIndex) -> String {
        check(batch.series.indices.contains(Int(index)), "a point without its series")
        return "\(text(batch.series[Int(index)].type)) \(text(batch.series[Int(index)].unit))"
    }
    func bytes(_ range: ArenaRange) -> String {
        check(range.indices.upperBound <= batch.arenaBytes, "a context outside of the arena")
        return String(decoding: batch.bytes(range), as: UTF8.self)
    }
    check(extras.sampleLines <= batch.samples.count, "more sample lines than samples")
    for (index, sample) in batch.samples.enumerated() {
        if case .uuid = sample.key {
            check(index < extras.sampleLines, "a sample behind rows of ours")
        } else {
            check(index >= extras.sampleLines, "a row of ours among samples")
        }
    }
    var lines: [String] = []
    for point in extras.routePoints {
        check(point.latitude.isFinite && point.longitude.isFinite, "a point that is not finite")
        let numbers = [
            point.latitude, point.longitude, point.altitude, point.horizontalAccuracy, point.verticalAccuracy,
            point.speed, point.course,
        ]
        lines.append("\(point.workout) \(point.time) \(numbers) \(bytes(point.context))")
    }
    for point in extras.curvePoints {
        check(point.value.isFinite, "a point that is not finite")
        lines.append("\(point.workout) \(series(point.series)) \(point.time) \(point.value) \(bytes(point.context))")
    }
    for bucket in extras.aggregates {
        check(bucket.end > bucket.start && bucket.intervalValue >= 1, "a bucket that should have been refused")
        lines.append(
            """
            \(series(bucket.series)) \(text(bucket.function)) \(bucket.intervalValue) \(text(bucket.intervalUnit)) \
            \(text(bucket.deviceFilter)) \(bucket.start) \(bucket.end) \(bucket.value.map { "\($0)" } ?? "-") \
            \(bytes(bucket.contexts))
            """)
    }
    return lines
}
