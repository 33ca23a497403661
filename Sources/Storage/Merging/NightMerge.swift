/// One night as merging sees it; microseconds, nil where the sender told none.
struct Night {
    var start: Int64?
    var end: Int64?
    /// How long the sleep was, in the series' unit.
    var value: Double?
    var series: Int64

    /// Whether both are the same night: they overlap by more than half of the shorter one, or end at the same moment.
    func isSame(as other: Night) -> Bool {
        guard let start, let end, let otherStart = other.start, let otherEnd = other.end else {
            // Without times a night is told by its key alone, which both have then.
            return true
        }
        if end == otherEnd || start == otherStart { return true }
        let length = end.subtractingReportingOverflow(start),
            otherLength = otherEnd.subtractingReportingOverflow(otherStart)
        let overlap = min(end, otherEnd).subtractingReportingOverflow(max(start, otherStart))
        if length.overflow || otherLength.overflow || overlap.overflow { return false }
        let shorter = min(length.partialValue, otherLength.partialValue)
        return shorter > 0 && overlap.partialValue > shorter / 2
    }

    /// Whether a window that may have cut the night shows less of it than what is stored.
    func isCut(of stored: Night) -> Bool {
        guard series == stored.series else { return false }
        let length = value ?? -.infinity, storedLength = stored.value ?? -.infinity
        if length != storedLength { return length < storedLength }
        // The same end with a later start is the same night captured again.
        guard let start, let storedStart = stored.start else { return false }
        return end == stored.end && start > storedStart
    }
}
