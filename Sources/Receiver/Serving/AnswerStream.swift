/// An answer that goes on after its head, for as long as its connection lives.
package protocol AnswerStream: Sendable {
    /// The head is on its way. Called once, on the I/O thread; must not block.
    func begin(_ output: StreamOutput)
    /// So many bytes of what was sent are with the system. On the I/O thread; must not block.
    func sent(_ bytes: Int)
    /// The connection is gone, whoever ended it. Called once, on the I/O thread; must not block.
    func ended()
}

/// The way from any thread to the connection that streams.
package struct StreamOutput: Sendable {
    /// Sends `bytes` behind what was sent before. A peer for which too much waits is closed instead.
    package let send: @Sendable (_ bytes: [UInt8]) -> Void
    /// Closes the connection after what was sent.
    package let end: @Sendable () -> Void
}
