import Insights
import Receiver
import Samples
import Storage

/// Answers what a type comes to, without asking a server.
enum TotalsCommand: Subcommand {
    static let name = "totals"
    static let summary = "tell what a type comes to by day, week or month"
    static let usage = ["totals TYPE [options]"]
    static let details = """
        Prints what GET /api/v1/buckets answers. Steps, energy and their like are
        summed, each moment once, whatever devices were there: server sources says
        which counts first. Of others it tells the least, the mean, the most and the
        last, of sleep and such how long it was. Days are those of the person's clock.
        --from belongs to it, --to doesn't; each is a day or a time.
        """
    static let operands = Operands(names: ["TYPE"], required: 1)
    static let flags = [
        Flag("from", "WHEN", "where it begins; default 30 days ago"), Flag("to", "WHEN", "where it ends; default now"),
        Flag("by", "SIZE", "hour, day, week, month or year; default day"),
        Flag("merge", "RULE", "priority, or highest-source: of each day the source with most;\ndefault priority"),
        Flag("sources", nil, "tell what each source has in it"), personFlag,
        Flag("json", nil, "print JSON, as the API does"), Flag("csv", nil, "print CSV, as the API does"), catalogFlag,
    ]
    static let examples = [
        "totals steps", "totals steps --by month --from 2026-01-01", "totals heart_rate --by hour --from 2026-10-14",
        "totals active_energy_burned --merge highest-source --csv",
    ]

    static func run(_ arguments: ParsedArguments, context: CommandContext) throws(CommandFailure) -> ExitStatus {
        let size = try arguments.choice("by", of: BucketSize.allCases.map(\.rawValue)) ?? BucketSize.day.rawValue
        let rule =
            try arguments.choice("merge", of: SourceRule.allCases.map(\.rawValue)) ?? SourceRule.priority.rawValue
        guard !arguments.has("json") || !arguments.has("csv") else {
            throw .usage("--json and --csv exclude each other.")
        }
        let catalog = try context.catalog(arguments)
        let model = try context.readModel(arguments, catalog: catalog)
        let person = try context.person(arguments, model)
        let to = try context.time(arguments, "to", of: person) ?? context.now()
        let from =
            try context.time(arguments, "from", of: person)
            ?? person.begin(ofDay: max(-700_000, person.day(of: to) - 29))
        guard from <= to else { throw .usage("--to must not be before --from.") }
        let query = BucketQuery(
            person: person.name, type: arguments.operands[0], from: from, to: to,
            size: BucketSize(rawValue: size) ?? .day, rule: SourceRule(rawValue: rule) ?? .priority,
            withSources: arguments.has("sources"))
        let series: BucketSeries
        do throws(StoreError) { series = try model.buckets(query) } catch { throw CommandFailure(error) }
        if arguments.has("json") || arguments.has("csv") {
            let isJSON = arguments.has("json")
            let text = isJSON ? BucketsText.json(series, of: person) : BucketsText.csv(series, of: person)
            context.print(String(decoding: text, as: UTF8.self))
        } else {
            print(series, person, catalog, context)
        }
        return .success
    }

    private static func print(
        _ series: BucketSeries, _ person: Person, _ catalog: Catalog, _ context: CommandContext
    ) {
        let type = series.query.type
        guard let first = series.buckets.first else {
            let isKnown = catalog.type(named: type.utf8) != nil
            return context.say(
                "\(person.name) has no \(printable(type)) in that time\(isKnown ? "" : catalog.guess(type)).")
        }
        let unit = series.unit.map { " in \(printable($0))" } ?? ""
        context.say("\(printable(type)) of \(person.name)\(unit), by the clock of \(series.zoneName)")
        var rows = [[series.query.size == .hour ? "HOUR" : "BEGIN"]]
        switch first.figures {
        case .sum: rows[0].append("SUM")
        case .discrete: rows[0] += ["MIN", "MEAN", "MAX", "LAST"]
        case .duration: rows[0].append("HOURS")
        }
        rows[0].append("SAMPLES")
        for bucket in series.buckets {
            var row = [startText(bucket, series.query.size)]
            switch bucket.figures {
            case .sum(let sum): row.append(figureText(sum))
            case .discrete(let minimum, let mean, let maximum, let last):
                row += [minimum, mean, maximum, last].map(figureText)
            case .duration(let seconds): row.append(figureText(seconds / 3_600))
            }
            row.append(grouped(bucket.samples))
            rows.append(row)
            for share in bucket.sources {
                let counted = share.counted == share.value ? "" : ", \(figureText(share.counted)) of it count"
                rows.append(["  \(share.source.text): \(figureText(share.value))\(counted)"])
            }
        }
        context.print(series.query.withSources ? withNotes(rows) : columns(rows))
        if series.unconverted > 0 {
            context.note(
                "server: \(counted(series.unconverted, "sample is", "samples are")) left out: their unit can't be "
                    + "converted.")
        }
    }

    /// Rows of one cell don't widen the first column.
    private static func withNotes(_ rows: [[String]]) -> String {
        let lines = columns(rows.filter { $0.count > 1 }).split(separator: "\n")
        var text = "", next = 0
        for row in rows {
            if row.count == 1 {
                text += row[0] + "\n"
            } else {
                text += lines[next] + "\n"
                next += 1
            }
        }
        return text
    }

    /// `2026-10-14`, or with the hour.
    private static func startText(_ bucket: Bucket, _ size: BucketSize) -> String {
        let local = Timestamp(microseconds: bucket.start.microseconds + Int64(bucket.offsetMinutes) * 60_000_000).text
        return size == .hour ? local.prefix(10) + " " + local.dropFirst(11).prefix(5) : String(local.prefix(10))
    }
}
