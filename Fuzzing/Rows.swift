import Samples
import Wire

/// The reader's records, or its fault, beside those of a reader that goes byte by byte.
func fuzzCSV(_ input: [UInt8]) {
    readCSV(input)
    let context = DecodeContext()
    do throws(DecodeFault) {
        checkBatch(try CSVDecoder.decode(padded(input), context: context).batch)
    } catch {
        checkFault(error, input)
    }
}

private func readCSV(_ input: [UInt8]) {
    let body = padded(input)
    var records: [[[UInt8]]] = []
    var isRefused = false
    do throws(CSVFault) {
        var reader = try CSVReader(body, maximumFields: 32)
        while try reader.next() {
            records.append(reader.fields.map { $0.hasEscapes ? reader.unescaped($0) : Array(input[$0.range]) })
        }
    } catch {
        isRefused = true
        check(0...input.count ~= error.offset && error.line > 0, "a fault outside of the text")
    }
    let naive = naiveCSV(input, maximumFields: 32)
    check(
        isRefused == (naive == nil),
        "CSV \(isRefused ? "refused" : "accepted") against the plain reader: \(text(input))")
    guard !isRefused, let naive else { return }
    check(records == naive, "CSV read as \(records.map { $0.map(text) }), plainly as \(naive.map { $0.map(text) })")
    // What is written reads back the same.
    var written: [UInt8] = []
    for record in records where record != [[]] {
        for (index, field) in record.enumerated() {
            if index > 0 { written.append(UInt8(ascii: ",")) }
            CSVWriter.append(field: field.span, to: &written)
        }
        written += CSVWriter.lineEnd
    }
    // A first field that begins with a mark would be taken for the file's own.
    guard !written.starts(with: [0xEF, 0xBB, 0xBF]) else { return }
    check(
        naiveCSV(written, maximumFields: 32) == records.filter { $0 != [[]] }, "CSV written otherwise than it was read")
}

/// RFC 4180 by the letter, in states, one byte at a time; nil for a text that breaks it.
private func naiveCSV(_ input: [UInt8], maximumFields: Int) -> [[[UInt8]]]? {
    guard String(validating: input, as: UTF8.self) != nil else { return nil }
    enum State { case start, plain, quoted, quoteInQuoted }
    var records: [[[UInt8]]] = [], record: [[UInt8]] = [], field: [UInt8] = []
    var state = State.start, wasQuoted = false
    var at = input.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    func isLineEnd(_ at: Int) -> Bool {
        input[at] == 0x0A || input[at] == 0x0D && at + 1 < input.count && input[at + 1] == 0x0A
    }
    while at < input.count {
        let byte = input[at]
        if state == .quoted {
            if byte == 0x22 { state = .quoteInQuoted } else { field.append(byte) }
            at += 1
            continue
        }
        if byte == 0x22, state == .quoteInQuoted {
            field.append(byte)
            state = .quoted
        } else if byte == 0x22, state == .start {
            state = .quoted
            wasQuoted = true
        } else if byte == 0x2C {
            record.append(field)
            guard record.count < maximumFields else { return nil }
            (field, state, wasQuoted) = ([], .start, false)
        } else if isLineEnd(at) {
            if byte == 0x0D { at += 1 }
            if !(record.isEmpty && field.isEmpty && !wasQuoted) { records.append(record + [field]) }
            (record, field, state, wasQuoted) = ([], [], .start, false)
        } else {
            guard state == .start || state == .plain, byte != 0x22, byte != 0x0D else { return nil }
            field.append(byte)
            state = .plain
        }
        at += 1
    }
    guard state != .quoted else { return nil }
    if !(record.isEmpty && field.isEmpty && !wasQuoted) { records.append(record + [field]) }
    return records
}

/// Points that were read, written and read again are the same; the decoder's batch holds what it must.
func fuzzLineProtocol(_ input: [UInt8]) {
    if let points = readLines(input) {
        var written: [UInt8] = []
        for point in points { point.write(to: &written) }
        if let again = readLines(written) {
            check(again == points.map(\.asWritten), "line protocol written as \(text(written)) reads back another")
        } else {
            check(false, "line protocol that we wrote is refused: \(text(written))")
        }
    }
    do throws(DecodeFault) {
        checkBatch(try LineProtocolDecoder.decode(padded(input), context: DecodeContext()).batch)
    } catch {
        checkFault(error, input)
    }
}

private struct Point: Equatable {
    enum Value: Equatable { case number([UInt8]), boolean(Bool), string([UInt8]) }
    var measurement: [UInt8], tags: [[[UInt8]]], fields: [[UInt8]], values: [Value], timestamp: Int64

    func write(to text: inout [UInt8]) {
        LineProtocolWriter.append(measurement: measurement.span, to: &text)
        for tag in tags {
            let key = tag[0], value = tag[1]
            if LineProtocolWriter.isEmpty(tag: key.span) || LineProtocolWriter.isEmpty(tag: value.span) { continue }
            text.append(UInt8(ascii: ","))
            LineProtocolWriter.append(tag: key.span, to: &text)
            text.append(UInt8(ascii: "="))
            LineProtocolWriter.append(tag: value.span, to: &text)
        }
        for (index, field) in fields.enumerated() {
            text.append(UInt8(ascii: index == 0 ? " " : ","))
            LineProtocolWriter.append(tag: field.span, to: &text)
            text.append(UInt8(ascii: "="))
            switch values[index] {
            case .number(let raw): text += raw
            case .boolean(let value): text += Array((value ? "true" : "false").utf8)
            case .string(let bytes): LineProtocolWriter.append(string: bytes.span, to: &text)
            }
        }
        text += Array(" \(timestamp)\n".utf8)
    }

    /// What the writer makes of it: blanks that break lines are spaces, backslashes at a name's end are gone.
    var asWritten: Point {
        func blanks(_ bytes: [UInt8]) -> [UInt8] { bytes.map { [0x09, 0x0A, 0x0D].contains($0) ? 0x20 : $0 } }
        func name(_ bytes: [UInt8]) -> [UInt8] {
            blanks(Array(bytes[..<((bytes.lastIndex { $0 != 0x5C } ?? -1) + 1)]))
        }
        var point = self
        point.measurement = name(measurement)
        point.tags = tags.map { $0.map(name) }.filter { !$0[0].isEmpty && !$0[1].isEmpty }
        point.fields = fields.map(name)
        point.values = values.map { if case .string(let bytes) = $0 { .string(blanks(bytes)) } else { $0 } }
        return point
    }
}

/// nil when it is refused, or holds names of backslashes alone, which the writer has no spelling for.
private func readLines(_ input: [UInt8]) -> [Point]? {
    var points: [Point] = []
    do throws(LineFault) {
        var reader = try LineProtocolReader(padded(input), maximumLineBytes: 4_096)
        var heads: [Int: (measurement: [UInt8], tags: [[[UInt8]]])] = [:]
        while try reader.next() {
            if reader.isNewHead {
                heads[reader.head] = (
                    reader.unescaped(reader.measurement, isMeasurement: true),
                    reader.tags.map { [reader.unescaped($0.key), reader.unescaped($0.value)] }
                )
            }
            guard let head = heads[reader.head] else {
                check(false, "a head is known before it was new")
                return nil
            }
            var point = Point(
                measurement: head.measurement, tags: head.tags,
                fields: reader.fields.map { reader.unescaped($0.key) }, values: [], timestamp: reader.timestamp)
            for field in reader.fields {
                switch field.kind {
                case .float: point.values.append(.number(Array(input[field.value.range])))
                case .integer: point.values.append(.number(Array(input[field.value.range]) + [UInt8(ascii: "i")]))
                case .unsigned: point.values.append(.number(Array(input[field.value.range]) + [UInt8(ascii: "u")]))
                case .boolean(let value): point.values.append(.boolean(value))
                case .string: point.values.append(.string(reader.unescaped(field.value, isString: true)))
                }
            }
            let written = point.asWritten
            // A name of backslashes alone has no spelling, a measurement that begins with # would be a comment.
            guard !written.measurement.isEmpty, written.measurement[0] != UInt8(ascii: "#"),
                !written.fields.contains([])
            else { return nil }
            points.append(point)
        }
    } catch {
        check(0...input.count ~= error.offset && error.line > 0, "a fault outside of the text")
        return nil
    }
    return points
}
