import Receiver
import Testing
import Transport

@testable import server

/// A machine on which `status` is what the receiver answers to `path`.
private func serving(_ status: Int, path: String) -> ProbeNetwork {
    ProbeNetwork(
        probe: { (address, _, asked, _) throws(ProbeError) in
            guard asked == path, address.description == "127.0.0.1:8787" else { throw .refused }
            return ProbeAnswer(status: status)
        },
        resolve: { host, port in SocketAddress(host: host == "box" ? "127.0.0.1" : host, port: port).map { [$0] } ?? []
        },
        interfaces: { [] }, listenError: { _ in nil })
}

@Test func healthOfAServer() throws {
    let harness = CommandHarness()  // no receiver.json: a container asks before it is set up
    let ready = serving(200, path: "/readyz"), busy = serving(503, path: "/readyz")
    #expect(harness.run("health") { $0.network = ready } == .init(status: .success, output: "ready\n", errors: ""))
    #expect(
        harness.run("health") { $0.network = busy }
            == .init(
                status: .unavailable, output: "",
                errors: "server: The server at 127.0.0.1:8787 is not ready: status 503.\n"))
    #expect(
        harness.run("health")
            == .init(status: .unavailable, output: "", errors: "server: Nothing answers on port 8787.\n"))
    #expect(harness.run("health", "--host", "box") { $0.network = ready }.status == .success)
    #expect(
        harness.run("health", "--host", "nobody") { $0.network = ready }.errors == "server: nobody isn't known here.\n")
    #expect(
        harness.run("health", "--port", "9") { $0.network = ready }.errors == "server: Nothing answers on port 9.\n")
    let moved = harness.run("health") { ($0.network, $0.environment["SYNCKY_PORT"]) = (ready, "9") }
    #expect(moved.errors == "server: Nothing answers on port 9.\n")
    harness.run("init")
    #expect(harness.run("health") { $0.network = ready }.status == .success)
    let slow = ProbeNetwork(
        probe: { (_, _, _, _) throws(ProbeError) in throw .timedOut }, resolve: { _, _ in [] }, interfaces: { [] },
        listenError: { _ in nil })
    #expect(harness.run("health") { $0.network = slow }.errors == "server: [::1]:8787 gives no answer.\n")
}

@Test func checkOfAMachine() throws {
    let harness = CommandHarness()
    let before = harness.run("check")
    #expect(before.status == .unavailable && before.errors.isEmpty)
    #expect(before.output.contains("FAIL  folder       \(harness.data) can't be reached: run server init\n"))
    #expect(before.output.contains("FAIL  settings     There is no \(harness.data)/receiver.json; run init first.\n"))

    harness.run("init")
    let network = ProbeNetwork(
        probe: { (_, _, _, _) throws(ProbeError) in
            ProbeAnswer(status: 200)
        },
        resolve: { _, port in [SocketAddress(host: "192.168.1.20", port: port)!] },
        interfaces: { interfaceAddresses() },
        listenError: { _ in nil })
    let after = harness.run("check", "--host", "10.0.0.1") { $0.network = network }
    let expected = [
        "OK    clock        2026-10-14 07:05:00 UTC, kept right by the system",
        "OK    folder       \(harness.data), for this user alone",
        "OK    settings     endpoint phone",
        "OK    database     nothing was stored yet",
        "OK    port         8787 is served",
        "OK    reach        10.0.0.1:8787 answers from this machine",
    ]
    for line in expected { #expect(after.output.contains(line + "\n")) }
    #expect(after.output.split(separator: "\n").count == 10)

    harness.run("add", "open", "--auth", "none", "--no-sign")
    let open = harness.run("check") { $0.network = network }
    #expect(open.output.contains("WARN  settings     Endpoint open has neither a token nor a signing secret"))
    #expect(harness.run("check", "--host", "a b").status == .usage)
}

@Test func statusBeforeAnythingCame() throws {
    let harness = CommandHarness()
    #expect(harness.run("status").status == .inputOutput)
    harness.run("init")
    harness.run("add", "anna", "--format", "csv", "--no-sign")
    #expect(
        harness.run("status")
            == .init(
                status: .success,
                output: """
                    NAME   PERSON  FORMAT  AUTH    SIGNED  SAMPLES  LAST STORED
                    anna   anna    csv     bearer  no      0        never
                    phone  me      native  bearer  yes     0        never
                    Warning: Endpoint anna has not stored anything yet: show its link to the phone.
                    Warning: Endpoint phone has not stored anything yet: show its link to the phone.
                    Warning: No server runs here: start server serve.

                    """, errors: ""))
    let json = harness.run("status", "--json").output
    #expect(json.contains("\"waiting\": 0") && json.contains("\"commands\": []") && json.contains("never_stored"))
    let wrongClock = harness.run("status", seconds: 0)
    #expect(wrongClock.output.contains("Warning: Clock: it says 1970-01-01 00:00:00 UTC"))
    harness.run("remove", "anna")
    harness.run("remove", "phone")
    #expect(
        harness.run("status").output == """
            Warning: There is no endpoint: server add NAME makes one.
            Warning: No server runs here: start server serve.

            """)
}
