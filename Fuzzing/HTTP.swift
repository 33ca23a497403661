import Wire

/// How a request's head was read: all that later steps see of it, or the fault.
private struct ReadHead: Equatable {
    var consumed = 0
    var parts: [[UInt8]] = []
    var framing = BodyFraming.none
    var flags: [Bool] = []
    var fault: HTTPFault?

    /// - Parameter step: bytes that arrive at a time.
    init(_ input: [UInt8], step: Int) {
        var parser = RequestHeadParser(limits: Self.limits)
        do throws(HTTPFault) {
            while consumed < input.count {
                let end = min(input.count, consumed + step)
                let (taken, head) = try parser.consume(input.span.extracting(consumed..<end))
                consumed += taken
                guard let head else {
                    check(taken == end - (consumed - taken), "a head without its end was not taken whole")
                    continue
                }
                parts =
                    [Array(head.method.utf8), head.target, head.path]
                    + head.fields.flatMap { [Array($0.name), Array($0.value)] }
                framing = head.framing
                flags = [head.keepAlive, head.expectsContinue, head.minorVersion == 1]
                check(!parser.hasBegun, "a parser that gave a head has begun the next one")
                return
            }
        } catch {
            fault = error
            consumed = 0
        }
    }

    /// Small, so that the limits are met.
    static var limits: HTTPLimits {
        var limits = HTTPLimits()
        limits.requestLineBytes = 256
        limits.headerBlockBytes = 1_024
        limits.fieldBytes = 300
        limits.fieldCount = 12
        limits.chunkLineBytes = 24
        return limits
    }
}

/// A head read whole, byte by byte and in sevens is the same; what it says about framing is what a naive look at the same
/// bytes finds; a body behind it is read in the same three ways.
func fuzzHead(_ input: [UInt8]) {
    let whole = ReadHead(input, step: .max)
    for step in [1, 7] {
        check(
            ReadHead(input, step: step) == whole,
            "in steps of \(step) the head is another: \(ReadHead(input, step: step)) instead of \(whole)")
    }
    guard whole.fault == nil, !whole.parts.isEmpty else { return }
    checkFraming(whole, input)
    readBody(Array(input[whole.consumed...]), whole.framing, room: 512)
}

/// A second opinion on an accepted head: lines end in CRLF alone, and one thing at most says how long the body is.
private func checkFraming(_ head: ReadHead, _ input: [UInt8]) {
    let taken = input[..<head.consumed]
    check(taken.suffix(4).elementsEqual("\r\n\r\n".utf8), "the head ends in something else than an empty line")
    check(!taken.contains(0), "a head with a NUL was accepted")
    for (index, byte) in taken.enumerated() where byte == 0x0A {
        check(index > 0 && taken[index - 1] == 0x0D, "a bare LF was accepted")
    }
    var lengths = 0, codings = 0, hosts = 0
    for index in stride(from: 3, to: head.parts.count, by: 2) {
        switch text(head.parts[index]) {
        case "content-length": lengths += 1
        case "transfer-encoding": codings += 1
        case "host": hosts += 1
        default: break
        }
    }
    check(lengths == 0 || codings == 0, "both Content-Length and Transfer-Encoding were accepted")
    check(hosts <= 1, "two Host fields were accepted")
    check((head.framing == .chunked) == (codings > 0), "a coding without chunks, or chunks without a coding")
    if case .length = head.framing {
        check(lengths > 0, "a length from nowhere")
    } else {
        check(lengths == 0, "a length was overlooked")
    }
}

/// The first byte chooses the framing, the second the largest body.
func fuzzBody(_ input: [UInt8]) {
    let (kind, rest) = choice(input)
    let (room, body) = choice(rest)
    switch kind % 4 {
    case 0: readBody(body, .none, room: Int(room))
    case 1: readBody(body, .length(Int(kind)), room: Int(room))
    default: readBody(body, .chunked, room: Int(room) * 8)
    }
}

private func readBody(_ input: [UInt8], _ framing: BodyFraming, room: Int) {
    struct Read: Equatable {
        var consumed = 0, body: [UInt8] = [], isComplete = false, fault: HTTPFault?
    }
    func read(step: Int) -> Read {
        var decoder = BodyDecoder(framing: framing, limits: ReadHead.limits, maximumBodyBytes: room), result = Read()
        do throws(HTTPFault) {
            repeat {
                let end = min(
                    input.count, result.consumed.addingReportingOverflow(step).overflow ? .max : result.consumed + step)
                let (taken, isComplete) = try decoder.consume(
                    input.span.extracting(result.consumed..<end), into: &result.body)
                check(isComplete || taken == end - result.consumed, "a body without its end was not taken whole")
                result.consumed += taken
                result.isComplete = isComplete
            } while result.consumed < input.count && !result.isComplete
        } catch {
            // How much had come before depends on the steps.
            result = Read(fault: error)
        }
        check(result.body.count <= room, "a body longer than its limit")
        return result
    }
    let whole = read(step: .max)
    for step in [1, 7] {
        check(
            read(step: step) == whole,
            "in steps of \(step) the body is another: \(read(step: step)) instead of \(whole)")
    }
    guard whole.isComplete, framing == .chunked else { return }
    let naive = dechunked(Array(input[..<whole.consumed]))
    check(naive == whole.body, "the chunks hold \(text(naive ?? [])), not \(text(whole.body))")
}

/// What an accepted chunked body holds, by the plainest means.
private func dechunked(_ input: [UInt8]) -> [UInt8]? {
    var body: [UInt8] = [], at = 0
    while true {
        guard let lineEnd = input[at...].firstIndex(of: 0x0A) else { return nil }
        let digits = input[at..<lineEnd].prefix { $0 != 0x3B && $0 != 0x0D && $0 != 0x20 && $0 != 0x09 }
        guard let size = Int(text(digits), radix: 16) else { return nil }
        if size == 0 { return body }
        at = lineEnd + 1
        guard at + size + 2 <= input.count else { return nil }
        body += input[at..<at + size]
        guard input[at + size] == 0x0D, input[at + size + 1] == 0x0A else { return nil }
        at += size + 2
    }
}

/// The first line is the Content-Type, the rest the body. Parts lie behind each other, and a naive search for the boundary
/// finds as many and the same.
func fuzzMultipart(_ input: [UInt8]) {
    let lineEnd = input.firstIndex(of: 0x0A) ?? input.count
    let body = Array(input[min(input.count, lineEnd + 1)...])
    guard let boundary = multipartBoundary(input[..<lineEnd]) else { return }
    check(1...70 ~= boundary.count, "a boundary of \(boundary.count) bytes")
    guard let parts = try? multipartContents(body.span, boundary: boundary, maximumParts: 8, maximumFieldBytes: 200)
    else { return }
    check(parts.count <= 8, "too many parts")
    let delimiter = Array("\r\n--".utf8) + boundary
    var end = 0
    for part in parts {
        check(part.lowerBound >= end && part.upperBound <= body.count, "parts overlap or lie outside")
        end = part.upperBound
        check(positions(of: delimiter, in: Array(body[part])).isEmpty, "a part holds the boundary")
        let isEnded = body[part.upperBound...].starts(with: delimiter)
        // The empty line that ends the fields may be the line break before the boundary.
        check(isEnded || body[(part.lowerBound - 2)...].starts(with: delimiter), "a part ends without the boundary")
    }
    let found = positions(of: delimiter, in: Array("\r\n".utf8) + body)
    check(found.count >= parts.count, "more parts than boundaries")
}

private func positions(of pattern: [UInt8], in bytes: [UInt8]) -> [Int] {
    guard bytes.count >= pattern.count else { return [] }
    return (0...bytes.count - pattern.count).filter { bytes[$0] == pattern[0] && bytes[$0...].starts(with: pattern) }
}

/// The first byte is the size of the pieces. What comes out doesn't depend on it, and ends where it must.
func fuzzGzip(_ input: [UInt8]) {
    struct Stop: Error {}
    let limit = 1 << 20
    let (step, stream) = choice(input)
    func decode(step: Int) -> (output: [UInt8], fault: String?) {
        let decoder = GzipDecoder()
        var output: [UInt8] = [], at = 0
        do {
            while at < stream.count {
                let end = min(stream.count, at + step)
                try decoder.decode(stream.span.extracting(at..<end)) { piece in
                    check(piece.count <= GzipDecoder.pieceBytes, "a piece of \(piece.count) bytes")
                    output.append(copying: piece)
                    if output.count > limit { throw Stop() }
                }
                at = end
            }
            try decoder.finish()
        } catch {
            return (output, "\(error)")
        }
        return (output, nil)
    }
    let whole = decode(step: 1 << 30), pieces = decode(step: Int(step) % 64 + 1)
    check(whole.fault == pieces.fault, "\(whole.fault ?? "accepted") whole, \(pieces.fault ?? "accepted") in pieces")
    if whole.fault == nil { check(whole.output == pieces.output, "another output in pieces") }
    check(whole.output.count <= stream.count * 1_033 + GzipDecoder.pieceBytes, "more came out than one byte can make")
}
