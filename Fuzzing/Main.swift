import Glibc
import Wire

/// One target: what is done with an input. It returns when all is well, and stops the process otherwise.
typealias Target = @Sendable (_ input: [UInt8]) -> Void

/// By name; `FUZZ_TARGET` says which one runs.
private let targets: [String: Target] = [
    "head": fuzzHead, "body": fuzzBody, "json": fuzzJSON, "number": fuzzNumber, "time": fuzzTime, "native": fuzzNative,
    "hae": fuzzHealthAutoExport, "csv": fuzzCSV, "influx": fuzzLineProtocol, "results": fuzzResults,
    "config": fuzzConfiguration, "gzip": fuzzGzip, "multipart": fuzzMultipart, "zone": fuzzZone,
    "catalog": fuzzCatalog, "signature": fuzzSignature, "export": fuzzExport, "puls": fuzzPuls, "xml": fuzzXML,
    "zip": fuzzZip,
]

private let target: Target = {
    guard let name = getenv("FUZZ_TARGET").map({ String(cString: $0) }), let target = targets[name] else {
        fatalError("FUZZ_TARGET names none of \(targets.keys.sorted().joined(separator: " "))")
    }
    return target
}()

/// What libFuzzer calls.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}

/// Stops with a finding unless `condition` holds.
func check(_ condition: Bool, _ finding: @autoclosure () -> String) {
    guard !condition else { return }
    print("FINDING: \(finding())")
    fflush(nil)
    abort()
}

/// The input in a block of exactly its size and its padding, so that the sanitizer sees a load behind that.
func padded(_ input: [UInt8]) -> PaddedBytes {
    let owner = ExactBlock(input)
    return PaddedBytes(unsafeBase: owner.base, count: input.count, owner: owner)
}

private final class ExactBlock: PaddedBytesOwner, @unchecked Sendable {
    let base: UnsafePointer<UInt8>

    init(_ bytes: [UInt8]) {
        let block = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count + PaddedBytes.paddingBytes)
        for (index, byte) in bytes.enumerated() { block[index] = byte }
        for index in 0..<PaddedBytes.paddingBytes { block[bytes.count + index] = 0 }
        base = UnsafePointer(block)
    }

    deinit { base.deallocate() }

    func discard(before offset: Int) {}
}

/// The input's first byte, which chooses among ways to go, and the rest.
func choice(_ input: [UInt8]) -> (UInt8, [UInt8]) { (input.first ?? 0, Array(input.dropFirst())) }

/// For messages.
func text(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes.prefix(400), as: UTF8.self) }
