import Samples

/// One copy of a workout, as it was sent or stored. Pure: texts, not numbers of the dictionaries.
struct WorkoutCopy: Equatable {
    /// Microseconds; nil where the sender gave none.
    var end: Int64?
    /// Seconds.
    var duration: Double?
    var activity: [UInt8]?
    var app: [UInt8]?
    var device: [UInt8]?
    var utcOffset: Int16?
    /// Members that are in `rest` rather than in a column.
    var spelled: SpelledMembers
    var rest: [UInt8]

    /// The members of `rest` that stand for a column, by what says so in `spelled`.
    private static let columns: [(member: SpelledMembers, name: [UInt8])] = [
        (.start, Array("start".utf8)), (.end, Array("end".utf8)), (.value, Array("duration_s".utf8)),
        (.valueName, Array("activity".utf8)), (.source, Array("source".utf8)), (.unit, Array("unit".utf8)),
    ]

    /// What a name is that nobody knows.
    private static let unknownActivity = Array("other".utf8)

    /// This copy with what an earlier or later one of the same workout has, field by field.
    ///
    /// Of a field that both have `self` wins; one that is absent, null or empty in `self` is the other's. Arrays are
    /// united, and none is lost to a copy that has something else in its place.
    ///
    /// - Parameter base: whichever of the two was stored: what is the same keeps its bytes.
    func filled(from other: WorkoutCopy, isStored: Bool) -> WorkoutCopy {
        var merged = self
        // How the other copy spelled its times and source.
        var dropped: Set<[UInt8]> = Set(["hae_start", "hae_end", "hae_source"].map { Array($0.utf8) })
        func take<Value>(_ path: WritableKeyPath<WorkoutCopy, Value?>, _ member: SpelledMembers) {
            if merged[keyPath: path] == nil {
                merged[keyPath: path] = other[keyPath: path]
                if other.spelled.contains(member) { merged.spelled.insert(member) }
            } else if !spelled.contains(member), let column = Self.columns.first(where: { $0.member == member }) {
                // The column says it now; the other copy's own spelling of it would be a second member.
                dropped.insert(column.name)
            }
        }
        take(\.end, .end)
        take(\.duration, .value)
        take(\.activity, .valueName)
        if activity == Self.unknownActivity, let known = other.activity, known != Self.unknownActivity {
            // The name was translated in between; what it meant is known.
            merged.activity = known
        }
        if !spelled.contains(.start) { dropped.insert(Array("start".utf8)) }
        if app == nil && device == nil {
            (merged.app, merged.device) = (other.app, other.device)
            if other.spelled.contains(.source) { merged.spelled.insert(.source) }
        } else if !spelled.contains(.source) {
            dropped.insert(Array("source".utf8))
        }
        // Nearest to where the person was: the zone that was told first.
        merged.utcOffset = isStored ? other.utcOffset ?? utcOffset : utcOffset ?? other.utcOffset
        merged.rest = RestMerge.filled(rest, from: other.rest, otherIsStored: isStored, without: dropped)
        let names = Set(JSONMembers(rest: merged.rest)?.members.map(\.name) ?? [])
        for (member, name) in Self.columns where names.contains(name) { merged.spelled.insert(member) }
        return merged
    }
}
