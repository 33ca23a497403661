import COpenSSL
import Glibc
import Receiver

/// A certificate for 127.0.0.1 with a key on P-256, signed by itself, in a folder that lives as long as this value.
struct TLSCertificate {
    let files: TLSFiles
    private let folder: TemporaryFolder
    /// The macro `MBSTRING_ASC`, which Swift can't see.
    private static let asciiString: CInt = 0x1001

    init() throws {
        folder = try TemporaryFolder()
        files = TLSFiles(certificate: "\(folder.path)/cert.pem", key: "\(folder.path)/key.pem")
        let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "EC", nil), certificate = unsafe X509_new()
        var key: OpaquePointer?
        defer {
            unsafe EVP_PKEY_CTX_free(context)
            unsafe EVP_PKEY_free(key)
            unsafe X509_free(certificate)
        }
        let name = unsafe X509_get_subject_name(certificate)
        let isMade =
            unsafe EVP_PKEY_keygen_init(context) == 1 && EVP_PKEY_CTX_set_group_name(context, "P-256") == 1
            && EVP_PKEY_generate(context, &key) == 1 && X509_set_version(certificate, 2) == 1
            && ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1) == 1
            && X509_gmtime_adj(X509_getm_notBefore(certificate), -60) != nil
            && X509_gmtime_adj(X509_getm_notAfter(certificate), 86_400) != nil
            && X509_NAME_add_entry_by_txt(name, "CN", Self.asciiString, "127.0.0.1", -1, -1, 0) == 1
            && X509_set_issuer_name(certificate, name) == 1 && X509_set_pubkey(certificate, key) == 1
            && X509_sign(certificate, key, EVP_sha256()) > 0
        guard isMade else { throw BenchError.refused("certificate") }
        try unsafe Self.write(files.certificate) { file in unsafe PEM_write_X509(file, certificate) == 1 }
        try unsafe Self.write(files.key) { file in
            unsafe PEM_write_PrivateKey(file, key, nil, nil, 0, nil, nil) == 1
        }
    }

    private static func write(_ path: String, _ body: (UnsafeMutablePointer<FILE>) -> Bool) throws {
        umask(0o077)
        guard let file = unsafe fopen(path, "w") else { throw BenchError.refused(path) }
        let isWritten = unsafe body(file)
        guard unsafe fclose(file) == 0, isWritten else { throw BenchError.refused(path) }
    }
}
