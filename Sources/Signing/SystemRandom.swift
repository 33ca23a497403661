import Glibc
import Wire

/// Secrets from the kernel's random generator.
package enum SystemRandom {
    /// `count` bytes that nobody can guess.
    package static func bytes(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        unsafe bytes.withUnsafeMutableBytes { bytes in
            for start in stride(from: 0, to: count, by: 256) {  // the most that one call fills
                guard unsafe getentropy(bytes.baseAddress! + start, min(256, count - start)) == 0 else {
                    fatalError("the system's random generator does not answer")
                }
            }
        }
        return bytes
    }

    /// A new token: 32 bytes as 43 base64url characters.
    package static func token() -> String {
        String(decoding: base64(bytes(32), .url), as: UTF8.self)
    }

    /// A new signing secret in the app's own form: `whsec_` and 43 base64url characters.
    package static func signingSecret() -> String {
        "whsec_\(token())"
    }
}
