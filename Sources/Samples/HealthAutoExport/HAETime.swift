extension Timestamp {
    /// Reads a date as Health Auto Export writes it in whatever language the phone has.
    ///
    /// - Parameter offsetMinutes: east of UTC, for a text that names no zone.
    /// - Returns: nil for what is no date of 1900 to 2200.
    package static func parse(healthAutoExport text: Span<UInt8>, offsetMinutes: Int16) -> Timestamp? {
        do throws(HAEDateFault) { return try HAEDate(text) { _ in offsetMinutes }.timestamp } catch { return nil }
    }
}
