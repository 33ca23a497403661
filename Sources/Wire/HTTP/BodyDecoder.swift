/// Takes a request's body out of its framing as the bytes arrive.
///
/// Chunk extensions are skipped; trailers are checked like fields and dropped. Source: RFC 9112 sections 6 and 7.1.
package struct BodyDecoder: Sendable {
    private enum State {
        case length(missing: Int)
        case chunkSize(ChunkSize)
        case chunkData(missing: Int)
        case chunkEnd(sawCR: Bool)
        case trailers(FieldSection, start: Int)
        case complete
        case failed(HTTPFault)
    }

    private let limits: HTTPLimits
    /// Body bytes that are still allowed.
    private var room: Int
    /// Bytes consumed so far, framing included: where a fault lies.
    private var offset = 0
    private var state: State

    /// - Parameter maximumBodyBytes: of the body without its framing; past it 413.
    package init(framing: BodyFraming, limits: HTTPLimits, maximumBodyBytes: Int) {
        self.limits = limits
        room = max(0, maximumBodyBytes)
        switch framing {
        case .none, .length(0): state = .complete
        case .length(let bytes) where bytes > room: state = .failed(.bodyTooLarge())
        case .length(let bytes): state = .length(missing: bytes)
        case .chunked: state = .chunkSize(ChunkSize())
        }
    }

    /// Why the body is refused as far as is known: at once where the head says that it is too large.
    package var fault: HTTPFault? {
        if case .failed(let fault) = state { fault } else { nil }
    }

    /// The whole body was delivered.
    package var isComplete: Bool {
        if case .complete = state { true } else { false }
    }

    /// How many bytes are still to come, for reading straight into the body; nil when that isn't known or the body
    /// is refused, which `consume` tells.
    package var missingBytes: Int? {
        switch state {
        case .length(let missing): missing
        case .complete: 0
        default: nil
        }
    }

    /// Takes note of bytes that were put into the body without `consume`.
    ///
    /// - Parameter count: at most `missingBytes`.
    package mutating func advance(by count: Int) {
        guard count > 0 else { return }
        guard case .length(let missing) = state, count <= missing else {
            preconditionFailure("more body bytes than are missing")
        }
        state = count == missing ? .complete : .length(missing: missing - count)
        offset += count
    }

    /// Appends what belongs to the body to `body`.
    ///
    /// - Returns: how many bytes were taken, all of them unless the body ended before.
    /// - Throws: the fault, and the same one again at every later call; 413 at the first call where Content-Length
    ///   is too large already. Its offset counts from the body's first byte, framing included.
    package mutating func consume(
        _ bytes: Span<UInt8>, into body: inout [UInt8]
    ) throws(HTTPFault) -> (consumed: Int, isComplete: Bool) {
        var position = 0
        do throws(HTTPFault) {
            while true {
                switch state {
                case .complete: return (position, true)
                case .failed(let fault): throw fault
                default: break
                }
                guard position < bytes.count else { return (position, false) }
                let before = position
                try step(bytes, &position, &body)
                offset += position - before
            }
        } catch {
            state = .failed(error)
            throw error
        }
    }

    /// Takes at least one byte, or fails.
    private mutating func step(_ bytes: Span<UInt8>, _ position: inout Int, _ body: inout [UInt8]) throws(HTTPFault) {
        let begin = position
        switch state {
        case .length(let missing):
            let count = take(missing, of: bytes, &position, &body)
            state = count == missing ? .complete : .length(missing: missing - count)
        case .chunkSize(var size):
            let isRead = try size.consume(
                bytes, &position, room: room, limitBytes: limits.chunkLineBytes, offset: offset - begin)
            if !isRead {
                state = .chunkSize(size)
            } else if size.value > 0 {
                room -= size.value
                state = .chunkData(missing: size.value)
            } else {
                state = .trailers(FieldSection(), start: offset + position - begin)
            }
        case .chunkData(let missing):
            let count = take(missing, of: bytes, &position, &body)
            state = count == missing ? .chunkEnd(sawCR: false) : .chunkData(missing: missing - count)
        case .chunkEnd(let sawCR):
            guard bytes[position] == (sawCR ? UInt8(ascii: "\n") : UInt8(ascii: "\r")) else {
                throw .bad("chunk_end_missing", "A chunk's data is not followed by CRLF.", offset)
            }
            position += 1
            state = sawCR ? .chunkSize(ChunkSize()) : .chunkEnd(sawCR: true)
        case .trailers(var section, let start):
            state = .complete  // so that the section is not copied while it grows
            do throws(HTTPFault) {
                if case .end = try section.next(bytes, at: &position, limits: limits) { return }
            } catch {
                var fault = error
                fault.offset = error.offset.map { $0 + start }
                throw fault
            }
            state = .trailers(section, start: start)
        case .complete, .failed: break
        }
    }

    /// Copies a run of body bytes; returns how many.
    private func take(
        _ missing: Int, of bytes: Span<UInt8>, _ position: inout Int, _ body: inout [UInt8]
    ) -> Int {
        let count = min(missing, bytes.count - position)
        body.append(copying: bytes.extracting(position..<(position + count)))
        position += count
        return count
    }
}

/// A chunk's first line: `1*HEXDIG [BWS ";" extension] CRLF`.
private struct ChunkSize: Sendable {
    private enum Part { case digits, blanks, `extension`, lineFeed }

    private(set) var value = 0
    private var lineBytes = 0
    private var part = Part.digits

    /// Takes bytes until the line is complete.
    ///
    /// - Parameters:
    ///   - room: the largest size that is accepted; it is passed at a digit, so the size can't overflow.
    ///   - offset: of `bytes[0]` in the body.
    /// - Returns: whether the line is complete.
    mutating func consume(
        _ bytes: Span<UInt8>, _ position: inout Int, room: Int, limitBytes: Int, offset: Int
    ) throws(HTTPFault) -> Bool {
        while position < bytes.count {
            let byte = bytes[position]
            let place = offset + position
            if part == .lineFeed {
                guard byte == UInt8(ascii: "\n") else { throw .control(UInt8(ascii: "\r"), place - 1) }
                position += 1
                return true
            }
            if byte == UInt8(ascii: "\r"), lineBytes > 0, part != .blanks {
                part = .lineFeed
            } else {
                guard lineBytes < limitBytes else {
                    throw .bad("chunk_line_too_long", "A chunk's size line is too long.", place)
                }
                try take(byte, room: room, place: place)
                lineBytes += 1
            }
            position += 1
        }
        return false
    }

    private mutating func take(_ byte: UInt8, room: Int, place: Int) throws(HTTPFault) {
        if byte == UInt8(ascii: "\n") { throw .bareLF(place) }
        switch part {
        case .digits where hexValue(byte) != nil:
            let digit = Int(hexValue(byte) ?? 0)
            guard digit <= room, value <= (room - digit) >> 4 else { throw .bodyTooLarge(place) }
            value = value << 4 | digit
        case .digits where lineBytes > 0, .blanks:
            switch byte {
            case UInt8(ascii: ";"): part = .extension
            case 0x20, 0x09: part = .blanks  // RFC 9112 section 7.1.1 wants blanks read here, but only before ";"
            default: throw .bad("chunk_size_invalid", "A chunk's size is not a hexadecimal number.", place)
            }
        case .extension:
            guard byte >= 0x20 && byte != 0x7F || byte == 0x09 else { throw .control(byte, place) }
        case .digits, .lineFeed: throw .bad("chunk_size_invalid", "A chunk's size is not a hexadecimal number.", place)
        }
    }
}
