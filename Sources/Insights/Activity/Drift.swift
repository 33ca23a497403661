/// What explains that the samples come to another sum than the phone's. Pure.
struct Drift {
    /// What one source has of a day.
    struct Share: Equatable {
        var source: SourceName
        /// All that it has.
        var value: Double
        /// What of it counts.
        var counted: Double
    }

    /// Sums that differ by less, of the larger one, agree.
    static let agreement = 0.01
    /// What is left of the difference, at most, when a source explains it.
    static let leftover = 0.5

    /// The source whose removal from the sum, or whose addition to it with all that it has, brings it nearest to `phone`.
    ///
    /// - Returns: nil when the sums agree within 1 %, or no single source takes away half of the difference.
    static func explanation(phone: Double, computed: Double, shares: [Share]) -> SourceName? {
        let drift = abs(computed - phone)
        guard drift.isFinite, drift > agreement * max(abs(phone), abs(computed)) else { return nil }
        var best: (source: SourceName, left: Double)?
        for share in shares {
            // Less what counts of it; or with what doesn't count of it yet.
            for sum in [computed - share.counted, computed + share.value - share.counted] {
                let left = abs(sum - phone)
                if left <= drift * leftover, left < best?.left ?? .infinity { best = (share.source, left) }
            }
        }
        return best?.source
    }
}
