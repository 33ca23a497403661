import Transport
import Wire

/// Writing answers, and what a connection does behind one.
extension ConnectionDriver {
    func begin(_ answer: Answer, on connection: Connection) throws(StreamError) -> Step {
        let head = connection.head
        let isHead = head.map { $0.method == "HEAD" } ?? connection.parser.isReadingHEAD
        let keepsAlive =
            head?.keepAlive == true && !answer.closes && !isDraining && !connection.inputEnded && answer.stream == nil
        connection.output = answer.response.serialized(
            isHead: isHead, keepAlive: keepsAlive, minorVersion: head?.minorVersion ?? 1, date: currentDate(),
            isOpen: answer.stream != nil)
        connection.outputOffset = 0
        connection.closesAfterOutput = !keepsAlive
        connection.head = nil
        if connection.isDelivery && (200..<400).contains(answer.response.status) {
            connection.patience = Connection.fullPatience
        } else {
            connection.patience -= 1
        }
        connection.isDelivery = false
        releaseBody(connection)
        guard chargeOutput(connection) else {
            let fault = HTTPFault(
                status: 503, code: "overloaded", message: "Too many answers wait to be read; ask again soon.")
            var refusal = handler.refuse(fault, from: connection.peer)
            refusal.closes = true
            return try begin(refusal, on: connection)
        }
        if let stream = answer.stream, !isHead { return try begin(stream, on: connection) }
        enter(.writing, on: connection)
        return try flush(connection)
    }

    /// - Returns: false when there is no room for what is to be sent.
    func chargeOutput(_ connection: Connection) -> Bool {
        releaseOutput(connection)
        let count = connection.output.count
        guard chargesAnswers, count > Self.freeAnswerBytes else { return true }
        guard budget.take(count) else {
            connection.output = []
            return false
        }
        connection.chargedOutputBytes = count
        return true
    }

    func releaseOutput(_ connection: Connection) {
        budget.giveBack(connection.chargedOutputBytes)
        connection.chargedOutputBytes = 0
    }

    /// Sends what waits; then goes on with what the peer has sent meanwhile.
    func flush(_ connection: Connection) throws(StreamError) -> Step {
        while connection.outputOffset < connection.output.count {
            let output = connection.output
            switch try connection.stream.write(output.span.extracting(connection.outputOffset..<output.count)) {
            case .bytes(let count): connection.outputOffset += count
            case .wouldBlock(let interest):
                connection.interest = interest
                return .keep
            case .endOfStream: return .close
            }
        }
        connection.output = []
        releaseOutput(connection)
        guard connection.closesAfterOutput else {
            enter(.idle, on: connection)
            return .keep
        }
        connection.pending = []
        connection.stream.shutdownWrite()
        if connection.inputEnded { return .close }
        enter(.lingering, on: connection)
        return .keep
    }

    /// The next request of those that came behind one that was answered.
    func goOn(_ connection: Connection) throws(StreamError) -> Step {
        let bytes = connection.pending
        connection.pending = []
        return try feed(bytes, to: connection)
    }

    func drop(_ connection: Connection) throws(StreamError) -> Step {
        var room = Self.bytesPerTurn
        while room > 0 {
            scratch.removeAll(keepingCapacity: true)
            switch try append(upTo: Self.headReadBytes, from: connection.stream, to: &scratch) {
            case .wouldBlock(let interest):
                connection.interest = interest
                return .keep
            case .endOfStream: return .close
            case .bytes(let count):
                room -= max(count, 1)
                connection.lingeredBytes += count
                if connection.lingeredBytes > lingerBytes { return .close }
            }
        }
        return .keep
    }

    func currentDate() -> [UInt8] {
        let seconds = clock.wallSeconds
        if seconds != dateSeconds {
            dateSeconds = seconds
            date = httpDate(unixSeconds: seconds)
        }
        return date
    }
}
