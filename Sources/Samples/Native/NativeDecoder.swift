package import Wire

/// Decodes the native body (guide section 4).
package enum NativeDecoder {
    package static func decode(_ body: PaddedBytes) throws(DecodeFault) -> DecodedBody {
        throw DecodeFault(code: "not_yet", message: "not yet")
    }
}
