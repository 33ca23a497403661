import Foundation
import Receiver
import Samples
import Signing
import Storage
import Testing

@testable import server

@Suite struct BackupCommandTests {
    let harness = CommandHarness()
    var file: String { "\(harness.folder)/health.backup" }
    var restored: String { "\(harness.folder)/restored" }

    init() throws {
        harness.run("init", "--name", "My phone", "--time-zone", "Europe/Berlin", "--person", "Anna")
        harness.run("add", "ipad", "--auth", "basic", "--user", "u", "--no-sign", "--format", "csv")
        try storeBody(
            #"{"v":1,"type":"sync","device":"d_1","samples":[{"uuid":"k","type":"steps","value":412}]}"#,
            in: harness.data)
    }

    private func settings(_ folder: String) throws -> Configuration {
        try ConfigurationFile(directory: folder).load().configuration
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: harness.folder).sorted()
    }

    @Test func withSecretsThePhonesGoOn() throws {
        let backup = harness.run("backup", file, "--with-secrets")
        #expect(backup.status == .success && backup.errors == "")
        #expect(backup.output.hasPrefix("Wrote \(file): 1 sample, "))
        #expect(
            backup.output.hasSuffix("\nIt holds the tokens and signing secrets: keep it as safe as the data folder.\n"))
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
        let restore = harness.run("init", "--from", file, "--data", restored)
        #expect(
            restore
                == .init(
                    status: .success,
                    output: """
                        Made \(restored) from the backup of 2026-10-14T07:05:00Z: 1 sample.
                        The tokens and secrets are in it, so the phones go on as before: ipad, phone.
                        Next: server serve --data \(restored)

                        """, errors: ""))
        #expect(try settings(restored) == harness.configuration)
        let mode = try FileManager.default.attributesOfItem(atPath: restored + "/receiver.json")[.posixPermissions]
        #expect(mode as? Int == 0o600)
        #expect(StoredFigures.read(folder: restored).endpoints["phone"]?.samples == 1)
    }

    @Test func withoutSecretsEachPhoneIsPairedAgain() throws {
        let backup = harness.run("backup", file)
        #expect(
            backup.output.hasSuffix(
                "\nIt holds no tokens and secrets: after server init --from each phone must be paired again.\n"))
        // None of them is in the file.
        let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        for endpoint in try harness.configuration.endpoints.values {
            for secret in endpoint.credentials.tokens + endpoint.credentials.secrets {
                let text = try #require(secretText(secret.secret))
                #expect(bytes.range(of: Data(text.utf8)) == nil)
            }
        }
        let restore = harness.run("init", "--from", file, "--data", restored)
        #expect(
            restore.output == """
                Made \(restored) from the backup of 2026-10-14T07:05:00Z: 1 sample.
                The backup has no secrets, so each phone must be paired again, with a new link:
                  server link ipad --data \(restored)
                  server link phone --data \(restored)

                """)
        // All else is as it was.
        let before = try harness.configuration, after = try settings(restored)
        #expect(after.names == before.names && after != before)
        for name in before.names {
            let (old, new) = (try #require(before.endpoints[name]), try #require(after.endpoints[name]))
            #expect(
                new.label == old.label && new.person == old.person && new.timeZone == old.timeZone
                    && new.format == old.format)
            #expect(new.credentials.scheme == old.credentials.scheme)
            #expect(new.credentials.tokens.count == 1 && new.credentials.tokens != old.credentials.tokens)
            #expect(new.credentials.secrets.isEmpty == old.credentials.secrets.isEmpty)
            for secret in new.credentials.tokens + new.credentials.secrets {
                #expect(secretText(secret.secret)?.contains("removed") == false)
            }
        }
    }

    /// A copy made by other means, such as `sqlite3 .backup`: who stored something gets an endpoint.
    @Test func aCopyOfTheDatabase() throws {
        let restore = harness.run("init", "--from", harness.data + "/health.db", "--data", restored)
        #expect(restore.status == .success && restore.output.contains("\n  server link phone --data "))
        #expect(try settings(restored).names == ["phone"])
        #expect(try settings(restored).endpoints["phone"]?.person == "Anna")
        #expect(harness.run("link", "--data", restored).status == .success)
    }

    /// A file that was imported says nothing of how the phone sends.
    @Test func aCopyWhoseLastRowIsAnImport() throws {
        let history = harness.folder + "/history"
        try Data(ImportCommandTests.xml.utf8).write(to: URL(filePath: history))
        #expect(harness.run("import", history, "--to", "phone").status == .success)
        #expect(harness.run("init", "--from", harness.data + "/health.db", "--data", restored).status == .success)
        #expect(try settings(restored).endpoints["phone"]?.format == .native)
        #expect(harness.run("list", "--data", restored).status == .success)
    }

    /// Their apps can't sign, or may be one that can't, so a secret would lock them out.
    @Test(arguments: [Dialect.relay, .steps, .hae]) func aCopyOfASenderThatNeverSigns(format: Dialect) throws {
        try storeBody(
            #"{"v":1,"type":"sync","device":"d_1","samples":[{"uuid":"k2","type":"steps","value":412}]}"#,
            in: harness.data, endpoint: "guest", dialect: format)
        #expect(harness.run("init", "--from", harness.data + "/health.db", "--data", restored).status == .success)
        let endpoint = try #require(try settings(restored).endpoints["guest"])
        #expect(endpoint.format == format && endpoint.credentials.secrets.isEmpty)
        #expect(endpoint.credentials.tokens.count == 1)
    }

    @Test func commandsGoOnWithHigherIDs() throws {
        try queueCommand(in: harness.data)
        harness.run("backup", file)
        let restore = harness.run("init", "--from", file, "--data", restored)
        #expect(
            restore.errors
                == "server: Commands that were queued after the backup are lost; new ids start 1,000 higher.\n")
        #expect(try queueCommand(in: restored) == "c_1002")
    }

    @Test func refusals() throws {
        #expect(harness.run("backup", "-").status == .usage)
        #expect(harness.run("backup").status == .usage)
        #expect(harness.run("backup", file).status == .success)
        #expect(
            harness.run("backup", file)
                == .init(
                    status: .cannotCreate, output: "", errors: "server: \(file) is there already and is not replaced.\n"
                ))
        let occupied = harness.run("init", "--from", file)
        #expect(occupied.status == .cannotCreate && occupied.errors.contains("has data already (receiver.json)"))
        for words in [["phone"], ["--name", "x"], ["--no-sign"], ["--token", "-"]] {
            #expect(harness.run(words: ["init", "--from", file, "--data", restored] + words).status == .usage)
        }
        try Data("text".utf8).write(to: URL(fileURLWithPath: harness.folder + "/text"))
        let foreign = harness.run("init", "--from", harness.folder + "/text", "--data", restored)
        #expect(
            foreign
                == .init(
                    status: .data, output: "", errors: "server: \(harness.folder)/text is no backup of this program.\n")
        )
        try Data(contentsOf: URL(fileURLWithPath: file)).prefix(50_000).write(
            to: URL(fileURLWithPath: harness.folder + "/cut"))
        let cut = harness.run("init", "--from", harness.folder + "/cut", "--data", restored)
        #expect(
            cut.status == .data
                && cut.errors == "server: \(harness.folder)/cut is cut or damaged: take another backup.\n")
        #expect(harness.run("init", "--from", harness.folder + "/none", "--data", restored).status == .inputOutput)
        #expect(try names() == ["cut", "data", "health.backup", "text"])
        harness.run("init", "--data", restored)
        #expect(harness.run("backup", file + "2", "--data", restored).status == .inputOutput)  // nothing stored yet
    }

    @Test func interrupted() throws {
        #expect(
            harness.run("backup", file) { $0.watchInterrupts = { { true } } }
                == .init(status: .interrupted, output: "", errors: "server: Interrupted: no backup was written.\n"))
        harness.run("backup", file)
        let restore = harness.run("init", "--from", file, "--data", restored) { $0.watchInterrupts = { { true } } }
        #expect(restore.status == .interrupted)
        let export = harness.run("export", "--output", file + ".jsonl") { $0.watchInterrupts = { { true } } }
        #expect(export.status == .interrupted)
        #expect(try names() == ["data", "health.backup"])
    }

    /// Settings that can't be taken up leave nothing of the restore.
    @Test func settingsOfANewerProgram() throws {
        let note = BackupNote(madeAt: "t", program: "9", hasSecrets: true, configuration: #"{"schema":9}"#)
        _ = try Backup.make(of: harness.data, at: file, note: note) { _ in true }
        let restore = harness.run("init", "--from", file, "--data", restored)
        #expect(restore.status == .data && restore.errors.contains("schema 9 is of a newer program"))
        #expect(try names() == ["data", "health.backup"])
    }

    @Test func progressOnATerminal() throws {
        let clock = TickingClock()
        let result = harness.run("backup", file) { context in
            context.isErrorTerminal = true
            context.now = { clock.next() }
        }
        #expect(result.errors.contains("\rcopying: ") && result.errors.contains("\rchecking the copy"))
        #expect(result.errors.hasSuffix(" \r"))
    }
}
