import Samples
import Wire

/// Tags, records and routes are the same however the text is cut, and each `rest` is whole.
func fuzzXML(_ input: [UInt8]) {
    let (size, text) = choice(input)
    let step = Int(size) + 1
    let whole = decodeApple([text])
    let pieces = stride(from: 0, to: text.count, by: step).map { Array(text[$0..<min(text.count, $0 + step)]) }
    check(decodeApple(pieces) == whole, "an export read in pieces of \(step) is another")
    check(decodeRoute([text]) == decodeRoute(pieces), "a route read in pieces of \(step) is another")
}

private func decodeApple(_ pieces: [[UInt8]]) -> [String] {
    var decoder = AppleExportDecoder(sliceRecords: 3)
    var found: [String] = []
    let sink: AppleExportDecoder.Sink = { batch, _ in
        checkBatch(batch)
        for record in batch.samples {
            var key = "\(record.key)"
            if case .text(let range) = record.key { key = text(batch.bytes(range)) }
            found.append(
                "\(key) \(record.start) \(record.end) \(String(describing: record.value)) \(text(batch.bytes(record.rest)))"
            )
        }
    }
    do {
        for piece in pieces { try decoder.feed(piece.span, sink) }
        try decoder.finish(sink)
    } catch {
        check(false, "the decoder of exports has no faults")
    }
    return found
}

private func decodeRoute(_ pieces: [[UInt8]]) -> [String] {
    var decoder = RouteDecoder()
    for piece in pieces { decoder.feed(piece.span) }
    guard let batch = decoder.finish(nil) else { return [] }
    checkBatch(batch)
    return batch.samples.map { "\($0.key) \($0.part) \(text(batch.bytes($0.rest)))" }
}

/// No archive makes the reader ask for bytes that aren't there, or give out more than it says.
func fuzzZip(_ input: [UInt8]) {
    func read(_ offset: Int, _ count: Int) throws -> [UInt8] {
        check(offset >= 0 && count >= 0 && offset <= input.count - count, "bytes outside of the archive")
        return Array(input[offset..<offset + count])
    }
    guard let archive = try? ZipArchive(count: input.count, read: read) else { return }
    for entry in archive.entries.prefix(8) {
        guard let start = try? ZipArchive.dataOffset(of: entry, count: input.count, read: read) else { continue }
        let extractor = ZipExtractor(entry)
        var made = 0
        do {
            try extractor.extract(input[start..<start + entry.compressedBytes].span) { made += $0.count }
            try extractor.finish()
            check(made == entry.bytes, "another length than the directory's")
        } catch {
            check(error is ZipFault && made <= entry.bytes, "more than the directory says")
        }
    }
}
