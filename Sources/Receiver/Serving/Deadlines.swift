/// How long a connection may take for each of its phases. Absolute: no byte that arrives restarts one.
///
/// All times are the monotonic clock's, in microseconds.
struct Deadlines: Sendable {
    static let never = Int64.max

    let limits: Limits

    func handshake(startedAt start: Int64) -> Int64 { start + seconds(limits.tlsHandshakeSeconds) }
    func head(startedAt start: Int64) -> Int64 { start + seconds(limits.headerBlockSeconds) }
    func write(startedAt start: Int64) -> Int64 { start + seconds(limits.stalledWriteSeconds) }
    func linger(startedAt start: Int64) -> Int64 { start + seconds(limits.dropSeconds) }

    /// The body's time grows with what has arrived, so that a slow link that does send is waited for.
    func body(startedAt start: Int64, receivedBytes: Int) -> Int64 {
        start + seconds(limits.bodySeconds) + seconds(receivedBytes / limits.bodyBytesPerExtraSecond)
    }

    /// - Parameter isCrowded: half of the connections are in use; silent ones then wait a sixth of the time.
    func idle(since start: Int64, isCrowded: Bool) -> Int64 {
        start + seconds(limits.idleSeconds) / (isCrowded ? 6 : 1)
    }

    private func seconds(_ count: Int) -> Int64 { Int64(count) * 1_000_000 }
}
