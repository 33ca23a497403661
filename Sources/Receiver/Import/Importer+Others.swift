import Samples
import Storage
import Wire

/// Files that other formats' decoders read.
extension Importer {
    /// Rows that are decoded together, in bytes.
    private static let groupBytes = 1 << 20
    /// Longest line: a native body with one route in it.
    private static let maximumLineBytes = 128 << 20

    /// Hands over the lines of the file, without their ends.
    ///
    /// - Parameter tells: whether this counts as reading the file; a look ahead doesn't.
    private func readLines(
        quoted: Bool, tells: Bool = true, _ take: (_ line: [UInt8], _ number: Int) throws -> Void
    ) throws {
        var rest: [UInt8] = [], offset = 0, number = 0, isQuoted = false
        while offset < file.count {
            let piece = try file.read(offset, min(options.pieceBytes, file.count - offset))
            offset += piece.count
            if tells { summary.textBytes += piece.count }
            for byte in piece {
                if quoted && byte == UInt8(ascii: "\"") { isQuoted.toggle() }
                if byte == 0x0A && !isQuoted {
                    number += 1
                    try take(rest, number)
                    rest.removeAll(keepingCapacity: true)
                } else {
                    rest.append(byte)
                }
            }
            guard rest.count <= Self.maximumLineBytes else { throw fault("has a line longer than 128 MiB") }
            try step(readBytes: tells ? offset : 0)
        }
        if !rest.isEmpty { try take(rest, number + 1) }
    }

    private func refuse(_ damage: DecodeFault, line: Int) -> ImportFault {
        fault(
            "has something else than it seems to in line \(line): \(damage.message.dropLast(damage.message.hasSuffix(".") ? 1 : 0))"
        )
    }

    // MARK: CSV

    func readCSV() throws {
        var header: [UInt8] = [], rows: [UInt8] = [], first = 0, elements = 0, group = 0
        func flush() throws {
            guard !rows.isEmpty else { return }
            let text = header + rows
            elements += group
            (rows, group) = ([], 0)
            if elements <= summary.resumedAt { return }
            var batch: SampleBatch
            do throws(DecodeFault) {
                batch = try CSVDecoder.decode(PaddedBytes(text), context: options.context).batch
            } catch {
                throw refuse(error, line: first + max(0, (error.line ?? 2) - 2))
            }
            batch.extras = .imported
            try take(batch, .csv, device: Self.csvDevice, elements: elements)
        }
        try readLines(quoted: true) { line, number in
            if header.isEmpty {
                header = line + [0x0A]
                return
            }
            if rows.isEmpty { first = number }
            rows += line + [0x0A]
            group += 1
            if rows.count >= Self.groupBytes || group >= options.sliceRecords { try flush() }
        }
        try flush()
    }

    // MARK: JSON lines

    /// What a line of `server export --format jsonl` says beside the sample.
    private struct ExportedLine {
        var person: [UInt8] = []
        var device: [UInt8] = []
        var dialect = Dialect.native
        var offset: Int16?
        var value: Double?
        var hasValue = false
        var part: Int32?
        var grain = Grain.raw
        var merge = MergeRule.replace
        var kind: SampleKind?
        var sample: [UInt8] = []
    }

    func readJSONLines() throws {
        try checkPersons()
        var group: [ExportedLine] = [], bytes = 0, first = 0, elements = 0
        func flush() throws {
            guard let head = group.first else { return }
            elements += group.count
            let lines = group
            (group, bytes) = ([], 0)
            if elements <= summary.resumedAt { return }
            var body = Array("{\"v\":1,\"type\":\"sync\",\"device\":\"d\",\"samples\":[".utf8)
            for (index, line) in lines.enumerated() {
                if index > 0 { body.append(UInt8(ascii: ",")) }
                body += line.sample
            }
            body += "]}".utf8
            var batch: SampleBatch
            do throws(DecodeFault) {
                batch =
                    try NativeDecoder.decode(
                        PaddedBytes(body), limits: .exported, catalog: options.context.catalog, takesAnyTypeName: true
                    ).batch
            } catch {
                throw refuse(error, line: first)
            }
            // Of a type that isn't known, or without a value, the sample doesn't show which of these it is.
            let open: [SampleKind] = [.quantity, .category, .other]
            for index in batch.samples.indices {
                if let kind = lines[index].kind, open.contains(kind), open.contains(batch.samples[index].kind) {
                    batch.samples[index].kind = kind
                }
                batch.samples[index].utcOffsetMinutes = lines[index].offset ?? batch.samples[index].utcOffsetMinutes
                // The sender's number, where our own of the name is another by now, or where it had none.
                let isNamed = [.category, .characteristic].contains(batch.samples[index].kind)
                if isNamed && lines[index].hasValue || batch.samples[index].value == nil {
                    batch.samples[index].value = lines[index].value
                }
                batch.samples[index].part = lines[index].part ?? batch.samples[index].part
                batch.samples[index].grain = lines[index].grain
                batch.samples[index].merge = lines[index].merge
            }
            if head.device == Self.appleDevice || head.device == Self.csvDevice { batch.extras = .imported }
            try take(batch, head.dialect, device: head.device, elements: elements)
        }
        try readLines(quoted: false) { text, number in
            if text.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { return }
            let line: ExportedLine
            do throws(JSONFault) { line = try exportedLine(text) } catch {
                throw fault(
                    "has no line of server export --format jsonl in line \(number): \(error.message.dropLast())")
            }
            guard !line.device.isEmpty, !line.sample.isEmpty else {
                throw fault("has no device or no sample in line \(number)")
            }
            if let head = group.first,
                head.device != line.device || head.dialect != line.dialect || group.count >= options.sliceRecords
                    || bytes >= Self.groupBytes
            {
                try flush()
            }
            if group.isEmpty { first = number }
            bytes += line.sample.count
            group.append(line)
        }
        try flush()
    }

    /// Refuses a file of several persons before anything of it is stored: all of it would be one's.
    private func checkPersons() throws {
        var person: [UInt8]?
        try readLines(quoted: false, tells: false) { text, _ in
            guard let named = Self.person(text) else { return }
            guard named == person ?? named else {
                throw fault(
                    "has the data of several persons: export each with --person, and import it to an endpoint of that person"
                )
            }
            person = named
        }
    }

    /// Whose a line is; nil where it doesn't say, or is none of ours.
    private static func person(_ text: [UInt8]) -> [UInt8]? {
        try? {
            var json = try JSONScanner(PaddedBytes(text), limits: .exported)
            try json.enterObject()
            while let name = try json.nextMember() {
                let kind = try json.kind()
                if json.bytes(of: name).elementsEqual("person".utf8), kind == .string {
                    return json.bytes(of: try json.text())
                }
                _ = try json.skip()
            }
            return nil
        }()
    }

    private func exportedLine(_ text: [UInt8]) throws(JSONFault) -> ExportedLine {
        let body = PaddedBytes(text)
        var json = try JSONScanner(body, limits: .exported)
        var line = ExportedLine()
        try json.enterObject()
        while let name = try json.nextMember() {
            let kind = try json.kind()
            switch (String(decoding: json.bytes(of: name), as: UTF8.self), kind) {
            case ("person", .string): line.person = json.bytes(of: try json.text())
            case ("device", .string): line.device = json.bytes(of: try json.text())
            case ("dialect", .string):
                line.dialect =
                    Dialect(rawValue: String(decoding: json.bytes(of: try json.text()), as: UTF8.self)) ?? .native
            case ("kind", .string):
                let name = String(decoding: json.bytes(of: try json.text()), as: UTF8.self)
                line.kind = SampleKind.allCases.first { $0.name == name }
            case ("utc_offset", .number): line.offset = Int16(exactly: try json.number().value)
            case ("value", .number): (line.value, line.hasValue) = (try json.number().value, true)
            case ("value", .null):
                try json.null()
                line.hasValue = true
            case ("grain", .string):
                line.grain =
                    json.withBytes(of: try json.text()) { name in Grain.allCases.first { name.equals($0.name) } }
                    ?? .raw
            case ("merge", .string):
                line.merge =
                    json.withBytes(of: try json.text()) { name in
                        MergeRule.allCases.first { name.equals($0.name) }
                    } ?? .replace
            case ("part", .number): line.part = Int32(exactly: try json.number().value).flatMap { $0 >= 0 ? $0 : nil }
            case ("sample", .object): line.sample = Array(body[try json.skip()])
            default: _ = try json.skip()
            }
        }
        try json.finish()
        return line
    }

    // MARK: Native

    /// A body a line, or one body in all.
    func readNative() throws {
        var elements = 0
        var isWhole = false
        try readLines(quoted: false) { text, number in
            if isWhole || text.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { return }
            elements += 1
            var body = text
            if number == 1, text.last(where: { $0 != 0x20 && $0 != 0x0D }) != UInt8(ascii: "}") {
                guard file.count <= Self.maximumLineBytes else { throw fault("is one body longer than 128 MiB") }
                isWhole = true
                body = try file.read(0, file.count)
            }
            if elements <= summary.resumedAt { return }
            let decoded: DecodedBody
            do throws(DecodeFault) {
                decoded = try NativeDecoder.decode(
                    PaddedBytes(body), limits: .exported, catalog: options.context.catalog)
            } catch {
                throw refuse(error, line: isWhole ? error.line ?? 1 : number)
            }
            var batch = decoded.batch
            let device = decoded.device ?? Array(target.endpoint.utf8)
            if device == Self.appleDevice || device == Self.csvDevice { batch.extras = .imported }
            try take(batch, .native, device: device, elements: elements)
        }
    }

    // MARK: Health Auto Export

    /// Into the endpoint's own slots, where what the app sent itself is, too.
    func readHealthAutoExport() throws {
        let body = try MappedFile.bytes(of: file)
        let context = options.context, sliceRecords = options.sliceRecords
        var failure: DecodeFault?
        if let history {
            let held = HeldBody(body)
            let stream = SampleStream(bytes: 4 << 20) { sink in
                guard let body = held.bytes else { return }
                _ = try HealthAutoExportDecoder.decode(body, context: context, sliceRecords: sliceRecords, sink: sink)
            }
            do throws(StoreError) {
                try history.store(stream, dialect: .hae, device: Array(target.endpoint.utf8))
                summary.samples = history.outcome.stored + history.outcome.changed + history.outcome.repeated
                // The row of the run has them.
                accounted = history.outcome.skipped
                summary.skip("records that the format's reader leaves out", accounted)
            } catch {
                guard case .refused(let damage) = error.reason else { throw error }
                failure = damage
            }
        } else {
            do {
                _ = try HealthAutoExportDecoder.decode(body, context: context, sliceRecords: sliceRecords) { batch in
                    summary.count(batch)
                    summary.skip(
                        "records that the format's reader leaves out", batch.skipped.count + batch.skippedBeyond)
                }
            } catch let damage as DecodeFault {
                failure = damage
            }
        }
        if let failure { throw refuse(failure, line: failure.line ?? 1) }
        try step(readBytes: file.count)
    }
}
