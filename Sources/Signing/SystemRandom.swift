import COpenSSL
import Wire

/// Secrets from the system's random generator, by way of OpenSSL.
package enum SystemRandom {
    /// `count` bytes that nobody can guess.
    package static func bytes(_ count: Int) -> [UInt8] {
        ERR_clear_error()
        var bytes = [UInt8](repeating: 0, count: count)
        let isFilled = unsafe bytes.withUnsafeMutableBufferPointer {
            unsafe RAND_priv_bytes($0.baseAddress, CInt($0.count))
        }
        guard isFilled == 1 else { fatalError("the system's random generator does not answer") }
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
