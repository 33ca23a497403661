import Demo
import Glibc
import Receiver
import Samples
import Signing
import Storage

/// Makes a folder with an invented year.
enum DemoCommand: Subcommand {
    static let name = "demo"
    static let summary = "make a folder with a year of invented data to look at"
    static let usage = ["demo [options]"]
    static let details = """
        Fills a new folder with the data of one invented person who has an iPhone and
        an Apple Watch: steps that both count, nights, workouts with routes, a trip,
        changes of the clock, a week without the phone. The same seed and the same
        --until make the same data. A folder that has other data is left as it is;
        one that was made by this command is made anew, and keeps its tokens.
        """
    static let flags = [
        Flag("days", "N", "how many days, 1 to 3650; default 365"),
        Flag("seed", "N", "another number makes another person; default 1"),
        Flag("until", "DATE", "the last day, such as 2026-10-14; default now"),
    ]
    static let examples = ["demo --data demo", "demo --data demo --days 90 --until 2026-10-14"]

    /// A zone whose clocks change, and one across the sea.
    private static let homeZone = "Europe/Berlin"
    private static let awayZone = "America/New_York"

    static func run(_ arguments: ParsedArguments, context: CommandContext) throws(CommandFailure) -> ExitStatus {
        let directory = try context.dataFolder(arguments)
        let settings = try settings(arguments, context)
        let file = ConfigurationFile(directory: directory)
        let isSetUp = file.fingerprint() != nil
        try refuseOthers(directory, isSetUp: isSetUp)
        let lock = try lock(directory)
        DemoStore.clear(directory)
        let summary = try fill(directory, settings, context)
        if !isSetUp { try create(file) }
        withExtendedLifetime(lock) {}
        let data = context.dataFlag(arguments)
        context.print(
            """
            Made \(directory): \(counted(settings.days, "day", "days")) of an invented person, \
            \(grouped(summary.samples)) samples in \(grouped(summary.deliveries)) requests.

            Look at it:
              server token add me\(data)
              server serve\(data)
              http://127.0.0.1:8788/

            Ask it:
              server totals steps\(data)
              server status\(data)

            """)
        return .success
    }

    private static func settings(
        _ arguments: ParsedArguments, _ context: CommandContext
    ) throws(CommandFailure) -> DemoSettings {
        let days = try arguments.integer("days", in: 1...3_650) ?? 365
        let seed = try arguments.integer("seed", in: 0...1_000_000_000) ?? 1
        let home = zone(homeZone), away = zone(awayZone)
        var until = Timestamp(microseconds: context.nowSeconds * 1_000_000)
        if let text = arguments.value("until") {
            guard let date = CivilDate.parse(Array(text.utf8).span), 1990...2100 ~= date.year else {
                throw .usage("--until takes a day of the years 1990 to 2100, such as 2026-10-14.")
            }
            let midnight = Int64(date.daysSince1970 + 1) * 86_400
            until = Timestamp(
                microseconds: (midnight - Int64(home.offsetSeconds(atLocalSeconds: midnight))) * 1_000_000)
        }
        return DemoSettings(days: days, seed: UInt64(seed), until: until, home: home, away: away)
    }

    /// A machine without a time zone database still gets a demo, by the clock of UTC.
    private static func zone(_ name: String) -> ZoneRules { (try? TimeZoneName.rules(of: name)) ?? .utc }

    private static func refuseOthers(_ directory: String, isSetUp: Bool) throws(CommandFailure) {
        let contents: DemoStore.Contents
        do throws(StoreError) {
            contents = try DemoStore.contents(of: directory)
        } catch {
            throw CommandFailure(.cannotCreate, "\(directory) can't be used: \(error.sentence).")
        }
        switch contents {
        case .demo: break
        case .nothing where !isSetUp: break
        case .nothing, .data:
            throw CommandFailure(
                .cannotCreate, "\(directory) is in use already: name a new folder for the demo with --data.")
        }
    }

    private static func lock(_ directory: String) throws(CommandFailure) -> ServeLock {
        do throws(StoreError) {
            let folder = try DataFolder.prepare(directory)
            do throws(ServeLock.Failure) { return try ServeLock(folder) } catch {
                if case .unavailable(let error) = error { throw error }
            }
        } catch {
            throw CommandFailure(.cannotCreate, "\(directory) can't be used: \(error.sentence).")
        }
        throw CommandFailure(.cannotCreate, "A server runs on \(directory): stop it first.")
    }

    private static func fill(
        _ directory: String, _ settings: DemoSettings, _ context: CommandContext
    ) throws(CommandFailure) -> DemoStore.Summary {
        let progress = ProgressLine(context)
        defer { progress.clear() }
        let isInterrupted = context.watchInterrupts()
        let begin = settings.until.microseconds - Int64(settings.days) * 86_400_000_000
        do throws(StoreError) {
            return try DemoStore.fill(directory: directory, settings) { time in
                let day = max(0, time.microseconds - begin) / 86_400_000_000
                progress.show("Day \(day) of \(settings.days)")
                return !isInterrupted()
            }
        } catch {
            if error.reason == .givenUp {
                throw CommandFailure(.interrupted, "Interrupted: the demo is not complete; run it again.")
            }
            throw CommandFailure(error)
        }
    }

    private static func create(_ file: ConfigurationFile) throws(CommandFailure) {
        var configuration = Configuration()
        configuration.endpoints[DemoStore.endpoint] = Endpoint(
            name: DemoStore.endpoint, label: "Demo", person: DemoStore.person,
            credentials: EndpointCredentials(
                scheme: .bearer, tokens: [RotatingSecret(secret: Secret(text: SystemRandom.token()))],
                secrets: [RotatingSecret(secret: Secret(text: SystemRandom.signingSecret()))]),
            format: .native, timeZone: TimeZoneName.exists(homeZone) ? homeZone : "UTC")
        do throws(ConfigurationError) {
            try file.create(configuration)
        } catch {
            throw CommandFailure(error)
        }
    }
}
