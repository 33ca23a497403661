import Glibc
@testable import Samples
import Wire

/// Checks what every reader of a batch relies on.
func checkBatch(_ batch: SampleBatch) {
    func isText(_ index: BatchIndex, orNone: Bool = true) -> Bool {
        index == -1 && orNone || batch.texts.indices.contains(Int(index))
    }
    for range in batch.texts {
        check(range.indices.upperBound <= batch.arena.count, "a text outside of the arena")
        check(String(validating: batch.bytes(range), as: UTF8.self) != nil, "a text that is not UTF-8")
    }
    for series in batch.series {
        check(isText(series.type, orNone: false) && isText(series.unit), "a series without its texts")
    }
    for source in batch.sources {
        check(
            isText(source.app) && isText(source.device) && source.app + source.device > -2, "a source without its texts"
        )
    }
    for sample in batch.samples {
        checkKey(sample.key, batch)
        check(batch.series.indices.contains(Int(sample.series)), "a sample without its series")
        check(sample.source == -1 || batch.sources.indices.contains(Int(sample.source)), "a sample without its source")
        check(isText(sample.valueName), "a sample without its name")
        check(sample.value?.isFinite ?? true, "a value that is not finite")
        check(sample.part >= 0, "a part below 0")
        check(sample.utcOffsetMinutes.map { -1_500...1_500 ~= $0 } ?? true, "an offset of more than a day")
        checkRest(Array(batch.bytes(sample.rest)))
    }
    for deletion in batch.deletions {
        checkKey(deletion.key, batch)
        check(isText(deletion.type), "a deletion without its type")
    }
    for skipped in batch.skipped {
        check(
            skipped.raw.indices.upperBound <= batch.arena.count && skipped.raw.count <= SkippedRecord.maximumRawBytes,
            "a skipped record's bytes")
        check(String(validating: batch.bytes(skipped.path), as: UTF8.self) != nil, "a path that is not UTF-8")
        check(String(validating: batch.bytes(skipped.raw), as: UTF8.self) != nil, "a skipped record that is not UTF-8")
    }
}

private func checkKey(_ key: SampleKey, _ batch: SampleBatch) {
    guard case .text(let range) = key else { return }
    check(1...256 ~= range.count && range.indices.upperBound <= batch.arena.count, "a key of \(range.count) bytes")
    check(String(validating: batch.bytes(range), as: UTF8.self) != nil, "a key that is not UTF-8")
}

/// `rest` is the inside of a JSON object.
private func checkRest(_ rest: [UInt8]) {
    guard !rest.isEmpty else { return }
    let object = [UInt8(ascii: "{")] + rest + [UInt8(ascii: "}")]
    do throws(JSONFault) {
        // One level deeper than the body's own may be cut, numbers have been respelled: the wider limits are enough.
        var json = try JSONScanner(PaddedBytes(object), limits: JSONLimits(maximumNumberBytes: 400))
        check(try json.kind() == .object, "no object")
        _ = try json.skip()
        try json.finish()
    } catch {
        check(
            error.reason == .tooDeep || error.reason == .numberOutOfRange, "rest is no JSON: \(error) in \(text(rest))")
    }
}

func checkFault(_ fault: DecodeFault, _ input: [UInt8]) {
    if let offset = fault.offset { check(0...input.count ~= offset, "a fault outside of the body: \(fault)") }
    if let line = fault.line {
        check(line >= 1 && line <= 1 + input.count { $0 == 0x0A }, "a fault in a line that isn't there: \(fault)")
    }
    check(
        !fault.code.isEmpty && fault.code.utf8.allSatisfy { $0 == 0x5F || 0x61...0x7A ~= $0 },
        "a code like \(fault.code)")
}

/// A batch as texts, one a record, equal where two batches say the same.
func described(_ batch: SampleBatch) -> [String] {
    func text(_ index: BatchIndex) -> String {
        index < 0 ? "-" : String(decoding: batch.text(index), as: UTF8.self).debugDescription
    }
    func key(_ key: SampleKey) -> String {
        switch key {
        case .uuid(let high, let low): "\(String(high, radix: 16)):\(String(low, radix: 16))"
        case .text(let range): String(decoding: batch.bytes(range), as: UTF8.self).debugDescription
        }
    }
    var lines: [String] = []
    for sample in batch.samples {
        let series = batch.series[Int(sample.series)]
        let source =
            sample.source < 0
            ? "-" : "\(text(batch.sources[Int(sample.source)].app))/\(text(batch.sources[Int(sample.source)].device))"
        lines.append(
            """
            \(key(sample.key)) \(sample.start.microseconds) \(sample.end.microseconds) \(sample.value.map { "\($0)" } ?? "-") \
            \(text(series.type)) \(text(series.unit)) \(source) \(text(sample.valueName)) \(sample.part) \(sample.day ?? -1) \
            \(sample.utcOffsetMinutes ?? -9_999) \(sample.kind) \(sample.spelled.rawValue) \(sample.merge) \(sample.grain) \
            \(String(decoding: batch.bytes(sample.rest), as: UTF8.self))
            """)
    }
    for deletion in batch.deletions { lines.append("deleted \(key(deletion.key)) \(text(deletion.type))") }
    return lines
}

private func skippedLines(_ batch: SampleBatch) -> [String] {
    batch.skipped.map {
        "\(String(decoding: batch.bytes($0.path), as: UTF8.self)) \($0.code) \(String(decoding: batch.bytes($0.raw), as: UTF8.self))"
    }
}

func fuzzNative(_ input: [UInt8]) {
    do throws(DecodeFault) {
        let decoded = try NativeDecoder.decode(padded(input))
        checkBatch(decoded.batch)
        check(decoded.device.map { String(validating: $0, as: UTF8.self) != nil } ?? true, "a device that is not UTF-8")
        // Tables that hash with this process's key, and the values, are the same a second time.
        check(
            described(decoded.batch) == described(try NativeDecoder.decode(padded(input)).batch),
            "another batch the second time")
    } catch {
        checkFault(error, input)
    }
}

/// The first byte says what the headers do. Read whole and in slices, a body gives the same records or the same fault.
func fuzzHealthAutoExport(_ input: [UInt8]) {
    let (flags, body) = choice(input)
    let aggregations = [nil, "none", "minutes", "hours", "days", "weeks", "months", "years"]
    let automation = Automation(
        isSyncky: flags & 1 != 0, hasName: flags & 2 != 0, aggregation: aggregations[Int(flags >> 2 & 7)],
        period: flags & 32 != 0 ? "Since Last Sync" : nil, session: flags & 64 != 0 ? [0x61] : nil)
    let offset: Int16 = flags & 128 != 0 ? 345 : -60
    let context = DecodeContext(automation: automation, offsetMinutes: { _ in offset })
    var slices: [String] = [], skipped: [String] = [], beyond = 0
    let streamed = Result { () throws(DecodeFault) -> Bool in
        do {
            return try HealthAutoExportDecoder.decode(
                padded(body), context: context, sliceRecords: 8, pieceBytes: 1 + Int(flags & 15)
            ) { slice in
                checkBatch(slice)
                check(!slice.samples.isEmpty || !slice.skipped.isEmpty || slice.skippedBeyond > 0, "an empty slice")
                slices += described(slice)
                skipped += skippedLines(slice)
                beyond += slice.skippedBeyond
            }
        } catch { throw error as! DecodeFault }
    }
    let whole = Result { () throws(DecodeFault) in try HealthAutoExportDecoder.decode(padded(body), context: context) }
    switch (whole, streamed) {
    case (.success(let whole), .success(let isTest)):
        checkBatch(whole.batch)
        check(whole.isTest == isTest, "a test whole and none in slices, or the other way round")
        check(described(whole.batch) == slices, "slices \(slices), whole \(described(whole.batch))")
        check(skippedLines(whole.batch) == skipped && whole.batch.skippedBeyond == beyond, "others skipped in slices")
    case (.failure(let whole), .failure(let streamed)):
        check(whole == streamed, "refused whole with \(whole), in slices with \(streamed)")
        checkFault(whole, body)
    default: check(false, "whole \(whole), in slices \(streamed)")
    }
}

/// A result's own bytes in a body of their own give the same result.
func fuzzResults(_ input: [UInt8]) {
    do throws(DecodeFault) {
        let results = try ResultsDecoder.decode(padded(input))
        for result in results {
            check(1...64 ~= result.id.utf8.count && result.version >= 1, "a result that should have been refused")
            check(result.json.count <= ResultsDecoder.maximumResultBytes, "a long result")
            let body = Array(#"{"v":1,"type":"results","results":["#.utf8) + result.json + Array("]}".utf8)
            check(try ResultsDecoder.decode(padded(body)) == [result], "a result that reads back another")
        }
    } catch {
        checkFault(error, input)
    }
}

/// RFC 3339 beside the C library's calendar; Health Auto Export's dates for what every user of theirs relies on.
func fuzzTime(_ input: [UInt8]) {
    if let read = Timestamp.parse(input.span) {
        let copy = Array(read.timestamp.text.utf8)
        let again = Timestamp.parse(copy.span)
        if 0...9_999 ~= calendar(read.timestamp).year {
            check(again?.timestamp == read.timestamp, "\(text(input)) is written \(text(copy))")
        }
        if read.isPlain,
            input.count == 20 || !read.timestamp.microseconds.isMultiple(of: 1_000_000) && input.count == 27
        {
            check(copy == input, "\(text(input)) is plain and written \(text(copy))")
        }
        if read.isUTC, input[17] != UInt8(ascii: "6") {
            var broken = tm()
            let number = { (range: Range<Int>) in CInt(String(decoding: input[range], as: UTF8.self)) ?? -1 }
            (broken.tm_year, broken.tm_mon, broken.tm_mday) = (number(0..<4) - 1_900, number(5..<7) - 1, number(8..<10))
            (broken.tm_hour, broken.tm_min, broken.tm_sec) = (number(11..<13), number(14..<16), number(17..<19))
            let seconds = Int64(timegm(&broken)), microseconds = read.timestamp.microseconds
            let floor = microseconds >= 0 ? microseconds / 1_000_000 : (microseconds - 999_999) / 1_000_000
            check(seconds == floor, "\(text(input)) is \(floor), the C library says \(seconds)")
        }
    }
    _ = CivilDate.parse(input.span)
    if let date = try? HAEDate(input.span, zone: { _ in 90 }) {
        check(date.timestamp.microseconds.magnitude < 1 << 54, "a date far away")
        check(
            date.seconds + Int64(date.offsetMinutes) * 60 == date.localSeconds,
            "\(text(input)): instant, offset and clock don't fit: \(date)")
        check(-1_500...1_500 ~= date.offsetMinutes, "an offset of more than a day")
    }
}

private func calendar(_ time: Timestamp) -> (year: Int, month: Int) {
    let microseconds = time.microseconds
    var seconds = Int(microseconds >= 0 ? microseconds / 1_000_000 : (microseconds - 999_999) / 1_000_000),
        broken = tm()
    gmtime_r(&seconds, &broken)
    return (Int(broken.tm_year) + 1_900, Int(broken.tm_mon))
}
