package import Wire

/// Decodes the body of a Health Auto Export automation, as that app and those that imitate it write it.
///
/// Shape: `{"data":{"metrics":[…],"workouts":[…],…}}`, its sections also at the top. One bad point, metric or section is
/// left out and told in `skipped`; the body is refused only when it is no JSON or no object, or when neither `data` nor a
/// section is an array or object. What the columns and `rest` of a record hold is written at `HAEReader`.
///
/// Beside RFC 8259 the tokens `NaN`, `Infinity` and `-Infinity` are taken, as null; a member name that comes twice in one
/// object is refused as in every dialect.
package enum HealthAutoExportDecoder {
    package static let pieceBytes = 1 << 20

    /// Reads a body of any length front to back, one slice in memory at a time.
    ///
    /// A slice ends between two slots where the points are in order, so that the members of one slot are together; it has
    /// less than `sliceRecords` records then. Memory before it is given back after each slice (`PaddedBytes.discard`).
    ///
    /// - Parameters:
    ///   - sliceRecords: most records of a slice, at least 8.
    ///   - pieceBytes: of a longer record so much is copied at once, at least 1. What comes of it is the same.
    ///   - sink: takes each slice, in order; none is empty.
    /// - Returns: whether the body holds nothing, as the Check connection body does.
    /// - Throws: `DecodeFault` with `envelope_invalid`, `json_invalid`, `json_too_deep`, `json_too_wide` or
    ///   `member_repeated`, possibly after slices were given; and what `sink` throws.
    package static func decode(
        _ body: PaddedBytes, context: DecodeContext, sliceRecords: Int = 8_000, pieceBytes: Int = pieceBytes,
        sink: (SampleBatch) throws -> Void
    ) throws -> Bool {
        try withoutActuallyEscaping(sink) { sink in
            var reader = try reader(of: body, context: context)
            reader.sink = sink
            reader.sliceRecords = max(8, sliceRecords)
            reader.pieceBytes = max(1, pieceBytes)
            do { try reader.readBody() } catch let fault as JSONFault { throw reader.decodeFault(fault) }
            try reader.flush()
            return reader.isTest
        }
    }

    /// Reads a small body into one batch.
    ///
    /// - Throws: as the other one.
    package static func decode(_ body: PaddedBytes, context: DecodeContext) throws(DecodeFault) -> DecodedBody {
        var reader = try reader(of: body, context: context)
        do {
            try reader.readBody()
        } catch {
            // Without a sink nothing else is thrown.
            throw reader.decodeFault(error as? JSONFault ?? JSONFault(.syntax, offset: 0))
        }
        return DecodedBody(isTest: reader.isTest, batch: reader.batch)
    }

    private static func reader(of body: PaddedBytes, context: DecodeContext) throws(DecodeFault) -> HAEReader {
        var limits = context.json
        limits.takesAnyNumber = true
        do throws(JSONFault) {
            return HAEReader(try JSONScanner(body, limits: limits), body: body, limits: limits, context: context)
        } catch {
            throw DecodeFault(
                code: error.code, message: error.message + HAEReader.hint(context), offset: error.offset, line: 1)
        }
    }
}
