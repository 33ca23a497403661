import Foundation
import Samples
import TestSupport
import Testing
import Transport

@testable import Receiver

/// What `check` says of an answer, `seconds` before the certificate ends.
private func line(_ answer: ProbeAnswer, secondsLeft: Int64 = 0) throws -> String {
    let end = answer.certificate?.notAfter ?? 0
    let network = ProbeNetwork(
        probe: { (_, _, _, _) throws(ProbeError) in answer },
        resolve: { _, port in [SocketAddress(host: "127.0.0.1", port: port)!] }, interfaces: { [] },
        listenError: { _ in nil })
    let url = try PhoneURL(isHTTPS: true, host: "localhost", port: 8787, path: "/hook/phone")
    let now = Timestamp(microseconds: (end - secondsLeft) * 1_000_000)
    let checks = ReachChecks(network: network, bind: "::", port: 8787, url: url, isURLGiven: true, now: now)
    return try #require(checks.lines().last).description
}

@Test func certificateAsAnIPhoneSeesIt() throws {
    let shared = try TestCertificate.shared.get()
    let certificate = try TLSContext(certificateFile: shared.certificateFile, keyFile: shared.keyFile).certificate
    let good = ProbeAnswer(status: 200, certificate: certificate)
    #expect(try line(good, secondsLeft: 14 * 86_400) == "OK    certificate  trusted for localhost, 14 days left")
    #expect(
        try line(good, secondsLeft: 14 * 86_400 - 1)
            == "WARN  certificate  trusted for localhost, 13 days left: renew it")
    #expect(
        try line(ProbeAnswer(status: 200, certificate: certificate, trustFailure: "hostname mismatch"))
            == "FAIL  certificate  an iPhone refuses it: hostname mismatch; it needs one of a public authority for "
            + "localhost, sent with its intermediates")
    #expect(try line(ProbeAnswer(status: 200)) == "FAIL  certificate  it can't be read")
}

@Test func certificateThatIsValidForTooLong() throws {
    let folder = try TestSupport.TemporaryFolder()
    let (file, key) = (folder.path("cert.pem"), folder.path("key.pem"))
    try TestCertificate.openssl([
        "req", "-x509", "-nodes", "-days", "399", "-subj", "/CN=localhost", "-newkey", "ec", "-pkeyopt",
        "ec_paramgen_curve:P-256", "-keyout", key, "-out", file,
    ])
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
    let certificate = try TLSContext(certificateFile: file, keyFile: key).certificate
    #expect(
        try line(ProbeAnswer(status: 200, certificate: certificate), secondsLeft: 20 * 86_400)
            == "WARN  certificate  trusted for localhost, 20 days left; an iPhone takes none that is valid for over "
            + "398 days")
}
