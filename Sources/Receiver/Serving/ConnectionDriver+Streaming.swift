import Transport

/// Answers that go on: what is posted is sent as far as the peer reads, and what it says meanwhile is dropped.
extension ConnectionDriver {
    /// What may wait for a peer that doesn't read. One for whom more would wait is closed, and comes back for the rest.
    static let maximumStreamBytes = 256 * 1024

    /// The head is in the connection's output.
    func begin(_ stream: any AnswerStream, on connection: Connection) throws(StreamError) -> Step {
        connection.pending = []
        connection.answerStream = stream
        connection.headBytes = connection.output.count
        enter(.streaming, on: connection)
        let (id, postPiece) = (connection.id, postPiece)
        stream.begin(StreamOutput(send: { postPiece(id, $0) }, end: { postPiece(id, nil) }))
        return try flushStream(connection)
    }

    /// - Parameter piece: nil at the end.
    func streamed(_ connection: Connection, _ piece: [UInt8]?) -> Step {
        guard case .streaming = connection.phase else { return .keep }
        if let piece {
            guard connection.output.count - connection.outputOffset + piece.count <= Self.maximumStreamBytes else {
                return .close
            }
            if connection.outputOffset >= Self.maximumStreamBytes / 4 {
                connection.output.removeFirst(connection.outputOffset)
                connection.outputOffset = 0
            }
            connection.output += piece
        } else {
            connection.answerStream?.ended()
            connection.answerStream = nil
        }
        do { return try flushStream(connection) } catch { return .close }
    }

    func flushStream(_ connection: Connection) throws(StreamError) -> Step {
        while connection.outputOffset < connection.output.count {
            let output = connection.output
            switch try connection.stream.write(output.span.extracting(connection.outputOffset..<output.count)) {
            case .bytes(let count):
                connection.outputOffset += count
                let ofHead = min(count, connection.headBytes)
                connection.headBytes -= ofHead
                if count > ofHead { connection.answerStream?.sent(count - ofHead) }
            case .wouldBlock(let interest):
                connection.interest = interest.union(.readable)
                if connection.deadlineMicroseconds == Deadlines.never {
                    connection.deadlineMicroseconds = deadlines.write(startedAt: clock.monotonicMicroseconds())
                }
                return .keep
            case .endOfStream: return .close
            }
        }
        connection.output = []
        connection.outputOffset = 0
        connection.interest = .readable
        connection.deadlineMicroseconds = Deadlines.never
        // A stream that was ended closes as every other answer does, so that its last bytes aren't lost to a reset.
        guard connection.answerStream == nil else { return .keep }
        connection.stream.shutdownWrite()
        enter(.lingering, on: connection)
        return .keep
    }
}
