import COpenSSL

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
