import COpenSSL

/// HMAC-SHA256 under one key: RFC 2104, RFC 6234.
///
/// Both states that a key leads to are made once and copied for each message.
/// `@unchecked Sendable`: after `init` they are only read, by the copying, until nobody else is left.
final class HMACKey: @unchecked Sendable {
    private static let blockBytes = 64

    fileprivate private(set) var inner = SHA256State()
    fileprivate private(set) var outer = SHA256State()

    init(_ key: Span<UInt8>) {
        var block = [UInt8](repeating: 0, count: Self.blockBytes)
        if key.count > Self.blockBytes {
            let digest = Digest.sha256(key)
            for index in digest.indices { block[index] = digest[index] }
        } else {
            for index in key.indices { block[index] = key[index] }
        }
        for index in block.indices { block[index] ^= 0x36 }
        inner.add(block.span)
        for index in block.indices { block[index] ^= 0x36 ^ 0x5C }
        outer.add(block.span)
        wipe(&block)
    }

    deinit {
        inner.wipe()
        outer.wipe()
    }

    /// The code of `prefix` followed by `body`, without joining them in memory.
    func code(prefix: Span<UInt8>, body: Span<UInt8>) -> [32 of UInt8] {
        let message = message()
        message.add(prefix)
        message.add(body)
        return message.code()
    }

    /// A message under this key, to be added to piece by piece.
    func message() -> HMACMessage { HMACMessage(self) }
}

/// A message on its way into a code: made by `HMACKey`, fed in order, ended once. Used by one thread at a time.
final class HMACMessage {
    private let key: HMACKey
    private var inner: SHA256State

    fileprivate init(_ key: HMACKey) {
        self.key = key
        inner = key.inner
    }

    deinit { inner.wipe() }

    func add(_ bytes: Span<UInt8>) { inner.add(bytes) }

    /// The code of all that was added. Nothing may be added afterwards, and no second code asked for.
    func code() -> [32 of UInt8] {
        let digest = inner.digest()
        var outer = key.outer
        defer { outer.wipe() }
        outer.add(digest.span)
        return outer.digest()
    }
}
