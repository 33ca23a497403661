import Foundation
import TestSupport
import Testing
import Transport

private func failure(certificateFile: String, keyFile: String) -> String? {
    do {
        _ = try TLSContext(certificateFile: certificateFile, keyFile: keyFile)
        return nil
    } catch {
        return error.description
    }
}

@Test func certificateFacts() throws {
    let made = try TestCertificate.shared.get()
    let info = try TLSContext(certificateFile: made.certificateFile, keyFile: made.keyFile).certificate
    #expect(info.subjectNames == ["localhost", "receiver.local", "127.0.0.1", "::1"])
    #expect(info.isSelfIssued)
    #expect(info.notAfter - info.notBefore == 30 * 86400)
    #expect(abs(Date(timeIntervalSince1970: TimeInterval(info.notBefore)).timeIntervalSinceNow) < 3600)
}

@Test func filesThatCannotBeUsed() throws {
    let folder = try TemporaryFolder()
    let one = try TestCertificate.shared.get()
    let other = try TestCertificate()
    let missing = folder.path("none.pem")
    #expect(
        failure(certificateFile: missing, keyFile: one.keyFile)
            == "The certificate file \(missing) can't be read: No such file or directory.")
    #expect(
        failure(certificateFile: one.certificateFile, keyFile: missing)
            == "The key file \(missing) can't be read: No such file or directory.")
    let path = folder.path("")
    #expect(failure(certificateFile: path, keyFile: one.keyFile) == "The certificate file \(path) is not a file.")
    #expect(
        failure(certificateFile: one.certificateFile, keyFile: other.keyFile)
            == "The key in \(other.keyFile) does not belong to the certificate in \(one.certificateFile).")
    let garbage = folder.path("garbage.pem")
    try Data("no certificate\n".utf8).write(to: URL(filePath: garbage))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: garbage)
    #expect(
        failure(certificateFile: garbage, keyFile: one.keyFile)
            == "The certificate file \(garbage) can't be used: no start line.")
    #expect(
        failure(certificateFile: one.certificateFile, keyFile: garbage)?.hasPrefix(
            "The key file \(garbage) can't be used") == true)
}

@Test func aKeyOfAnotherKindDoesNotBelong() throws {
    let one = try TestCertificate.shared.get()
    let rsa = try TestCertificate.sharedRSA.get()
    #expect(
        failure(certificateFile: one.certificateFile, keyFile: rsa.keyFile)
            == "The key in \(rsa.keyFile) does not belong to the certificate in \(one.certificateFile).")
}

@Test(arguments: [0o640, 0o604, 0o620, 0o644, 0o660, 0o666]) func aKeyThatOthersCanOpenIsRefused(mode: Int) throws {
    let made = try TestCertificate()
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: made.keyFile)
    #expect(
        failure(certificateFile: made.certificateFile, keyFile: made.keyFile)
            == "Other users of this machine have access to the key file \(made.keyFile); "
            + "close it with: chmod 600 \(made.keyFile)")
    try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: made.keyFile)
    #expect(failure(certificateFile: made.certificateFile, keyFile: made.keyFile) == nil)
}

/// systemd's copies for a service belong to root, with an access list whose mask shows as the group's bits.
@Test(arguments: [(0o400, true), (0o440, true), (0o444, false), (0o460, false), (0o441, false)])
func aKeyAmongTheServicesCredentialsMayBeReadByGroup(mode: Int, isTaken: Bool) throws {
    let made = try TestCertificate()
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: made.keyFile)
    let folder = String(made.keyFile.dropLast(made.keyFile.split(separator: "/").last!.count + 1))
    func failure(_ credentials: String?) -> String? {
        do throws(TLSError) {
            _ = try TLSContext(
                certificateFile: made.certificateFile, keyFile: made.keyFile, credentials: credentials)
            return nil
        } catch { return error.description }
    }
    #expect((failure(folder) == nil) == isTaken)
    // Nowhere else, nor below that folder.
    for other in [nil, "", "/", folder + "/x", String(folder.dropLast())] {
        #expect((failure(other) == nil) == (mode == 0o400))
    }
}

@Test func aKeyWithAPassphraseIsRefusedWithoutAsking() throws {
    let made = try TestCertificate.shared.get()
    let folder = try TemporaryFolder()
    let locked = folder.path("locked.pem")
    try TestCertificate.openssl(
        ["pkey", "-in", made.keyFile, "-aes128", "-passout", "pass:secret", "-out", locked])
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: locked)
    #expect(
        failure(certificateFile: made.certificateFile, keyFile: locked)
            == "The key in \(locked) is protected by a passphrase, which nobody could type at a start; "
            + "store it without one.")
}

@Test func aWeakKeyIsRefused() throws {
    let made = try TestCertificate(key: .rsa1024)
    #expect(
        failure(certificateFile: made.certificateFile, keyFile: made.keyFile)
            == "The certificate file \(made.certificateFile) can't be used: ee key too small.")
}
