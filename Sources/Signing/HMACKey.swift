import COpenSSL

/// HMAC-SHA256 under one key: RFC 2104, RFC 6234.
///
/// The keyed state is made once and copied for each message: 0.8 against 1.6 microseconds for a short one (OpenSSL 3.0).
/// `@unchecked Sendable`: after `init` the state is only read, by the copying; every message has a copy of its own.
/// `@safe`: the pointer never leaves, and lives as long as the object.
@safe final class HMACKey: @unchecked Sendable {
    private let keyed: OpaquePointer

    /// Looked up once: a fetch walks OpenSSL's provider tables under a lock.
    nonisolated(unsafe) private static let algorithm: OpaquePointer = {
        ERR_clear_error()
        guard let algorithm = unsafe EVP_MAC_fetch(nil, OSSL_MAC_NAME_HMAC, nil) else {
            fatalError("OpenSSL offers no HMAC: its configuration or its library files are damaged")
        }
        return unsafe algorithm
    }()

    init(_ key: Span<UInt8>) {
        ERR_clear_error()
        guard let context = unsafe EVP_MAC_CTX_new(Self.algorithm) else { fatalError("no memory for an HMAC state") }
        unsafe keyed = context
        // A parameter keeps both pointers: a string that Swift converts for the call would be gone behind it.
        let name = Array(OSSL_MAC_PARAM_DIGEST.utf8CString)
        var digest = Array("SHA256".utf8CString)
        let isKeyed = unsafe name.withUnsafeBufferPointer { name in
            unsafe digest.withUnsafeMutableBufferPointer { digest in
                let parameters = unsafe [
                    OSSL_PARAM_construct_utf8_string(name.baseAddress, digest.baseAddress, 0),
                    OSSL_PARAM_construct_end(),
                ]
                return unsafe key.withUnsafeBufferPointer { key in
                    // A null key means "keep the former one", so an empty key still needs an address.
                    var none: UInt8 = 0
                    return unsafe withUnsafePointer(to: &none) { none in
                        unsafe EVP_MAC_init(context, key.baseAddress ?? none, key.count, parameters)
                    }
                }
            }
        }
        guard isKeyed == 1 else { fatalError("OpenSSL offers no SHA-256 for HMAC") }
    }

    deinit {
        unsafe EVP_MAC_CTX_free(keyed)  // wipes the key
    }

    /// The code of `prefix` followed by `body`, without joining them in memory.
    func code(prefix: Span<UInt8>, body: Span<UInt8>) -> [32 of UInt8] {
        let message = message()
        message.add(prefix)
        message.add(body)
        return message.code()
    }

    /// A message under this key, to be added to piece by piece.
    func message() -> HMACMessage { unsafe HMACMessage(keyed) }

}

/// A message on its way into a code: made by `HMACKey`, fed in order, ended once. Used by one thread at a time.
///
/// `@safe`: the context is this object's own, is freed in deinit and never handed out.
@safe final class HMACMessage {
    private let context: OpaquePointer
    private var isRight = true

    /// - Parameter keyed: a state with a key and nothing else in it, which is copied.
    fileprivate init(_ keyed: OpaquePointer) {
        ERR_clear_error()
        guard let context = unsafe EVP_MAC_CTX_dup(keyed) else { fatalError("no memory for an HMAC state") }
        unsafe self.context = context
    }

    deinit { unsafe EVP_MAC_CTX_free(context) }

    func add(_ bytes: Span<UInt8>) {
        guard isRight, !bytes.isEmpty else { return }
        isRight = unsafe bytes.withUnsafeBufferPointer {
            unsafe EVP_MAC_update(context, $0.baseAddress, $0.count) == 1
        }
    }

    /// The code of all that was added. Nothing may be added afterwards, and no second code asked for.
    func code() -> [32 of UInt8] {
        ERR_clear_error()
        var code = [32 of UInt8](repeating: 0)
        var count = 0
        if isRight {
            var codeBytes = code.mutableSpan
            isRight = unsafe codeBytes.withUnsafeMutableBufferPointer {
                unsafe EVP_MAC_final(context, $0.baseAddress, &count, $0.count) == 1
            }
        }
        precondition(isRight && count == 32, "OpenSSL broke off an HMAC")  // no input can cause this
        return code
    }
}
