/// Every limit that a client can run into, each of them a setting.
///
/// The defaults stand here; names, allowed ranges and what happens past a limit stand in `Limits.settings`.
package struct Limits: Sendable, Equatable {
    package var maximumBodyBytes = 4 << 20
    package var maximumLargeBodyBytes = 128 << 20
    package var spoolPastBytes = 1 << 20
    package var maximumBodyMemoryBytes = 128 << 20
    package var maximumQueuedBytes = 64 << 20
    package var maximumRequestLineBytes = 8 << 10
    package var maximumHeaderBlockBytes = 32 << 10
    package var maximumHeaderFieldBytes = 16 << 10
    package var maximumHeaderFields = 100
    package var maximumChunkLineBytes = 256
    package var maximumJSONDepth = 64
    package var maximumNumberCharacters = 64
    package var maximumProtocolLineBytes = 64 << 10
    package var tlsHandshakeSeconds = 10
    package var headerBlockSeconds = 10
    package var bodySeconds = 30
    package var bodyBytesPerExtraSecond = 128 << 10
    package var idleSeconds = 60
    package var stalledWriteSeconds = 10
    package var maximumConnections = 4_096
    package var maximumConnectionsPerAddress = 256
    package var dropSeconds = 2
    /// Twice a body: who sends one that is just too large, and reads only then, must get his 413 instead of a reset.
    package var maximumDroppedBytes = 8 << 20
    package var maximumWrongCredentials = 10
    package var wrongCredentialsRefillPerMinute = 10
    package var maximumWrongCredentialAddresses = 10_000
    package var clockWindowSeconds = 300
    package var usedSignatureSeconds = 600
    package var maximumUsedSignatures = 65_536
    package var maximumReplyBytes = 65_536
    package var stopSeconds = 10

    package init() {}

    /// What a single range can't say.
    func check() throws(ConfigurationError) {
        for setting in Self.settings where !setting.range.contains(self[keyPath: setting.keyPath]) {
            throw invalid("limits.\(setting.key) \(setting.rule)")
        }
        guard maximumBodyMemoryBytes >= maximumBodyBytes else {
            throw invalid("limits.max_body_memory_bytes must not be under max_body_bytes: no such body would ever fit")
        }
        guard maximumBodyMemoryBytes >= spoolPastBytes else {
            throw invalid(
                "limits.max_body_memory_bytes must not be under spool_past_bytes: no such body would ever fit")
        }
    }
}

/// One limit as people meet it: its names, its bounds and what it is for.
package struct LimitSetting: Sendable {
    /// The member of `limits` in `receiver.json`; the other names follow from it.
    package let key: String
    package let keyPath: any WritableKeyPath<Limits, Int> & Sendable
    package let range: ClosedRange<Int>
    /// What the client gets past it.
    package let pastIt: String
    /// One sentence on what is limited.
    package let summary: String

    package var defaultValue: Int { Limits()[keyPath: keyPath] }
    /// `SYNCKY_` and the key in capitals.
    package var environmentName: String { SettingName(key: key).environment }
    /// `--` and the key with hyphens.
    package var flag: String { SettingName(key: key).flag }

    var rule: String { "must be a whole number from \(range.lowerBound) to \(range.upperBound)" }

    init(
        _ key: String, _ keyPath: any WritableKeyPath<Limits, Int> & Sendable, _ range: ClosedRange<Int>,
        _ pastIt: String,
        _ summary: String
    ) {
        self.key = key
        self.keyPath = keyPath
        self.range = range
        self.pastIt = pastIt
        self.summary = summary
    }
}
