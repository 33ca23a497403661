import COpenSSL
import Glibc

/// Why a certificate and key can't be used: a sentence that says what to do.
package struct TLSError: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String
}

/// A certificate chain, its key and the rules for TLS connections that use them.
///
/// TLS 1.2 and 1.3 with forward secrecy and authenticated ciphers only, as Mozilla's intermediate guideline 6.0; no
/// tickets, no resumption, no renegotiation, no early data; ALPN is `http/1.1`.
///
/// `@unchecked Sendable`: after init the SSL_CTX is only read, and OpenSSL counts its references atomically.
/// `@safe`: it is made in init, freed in deinit and never leaves the module.
@safe package final class TLSContext: @unchecked Sendable {
    let pointer: OpaquePointer
    package let certificate: CertificateInfo

    /// Reads both PEM files and checks that they belong together.
    ///
    /// - Parameters:
    ///   - certificateFile: the server's certificate, followed by its intermediates.
    ///   - keyFile: its private key without a passphrase, closed to group and others.
    ///   - credentials: the folder that systemd made for this service alone: files there belong to root, and their group's
    ///     bits are those of the access list that lets the service read them.
    package init(
        certificateFile: String, keyFile: String, credentials: String? = TLSContext.credentialsDirectory
    ) throws(TLSError) {
        ERR_clear_error()
        guard let created = unsafe SSL_CTX_new(TLS_server_method()) else {
            throw TLSError(description: "OpenSSL could not be started: \(takeOpenSSLError()?.reason ?? "no memory").")
        }
        unsafe pointer = created
        do throws(TLSError) {
            try unsafe Self.setRules(created)
            let isCredential = credentials.map { keyFile == "\($0)/\(keyFile.split(separator: "/").last ?? "")" }
            try unsafe Self.load(
                created, certificateFile: certificateFile, keyFile: keyFile, isCredential: isCredential == true)
            guard let leaf = unsafe SSL_CTX_get0_certificate(created), let info = unsafe CertificateInfo(leaf) else {
                throw TLSError(description: "The certificate in \(certificateFile) has no readable dates.")
            }
            certificate = info
        } catch {
            unsafe SSL_CTX_free(created)
            throw error
        }
    }

    deinit { unsafe SSL_CTX_free(pointer) }

    /// `$CREDENTIALS_DIRECTORY` of systemd.exec(5); nil outside of such a service.
    package static var credentialsDirectory: String? {
        unsafe getenv("CREDENTIALS_DIRECTORY").map { unsafe String(cString: $0) }
    }

    private static func setRules(_ context: OpaquePointer) throws(TLSError) {
        // The same six for both key types; OpenSSL's own list would still offer CBC.
        let tls12 =
            "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:"
            + "ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305"
        let tls13 = "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256"
        // The hybrid group came with OpenSSL 3.5; an older one refuses the whole list because of it.
        let hybrid = OpenSSL_version_num() >= 0x3050_0000 ? "X25519MLKEM768:" : ""
        let accepted =
            unsafe openssl_set_minimum_tls12(context) == 1
            && SSL_CTX_set_cipher_list(context, tls12) == 1
            && SSL_CTX_set_ciphersuites(context, tls13) == 1
            && openssl_set_groups(context, hybrid + "X25519:P-256:P-384") == 1
            && SSL_CTX_set_num_tickets(context, 0) == 1
            && SSL_CTX_set_max_early_data(context, 0) == 1
        guard accepted else {
            let reason = takeOpenSSLError()?.reason ?? "no reason given"
            throw TLSError(description: "This OpenSSL refuses the TLS settings: \(reason).")
        }
        unsafe SSL_CTX_set_security_level(context, 2)  // RSA from 2048 bits, no SHA-1 signatures
        _ = unsafe SSL_CTX_set_options(
            context, openssl_op_no_renegotiation | openssl_op_no_compression | openssl_op_no_ticket)
        unsafe openssl_disable_session_cache(context)
        // Partial and moving writes: the caller keeps the unsent rest in a buffer that may grow meanwhile.
        unsafe openssl_set_mode(
            context,
            CLong(SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS))
        // A read returns after each record that has no data for us: else whoever sends key updates without end keeps the thread.
        unsafe openssl_clear_mode(context, CLong(SSL_MODE_AUTO_RETRY))
        unsafe SSL_CTX_set_alpn_select_cb(
            context,
            { _, chosen, chosenLength, offered, offeredLength, _ in
                unsafe chooseHTTP11(chosen, chosenLength, offered, offeredLength)
            }, nil)
    }

    private static func load(
        _ context: OpaquePointer, certificateFile: String, keyFile: String, isCredential: Bool
    ) throws(TLSError) {
        try requireReadable(certificateFile, what: "certificate")
        let mode = try requireReadable(keyFile, what: "key")
        guard mode & (isCredential ? 0o037 : 0o077) == 0 else {
            throw TLSError(
                description: "Other users of this machine have access to the key file \(keyFile); "
                    + "close it with: chmod 600 \(keyFile)")
        }
        guard unsafe SSL_CTX_use_certificate_chain_file(context, certificateFile) == 1 else {
            let reason = takeOpenSSLError()?.reason ?? "no reason given"
            throw TLSError(description: "The certificate file \(certificateFile) can't be used: \(reason).")
        }
        // Without a callback OpenSSL asks for a passphrase on the terminal and serve hangs.
        unsafe SSL_CTX_set_default_passwd_cb(context) { _, _, _, wasAsked in
            unsafe wasAsked?.assumingMemoryBound(to: Bool.self).pointee = true
            return -1
        }
        var wasAsked = false
        let isRead = unsafe withUnsafeMutablePointer(to: &wasAsked) {
            unsafe SSL_CTX_set_default_passwd_cb_userdata(context, $0)
            defer { unsafe SSL_CTX_set_default_passwd_cb_userdata(context, nil) }
            return unsafe SSL_CTX_use_PrivateKey_file(context, keyFile, SSL_FILETYPE_PEM) == 1
        }
        guard !wasAsked else {
            throw TLSError(
                description: "The key in \(keyFile) is protected by a passphrase, which nobody could type at a start; "
                    + "store it without one.")
        }
        guard isRead, unsafe SSL_CTX_check_private_key(context) == 1 else {
            throw keyError(certificateFile: certificateFile, keyFile: keyFile)
        }
    }

    private static func keyError(certificateFile: String, keyFile: String) -> TLSError {
        guard let error = takeOpenSSLError() else {
            return TLSError(description: "The key file \(keyFile) can't be used.")
        }
        let reason = ERR_GET_REASON(error.code)
        switch (ERR_GET_LIB(error.code), reason) {
        case (ERR_LIB_X509, X509_R_KEY_VALUES_MISMATCH), (ERR_LIB_X509, X509_R_KEY_TYPE_MISMATCH),
            (ERR_LIB_SSL, SSL_R_NO_CERTIFICATE_ASSIGNED):  // a key of another kind than the certificate's
            return TLSError(
                description: "The key in \(keyFile) does not belong to the certificate in \(certificateFile).")
        default: return TLSError(description: "The key file \(keyFile) can't be used: \(error.reason).")
        }
    }

    /// The file's permission bits.
    @discardableResult
    private static func requireReadable(_ path: String, what: String) throws(TLSError) -> mode_t {
        var status = stat()
        guard unsafe stat(path, &status) == 0, unsafe access(path, R_OK) == 0 else {
            throw TLSError(description: "The \(what) file \(path) can't be read: \(Errno.current).")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw TLSError(description: "The \(what) file \(path) is not a file.")
        }
        return status.st_mode & 0o7777
    }
}

/// Answers ALPN: `http/1.1` or, for a client that offers only other protocols, an alert (RFC 7301 section 3.2).
private func chooseHTTP11(
    _ chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ chosenLength: UnsafeMutablePointer<UInt8>?,
    _ offered: UnsafePointer<UInt8>?, _ offeredLength: UInt32
) -> CInt {
    let list = unsafe UnsafeBufferPointer(start: offered, count: Int(offeredLength))
    var start = 0
    while start < list.count {
        let length = Int(unsafe list[start])
        let end = start + 1 + length
        guard length > 0, end <= list.count else { break }
        if unsafe list[(start + 1)..<end].elementsEqual("http/1.1".utf8) {
            unsafe chosen?.pointee = unsafe list.baseAddress! + start + 1
            unsafe chosenLength?.pointee = UInt8(length)
            return SSL_TLSEXT_ERR_OK
        }
        start = end
    }
    return SSL_TLSEXT_ERR_ALERT_FATAL
}
