import Wire

/// The memory that bodies take while they arrive, out of the budget of all connections.
extension ConnectionDriver {
    /// Makes room for `count` more bytes of body and its padding; false when the budget has no more.
    func reserve(_ count: Int, for connection: Connection) -> Bool {
        let held = connection.body.memory.count
        let needed = held + count + PaddedBytes.paddingBytes
        guard needed > connection.chargedBytes else { return true }
        var capacity = max(needed, min(connection.chargedBytes * 4, needed + 4 * Self.bytesPerTurn))
        if let missing = connection.bodyDecoder?.missingBytes {
            // Who has sent a fifth of it is believed: each growth copies what is there.
            let whole = held + max(missing, count) + PaddedBytes.paddingBytes
            capacity = held >= missing / 4 ? whole : min(capacity, whole)
        }
        guard budget.take(capacity - connection.chargedBytes) else { return false }
        connection.chargedBytes = capacity
        connection.body.memory.reserveCapacity(capacity)
        return true
    }

    /// Heads of a usual size are free; a large one that is not whole yet takes from a budget of its own, so that many of them
    /// are no one's loss but their senders'.
    func chargeHead(_ connection: Connection) -> Bool {
        guard connection.chargedHeadBytes == 0, connection.parser.heldBytes > Self.freeHeadBytes else { return true }
        let bytes = httpLimits.headBytes
        guard heads.take(bytes) else { return false }
        connection.chargedHeadBytes = bytes
        return true
    }

    func releaseHead(_ connection: Connection) {
        heads.giveBack(connection.chargedHeadBytes)
        connection.chargedHeadBytes = 0
    }

    func releaseBody(_ connection: Connection) {
        giveBackMemory(connection)
        connection.body = ArrivingBody()
        connection.bodyDecoder = nil
        connection.request = nil
    }

    func giveBackMemory(_ connection: Connection) {
        budget.giveBack(connection.chargedBytes)
        connection.chargedBytes = 0
    }

    /// - Returns: why no more of it can be taken.
    func bodyGrew(_ connection: Connection) -> HTTPFault? {
        do throws(SpoolFault) { try connection.body.settle() } catch { return error.fault }
        if connection.body.isInFile && connection.chargedBytes > 2 * Self.bytesPerTurn {
            connection.body.memory = []
            giveBackMemory(connection)
        }
        connection.deadlineMicroseconds = deadlines.body(
            startedAt: connection.phaseStartMicroseconds, receivedBytes: connection.body.count)
        return nil
    }
}
