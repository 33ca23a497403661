/// A moment as whole microseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
package struct Timestamp: Hashable, Comparable, Sendable {
    package var microseconds: Int64

    @inlinable package init(microseconds: Int64) { self.microseconds = microseconds }

    /// Stands for "no time" where a column cannot be NULL: the primary key of `sample`.
    @inlinable package static var none: Timestamp { Timestamp(microseconds: .min) }

    @inlinable package static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.microseconds < right.microseconds
    }
}
