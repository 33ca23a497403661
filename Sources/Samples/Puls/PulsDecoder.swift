package import Wire

/// What one PulsHealth batch may hold. Source: specs, section 3.2.
package struct PulsLimits: Sendable {
    /// Unpacked.
    package var maximumBodyBytes = 128 << 20
    /// The line's end not counted.
    package var maximumLineBytes = 4 << 20
    /// Any one count of the header, and all together.
    package var maximumCount = 100_000
    package var maximumTotal = 200_000
    /// Points of one route or series line.
    package var maximumLinePoints = 4_000
    /// Points of all route lines together, and of all series lines.
    package var maximumPoints = 100_000

    package init() {}
}

/// Decodes a batch of the PulsHealth app, unpacked: a header line with exact counts, then that many lines of each kind.
///
/// Nothing is left out: one line that is not right refuses the whole batch. What the columns and `rest` of a record hold
/// is written at `PulsReader`, and for readers in `docs/puls.md`.
package enum PulsDecoder {
    /// Reads a whole batch.
    ///
    /// - Returns: a batch with `extras` `.puls`, also when the header promises nothing; no `device`, since samples belong
    ///   to the person and not to the install of the app.
    /// - Throws: `version_unsupported` when the header names another version, whatever else is wrong; with status 413
    ///   `body_too_large`, `line_too_long`; `header_missing`, `count_invalid`, `line_missing`, `line_unexpected`,
    ///   `member_missing`, `member_invalid`, `time_invalid`, `json_invalid`, `json_too_deep`, `json_too_wide`,
    ///   `number_invalid`, `member_repeated`. The message says which line and why, as `sample 3 (UUID): …`.
    package static func decode(
        _ body: PaddedBytes, context: DecodeContext, limits: PulsLimits = PulsLimits()
    ) throws(DecodeFault) -> DecodedBody {
        var reader = try reader(of: body, context: context, limits: limits)
        do {
            try reader.readBody()
        } catch {
            // Without a sink nothing else is thrown.
            throw reader.decodeFault(error as? JSONFault ?? JSONFault(.syntax, offset: 0))
        }
        return DecodedBody(batch: reader.takeBatch())
    }

    /// Reads a batch front to back, one slice in memory at a time.
    ///
    /// Each slice has `extras` with what the header says; the counts and records in it are those of the slice. The last
    /// one carries the deletions, and comes even when it is empty: so there is at least one. Memory before a slice is given
    /// back after it (`PaddedBytes.discard`).
    ///
    /// - Parameters:
    ///   - sliceRecords: most samples, points and aggregates of a slice together, at least 1.
    ///   - sink: takes each slice, in order.
    /// - Throws: as the other one, possibly after slices were given; and what `sink` throws.
    package static func decode(
        _ body: PaddedBytes, context: DecodeContext, limits: PulsLimits = PulsLimits(), sliceRecords: Int,
        sink: (SampleBatch) throws -> Void
    ) throws {
        try withoutActuallyEscaping(sink) { sink in
            var reader = try reader(of: body, context: context, limits: limits)
            reader.sink = sink
            reader.sliceRecords = max(1, sliceRecords)
            do { try reader.readBody() } catch let fault as JSONFault { throw reader.decodeFault(fault) }
            try sink(reader.takeBatch())
        }
    }

    private static func reader(
        of body: PaddedBytes, context: DecodeContext, limits: PulsLimits
    ) throws(DecodeFault) -> PulsReader {
        guard body.count <= limits.maximumBodyBytes else {
            throw DecodeFault(
                code: "body_too_large", message: "the batch is longer than \(limits.maximumBodyBytes) bytes unpacked",
                status: 413, offset: limits.maximumBodyBytes)
        }
        do throws(JSONFault) {
            return PulsReader(
                try JSONScanner(body, limits: context.json), body: body, context: context, limits: limits)
        } catch {
            throw DecodeFault(
                code: error.code, message: "header: " + PulsReader.sentence(error), offset: error.offset, line: 1)
        }
    }
}
