import COpenSSL

/// Overwrites bytes that were secret, in a way that the compiler doesn't leave out.
func wipe(_ bytes: inout [UInt8]) {
    unsafe bytes.withUnsafeMutableBytes { unsafe OPENSSL_cleanse($0.baseAddress, $0.count) }
}

/// Whether two runs of bytes are equal, in a time that depends on their lengths alone.
package func equalInConstantTime(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Bool {
    guard a.count == b.count else { return false }
    guard a.count > 0 else { return true }
    return unsafe a.withUnsafeBufferPointer { a in
        unsafe b.withUnsafeBufferPointer { b in
            unsafe CRYPTO_memcmp(a.baseAddress, b.baseAddress, a.count) == 0
        }
    }
}
