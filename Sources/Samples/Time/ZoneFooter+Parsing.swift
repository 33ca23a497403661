extension ZoneFooter {
    /// - Returns: nil for anything but a whole `TZ` string with rules.
    init?(parsing text: ArraySlice<UInt8>) {
        var reader = FooterReader(rest: text)
        guard reader.name(), let west = reader.clock(maximumHours: 24) else { return nil }
        standard = Int32(-west)
        if !reader.rest.isEmpty {
            guard reader.name() else { return nil }
            var offset = 3_600 - west
            if reader.rest.first != UInt8(ascii: ",") {
                guard let summerWest = reader.clock(maximumHours: 24) else { return nil }
                offset = -summerWest
            }
            guard ZoneRules.offsets.contains(Int32(offset)), let start = reader.rule(), let end = reader.rule(),
                reader.rest.isEmpty
            else { return nil }
            summer = Summer(offset: Int32(offset), start: start, end: end)
        }
        guard ZoneRules.offsets.contains(standard) else { return nil }
    }
}

/// Takes a `TZ` string apart from the front.
private struct FooterReader {
    var rest: ArraySlice<UInt8>

    private mutating func take(_ byte: Character) -> Bool {
        guard let value = byte.asciiValue, rest.first == value else { return false }
        rest.removeFirst()
        return true
    }

    /// Three or more letters, or letters, digits and signs in `<>`.
    mutating func name() -> Bool {
        let isQuoted = take("<")
        let name = rest.prefix { byte in
            let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            return isLetter || isQuoted && (isDigit || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-"))
        }
        rest = rest.dropFirst(name.count)
        return name.count >= 3 && (!isQuoted || take(">"))
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int? {
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard 1...3 ~= digits.count else { return nil }
        rest = rest.dropFirst(digits.count)
        let value = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        return range.contains(value) ? value : nil
    }

    /// `[+-]h[h[h]][:mm[:ss]]` in seconds.
    mutating func clock(maximumHours: Int) -> Int? {
        let isNegative = take("-")
        if !isNegative { _ = take("+") }
        guard var seconds = number(0...maximumHours) else { return nil }
        seconds *= 3_600
        for unit in [60, 1] where take(":") {
            guard let value = number(0...59) else { return nil }
            seconds += value * unit
        }
        return isNegative ? -seconds : seconds
    }

    /// `,date[/time]`; without a time it is 02:00.
    mutating func rule() -> ZoneFooter.Rule? {
        guard take(","), let day = day() else { return nil }
        guard take("/") else { return ZoneFooter.Rule(day: day, seconds: 7_200) }
        return clock(maximumHours: 167).map { ZoneFooter.Rule(day: day, seconds: $0) }
    }

    private mutating func day() -> ZoneFooter.Rule.Day? {
        if take("J") { return number(1...365).map { .julian($0) } }
        guard take("M") else { return number(0...365).map { .zeroBased($0) } }
        guard let month = number(1...12), take("."), let week = number(1...5), take("."), let day = number(0...6)
        else { return nil }
        return .weekday(month: month, week: week, day: day)
    }
}
