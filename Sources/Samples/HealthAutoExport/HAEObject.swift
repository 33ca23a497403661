import Wire

/// The members of one object, scalars read, arrays and objects only found; reused from object to object.
struct HAEObject {
    struct Member {
        var name: HAEName
        /// As it stands in the body.
        var spelling: JSONText
        /// An object can have a name of ours in two spellings; the second is `.other` and this.
        var isDoubled = false
        /// Of the value's bytes.
        var range: Range<Int>
        var kind: JSONKind
        /// The value of a string.
        var text = JSONText(offset: 0, count: 0, hasEscapes: false)
        /// The value of a number, and whether its digits say no more than the double does: up to 17, which is how
        /// Apple's writer prints any double.
        var number = 0.0
        var isExact = false
    }

    var members: [Member] = []
    /// Of the object's bytes.
    var range = 0..<0
    /// Whether this is all of a small object, and scalars alone: another one may be read by its shape.
    fileprivate var isShape = false
    /// What is compared is in memory twice.
    fileprivate static let maximumShapeBytes = 1 << 16

    /// The member of a name that we know; nil when it is absent or null, which are the same in this format.
    subscript(name: HAEName) -> Member? {
        guard let index = index(of: name), members[index].kind != .null else { return nil }
        return members[index]
    }

    private func index(of name: HAEName) -> Int? {
        for index in members.indices where members[index].name == name { return index }
        return nil
    }

    /// Whether one of the names is there and not null.
    func hasAny(of names: HAEName...) -> Bool {
        names.contains { name in index(of: name).map { members[$0].kind != .null } ?? false }
    }
}

extension JSONScanner {
    /// Reads the object at `position`.
    ///
    /// - Parameter wanted: which of its members to read, when not all; others are checked and left out.
    mutating func read(into object: inout HAEObject, only wanted: [HAEName]? = nil) throws(JSONFault) {
        var isShape = wanted == nil
        if isShape, try readAlike(into: &object) { return }
        object.isShape = false
        object.members.removeAll(keepingCapacity: true)
        let start = position
        try enterObject()
        while let spelling = try nextMember() {
            var name = withBytes(of: spelling) { HAEName($0) }
            if let wanted, !wanted.contains(name) {
                _ = try skip()
                continue
            }
            let isDoubled = name != .other && object.members.contains { $0.name == name }
            if isDoubled { name = .other }
            let kind = try kind()
            isShape = isShape && kind != .object && kind != .array
            object.members.append(
                HAEObject.Member(
                    name: name, spelling: spelling, isDoubled: isDoubled, range: position..<position, kind: kind))
            try readValue(of: &object.members[object.members.count - 1])
        }
        object.range = start..<position
        object.isShape = isShape && object.range.count <= HAEObject.maximumShapeBytes
    }

    private mutating func readValue(of member: inout HAEObject.Member) throws(JSONFault) {
        let start = position
        switch member.kind {
        case .string: member.text = try text()
        case .number:
            let number = try self.number()
            member.number = HAENumber.cleaned(number)
            member.isExact =
                member.number == number.value
                && (number.isExact || number.significantDigits <= 17 && 1e-22..<1e22 ~= number.value.magnitude)
        default: _ = try skip()
        }
        member.range = start..<position
    }

    /// Reads an object whose bytes around its values are those of the one in `object`, as they are from point to point: it has
    /// the same names, and none of them is looked at again.
    ///
    /// - Returns: false, with nothing read, when it is another one; `object` then has no use any more.
    private mutating func readAlike(into object: inout HAEObject) throws(JSONFault) -> Bool {
        guard object.isShape else { return false }
        object.isShape = false
        let start = position
        var gap = object.range.lowerBound
        for index in object.members.indices {
            let former = object.members[index].range
            guard pass(repeating: gap..<former.lowerBound), let kind = try? kind(), kind == object.members[index].kind
            else {
                goBack(to: start)
                return false
            }
            object.members[index].spelling.offset += position - former.lowerBound
            try readValue(of: &object.members[index])
            gap = former.upperBound
        }
        guard pass(repeating: gap..<object.range.upperBound) else {
            goBack(to: start)
            return false
        }
        object.range = start..<position
        object.isShape = true
        return true
    }
}
