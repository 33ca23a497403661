import COpenSSL

/// One-way names for bytes.
package enum Digest {
    /// SHA-256.
    package static func sha256(_ bytes: Span<UInt8>) -> [32 of UInt8] {
        var state = SHA256State()
        state.add(bytes)
        return state.digest()
    }

    /// SHA-1, for names alone (RFC 9562 section 5.5): nothing here relies on it being hard to collide.
    package static func sha1(_ bytes: Span<UInt8>) -> [20 of UInt8] {
        var digest = [20 of UInt8](repeating: 0)
        var output = digest.mutableSpan
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe output.withUnsafeMutableBufferPointer { output in
                unsafe openssl_sha1(bytes.baseAddress, bytes.count, output.baseAddress)
            }
        }
        return digest
    }
}

/// SHA-256 of bytes that come piece by piece. A copy goes on by itself.
struct SHA256State: Sendable {
    private var state = SHA256_CTX()

    init() { unsafe openssl_sha256_init(&state) }

    mutating func add(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBytes { unsafe openssl_sha256_update(&state, $0.baseAddress, $0.count) }
    }

    /// The digest of all that was added. Nothing may be added afterwards, and no second one asked for.
    mutating func digest() -> [32 of UInt8] {
        var digest = [32 of UInt8](repeating: 0)
        var output = digest.mutableSpan
        unsafe output.withUnsafeMutableBufferPointer { unsafe openssl_sha256_final(&state, $0.baseAddress) }
        return digest
    }

    /// Overwrites what would tell a key, in a way that the compiler doesn't leave out.
    mutating func wipe() { unsafe OPENSSL_cleanse(&state, MemoryLayout<SHA256_CTX>.size) }
}
