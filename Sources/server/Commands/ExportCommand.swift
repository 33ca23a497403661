import Receiver
import Samples
import Signing
import Storage

/// Writes what was stored, for other programs.
enum ExportCommand: Subcommand {
    static let name = "export"
    static let summary = "write the stored samples as CSV, JSON or line protocol"
    static let usage = ["export [options]"]
    static let details = """
        Reads beside a running server. Samples come by person, device, type and unit,
        then by start. --from and --to take a time such as 2026-10-14T07:00:00+02:00,
        or a day, which begins at 00:00 UTC: from is in, to is not.

        native  bodies that another receiver takes, one a line: nothing is lost
        csv     the phone's CSV: quantities, categories, workouts, characteristics
        influx  InfluxDB line protocol: quantities, categories, workouts
        jsonl   one JSON object a sample, with person, device and endpoint

        What a format has no place for is left out and counted on standard error.
        """
    static let flags = [
        Flag("format", "F", "native, csv, influx or jsonl; default jsonl"),
        Flag("type", "T,…", "only these types, such as steps,heart_rate;\nmay be given again", repeats: true),
        Flag("from", "TIME", "only samples that start at or after it"),
        Flag("to", "TIME", "only samples that start before it"),
        Flag("endpoint", "NAME", "only what this endpoint wrote last"),
        Flag("person", "P", "only this person's samples"),
        Flag("device", "D", "only this device's samples (d_… or wh_…)"),
        Flag("output", "FILE", "write a new file that only this user can read;\ndefault standard output"),
        Flag(
            "split", "BYTES",
            "with --output: write FILE.0001, FILE.0002, … of at most so\nmany bytes, each of which can be posted as it is"
        ),
    ]
    static let examples = [
        "export --type steps,heart_rate --from 2026-10-01 --format csv",
        "export --format native --output phone.ndjson",
        "export --format csv --output health.csv --split 1000000",
    ]

    static func run(_ arguments: ParsedArguments, context: CommandContext) throws(CommandFailure) -> ExitStatus {
        let formatName = try arguments.choice("format", of: ["native", "csv", "influx", "jsonl"]) ?? "jsonl"
        let filter = try filter(arguments)
        let output = arguments.value("output").flatMap { $0 == "-" ? nil : $0 }
        let split = try arguments.integer("split", in: 65_536...(1 << 40))
        if split != nil, output == nil { throw .usage("--split needs --output FILE.") }
        if output?.isEmpty == true { throw .usage("--output is empty.") }
        let source = try open(try context.dataFolder(arguments), filter)
        for type in source.missingTypes {
            context.note("server: Nothing of the type \(printable(type)) is stored.")
        }
        if formatName != "jsonl" { warnOfMixture(source, formatName, context) }
        var exporter = SampleExporter(source, as: format(formatName, split, context), maximumFileBytes: split)
        let progress = ProgressLine(context)
        defer { progress.clear() }
        do {
            if let output {
                let isInterrupted = context.watchInterrupts()
                var files = ExportFiles(path: output, isSplit: split != nil)
                let isWhole = try exporter.run(to: &files) { summary in
                    show(summary, progress, context)
                    return !isInterrupted()
                }
                guard isWhole else { throw CommandFailure(.interrupted, "Interrupted: nothing was written.") }
                try files.publish()
            } else {
                var sink = StandardOutputSink(context: context)
                _ = try exporter.run(to: &sink) { summary in
                    show(summary, progress, context)
                    return true
                }
            }
        } catch is StandardOutputSink.Closed {
            return .success  // `main` says what went wrong, unless the reader just had enough
        } catch let error as StoreError {
            throw CommandFailure(error)
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(.software, "The export failed.")
        }
        progress.clear()
        report(exporter.summary, formatName, output, split: split != nil, context)
        return .success
    }

    private static func open(_ directory: String, _ filter: SampleFilter) throws(CommandFailure) -> SampleExport {
        do throws(StoreError) { return try SampleExport(directory: directory, filter: filter) } catch {
            throw CommandFailure(error)
        }
    }

    private static func format(_ name: String, _ split: Int?, _ context: CommandContext) -> any ExportFormat {
        switch name {
        case "native":
            // With the line end a file of one body is one byte longer.
            NativeFormat(
                maximumBytes: split.map { $0 - 1 } ?? NativeFormat.standardBodyBytes, now: context.now,
                randomBytes: { SystemRandom.bytes($0) })
        case "csv": CSVFormat()
        case "influx": LineProtocolFormat()
        default: JSONLinesFormat()
        }
    }

    // MARK: Filter

    private static func filter(_ arguments: ParsedArguments) throws(CommandFailure) -> SampleFilter {
        var filter = SampleFilter()
        for list in arguments.all("type") {
            let types = list.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            guard !types.contains("") else { throw .usage("--type takes names with commas between: steps,heart_rate.") }
            filter.types += types
        }
        filter.from = try time("from", arguments)
        filter.to = try time("to", arguments)
        if let from = filter.from, let to = filter.to, from > to { throw .usage("--from is later than --to.") }
        filter.endpoint = arguments.value("endpoint")
        filter.person = arguments.value("person")
        filter.device = arguments.value("device")
        return filter
    }

    private static func time(_ flag: String, _ arguments: ParsedArguments) throws(CommandFailure) -> Timestamp? {
        guard let text = arguments.value(flag) else { return nil }
        let bytes = Array(text.utf8)
        if let day = CivilDate.parse(bytes.span) {
            return Timestamp(microseconds: Int64(day.daysSince1970) * 86_400_000_000)
        }
        guard let time = Timestamp.parse(bytes.span) else {
            throw .usage("--\(flag) takes a day such as 2026-10-14, or a time such as 2026-10-14T07:00:00Z.")
        }
        return time.timestamp
    }

    // MARK: Words

    private static func warnOfMixture(_ source: SampleExport, _ format: String, _ context: CommandContext) {
        if source.persons > 1 {
            context.note(
                "server: This is the data of \(source.persons) persons, and \(format) doesn't name them: "
                    + "--person takes one.")
        } else if source.devices > 1, format != "native" {
            context.note(
                "server: This is the data of \(source.devices) devices, and \(format) doesn't name them: "
                    + "--device takes one.")
        }
    }

    private static func show(_ summary: ExportSummary, _ progress: ProgressLine, _ context: CommandContext) {
        let seconds = Double(max(1, context.now().microseconds - progress.startedAt)) / 1_000_000
        let rate = Int(min(Double(summary.written) / seconds, 1e15))
        progress.show(
            "\(grouped(summary.written)) samples, \(sizeText(summary.bytes)), \(grouped(rate)) samples/s")
    }

    private static func report(
        _ summary: ExportSummary, _ format: String, _ output: String?, split: Bool, _ context: CommandContext
    ) {
        if let output {
            let files = split ? counted(summary.files, "file", "files") : output
            context.note("Wrote \(counted(summary.written, "sample", "samples")) to \(files).")
        }
        if !summary.omitted.isEmpty {
            let total = summary.omitted.values.reduce(0, +)
            let parts = summary.omitted.map { "\($0.value) \($0.key.text)" }.sorted().joined(separator: ", ")
            context.note(
                "server: Left out \(counted(total, "sample", "samples")) that \(format) has no place for: \(parts).")
        }
        if summary.oversized > 0 {
            context.note(
                "server: \(counted(summary.oversized, "body is", "bodies are")) longer than asked for, "
                    + "since one sample alone is.")
        }
    }
}
