import Foundation
import Glibc
import Receiver
import Samples
import Storage
import Synchronization
import Testing
import Transport

@testable import server

/// Stores `count` samples for the endpoint, a second apart, as `serve` would.
private func store(_ count: Int, for endpoint: String, in folder: String, seconds: Int64 = 1_791_961_000) throws {
    let store = try Store.open(directory: folder)
    defer { store.close() }
    var batch = SampleBatch()
    let series = batch.series(type: batch.intern("steps".utf8), unit: batch.intern("count".utf8))
    for number in 0..<count {
        let start = Timestamp(microseconds: (seconds + Int64(number)) * 1_000_000)
        batch.samples.append(
            SampleRecord(
                key: .uuid(high: 1, low: UInt64(number)), start: start, end: start, value: 1, series: series,
                source: -1, valueName: -1, part: 0, kind: .quantity, spelled: [], rest: .empty))
    }
    let submission = Submission(
        receivedAt: Timestamp(microseconds: seconds * 1_000_000), endpoint: endpoint, person: endpoint,
        device: Array("d_\(endpoint)".utf8), kind: .data, dialect: .native, bodyBytes: 1, status: 204,
        content: .batch(batch))
    let done = DispatchSemaphore(value: 0)
    let outcome = Mutex<Result<StoreOutcome, StoreFault>?>(nil)
    store.submit(submission) { result in
        outcome.withLock { $0 = result }
        done.signal()
    }
    #expect(done.wait(timeout: .now() + 60) == .success)
    #expect(try outcome.withLock { $0 }?.get().stored == count)
}

@Test func statusOfWhatWasStored() throws {
    let harness = CommandHarness()
    harness.run("init")
    harness.run("add", "anna")
    try store(3, for: "phone", in: harness.data)
    #expect(
        harness.run("status").output == """
            NAME   PERSON  FORMAT  AUTH    SIGNED  SAMPLES  LAST STORED
            anna   anna    native  bearer  yes     0        never
            phone  me      native  bearer  yes     3        2026-10-14 06:56:40 UTC, 8 minutes ago
            Warning: Endpoint anna has not stored anything yet: show its link to the phone.
            Warning: No server runs here: start server serve.

            """)
    let json = try JSONSerialization.jsonObject(with: Data(harness.run("status", "--json").output.utf8))
    let report = try #require(json as? [String: Any])
    #expect(Set(report.keys) == ["endpoints", "waiting", "commands", "last_stored", "warnings"])
    #expect(report["last_stored"] as? String == "2026-10-14T06:56:40Z" && report["waiting"] as? Int == 0)
    let endpoints = try #require(report["endpoints"] as? [[String: Any]])
    #expect(endpoints.map { $0["samples"] as? Int } == [0, 3])
    #expect(
        Set(endpoints[1].keys) == ["name", "person", "format", "auth", "signed", "last_stored", "samples"])
    #expect((report["warnings"] as? [[String: String]])?.map { $0["code"] } == ["never_stored", "not_serving"])
    #expect(harness.run("check").output.contains("OK    database     3 samples\n"))
}

@Test func statusBesideAServer() throws {
    let harness = CommandHarness()
    harness.run("init")
    try store(1, for: "phone", in: harness.data)
    let lock = try ServeLock(DataFolder(existing: harness.data))
    #expect(!harness.run("status").output.contains("Warning"))
    let busy = harness.run("status", "--json") { context in
        context.network.probe = { (_, _, _, _) throws(ProbeError) in ProbeAnswer(status: 503) }
    }
    #expect(busy.output.contains("\"not_ready\"") && busy.status == .success)
    withExtendedLifetime(lock) {}
}

@Test func databaseThatCannotBeRead() throws {
    let harness = CommandHarness()
    harness.run("init")
    let file = URL(fileURLWithPath: harness.data + "/health.db")
    try Data(repeating: 0x55, count: 8_192).write(to: file)
    let result = harness.run("status", "--json")
    #expect(result.status == .success && result.output.contains("\"damaged\""))
    #expect(!result.output.contains("never_stored"))
    let check = harness.run("check")
    #expect(check.status == .unavailable && check.output.contains("FAIL  database     "))
    let purge = harness.run("remove", "phone", "--purge", input: ["phone"])
    #expect(purge.status == .data && purge.errors.contains("health.db"))
}

@Test("What an endpoint holds never becomes another person's by its name")
func addUnderANameThatHoldsData() throws {
    let harness = CommandHarness()
    harness.run("init")
    harness.run("add", "anna")
    try store(2, for: "anna", in: harness.data)
    harness.run("remove", "anna")
    #expect(
        harness.run("add", "anna", "--person", "ben")
            == .init(
                status: .cannotCreate, output: "",
                errors: "server: There was an endpoint anna before, and data of anna is still under its name: take "
                    + "it over with --person anna, choose another name, or delete that for good with server remove anna --purge.\n"
            ))
    #expect(try harness.configuration.names == ["phone"])
    #expect(harness.run("add", "anna").status == .success)
    harness.run("remove", "anna", "--purge", input: ["anna"])
    #expect(harness.run("add", "anna", "--person", "ben").status == .success)
}

/// PulsHealth's other users are persons of their own in the store, and the endpoint's to whoever owns it.
@Test func aNameIsGivenToItsPersonAgainWhenThatHasOtherUsers() throws {
    let harness = CommandHarness()
    harness.run("init", "puls", "--format", "puls", "--person", "me")
    try storeBody(
        #"{"v":1,"type":"sync","device":"d","samples":[{"uuid":"k","type":"steps","value":1}]}"#, in: harness.data,
        person: "me/11111111-1111-4111-8111-111111111111", endpoint: "puls")
    harness.run("remove", "puls")
    #expect(harness.run("add", "puls", "--format", "puls", "--person", "ben").status == .cannotCreate)
    #expect(harness.run("add", "puls", "--format", "puls", "--person", "me").status == .success)
}

/// Whatever kept `remove` from it: the next phone of the name gets no command of the last one.
@Test func addWithdrawsWhatStillWaits() throws {
    let harness = CommandHarness()
    harness.run("init", "anna")
    try storeBody(
        #"{"v":1,"type":"sync","device":"d","samples":[{"uuid":"k","type":"steps","value":1}]}"#, in: harness.data,
        person: "me", endpoint: "anna")
    #expect(harness.run("write", "dietary_water", "0.25", "L").status == .success)
    try ConfigurationFile(directory: harness.data).update { configuration in configuration.endpoints["anna"] = nil }
    let added = harness.run("add", "anna", "--person", "me")
    #expect(added.status == .success)
    #expect(added.output.hasPrefix("1 command for its phone will not go out any more.\nAdded the endpoint anna.\n"))
    #expect(try StoreReader(directory: harness.data).commands().map(\.state) == [.rejected])
}

/// What waits for a phone is not known then, and must not go to the next one.
@Test func removeSaysWhenCommandsCannotBeWithdrawn() throws {
    let harness = CommandHarness()
    harness.run("init")
    try Data(repeating: 0x55, count: 8_192).write(to: URL(fileURLWithPath: harness.data + "/health.db"))
    let result = harness.run("remove", "phone")
    #expect(result.status == .data && result.errors.contains("health.db"))
    #expect(try harness.configuration.names.isEmpty)
}

@Test func purgeDeletesOneEndpoint() throws {
    let harness = CommandHarness()
    harness.run("init")
    harness.run("add", "anna")
    try store(5, for: "phone", in: harness.data)
    try store(7, for: "anna", in: harness.data)

    for typed in [[], ["phone"], ["Anna"], [""]] {
        #expect(
            harness.run("remove", "anna", "--purge", input: typed)
                == .init(
                    status: .data, output: "",
                    errors: "Type anna to delete what it stored for good: "
                        + "server: That is not anna: nothing was removed.\n"))
    }
    #expect(try harness.configuration.names == ["anna", "phone"])

    #expect(harness.run("totals", "steps", "--person", "anna").status == .success)
    #expect(FileManager.default.fileExists(atPath: "\(harness.data)/insights.db"))
    let result = harness.run("remove", "anna", "--purge", input: ["anna"])
    #expect(result.status == .success && harness.paused == 0)
    // Nothing that was worked out of it is left.
    #expect(!FileManager.default.fileExists(atPath: "\(harness.data)/insights.db"))
    #expect(
        result.output == """
            Removed the endpoint anna: its token and signature are refused.
            Deleted 7 samples and 1 delivery of anna.

            """)
    #expect(try harness.configuration.names == ["phone"])
    let left = StoredFigures.read(folder: harness.data).endpoints
    #expect(left["phone"]?.samples == 5 && left["anna"]?.samples ?? 0 == 0)

    // Removed first, purged later, beside a server that may not have noticed yet.
    harness.run("remove", "phone")
    let lock = try ServeLock(DataFolder(existing: harness.data))
    let later = harness.run("remove", "phone", "--purge", input: ["phone"])
    #expect(later.output == "Deleted 5 samples and 1 delivery of phone.\n" && harness.paused == 0)
    #expect(harness.run("remove", "nobody", "--purge", input: ["nobody"]).status == .usage)
    harness.run("add", "new")
    harness.run("remove", "new", "--purge", input: ["new"])
    #expect(harness.paused == 1_500)
    withExtendedLifetime(lock) {}
}

@Test func purgeBeforeAnythingCame() {
    let harness = CommandHarness()
    harness.run("init")
    #expect(harness.run("remove", "phone", "--purge", input: ["phone"]).output.hasSuffix("\nNothing was stored yet.\n"))
}

/// As `sudo server add` does on the folder of a service: only root can try.
@Test(.enabled(if: geteuid() == 0))
func whatRootMakesInAnotherUsersFolderIsThatUsers() throws {
    let harness = CommandHarness()
    harness.run("init")
    let user: uid_t = 23_456, group: gid_t = 23_457
    for name in try FileManager.default.contentsOfDirectory(atPath: harness.data) + ["."] {
        #expect(chown("\(harness.data)/\(name)", user, group) == 0)
    }
    harness.run("add", "ipad")
    try store(5, for: "ipad", in: harness.data)
    harness.run("token", "add", "me", "--all-persons")
    #expect(harness.run("totals", "steps", "--person", "ipad").status == .success)
    let files = try FileManager.default.contentsOfDirectory(atPath: harness.data)
    #expect(Set(files).isSuperset(of: ["receiver.json", "receiver.lock", "health.db", "turnstile", "insights.db"]))
    for file in files {
        var status = stat()
        #expect(lstat("\(harness.data)/\(file)", &status) == 0)
        #expect(status.st_uid == user && status.st_gid == group, "\(file)")
    }
}

@Test(.enabled(if: geteuid() == 0))
func rootGivesAwayNoFileThatWasLinkedIntoTheFolder() throws {
    let harness = CommandHarness()
    harness.run("init")
    let foreign = "\(harness.data).foreign"
    defer { try? FileManager.default.removeItem(atPath: foreign) }
    try Data("root's".utf8).write(to: URL(fileURLWithPath: foreign))
    for name in ["receiver.lock", "turnstile"] {
        let path = "\(harness.data)/\(name)"
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.linkItem(atPath: foreign, toPath: path)
    }
    #expect(chown(harness.data, 23_456, 23_457) == 0)
    harness.run("add", "ipad")
    try store(1, for: "ipad", in: harness.data)
    var status = stat()
    #expect(stat(foreign, &status) == 0 && status.st_uid == 0 && status.st_gid == 0)
}
