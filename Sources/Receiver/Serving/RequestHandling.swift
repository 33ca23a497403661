package import Transport
package import Wire

/// What to do with a request once its head is there.
package enum HeadDecision: Sendable {
    /// The final answer; a body that was announced is not read.
    case answer(Answer)
    /// Read the body, then hand it over with the context.
    ///
    /// - Parameter spool: takes the body past its bound; nil for a body that stays in memory, whatever it is.
    case readBody(maximumBytes: Int, spool: Spool? = nil, request: any PendingRequest)
}

/// A whole answer, and what becomes of the connection behind it.
package struct Answer: Sendable {
    package var response: Response
    /// Close after this answer even if the peer would go on.
    package var closes: Bool
    /// What goes on behind the response's body until the connection ends; not begun for HEAD.
    package var stream: (any AnswerStream)?

    package init(_ response: Response, closes: Bool = false, stream: (any AnswerStream)? = nil) {
        self.response = response
        self.closes = closes
        self.stream = stream
    }
}

/// A request whose head was accepted and whose body is on its way.
package protocol PendingRequest: Sendable {
    /// Whether someone who may deliver speaks, as far as the head tells.
    var isDelivery: Bool { get }
    /// Sees the body's next bytes as they arrive, on the I/O thread: time spent here is kept from other connections.
    func take(_ piece: Span<UInt8>)
    /// Takes the whole body and answers exactly once, on any thread, now or later. Must not block.
    func finish(body: PaddedBytes, answer: @escaping @Sendable (Answer) -> Void)
    /// The answer when the body can't be taken: framing went wrong, too long, too slow, no memory.
    func refuse(_ fault: HTTPFault) -> Answer
}

extension PendingRequest {
    package func take(_ piece: Span<UInt8>) {}
}

/// The application as the serving loop sees it: heads in, answers out. Called on every I/O thread.
package protocol RequestHandling: Sendable {
    func decide(_ head: RequestHead, from peer: SocketAddress) -> HeadDecision
    /// The answer to a head that could not be parsed, or that took too long.
    func refuse(_ fault: HTTPFault, from peer: SocketAddress) -> Answer
}
