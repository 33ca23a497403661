import Testing

@testable import Receiver

/// The table of the guide's sections 3 and 13, both sides of each edge.
private let addressClasses: [(host: String, expected: AddressClass)] = [
    ("localhost", .loopback), ("LOCALHOST", .loopback), ("127.0.0.1", .loopback), ("127.255.255.255", .loopback),
    ("::1", .loopback), ("[::1]", .loopback), ("0:0:0:0:0:0:0:1", .loopback), ("::ffff:127.0.0.1", .loopback),
    ("[::FFFF:7f00:1]", .loopback),

    ("10.0.0.0", .lan), ("10.255.255.255", .lan), ("172.16.0.0", .lan), ("172.31.255.255", .lan),
    ("192.168.0.1", .lan), ("192.168.255.255", .lan), ("169.254.0.1", .lan), ("169.254.255.255", .lan),
    ("myserver.local", .lan), ("MyServer.LOCAL", .lan), ("a.b.local", .lan),
    ("fe80::1", .lan), ("[fe80::1%eth0]", .lan), ("fe80::1%25eth0", .lan), ("febf::1", .lan),
    ("fc00::1", .lan), ("fdff:ffff::1", .lan), ("fd7a:115c:a1df::1", .lan), ("fd7a:115c:a1e1::1", .lan),
    ("::ffff:192.168.1.2", .lan), ("::ffff:10.0.0.1", .lan),

    ("100.64.0.0", .overlay), ("100.127.255.255", .overlay), ("fd7a:115c:a1e0::1", .overlay),
    ("[fd7a:115c:a1e0:ffff::1]", .overlay), ("host.tail1234.ts.net", .overlay), ("HOST.TS.NET", .overlay),
    ("::ffff:100.64.0.1", .overlay),

    ("126.255.255.255", .public), ("128.0.0.1", .public), ("9.255.255.255", .public), ("11.0.0.0", .public),
    ("172.15.255.255", .public), ("172.32.0.0", .public), ("192.167.255.255", .public), ("192.169.0.0", .public),
    ("169.253.255.255", .public), ("169.255.0.0", .public), ("100.63.255.255", .public), ("100.128.0.0", .public),
    ("0.0.0.0", .public), ("255.255.255.255", .public), ("8.8.8.8", .public), ("::ffff:8.8.8.8", .public),
    ("::", .public), ("::2", .public), ("::127.0.0.1", .public), ("2001:db8::1", .public), ("fe7f::1", .public),
    ("fec0::1", .public), ("fbff::1", .public), ("fe00::1", .public), ("ff02::1", .public),
    ("receiver.example", .public), ("local", .public), (".local", .public), ("ts.net", .public), (".ts.net", .public),
    ("mylocal", .public), ("x.local.example", .public), ("x.local.", .public), ("xts.net", .public),
    ("localhost.example", .public), ("localhost.", .public), ("app.localhost", .public), ("", .public),

    // Spellings of an address that aren't the usual one are names.
    ("2130706433", .public), ("127.1", .public), ("0177.0.0.1", .public), ("0x7f.0.0.1", .public),
    ("127.0.0.01", .public), ("010.0.0.1", .public), ("10.0.0", .public), ("10.0.0.1.", .public),
    ("10.0.0.256", .public), ("10.0.0.1.1", .public), ("10.0.0.-1", .public), ("10.0.0.+1", .public),
    ("10.0.0.", .public), ("10..0.1", .public), (" 10.0.0.1", .public), ("١٠.0.0.1", .public),
    ("fe80:::1", .public), ("fe80::1::", .public), ("[fe80::1", .public), ("fe80", .public), ("%eth0", .public),
    ("fe80::1\0", .public),
]

@Test(arguments: addressClasses)
func addressClass(host: String, expected: AddressClass) {
    #expect(AddressClass(host: host) == expected)
}

@Test func whatTheAppDoesForAnAddress() {
    #expect(AddressClass.allCases.filter(\.warnsOverHTTP) == [.public])
    #expect(AddressClass.allCases.filter(\.asksForLocalNetwork) == [.lan])
    #expect(
        AddressClass.warning
            == "Health data will travel unencrypted over the internet. Use https:// if your server supports it.")
}
