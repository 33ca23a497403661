import Foundation
import Samples
import Testing
import Transport

@testable import Receiver

private func time(_ seconds: Int64) -> Timestamp { Timestamp(microseconds: seconds * 1_000_000) }
private let now = time(1_791_961_500)

@Test(
    arguments: [
        (0, "1970-01-01 00:00:00 UTC"), (1_791_961_500, "2026-10-14 07:05:00 UTC"), (-1, "1969-12-31 23:59:59 UTC"),
        (951_782_399, "2000-02-28 23:59:59 UTC"), (951_782_400, "2000-02-29 00:00:00 UTC"),
        (951_868_800, "2000-03-01 00:00:00 UTC"), (1_735_689_599, "2024-12-31 23:59:59 UTC"),
        (4_107_542_400, "2100-03-01 00:00:00 UTC"), (-62_135_596_800, "0001-01-01 00:00:00 UTC"),
        (-62_198_755_200, "-0001-01-01 00:00:00 UTC"),
    ] as [(Int64, String)])
func timeForPeople(seconds: Int64, expected: String) {
    #expect(utcText(time(seconds)) == expected)
    #expect(rfc3339Text(time(seconds)) == expected.dropLast(4).replacingOccurrences(of: " ", with: "T") + "Z")
}

@Test func timeAtTheEndsOfItsRange() {
    #expect(utcText(Timestamp(microseconds: .max)) == "294247-01-10 04:00:54 UTC")
    #expect(utcText(Timestamp(microseconds: .min)) == "-290308-12-21 19:59:05 UTC")
    #expect(utcText(Timestamp(microseconds: -1)) == "1969-12-31 23:59:59 UTC")
}

@Test(
    arguments: [
        (0, "just now"), (-500, "just now"), (59, "just now"), (60, "1 minute ago"), (3_599, "59 minutes ago"),
        (3_600, "1 hour ago"), (86_399, "23 hours ago"), (86_400, "1 day ago"), (900_000, "10 days ago"),
    ] as [(Int64, String)])
func howLongAgo(seconds: Int64, expected: String) {
    #expect(agoText(time(1_000_000 - seconds), now: time(1_000_000)) == expected)
    #expect(agoText(Timestamp(microseconds: .min), now: Timestamp(microseconds: .max)).hasSuffix("days ago"))
}

@Test func clockOfTheMachine() {
    let text = "2026-10-14 07:05:00 UTC"
    #expect(
        MachineChecks.clock(now: now, isSynchronized: true)
            == CheckLine(.ok, "clock", "\(text), kept right by the system"))
    #expect(MachineChecks.clock(now: now, isSynchronized: false).verdict == .warn)
    #expect(MachineChecks.clock(now: now, isSynchronized: nil).verdict == .ok)
    for seconds in [0, 1_767_225_599, 4_102_444_801] as [Int64] {
        #expect(MachineChecks.clock(now: time(seconds), isSynchronized: true).verdict == .fail)
    }
    #expect(MachineChecks.clock(now: time(1_767_225_600), isSynchronized: true).verdict == .ok)
}

@Test func spaceOnTheDisk() {
    #expect(MachineChecks.disk(freeBytes: nil).verdict == .warn)
    #expect(MachineChecks.disk(freeBytes: (100 << 20) - 1).verdict == .fail)
    #expect(MachineChecks.disk(freeBytes: 100 << 20).verdict == .warn)
    #expect(MachineChecks.disk(freeBytes: (1 << 30) - 1).verdict == .warn)
    #expect(MachineChecks.disk(freeBytes: 1 << 30) == CheckLine(.ok, "disk", "1024 MiB free"))
    #expect((MachineChecks.freeBytes("/") ?? 0) > 0 && MachineChecks.freeBytes("/none/such") == nil)
}

@Test func folderOfTheReceiver() throws {
    let folder = NSTemporaryDirectory() + "syncky-check-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(
        MachineChecks.folder(folder)
            == [CheckLine(.fail, "folder", "\(folder) can't be reached: run server init")])
    try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    #expect(MachineChecks.folder(folder) == [CheckLine(.ok, "folder", "\(folder), for this user alone")])
    let file = folder + "/receiver.json"
    #expect(FileManager.default.createFile(atPath: file, contents: nil, attributes: [.posixPermissions: 0o640]))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
    #expect(
        MachineChecks.folder(folder) == [
            CheckLine(.warn, "folder", "other users can reach it: chmod 700 \(folder)"),
            CheckLine(.warn, "folder", "other users can read receiver.json: chmod 600 \(file)"),
        ])
    #expect(MachineChecks.folder(file) == [CheckLine(.fail, "folder", "\(file) is not a folder")])
}

// MARK: The way of a phone

private func address(_ host: String, _ port: UInt16 = 8787) -> SocketAddress {
    SocketAddress(host: host, port: port)!
}

/// Interfaces of a machine at home, made from the addresses of this one's loopback.
private func interfaces(_ hosts: [String]) -> [InterfaceAddress] {
    hosts.map { InterfaceAddress(interface: "eth0", address: address($0, 0)) }
}

private func answer(_ status: Int) -> ProbeAnswer {
    ProbeAnswer(status: status)
}

/// A network in which each `host:port` gives one answer over plain HTTP, and everything else refuses.
private func network(
    _ answers: [String: Result<ProbeAnswer, ProbeError>] = [:], names: [String: [String]] = [:],
    own: [String] = ["127.0.0.1", "192.168.1.20"], listenError: CInt? = nil
) -> ProbeNetwork {
    ProbeNetwork(
        probe: { (address, _, _, trust) throws(ProbeError) in
            guard trust == .plainHTTP else { throw .tls("wrong version number") }
            return try (answers[address.description] ?? .failure(.refused)).get()
        },
        resolve: { host, port in
            (names[host] ?? []).compactMap { SocketAddress(host: $0, port: port) }
        },
        interfaces: { interfaces(own) }, listenError: { _ in listenError.map(Errno.init(rawValue:)) })
}

private func lines(
    _ network: ProbeNetwork, host: String = "box.local", port: Int = 8787, isHTTPS: Bool = false,
    bind: String = "::", isURLGiven: Bool = false
) throws -> [String] {
    let url = try PhoneURL(isHTTPS: isHTTPS, host: host, port: port, path: "/hook/phone")
    return ReachChecks(network: network, bind: bind, port: 8787, url: url, isURLGiven: isURLGiven, now: now)
        .lines().map(\.description)
}

private let lanLine =
    "OK    url          box.local is an address of the local network; iOS asks once whether Syncky may use the local "
    + "network: allow it"
private let listens = "OK    address      listens on ::: 192.168.1.20"

@Test func everythingIsWell() throws {
    let network = network(
        ["127.0.0.1:8787": .success(answer(200)), "192.168.1.20:8787": .success(answer(200))],
        names: ["box.local": ["192.168.1.20"]])
    #expect(
        try lines(network) == [
            "OK    port         8787 is served", listens, lanLine,
            "OK    name         box.local is 192.168.1.20",
            "OK    reach        box.local:8787 answers from this machine",
        ])
}

@Test func beforeItServes() throws {
    #expect(
        try lines(network(names: ["box.local": ["192.168.1.20"]])) == [
            "OK    port         8787 is free; nothing serves there until server serve runs", listens, lanLine,
            "OK    name         box.local is 192.168.1.20",
        ])
    let asked = try lines(network(names: ["box.local": ["192.168.1.20"]]), isURLGiven: true)
    #expect(
        asked.last
            == "FAIL  reach        box.local:8787 refuses connections: nothing listens there, or a firewall says no")
}

@Test func portThatIsNotOurs() throws {
    let cases: [(Result<ProbeAnswer, ProbeError>?, CInt?, String)] = [
        (
            .success(answer(404)), nil,
            "is taken by another program, which answers status 404 to /healthz; choose another with --port"
        ),
        (
            .failure(.notHTTP), nil,
            "is taken by another program, which speaks something else than HTTP; choose another with --port"
        ),
        (nil, EADDRINUSE, "can't be listened on: Address already in use; choose another with --port"),
        (nil, EACCES, "can't be listened on: Permission denied; choose another with --port"),
    ]
    for (answer, error, text) in cases {
        let network = network(answer.map { ["127.0.0.1:8787": $0] } ?? [:], listenError: error)
        #expect(try lines(network)[0] == "FAIL  port         8787 \(text)")
    }
}

@Test func serverOverTLS() throws {
    let network = ProbeNetwork(
        probe: { (_, _, _, trust) throws(ProbeError) in
            guard trust == .anyCertificate else { throw .system(Errno(rawValue: ECONNRESET)) }
            return answer(200)
        }, resolve: { _, _ in [] }, interfaces: { [] }, listenError: { _ in nil })
    #expect(try lines(network)[0] == "OK    port         8787 is served, over TLS")
}

@Test func whatTheAddressIs() throws {
    let cases: [(String, Bool, String)] = [
        ("8.8.8.8", false, "WARN  url          8.8.8.8 is a public address, so the app warns: \(AddressClass.warning)"),
        ("8.8.8.8", true, "OK    url          8.8.8.8 is a public address"),
        ("100.64.0.1", false, "OK    url          100.64.0.1 is an address of a private overlay network"),
        (
            "127.0.0.1", false,
            "WARN  url          127.0.0.1 is a loopback address: on a phone that is the phone itself; use --host"
        ),
        ("box.local", false, lanLine), ("box.local", true, lanLine),
    ]
    for (host, isHTTPS, expected) in cases {
        #expect(try lines(network(), host: host, isHTTPS: isHTTPS)[2] == expected)
    }
}

@Test func whereItListens() {
    let home = interfaces(["127.0.0.1", "192.168.1.20", "::1", "fd00::20"])
    let cases: [(String, [InterfaceAddress], String)] = [
        ("::", home, "OK    address      listens on ::: 192.168.1.20, fd00::20"),
        ("0.0.0.0", home, "OK    address      listens on 0.0.0.0: 192.168.1.20"),
        ("192.168.1.20", home, "OK    address      listens on 192.168.1.20: 192.168.1.20"),
        (
            "127.0.0.1", home,
            "WARN  address      127.0.0.1 is reached from this machine only; a phone needs a proxy here, or --bind ::"
        ),
        (
            "10.0.0.1", home,
            "FAIL  address      10.0.0.1 is no address of this machine, which has 192.168.1.20, fd00::20"
        ),
        ("::", interfaces(["127.0.0.1"]), "FAIL  address      this machine has no address besides its own loopback"),
        ("10.0.0.1", [], "FAIL  address      10.0.0.1 is no address of this machine, which has none"),
        ("nonsense", home, "FAIL  address      nonsense is no address to listen on"),
    ]
    for (bind, interfaces, expected) in cases {
        #expect(MachineChecks.bind(bind, interfaces: interfaces).description == expected)
    }
}

@Test func nameThatIsNotKnown() throws {
    #expect(
        try lines(network()).last
            == "WARN  name         box.local isn't known here: a phone finds it when avahi-daemon runs here, and this "
            + "machine with libnss-mdns installed")
    #expect(
        try lines(network(), host: "box.example").last
            == "FAIL  name         box.example isn't known here: no phone will find it either")
    let away = try lines(network(names: ["box.local": ["192.168.1.99"]]))
    #expect(
        away.last
            == "WARN  name         box.local is 192.168.1.99, which is not this machine; right with a proxy only")
}

/// As the proxies of `examples/reverse-proxy` have it: nothing but the phone's path is let through.
@Test(arguments: [(405, true), (200, true), (404, false), (502, false), (301, false)])
func aProxyThatPassesThePathAlone(status: Int, isReached: Bool) throws {
    var network = network(names: ["box.local": ["192.168.1.20"]])
    network.probe = { (_, _, path, _) throws(ProbeError) in answer(path == "/healthz" ? 404 : status) }
    let line = try #require(try lines(network, isURLGiven: true).last)
    #expect(line.hasPrefix("OK") == isReached && line.hasPrefix("FAIL") != isReached)
}

@Test func whatTheURLAnswers() throws {
    let cases: [(Result<ProbeAnswer, ProbeError>, String)] = [
        (
            .success(answer(301)),
            "FAIL  reach        box.local:8787 answers status 301 to /healthz: the app follows no redirect"
        ),
        (
            .success(answer(404)),
            "FAIL  reach        box.local:8787 answers status 404 to /healthz: another program, or a proxy without this path"
        ),
        (.failure(.timedOut), "FAIL  reach        box.local:8787 doesn't answer in time: look at the firewall"),
        (
            .failure(.system(Errno(rawValue: ENETUNREACH))),
            "FAIL  reach        box.local:8787 can't be reached: Network is unreachable"
        ),
        (.failure(.notHTTP), "FAIL  reach        box.local:8787 doesn't speak HTTP: perhaps TLS, use --https"),
    ]
    for (result, expected) in cases {
        let network = network(["192.168.1.20:8787": result], names: ["box.local": ["192.168.1.20"]])
        #expect(try lines(network, isURLGiven: true).last == expected)
    }
    let secure = try lines(network(names: ["box.local": ["192.168.1.20"]]), isHTTPS: true, isURLGiven: true)
    #expect(secure.last == "FAIL  reach        box.local:8787 speaks no TLS that a phone accepts: wrong version number")
    // The second address counts when the first is silent.
    let second = network(
        ["192.168.1.20:8787": .success(answer(200))], names: ["box.local": ["fd00::1", "192.168.1.20"]])
    #expect(try lines(second, isURLGiven: true).last == "OK    reach        box.local:8787 answers from this machine")
}

@Test func addressesOfThisMachineItself() {
    #expect(ProbeNetwork.localAddresses(bind: "::", port: 1).map(\.description) == ["127.0.0.1:1", "[::1]:1"])
    #expect(ProbeNetwork.localAddresses(bind: "0.0.0.0", port: 1).map(\.description) == ["127.0.0.1:1"])
    #expect(ProbeNetwork.localAddresses(bind: "10.0.0.1", port: 1).map(\.description) == ["10.0.0.1:1"])
    #expect(ProbeNetwork.localAddresses(bind: "nonsense", port: 1).isEmpty)
}

@Test func reportForMachines() {
    let report = StatusReport(
        endpoints: [
            .init(
                name: "phone", person: "mé \"x\"", format: "native", auth: "bearer", isSigned: true, lastStored: now,
                samples: 12),
            .init(
                name: "box", person: "box", format: "csv", auth: "none", isSigned: false, lastStored: nil, samples: 0),
        ], warnings: [.init(code: "never_stored", message: "Endpoint box has not stored anything yet.")])
    let text = report.json().split(separator: "\n").map { $0.drop { $0 == " " } }.joined()
    #expect(
        text == #"{"endpoints": [{"name": "phone","person": "mé \"x\"","format": "native","auth": "bearer","#
            + #""signed": true,"last_stored": "2026-10-14T07:05:00Z","samples": 12},{"name": "box","person": "box","#
            + #""format": "csv","auth": "none","signed": false,"last_stored": null,"samples": 0}],"waiting": 0,"#
            + #""commands": [],"last_stored": "2026-10-14T07:05:00Z","warnings": [{"code": "never_stored","#
            + #""message": "Endpoint box has not stored anything yet."}]}"#)
}
