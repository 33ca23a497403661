import Receiver
import Samples
import Storage

/// Stores the history that a file holds.
enum ImportCommand: Subcommand {
    static let name = "import"
    static let summary = "store the history in a file, such as Apple's export.zip"
    static let usage = ["import FILE [options]"]
    static let details = """
        FILE is Apple's export.zip or export.xml (Health app, picture at the top right,
        Export All Health Data), a GPX route, the phone's CSV, JSON of Health Auto
        Export, or jsonl or native of server export. What it is shows in its content.

        Runs beside a server or without one. What is stored already is not stored
        again, whether it came from a phone or from an earlier import: see
        docs/identity.md. Interrupted, the same command goes on where it was.
        """
    static let operands = Operands(names: ["FILE"], required: 1)
    static let flags = [
        Flag("to", "NAME", "the endpoint that it belongs to; may be left out when there is\nonly one"),
        Flag("dry-run", nil, "count what is in the file, and store nothing"),
        catalogFlag,
    ]
    static let examples = [
        "import export.zip", "import export.zip --dry-run", "import apple_health_export/export.xml --to anna",
    ]

    static func run(_ arguments: ParsedArguments, context: CommandContext) throws(CommandFailure) -> ExitStatus {
        let configuration = try context.settings(arguments).configuration
        if arguments.value("to") == nil, configuration.names.count > 1 {
            throw .usage(
                "There are several endpoints, so name one with --to: \(configuration.names.joined(separator: ", ")).")
        }
        let endpoint = try configuration.endpoint(named: arguments.value("to"))
        var options = Importer.Options()
        options.isDryRun = arguments.has("dry-run")
        options.store.now = context.now
        options.context.catalog = try context.catalog(arguments)
        do throws(ConfigurationError) {
            let zone = try TimeZoneName.rules(of: endpoint.timeZone)
            options.context.offsetMinutes = { zone.offsetMinutes(atLocalSeconds: $0) }
        } catch {
            throw CommandFailure(error)
        }
        let summary = try read(
            arguments.operands[0], try context.dataFolder(arguments),
            HistoryImport.Target(endpoint: endpoint.name, person: endpoint.person), options, context)
        report(summary, isDryRun: options.isDryRun, context)
        guard let damage = summary.damage else { return .success }
        context.note("server: The file is damaged. \(damage)")
        return .data
    }

    private static func read(
        _ path: String, _ directory: String, _ target: HistoryImport.Target, _ options: Importer.Options,
        _ context: CommandContext
    ) throws(CommandFailure) -> ImportSummary {
        let progress = ProgressLine(context)
        defer { progress.clear() }
        let isInterrupted = context.watchInterrupts()
        var isResumeTold = false
        do {
            let importer = try Importer(
                try ImportFile(path: path), directory: directory, target: target, options: options)
            return try importer.run { summary in
                if summary.resumedAt > 0, !isResumeTold {
                    isResumeTold = true
                    context.note("Goes on where it was interrupted: \(grouped(summary.resumedAt)) elements are read.")
                }
                progress.show(line(summary, since: progress.startedAt, now: context.now().microseconds))
                return !isInterrupted()
            }
        } catch let fault as ImportFault {
            progress.clear()
            let status: ExitStatus =
                switch fault.kind {
                case .unreadable: .inputOutput
                case .data: .data
                case .interrupted: .interrupted
                }
            throw CommandFailure(status, fault.message)
        } catch let error as StoreError {
            progress.clear()
            if case .full = error.reason {
                context.note(
                    "What was read so far is stored: with room on the disk the same command goes on from there.")
            }
            throw CommandFailure(error)
        } catch {
            throw CommandFailure(.software, "The import failed.")
        }
    }

    // MARK: Words

    /// `42%, 31.4 MB/s, 1,234,567 samples, 2 min 10 s left`.
    private static func line(_ summary: ImportSummary, since start: Int64, now: Int64) -> String {
        let seconds = max(Double(now - start) / 1e6, 0.001)
        let share = Double(summary.readBytes) / Double(max(summary.totalBytes, 1))
        let rate = sizeText(Int(min(Double(summary.textBytes) / seconds, 1e15)))
        let left = share > 0 ? min(seconds / share - seconds, 359_999) : 0
        return "\(Int(share * 100))%, \(rate)/s, \(grouped(summary.samples)) samples, \(timeText(Int(left))) left"
    }

    private static func timeText(_ seconds: Int) -> String {
        if seconds < 60 { return "\(seconds) s" }
        if seconds < 3_600 { return "\(seconds / 60) min \(seconds % 60) s" }
        return "\(seconds / 3_600) h \(seconds / 60 % 60) min"
    }

    private static func countedSamples(_ count: Int) -> String { "\(grouped(count)) sample\(count == 1 ? "" : "s")" }

    private static func report(_ summary: ImportSummary, isDryRun: Bool, _ context: CommandContext) {
        for (name, count) in summary.types.sorted(by: { $0.key < $1.key }) {
            let range = count.first == .none ? "" : "  \(count.first.text.prefix(10)) to \(count.last.text.prefix(10))"
            context.say("\(printable(name))  \(grouped(count.samples))\(range)")
        }
        if isDryRun {
            context.note("\(countedSamples(summary.samples)) in the file. Nothing was stored.")
        } else {
            let outcome = summary.outcome
            context.note(
                "Read \(countedSamples(summary.samples)): \(grouped(outcome.stored)) stored, "
                    + "\(grouped(outcome.changed)) changed, \(grouped(outcome.repeated)) known before.")
        }
        if summary.skippedTotal > 0 {
            let parts = summary.skipped.sorted { $0.key < $1.key }.map { "\(grouped($0.value)) \($0.key)" }
            context.note("Left out: \(parts.joined(separator: "; ")).")
        }
    }
}
