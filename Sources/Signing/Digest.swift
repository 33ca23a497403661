import COpenSSL

/// One-way names for bytes.
package enum Digest {
    /// Looked up once, as for `HMACKey`.
    nonisolated(unsafe) fileprivate static let sha1Algorithm = unsafe algorithm("SHA1")
    nonisolated(unsafe) private static let sha256Algorithm = unsafe algorithm("SHA256")

    @unsafe private static func algorithm(_ name: String) -> OpaquePointer {
        ERR_clear_error()
        guard let algorithm = unsafe EVP_MD_fetch(nil, name, nil) else {
            fatalError("OpenSSL offers no \(name): its configuration or its library files are damaged")
        }
        return unsafe algorithm
    }

    /// SHA-256.
    package static func sha256(_ bytes: Span<UInt8>) -> [32 of UInt8] {
        var digest = [32 of UInt8](repeating: 0)
        var output = digest.mutableSpan
        let isDone = unsafe bytes.withUnsafeBytes { bytes in
            unsafe output.withUnsafeMutableBufferPointer { output in
                unsafe EVP_Digest(bytes.baseAddress, bytes.count, output.baseAddress, nil, sha256Algorithm, nil)
            }
        }
        guard isDone == 1 else { fatalError("OpenSSL could not make a SHA-256 digest") }
        return digest
    }

    /// SHA-1, for names alone (RFC 9562 section 5.5): nothing here relies on it being hard to collide.
    package static func sha1(_ bytes: Span<UInt8>) -> [20 of UInt8] {
        var digest = [20 of UInt8](repeating: 0)
        var output = digest.mutableSpan
        let isDone = unsafe bytes.withUnsafeBytes { bytes in
            unsafe output.withUnsafeMutableBufferPointer { output in
                unsafe EVP_Digest(bytes.baseAddress, bytes.count, output.baseAddress, nil, sha1Algorithm, nil)
            }
        }
        guard isDone == 1 else { fatalError("OpenSSL could not make a SHA-1 digest") }
        return digest
    }
}

/// Makes SHA-1 digests one after the other in the same memory, for names alone as `Digest.sha1`.
@safe package final class NameDigest {  // the only owner of its context
    private let context: OpaquePointer

    package init() {
        guard let context = unsafe EVP_MD_CTX_new() else { fatalError("OpenSSL has no memory for a digest") }
        unsafe self.context = context
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    package func sha1(_ bytes: Span<UInt8>) -> [20 of UInt8] {
        var digest = [20 of UInt8](repeating: 0)
        var output = digest.mutableSpan
        let isDone = unsafe bytes.withUnsafeBytes { bytes in
            unsafe output.withUnsafeMutableBufferPointer { output in
                unsafe EVP_DigestInit_ex2(context, Digest.sha1Algorithm, nil) == 1
                    && EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1
                    && EVP_DigestFinal_ex(context, output.baseAddress, nil) == 1
            }
        }
        guard isDone else { fatalError("OpenSSL could not make a SHA-1 digest") }
        return digest
    }
}
