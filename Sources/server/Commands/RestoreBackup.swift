import Glibc
import Receiver
import Samples
import Signing
import Storage

/// `init --from FILE`: a folder out of a backup.
enum RestoreBackup {
    static func run(
        _ file: String, _ arguments: ParsedArguments, context: CommandContext
    ) throws(CommandFailure) -> ExitStatus {
        guard arguments.operands.isEmpty, !EndpointFlags.flags(person: "").contains(where: { arguments.has($0.name) })
        else { throw .usage("--from takes the endpoints out of the backup: it goes with --data only.") }
        guard file != "-", !file.isEmpty else { throw .usage("--from takes the FILE that server backup wrote.") }
        let directory = try context.dataFolder(arguments)
        let progress = ProgressLine(context)
        defer { progress.clear() }
        let isInterrupted = context.watchInterrupts()
        let restore: Restore
        do throws(BackupError) {
            restore = try Restore(of: file, into: directory) { step in
                progress.show(step.text)
                return !isInterrupted()
            }
        } catch {
            throw failure(error, file, directory)
        }
        progress.clear()
        let (configuration, hasSecrets) = try settings(restore.summary, file, context)
        do throws(BackupError) { try restore.finish() } catch { throw failure(error, file, directory) }
        do throws(ConfigurationError) {
            try ConfigurationFile(directory: restore.directory).create(configuration)
        } catch {
            restore.undo()
            throw CommandFailure(error)
        }
        report(restore, configuration, hasSecrets: hasSecrets, arguments, context)
        return .success
    }

    /// The settings for the new folder, and whether they have the secrets that the phones know.
    private static func settings(
        _ summary: Restore.Summary, _ file: String, _ context: CommandContext
    ) throws(CommandFailure) -> (Configuration, hasSecrets: Bool) {
        guard let text = summary.note?.configuration else {
            return (endpoints(summary, context), false)
        }
        do throws(ConfigurationError) {
            let configuration = try Configuration(parsing: Array(text.utf8))
            let hasSecrets = summary.note?.hasSecrets == true
            return (hasSecrets ? configuration : configuration.withNewSecrets, hasSecrets)
        } catch {
            throw CommandFailure(.data, "The settings in \(file) can't be used: \(error.message).")
        }
    }

    /// A plain copy of `health.db` knows only who stored what: each gets a token, and a signing secret where its
    /// sender signs for sure: Health Auto Export's format comes from Syncky and from apps that can't.
    private static func endpoints(_ summary: Restore.Summary, _ context: CommandContext) -> Configuration {
        var configuration = Configuration()
        for found in summary.endpoints {
            let format = found.dialect.flatMap(Dialect.init(rawValue:)) ?? .native
            let endpoint = Endpoint(
                name: found.name, label: found.name, person: found.person,
                credentials: EndpointCredentials(
                    scheme: .bearer, tokens: [RotatingSecret(secret: Secret(text: SystemRandom.token()))],
                    secrets: Dialect.unsigned.contains(format) || format == .hae
                        ? [] : [RotatingSecret(secret: Secret(text: SystemRandom.signingSecret()))]),
                format: format,
                timeZone: TimeZoneName.system(timeZone: context.variable("TZ")))
            configuration.endpoints[found.name] = endpoint
        }
        return configuration
    }

    private static func report(
        _ restore: Restore, _ configuration: Configuration, hasSecrets: Bool, _ arguments: ParsedArguments,
        _ context: CommandContext
    ) {
        let summary = restore.summary, names = configuration.names, data = context.dataFlag(arguments)
        let made = summary.note.map { " of \($0.madeAt)" } ?? ""
        context.say(
            "Made \(restore.directory) from the backup\(made): \(counted(summary.samples, "sample", "samples")).")
        if summary.schema > summary.schemaFound {
            context.say("Brought the database from schema \(summary.schemaFound) to \(summary.schema).")
        }
        guard !names.isEmpty else { return context.say("There is no endpoint yet: server add NAME\(data)") }
        if hasSecrets {
            context.say(
                "The tokens and secrets are in it, so the phones go on as before: \(names.joined(separator: ", ")).")
            context.say("Next: server serve\(data)")
        } else {
            context.say("The backup has no secrets, so each phone must be paired again, with a new link:")
            for name in names { context.say("  server link \(name)\(data)") }
        }
        guard summary.commands > 0 else { return }
        // What a command did after the backup was made is not known here.
        context.note("server: Commands that were queued after the backup are lost; new ids start 1,000 higher.")
    }

    private static func failure(_ error: BackupError, _ file: String, _ directory: String) -> CommandFailure {
        switch error {
        case .interrupted: return CommandFailure(.interrupted, "Interrupted: nothing was restored.")
        case .file(.system(let number)):
            return CommandFailure(.inputOutput, "\(file) can't be restored: \(systemWords(number)).")
        case .file(.exists): return CommandFailure(.cannotCreate, "\(directory) is being restored to already.")
        case .occupied(let name):
            return CommandFailure(
                .cannotCreate,
                "\(directory) has data already (\(name)): move it away, or name another folder with --data.")
        case .notABackup: return CommandFailure(.data, "\(file) is no backup of this program.")
        case .damaged, .copyDiffers: return CommandFailure(.data, "\(file) is cut or damaged: take another backup.")
        case .store(let error):
            guard case .tooNew(let found, let known) = error.reason else { return CommandFailure(error) }
            return CommandFailure(
                .data,
                "\(file) has schema \(found), and this program knows schemas up to \(known): "
                    + "restore it with the newer program that made it.")
        }
    }

    private static func systemWords(_ number: Int32) -> String { unsafe String(cString: strerror(number)) }
}
