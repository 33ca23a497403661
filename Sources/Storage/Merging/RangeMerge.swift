/// Min, Avg and Max of one bucket, of which the window may have shown only a part.
enum RangeMerge {
    /// The stored range made as wide as both; Min and Max of both are in the unit of their series, which is the same. Its mean stays, unless the new range has the stored one inside of it.
    ///
    /// - Returns: one of the two as it is, or a mix of them: the sent sample with the stored one's value and `rest`, in
    ///   which Min and Max are the new ones where these are wider. Nil when either has
    ///   neither a Min nor a Max.
    static func widen(_ stored: SlotMember, by sent: SlotMember) -> SlotMember? {
        guard let old = JSONMembers(rest: stored.rest), let new = JSONMembers(rest: sent.rest) else { return nil }
        let oldLow = old.number(named: "min"), oldHigh = old.number(named: "max")
        let newLow = new.number(named: "min"), newHigh = new.number(named: "max")
        guard (oldLow ?? oldHigh) != nil, (newLow ?? newHigh) != nil else { return nil }
        let isLower = isWider(newLow?.value, than: oldLow?.value, by: <)
        let isHigher = isWider(newHigh?.value, than: oldHigh?.value, by: >)
        if !isLower && !isHigher {
            return stored.identity == sent.identity ? sent : stored
        }
        let holdsLow = newLow?.value == oldLow?.value || isLower,
            holdsHigh = newHigh?.value == oldHigh?.value || isHigher
        if holdsLow && holdsHigh { return sent }
        var mixed = sent
        mixed.value = stored.value
        mixed.end = stored.end
        if case .stored(let position) = stored.origin { mixed.mixedWith = position }
        // How the sender wrote an extreme, where that is another number, goes with it.
        let gone = [isLower ? Array("hae_Min".utf8) : [], isHigher ? Array("hae_Max".utf8) : []]
        var pairs = old.members.filter { !gone.contains($0.name) }.map { member in
            if isLower, let newLow, member.name == oldLow?.member.name {
                return renamed(newLow.member, of: new, as: member, of: old)
            }
            if isHigher, let newHigh, member.name == oldHigh?.member.name {
                return renamed(newHigh.member, of: new, as: member, of: old)
            }
            return Array(old.bytes(member.pair))
        }
        if isLower, oldLow == nil, let newLow { pairs.append(Array(new.bytes(newLow.member.pair))) }
        if isHigher, oldHigh == nil, let newHigh { pairs.append(Array(new.bytes(newHigh.member.pair))) }
        mixed.rest = Array(pairs.joined(separator: [UInt8(ascii: ",")]))
        mixed.content = CanonicalJSON.content(ofRest: mixed.rest)
        return mixed
    }

    private static func isWider(_ new: Double?, than old: Double?, by compare: (Double, Double) -> Bool) -> Bool {
        guard let new else { return false }
        return old.map { compare(new, $0) } ?? true
    }

    /// `member`'s name with `other`'s value.
    private static func renamed(
        _ other: JSONMembers.Member, of new: JSONMembers, as member: JSONMembers.Member, of old: JSONMembers
    ) -> [UInt8] {
        Array(old.bytes(member.pair.lowerBound..<member.value.lowerBound)) + Array(new.bytes(other.value))
    }
}
