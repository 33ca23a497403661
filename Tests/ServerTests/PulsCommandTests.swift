import Foundation
import Receiver
import Samples
import Signing
import Storage
import Testing

@testable import server

private let user = "0b7c2d11-5a3e-4f60-9a41-6d2f8e7c9b01"

private func paired(_ flags: String...) -> CommandHarness {
    let harness = CommandHarness()
    harness.run(words: ["init", "--format", "puls", "--token", "-"] + flags, input: ["tök/+=&1"])
    return harness
}

@Test func anEndpointForPulsHealthIsUnsigned() throws {
    let harness = CommandHarness()
    let result = harness.run("init", "--format", "puls", "--bind-user", user.uppercased())
    #expect(result.status == .success && result.errors.isEmpty)
    #expect(result.output.contains("Scan the link's QR code with the phone's camera, which opens it in PulsHealth."))
    let endpoint = try harness.endpoint()
    #expect(endpoint.format == .puls && endpoint.credentials.scheme == .bearer)
    #expect(endpoint.credentials.secrets.isEmpty && endpoint.credentials.tokens.count == 1)
    #expect(endpoint.boundUser == user)
    harness.run("add", "anna", "--format", "puls", "--no-sign")
    #expect(try harness.endpoint("anna").boundUser == nil)
    harness.run("rotate", "anna")
    #expect(try harness.endpoint("anna").credentials.secrets.isEmpty)
}

@Test(arguments: [
    (["--hmac", "s"], "Apps of the format puls can't sign what they send: leave --hmac out."),
    (["--auth", "none"], "PulsHealth sends a bearer token: --format puls goes with --auth bearer only."),
    (
        ["--auth", "header", "--header", "X-Key"],
        "PulsHealth sends a bearer token: --format puls goes with --auth bearer only."
    ),
    (["--bind-user", "anna"], "--bind-user takes a UUID such as 5ea4d000-0000-4000-8000-000000000001."),
])
func whatPulsHealthCantDo(flags: [String], message: String) {
    let result = CommandHarness().run(words: ["init", "--format", "puls"] + flags)
    #expect(result == .init(status: .usage, output: "", errors: "server: \(message)\n"))
}

@Test func aUserIsBoundForPulsHealthAlone() {
    let result = CommandHarness().run("init", "--bind-user", user)
    #expect(result.errors == "server: --bind-user is for --format puls only.\n" && result.status == .usage)
}

@Test func thePairingLink() {
    let harness = paired()
    let start = "puls://pair?url=http%3A%2F%2Fmyserver.local%3A8787%2Fhook%2Fphone&token=t%C3%B6k%2F%2B%3D%261&user="
    #expect(harness.run("link").output == "\(start)5ea4d000-0000-4000-8000-000000000001\n")
    #expect(harness.run("link", "--user", user.uppercased()).output == "\(start)\(user)\n")
    #expect(paired("--bind-user", user).run("link").output == "\(start)\(user)\n")
    #expect(
        harness.run("link", "--host", "health.example.org", "--https", "--port", "443", "--path", "/puls/").output
            .hasPrefix("puls://pair?url=https%3A%2F%2Fhealth.example.org%2Fpuls&token="))
    for host in ["localhost", "Box.LOCAL", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.20"] {
        #expect(harness.run("link", "--host", host).status == .success, "\(host)")
    }
}

@Test func whatPulsHealthWouldRefuse() {
    let harness = paired("--bind-user", user)
    let plain =
        "PulsHealth takes http:// only for localhost, names that end in .local, and addresses in 10.0.0.0/8, "
        + "172.16.0.0/12 and 192.168.0.0/16: use --https."
    let cases: [([String], String)] = [
        (["--host", "example.org"], plain), (["--host", "172.32.0.1"], plain), (["--host", "169.254.1.1"], plain),
        (["--host", "127.0.0.1"], plain), (["--host", "fd00::1"], plain), (["--host", "100.64.0.1"], plain),
        (["--path", "/a?b=c"], "The app puts paths of its own behind the URL, so that it can't have a query."),
        (["--user", "x"], "--user takes a UUID such as 5ea4d000-0000-4000-8000-000000000001."),
        (
            ["--user", "5ea4d000-0000-4000-8000-000000000001"],
            "phone is bound to the user \(user), and takes no other."
        ),
        (["--types", "steps"], "--types is for Syncky's links: phone is for PulsHealth."),
        (["--scheme", "syncky-dev"], "--scheme is for Syncky's links: phone is for PulsHealth."),
    ]
    for (flags, message) in cases {
        let result = harness.run(words: ["link"] + flags)
        #expect(
            result.output.isEmpty && result.status == .usage && result.errors.hasSuffix("server: \(message)\n"),
            "\(flags): \(result)")
    }
    let syncky = CommandHarness()
    syncky.run("init")
    #expect(syncky.run("link", "--user", user).errors == "server: --user is for endpoints of PulsHealth only.\n")
}

@Test func aTokenThatTheAppWouldTrim() throws {
    let url = try PhoneURL(isHTTPS: true, host: "a.example", port: 443, path: "/")
    for token in ["\u{A0}t", "t\u{2003}", "t ", ""] {
        #expect(throws: SetupFault.self) { try PulsLink(url: url, token: token, user: PulsUser.standard).encoded() }
    }
}

// MARK: Settings

private func settings(_ members: String, secrets: String = "", auth: String = "bearer") -> [UInt8] {
    let tokens = auth == "none" ? "" : #"{"value":"t"}"#
    return Array(
        #"{"schema":1,"endpoints":{"a":{"label":"a","person":"a","auth":"\#(auth)","tokens":[\#(tokens)],"secrets":[\#(secrets)],"time_zone":"UTC",\#(members)}}}"#
            .utf8)
}

@Test func aBoundUserIsKeptInLowerCase() throws {
    let read = try Configuration(parsing: settings(#""format":"puls","bind_user":"\#(user.uppercased())""#))
    #expect(read.endpoints["a"]?.boundUser == user)
    #expect(try Configuration(parsing: Array(read.text().utf8)) == read)
    #expect(read.text().contains(#""bind_user": "\#(user)""#))
}

@Test func settingsThatPulsHealthCantMeet() {
    let cases: [([UInt8], String)] = [
        (settings(#""format":"puls","bind_user":"x""#), "endpoints.a.bind_user must be a UUID"),
        (settings(#""format":"native","bind_user":"\#(user)""#), "endpoints.a.bind_user is only for format puls"),
        (
            settings(#""format":"puls""#, secrets: #"{"value":"s"}"#),
            "endpoints.a.secrets must be empty for format puls: that app can't sign"
        ),
        (settings(#""format":"puls""#, auth: "none"), "endpoints.a.auth must be bearer for format puls"),
    ]
    for (text, message) in cases {
        do {
            _ = try Configuration(parsing: text)
            Issue.record("\(message) is accepted")
        } catch { #expect(error.message.contains(message), "\(error.message)") }
    }
}

@Test func aPurgeTellsOfPoints() throws {
    let harness = paired()
    let store = try Store.open(directory: harness.data)
    var batch = SampleBatch()
    var extras = PulsExtras(batchID: UUIDBits(high: 1, low: 2))
    extras.routePoints = (0..<2).map {
        RoutePointRecord(
            workout: UUIDBits(high: 3, low: 4), time: Timestamp(microseconds: $0), latitude: 1, longitude: 2)
    }
    batch.extras = .puls(extras)
    store.submit(
        Submission(
            receivedAt: Timestamp(microseconds: 1), endpoint: "phone", person: "me", device: PulsUser.device,
            kind: .data, dialect: .puls, bodyBytes: 1, status: 200, content: .batch(batch))
    ) { _ in }
    store.close()
    #expect(
        harness.run("remove", "phone", "--purge", input: ["phone"]).output == """
            Removed the endpoint phone: its token and signature are refused.
            Deleted 0 samples and 1 delivery of phone.
            Deleted 2 points of workouts and 0 aggregates of phone.

            """)
}
