/// A sum of doubles that keeps what each addition rounds off, so that the order of samples doesn't show.
///
/// Source: A. Neumaier, Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen, 1974.
struct ExactSum: Equatable, Sendable {
    var sum = 0.0
    var rest = 0.0

    mutating func add(_ value: Double) {
        let new = sum + value
        rest += abs(sum) >= abs(value) ? (sum - new) + value : (value - new) + sum
        sum = new
    }

    mutating func add(_ other: ExactSum) {
        add(other.sum)
        rest += other.rest
    }

    /// Always finite: a sum past the largest double is the largest.
    var value: Double {
        let total = sum + rest
        if total.isFinite { return total }
        return sum.isNaN ? 0 : max(-.greatestFiniteMagnitude, min(.greatestFiniteMagnitude, sum))
    }
}
