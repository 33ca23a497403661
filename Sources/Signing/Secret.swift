/// Bytes that only the two ends may know: a token, a password, a header's value or a signing secret.
///
/// Printing, interpolating, dumping or reflecting one shows `<secret>` and never the bytes; `withBytes` is the one way
/// to them. Equality takes the same time wherever the bytes differ.
package struct Secret: Sendable, Equatable {
    private let held: SecretBytes
    /// Keyed once, since every signed request needs it.
    let key: HMACKey

    var bytes: [UInt8] { held.bytes }

    package init(_ bytes: [UInt8]) {
        held = SecretBytes(bytes)
        key = HMACKey(bytes.span)
    }

    /// The UTF-8 of `text`, whole: a `whsec_` prefix is part of the secret.
    package init(text: String) {
        self.init(Array(text.utf8))
    }

    /// Length in bytes.
    package var count: Int { bytes.count }

    /// Lends the bytes to `body`; what it returns is no longer protected.
    package func withBytes<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
        try body(bytes.span)
    }

    /// Whether `candidate` is this secret, in constant time.
    package func matches(_ candidate: ArraySlice<UInt8>) -> Bool {
        equalInConstantTime(bytes.span, candidate.span)
    }

    package static func == (a: Secret, b: Secret) -> Bool {
        equalInConstantTime(a.bytes.span, b.bytes.span)
    }
}

/// The bytes of a secret, overwritten when its last user is gone: after a rotation the old one leaves memory.
///
/// `@unchecked Sendable`: the bytes change in deinit alone, when nobody else can reach them.
private final class SecretBytes: @unchecked Sendable {
    private(set) var bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        var copy: [UInt8] = []  // one that nobody else shares, so that it can be overwritten
        copy.reserveCapacity(bytes.count)
        copy.append(contentsOf: bytes)
        self.bytes = copy
    }

    deinit { wipe(&bytes) }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "<secret>" }
    package var debugDescription: String { "<secret>" }
    package var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

/// A secret that may have an end: after a rotation the old one stays good for a grace time.
package struct RotatingSecret: Sendable, Equatable {
    package var secret: Secret
    /// Last second since 1970 at which it is still accepted; nil when it has no end.
    package var untilSeconds: Int64?

    package init(secret: Secret, untilSeconds: Int64? = nil) {
        self.secret = secret
        self.untilSeconds = untilSeconds
    }

    package func isValid(nowSeconds: Int64) -> Bool {
        untilSeconds.map { nowSeconds <= $0 } ?? true
    }
}

extension [RotatingSecret] {
    /// Puts `secret` first, without an end; those before it end after `graceSeconds`, and the ended ones are dropped.
    ///
    /// None is ever prolonged: one that would have ended sooner keeps its end.
    package mutating func rotate(to secret: Secret, graceSeconds: Int64, nowSeconds: Int64) {
        let end = nowSeconds + graceSeconds
        var earlier = filter { $0.isValid(nowSeconds: nowSeconds) && $0.secret != secret }
        for index in earlier.indices {
            earlier[index].untilSeconds = Swift.min(earlier[index].untilSeconds ?? end, end)
        }
        self = [RotatingSecret(secret: secret)] + (graceSeconds > 0 ? earlier : [])
    }
}
