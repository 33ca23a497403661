package import Wire

/// Decodes the native body (guide sections 4, 5 and 7).
package enum NativeDecoder {
    /// Reads one whole body.
    ///
    /// Required are `v` 1, `type` "sync", `device`, and `samples` with a `uuid` and a `type` each; null is as good as
    /// absent where a member is optional. Members that the contract doesn't know are skipped at the top and kept in
    /// `rest` in a sample; which members the columns stand for is written at `SampleRecord`.
    ///
    /// - Parameter takesAnyTypeName: also the names that a store has from elsewhere, such as HealthKit's of a type that the
    ///   catalog doesn't know.
    /// - Throws: codes `json_invalid`, `json_too_deep`, `json_too_wide`, `number_invalid`, `member_repeated`,
    ///   `member_missing`, `member_invalid`, `key_invalid`, `time_invalid`, `not_sync`.
    package static func decode(
        _ body: PaddedBytes, limits: JSONLimits = JSONLimits(), catalog: Catalog = .builtIn,
        takesAnyTypeName: Bool = false
    ) throws(DecodeFault) -> DecodedBody {
        let json: JSONScanner
        do throws(JSONFault) { json = try JSONScanner(body, limits: limits) } catch {
            throw DecodeFault(
                code: error.code, message: error.message + NativeReader.hint, offset: error.offset, line: 1)
        }
        var reader = NativeReader(json, storage: body, catalog: catalog, takesAnyTypeName: takesAnyTypeName)
        do throws(JSONFault) {
            try reader.readBody()
        } catch {
            throw reader.decodeFault(error, in: body)
        }
        return reader.takeBody()
    }
}
