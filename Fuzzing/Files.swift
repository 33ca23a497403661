@testable import Receiver
import Samples
import Signing
import Wire

/// The two readers of JSON, this one for files that people edit, agree on what is JSON; an accepted file is written and
/// reads back the same.
func fuzzConfiguration(_ input: [UInt8]) {
    let tree = try? JSONTreeParser.parse(input)
    let scanned = Result { () throws(JSONFault) in
        var json = try JSONScanner(padded(input))
        _ = try json.skip()
        try json.finish()
    }
    switch scanned {
    case .success: check(tree != nil || depth(input) > 30, "the parser of files refuses what the scanner takes")
    case .failure(let fault):
        // Numbers are not read as doubles there, and a mark is no part of UTF-8 text here.
        let isDifference =
            fault.reason == .numberTooLong || fault.reason == .numberOutOfRange || fault.reason == .loneSurrogate
        check(tree == nil || isDifference, "the parser of files takes what the scanner refuses: \(fault)")
    }
    guard let configuration = try? Configuration(parsing: input) else { return }
    _ = configuration.warnings
    let written = Array(configuration.text().utf8)
    do throws(ConfigurationError) {
        check(try Configuration(parsing: written) == configuration, "a configuration reads back another")
    } catch {
        check(false, "a configuration that we wrote is refused: \(error.message)")
    }
}

private func depth(_ input: [UInt8]) -> Int { input.count { $0 == 0x5B || $0 == 0x7B } }

/// A zone's offsets stay within what the file format allows, at any time; both clocks agree where there is no change.
func fuzzZone(_ input: [UInt8]) {
    guard let rules = try? ZoneRules(parsing: input) else { return }
    var times: [Int64] = [
        .min, .min + 1, -8_640_000_000_000, -1, 0, 1, 1_700_000_000, 4_102_444_800, 253_402_300_799, .max - 1, .max,
    ]
    for shift in stride(from: Int64(0), to: 400 * 86_400, by: 13 * 86_400) { times.append(1_767_225_600 + shift) }
    for seconds in times {
        let local = rules.offsetSeconds(atLocalSeconds: seconds)
        check(-89_999...93_599 ~= local, "an offset of \(local) s")
        _ = rules.offsetMinutes(atLocalSeconds: seconds)
        let (microseconds, isOver) = seconds.multipliedReportingOverflow(by: 1_000_000)
        guard !isOver else { continue }
        let offset = rules.offsetSeconds(at: Timestamp(microseconds: microseconds))
        check(-89_999...93_599 ~= offset, "an offset of \(offset) s")
        _ = rules.offsetMinutes(at: Timestamp(microseconds: microseconds))
    }
    _ = rules.offsetSeconds(at: Timestamp(microseconds: .min))
    _ = rules.offsetSeconds(at: Timestamp(microseconds: .max))
}

/// `types.json` and `units.json`, a NUL between them. An accepted catalog answers for each of its names.
func fuzzCatalog(_ input: [UInt8]) {
    let end = input.firstIndex(of: 0) ?? input.count
    let types = Array(input[..<end]), units = Array(input[min(input.count, end + 1)...])
    guard let catalog = try? Catalog(types: types, units: units) else { return }
    for type in catalog.types {
        check(
            catalog.type(named: type.name.utf8)?.name.utf8.elementsEqual(type.name.utf8) ?? false,
            "\(type.name) is not found")
        check(catalog.type(healthKit: type.hk.utf8) != nil, "\(type.hk) is not found")
        for value in type.values { _ = catalog.categoryValue(type: type.name.utf8, name: value.name.utf8) }
        if let unit = type.unit { _ = catalog.conversion(from: unit.utf8, to: type) }
    }
    for activity in catalog.activities {
        check(catalog.activity(named: activity.name.utf8) != nil, "\(activity.name) is not found")
        _ = catalog.activity(healthAutoExport: activity.name.utf8)
    }
    // The decoders take what any catalog says.
    let line = Array("\(catalog.types.first?.name ?? "steps") value=1 1791961260000000000\n".utf8)
    if let decoded = try? LineProtocolDecoder.decode(padded(line), context: DecodeContext(catalog: catalog)) {
        checkBatch(decoded.batch)
    }
}

/// Lines: the timestamp's field, the signature's, the token's; the body behind them. Only what carries the right code
/// is accepted, and only within the window.
func fuzzSignature(_ input: [UInt8]) {
    let lines = input.split(separator: 0x0A, maxSplits: 3, omittingEmptySubsequences: false)
    guard lines.count == 4 else { return }
    let body = Array(lines[3]), now: Int64 = 1_791_961_500
    let secret = Secret(text: "whsec_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG")
    var credentials = EndpointCredentials(scheme: .bearer, tokens: [], secrets: [])
    credentials.secrets = [RotatingSecret(secret: secret)]
    credentials.tokens = [RotatingSecret(secret: Secret(text: "token"))]
    // `\r` in a field stands for several fields of its name.
    let timestamps = lines[0].split(separator: 0x0D, omittingEmptySubsequences: false),
        signatures = lines[1].split(separator: 0x0D, omittingEmptySubsequences: false)
    let verdict = verifySignature(
        timestamps: timestamps, signatures: signatures, body: body.span, credentials: credentials, nowSeconds: now)
    let pieces = SignatureCheck(
        timestamps: timestamps, signatures: signatures, credentials: credentials, nowSeconds: now)
    for start in stride(from: 0, to: body.count, by: 7) {
        pieces.add(body.span.extracting(start..<min(body.count, start + 7)))
    }
    check(pieces.verdict(nowSeconds: now) == verdict, "another verdict on the body in pieces")
    let timestamp = String(decoding: lines[0], as: UTF8.self)
    let right = requestSignature(secret: secret, timestamp: timestamp, body: body)
    let isRight =
        Array(right.utf8) == Array(lines[1]) && (1...15 ~= lines[0].count) && lines[0].allSatisfy { 0x30...0x39 ~= $0 }
    switch verdict {
    case .accepted:
        check(
            isRight && (Int64(timestamp) ?? 0) >= now - 300 && (Int64(timestamp) ?? 0) <= now + 300,
            "a wrong signature was accepted")
    case .clock(let difference): check(isRight && difference.magnitude > 300, "a clock difference of \(difference) s")
    case .unsigned: check(false, "unsigned with a secret")
    default: check(!isRight, "the right signature was refused: \(verdict)")
    }
    // The same input signed right is accepted: the fuzzer can't find the code itself.
    let signed = requestSignature(secret: secret, timestamp: "\(now)", body: body)
    let accepted = verifySignature(
        timestamps: [Array("\(now)".utf8)[...]], signatures: [Array(signed.utf8)[...]], body: body.span,
        credentials: credentials, nowSeconds: now)
    if case .accepted = accepted {} else { check(false, "the right signature was refused: \(accepted)") }
}
