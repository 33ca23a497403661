import Samples
import Wire

/// Merges the `rest` of two copies of a workout, member by member, out of the sender's own bytes.
enum RestMerge {
    /// A merged `rest` past this is given up for the winner's own, so that no copy can make a row without bound.
    static let maximumBytes = 64 << 20

    /// `winner` with what only `other` has.
    ///
    /// - Parameters:
    ///   - otherIsStored: of what means the same the stored bytes are kept, so that a repeat changes nothing.
    ///   - dropped: names whose member in `other` is left out.
    static func filled(
        _ winner: [UInt8], from other: [UInt8], otherIsStored: Bool, without dropped: Set<[UInt8]> = []
    ) -> [UInt8] {
        if other.isEmpty || winner == other { return winner }
        guard let new = JSONMembers(rest: winner), let old = JSONMembers(rest: other) else { return winner }
        // In the stored order, so that nothing changes where nothing is new.
        let (base, more) = otherIsStored ? (old, new) : (new, old)
        var pairs: [[UInt8]] = []
        for member in base.members {
            let isOld = otherIsStored
            if isOld && dropped.contains(member.name) && new.member(named: member.name) == nil { continue }
            guard let twin = more.member(named: member.name) else {
                pairs.append(Array(base.bytes(member.pair)))
                continue
            }
            let (newMember, oldMember) = isOld ? (twin, member) : (member, twin)
            let value = choose(newMember, of: new, over: oldMember, of: old, keepsOld: otherIsStored)
            pairs.append(Array(base.bytes(member.pair.lowerBound..<member.value.lowerBound)) + value)
        }
        for member in more.members where base.member(named: member.name) == nil {
            if !otherIsStored && dropped.contains(member.name) { continue }
            pairs.append(Array(more.bytes(member.pair)))
        }
        let merged = Array(pairs.joined(separator: [UInt8(ascii: ",")]))
        return merged.count <= maximumBytes ? merged : winner
    }

    /// The value of a member that both have.
    private static func choose(
        _ newMember: JSONMembers.Member, of new: JSONMembers, over oldMember: JSONMembers.Member, of old: JSONMembers,
        keepsOld: Bool
    ) -> [UInt8] {
        let newBytes = new.bytes(newMember.value), oldBytes = old.bytes(oldMember.value)
        if newBytes == oldBytes || new.isEmpty(newMember) && !old.isEmpty(oldMember) { return Array(oldBytes) }
        if old.isEmpty(oldMember) { return Array(newBytes) }
        switch (newMember.kind, oldMember.kind) {
        case (.array, .array): return PointArray.united(Array(newBytes), with: Array(oldBytes), keepsOld: keepsOld)
        case (_, .array): return Array(oldBytes)  // a series is never lost to a number
        default:
            let isSame = CanonicalJSON.bytes(of: new.value(newMember)) == CanonicalJSON.bytes(of: old.value(oldMember))
            return Array(isSame && keepsOld ? oldBytes : newBytes)
        }
    }
}

/// An array of points in time, such as a route or a heart rate series.
struct PointArray {
    /// When, and from whom where the point tells it: points of two sources at one moment are two.
    struct Place: Hashable {
        /// Microseconds; nil where the text is in no form that we read.
        var instant: Int64?
        var text: [UInt8]
        var source: [UInt8]

        /// The place of a point that tells no source.
        var moment: Place { Place(instant: instant, text: text, source: []) }
    }

    private struct Point {
        var place: Place
        var range: Range<Int>
    }

    private let text: PaddedBytes
    private var points: [Point] = []

    /// Nil when an element is no object with a `timestamp` or `date`.
    private init?(_ bytes: [UInt8]) {
        text = PaddedBytes(bytes)
        do {
            var scanner = try JSONScanner(text, limits: .stored)
            try scanner.enterArray()
            while try scanner.nextElement() {
                let start = scanner.position
                guard try scanner.kind() == .object else { return nil }
                try scanner.enterObject()
                var time: (isTimestamp: Bool, text: [UInt8])?
                var source: [UInt8] = []
                while let member = try scanner.nextMember() {
                    let name = scanner.bytes(of: member)
                    let isTimestamp = name.elementsEqual("timestamp".utf8)
                    switch try scanner.kind() {
                    case .string where isTimestamp || (name.elementsEqual("date".utf8) && time?.isTimestamp != true):
                        time = (isTimestamp, scanner.bytes(of: try scanner.text()))
                    case .number where isTimestamp || (name.elementsEqual("date".utf8) && time?.isTimestamp != true):
                        time = (isTimestamp, Array("\(try scanner.number().value)".utf8))
                    case .string where name.elementsEqual("source".utf8):
                        source = scanner.bytes(of: try scanner.text())
                    default: _ = try scanner.skip()
                    }
                }
                guard let time else { return nil }
                let instant = PointTime.instant(time.text)
                let names = source.isEmpty ? [] : SourceSet(app: source, device: nil).names
                points.append(
                    Point(
                        place: Place(
                            instant: instant, text: instant == nil ? time.text : [],
                            source: Array(names.joined(separator: "|").utf8)), range: start..<scanner.position))
            }
            try scanner.finish()
        } catch {
            return nil
        }
    }

    private func bytes(_ point: Point) -> ArraySlice<UInt8> { text[point.range] }

    /// Both arrays' points: of a place that both have, those of `winner`.
    ///
    /// Arrays that are not all points in time can't be united: the winner's stays whole.
    ///
    /// - Parameter keepsOld: `other` is stored: points that mean the same keep its bytes.
    static func united(_ winner: [UInt8], with other: [UInt8], keepsOld: Bool) -> [UInt8] {
        guard let new = PointArray(winner), let old = PointArray(other) else { return winner }
        let newGroups = Dictionary(grouping: new.points, by: \.place)
        let oldGroups = Dictionary(grouping: old.points, by: \.place)
        // A point that tells no source is one with those of its moment that do.
        let named = Set(newGroups.keys.filter { !$0.source.isEmpty }.map(\.moment))
        let kept = oldGroups.keys.filter { place in
            let isElsewhere = newGroups[place.moment] != nil || place.source.isEmpty && named.contains(place)
            return newGroups[place] != nil || !isElsewhere
        }
        let places = Set(newGroups.keys).union(kept).sorted(by: precedes)
        var pieces: [ArraySlice<UInt8>] = [], isOther = kept.count < oldGroups.count
        for place in places {
            guard let group = newGroups[place] else {
                pieces += (oldGroups[place] ?? []).map(old.bytes)
                continue
            }
            let mine = group.map(new.bytes), theirs = (oldGroups[place] ?? []).map(old.bytes)
            if means(mine, theirs) {
                pieces += keepsOld ? theirs : mine
            } else {
                pieces += mine
                isOther = true
            }
        }
        if !isOther && keepsOld { return other }
        if !isOther && newGroups.count == places.count { return winner }
        return [UInt8(ascii: "[")] + pieces.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]
    }

    private static func means(_ left: [ArraySlice<UInt8>], _ right: [ArraySlice<UInt8>]) -> Bool {
        if left.count != right.count { return false }
        if left == right { return true }
        return zip(left, right).allSatisfy { mine, theirs in
            mine == theirs
                || CanonicalJSON.bytes(of: PaddedBytes(Array(mine)))
                    == CanonicalJSON.bytes(of: PaddedBytes(Array(theirs)))
        }
    }

    private static func precedes(_ left: Place, _ right: Place) -> Bool {
        if left.instant != right.instant { return (left.instant ?? .max) < (right.instant ?? .max) }
        if left.text != right.text { return left.text.lexicographicallyPrecedes(right.text) }
        return left.source.lexicographicallyPrecedes(right.source)
    }
}

/// The times of points inside of a workout.
enum PointTime {
    /// Reads `2026-10-14 09:01:03 +0200` and its like, and RFC 3339.
    ///
    /// - Returns: microseconds since 1970; nil for any other form, which is then a name like any other.
    static func instant(_ text: [UInt8]) -> Int64? {
        guard text.count >= 20, text.count <= 40 else { return nil }
        var time = text
        if time[10] == UInt8(ascii: " ") { time[10] = UInt8(ascii: "T") }
        time.removeAll { $0 == UInt8(ascii: " ") }
        // The sender writes the zone without a colon.
        if time.count >= 24, [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(time[time.count - 5]) {
            time.insert(UInt8(ascii: ":"), at: time.count - 2)
        }
        return Timestamp.parse(time.span)?.timestamp.microseconds
    }
}
