import Wire

/// Attributes as members of JSON.
extension AppleExportDecoder {
    /// Appends the characters of a value as a JSON string.
    func appendJSON(_ range: Range<Int>, to json: inout [UInt8]) {
        let isPlain = scanner.withBytes(range) { bytes in
            guard XMLText.isPlain(bytes) else { return false }
            for index in bytes.indices where bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "\\") {
                return false
            }
            json.append(UInt8(ascii: "\""))
            json.append(copying: bytes)
            json.append(UInt8(ascii: "\""))
            return true
        }
        if !isPlain { json.append(quoted: scanner.unescaped(range)) }
    }

    /// Adds an entry to an object that is still open; the first of a key stays.
    func addMetadata(_ key: Range<Int>, _ value: Range<Int>, to metadata: inout [UInt8]) {
        var name: [UInt8] = []
        appendJSON(key, to: &name)
        if metadata.hasMember(quoted: name) { return }
        metadata.append(metadata.isEmpty ? UInt8(ascii: "{") : UInt8(ascii: ","))
        metadata += name
        metadata.append(UInt8(ascii: ":"))
        appendJSON(value, to: &metadata)
    }

    /// Adds the tag's attributes, each under its name in small letters with `_`.
    ///
    /// - Parameter isTop: whether they become members of the sample itself, whose own names they must not have.
    func appendMembers(except left: [StaticString], isTop: Bool = false, to members: inout [UInt8]) {
        for attribute in scanner.attributes where !left.contains(where: { scanner.equals(attribute.name, $0) }) {
            appendMember(attribute, isTop: isTop, to: &members)
        }
    }

    /// A time as RFC 3339 in UTC, a number as one, HealthKit's names as ours; all else as a string.
    func appendMember(_ attribute: XMLTagScanner.Attribute, isTop: Bool, to members: inout [UInt8]) {
        var name = AppleText.snake(scanner.unescaped(attribute.name))
        if scanner.equals(attribute.name, "startDate") { name = Array("start".utf8) }
        if scanner.equals(attribute.name, "endDate") { name = Array("end".utf8) }
        if isTop, Self.reserved.contains(String(decoding: name, as: UTF8.self)) { name = Array("apple_".utf8) + name }
        if members.hasMember(name) { return }
        if !members.isEmpty { members.append(UInt8(ascii: ",")) }
        members.append(quoted: name)
        members.append(UInt8(ascii: ":"))
        if let time = scanner.withBytes(attribute.value, { AppleText.time($0) }) {
            members.append(quoted: time.time.text.utf8)
        } else if let number = scanner.withBytes(attribute.value, { DecimalText.parse($0) }),
            number.significantDigits <= 15
        {
            members.append(number: number.value)
        } else if scanner.equals(attribute.name, "type") {
            members.append(quoted: typeName(scanner.unescaped(attribute.value)))
        } else {
            appendJSON(attribute.value, to: &members)
        }
    }

    private static let reserved: Set = [
        "uuid", "type", "value", "unit", "start", "end", "source", "part", "parts", "activity", "duration_s",
        "metadata", "device",
        "date", "points", "count", "day", "instantaneous_bpm", "creation_date", "source_version", "events",
        "statistics",
        "activities", "routes", "files",
    ]

    private func typeName(_ identifier: [UInt8]) -> [UInt8] {
        if let type = types.catalog.type(healthKit: identifier) { return Array(type.name.utf8) }
        let event = Array("HKWorkoutEventType".utf8)
        if identifier.starts(with: event) { return AppleText.snake(identifier.dropFirst(event.count)) }
        return identifier
    }
}

extension [UInt8] {
    /// Whether the object's text has a member of that name. One inside of another object counts, too: then a member gets
    /// another name than it needs, which no reader minds.
    func hasMember(_ name: [UInt8]) -> Bool {
        var quoted: [UInt8] = []
        quoted.append(quoted: name)
        return hasMember(quoted: quoted)
    }

    func hasMember(quoted name: [UInt8]) -> Bool {
        let wanted = name + [UInt8(ascii: ":")]
        guard count >= wanted.count else { return false }
        var at = 0
        while at <= count - wanted.count {
            if self[at] == wanted[0], self[at..<at + wanted.count].elementsEqual(wanted) { return true }
            at += 1
        }
        return false
    }
}
