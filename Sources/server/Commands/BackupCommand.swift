import Receiver
import Samples
import Signing
import Storage

/// Copies the database while a server runs.
enum BackupCommand: Subcommand {
    static let name = "backup"
    static let summary = "copy everything into one file, beside a running server"
    static let usage = ["backup FILE [options]"]
    static let details = """
        FILE is a new SQLite file that only this user can read: all samples, commands
        and deliveries as they are at one moment, and the endpoints' settings. It is
        checked before it gets its name. server init --from FILE brings it back.

        Without --with-secrets it has no token and no signing secret: after restoring
        it each phone must be paired again, and the API has no tokens. With them it
        opens your endpoints to whoever reads it, so keep it as safe as the data folder.
        """
    static let operands = Operands(names: ["FILE"], required: 1)
    static let flags = [Flag("with-secrets", nil, "put the tokens and signing secrets in, too")]
    static let examples = ["backup /media/stick/health-2026-10-14.backup", "backup health.backup --with-secrets"]

    static func run(_ arguments: ParsedArguments, context: CommandContext) throws(CommandFailure) -> ExitStatus {
        let file = arguments.operands[0]
        guard file != "-", !file.isEmpty else {
            throw .usage("A backup is checked after it is written, so it needs a FILE.")
        }
        let directory = try context.dataFolder(arguments)
        let hasSecrets = arguments.has("with-secrets")
        let note = BackupNote(
            madeAt: Timestamp(microseconds: context.nowSeconds * 1_000_000).text, program: Version.number,
            hasSecrets: hasSecrets, configuration: try configuration(directory, hasSecrets: hasSecrets, context))
        let progress = ProgressLine(context)
        defer { progress.clear() }
        let isInterrupted = context.watchInterrupts()
        do throws(BackupError) {
            let summary = try Backup.make(of: directory, at: file, note: note) { step in
                progress.show(step.text)
                return !isInterrupted()
            }
            progress.clear()
            report(summary, file, hasSecrets: hasSecrets, context)
        } catch {
            throw failure(error, file)
        }
        return .success
    }

    /// The text of `receiver.json` for the backup.
    ///
    /// - Returns: nil when there is none, which a backup with secrets doesn't accept.
    private static func configuration(
        _ directory: String, hasSecrets: Bool, _ context: CommandContext
    ) throws(CommandFailure) -> String? {
        do throws(ConfigurationError) {
            let configuration = try ConfigurationFile(directory: directory).load().configuration
            return (hasSecrets ? configuration : configuration.withoutSecrets).text()
        } catch {
            if hasSecrets { throw CommandFailure(error) }
            context.note("server: The backup has no settings: \(sentence(error.message))")
            return nil
        }
    }

    private static func report(
        _ summary: Backup.Summary, _ file: String, hasSecrets: Bool, _ context: CommandContext
    ) {
        context.say(
            "Wrote \(file): \(counted(summary.samples, "sample", "samples")), \(sizeText(summary.bytes)), checked.")
        if !summary.isCompared {
            context.note(
                "server: The database could not be locked for a moment, so its rows were not counted against the copy's; "
                    + "SQLite's own check of the copy found nothing.")
        }
        context.say(
            hasSecrets
                ? "It holds the tokens and signing secrets: keep it as safe as the data folder."
                : "It holds no tokens and secrets: after server init --from each phone must be paired again.")
    }

    private static func failure(_ error: BackupError, _ file: String) -> CommandFailure {
        switch error {
        case .interrupted: CommandFailure(.interrupted, "Interrupted: no backup was written.")
        case .file(let reason): server.failure(reason, file)
        case .copyDiffers(let detail):
            CommandFailure(
                .data, "The copy is not what was copied (\(detail)), so it was removed: check the disk and health.db.")
        case .store(let error): CommandFailure(error)
        case .notABackup, .damaged, .occupied: CommandFailure(.software, "The backup failed.")
        }
    }
}

extension BackupProgress {
    var text: String {
        switch self {
        case .copying(let bytes, let total): "copying: \(sizeText(bytes)) of about \(sizeText(total))"
        case .checking: "checking the copy"
        }
    }
}

extension Configuration {
    /// The same settings with a made-up value in place of each token and secret: how many there were, and nothing else.
    var withoutSecrets: Configuration {
        var configuration = self
        // Sessions are signed with a token's hash, and nobody can make the token from it.
        configuration.api.tokens = []
        for name in names {
            guard let credentials = endpoints[name]?.credentials else { continue }
            configuration.endpoints[name]?.credentials.tokens = credentials.tokens.isEmpty ? [] : [.removed]
            configuration.endpoints[name]?.credentials.secrets = credentials.secrets.isEmpty ? [] : [.removed]
        }
        return configuration
    }

    /// The same settings with a new token and a new secret wherever there was one.
    var withNewSecrets: Configuration {
        var configuration = self
        for name in names {
            guard let credentials = endpoints[name]?.credentials else { continue }
            if !credentials.tokens.isEmpty {
                let token = RotatingSecret(secret: Secret(text: SystemRandom.token()))
                configuration.endpoints[name]?.credentials.tokens = [token]
            }
            if !credentials.secrets.isEmpty {
                let secret = RotatingSecret(secret: Secret(text: SystemRandom.signingSecret()))
                configuration.endpoints[name]?.credentials.secrets = [secret]
            }
        }
        return configuration
    }
}

extension RotatingSecret {
    /// Works nowhere, even where somebody puts the settings of a backup to use by hand.
    fileprivate static var removed: RotatingSecret {
        RotatingSecret(secret: Secret(text: "removed-\(SystemRandom.token())"))
    }
}
