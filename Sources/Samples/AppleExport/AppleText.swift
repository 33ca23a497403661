import Wire

/// How Apple's export writes times, names and devices.
enum AppleText {
    /// Reads `YYYY-MM-DD HH:MM:SS +HHMM`, and `YYYYMMDDHHMMSS+HHMM` of iOS 8; nil for anything else.
    ///
    /// - Returns: the moment and the offset in minutes, which is that of the phone's zone when it made the file.
    static func time(_ text: Span<UInt8>) -> (time: Timestamp, offset: Int16)? {
        if text.count == 19 { return compactTime(text) }
        guard text.count == 25, text[10] == UInt8(ascii: " "), text[13] == UInt8(ascii: ":"),
            text[16] == UInt8(ascii: ":"), text[19] == UInt8(ascii: " "),
            let date = CivilDate.parse(text.extracting(0..<10)),
            let hour = CivilDate.twoDigits(text, 11), let minute = CivilDate.twoDigits(text, 14),
            let second = CivilDate.twoDigits(text, 17)
        else { return nil }
        return moment(date, hour, minute, second, text, signAt: 20)
    }

    private static func compactTime(_ text: Span<UInt8>) -> (time: Timestamp, offset: Int16)? {
        guard let century = CivilDate.twoDigits(text, 0), let year = CivilDate.twoDigits(text, 2),
            let month = CivilDate.twoDigits(text, 4), let day = CivilDate.twoDigits(text, 6),
            let hour = CivilDate.twoDigits(text, 8), let minute = CivilDate.twoDigits(text, 10),
            let second = CivilDate.twoDigits(text, 12)
        else { return nil }
        let date = CivilDate(year: century * 100 + year, month: month, day: day)
        guard date.isValid else { return nil }
        return moment(date, hour, minute, second, text, signAt: 14)
    }

    private static func moment(
        _ date: CivilDate, _ hour: Int, _ minute: Int, _ second: Int, _ text: Span<UInt8>, signAt: Int
    ) -> (time: Timestamp, offset: Int16)? {
        let sign = text[signAt]
        guard hour < 24, minute < 60, second <= 60, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
            let hours = CivilDate.twoDigits(text, signAt + 1), let minutes = CivilDate.twoDigits(text, signAt + 3),
            hours < 24, minutes < 60
        else { return nil }
        let offset = (sign == UInt8(ascii: "-") ? -1 : 1) * (hours * 60 + minutes)
        let seconds = date.daysSince1970 * 86_400 + hour * 3_600 + minute * 60 + second - offset * 60
        return (Timestamp(microseconds: Int64(seconds) * 1_000_000), Int16(offset))
    }

    /// `AsleepCore` as `asleep_core`, `VO2Max` as `vo2_max`, `ABPositive` as `ab_positive`.
    static func snake(_ name: some Collection<UInt8>) -> [UInt8] {
        func isUpper(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "A") < 26 }
        let bytes = Array(name)
        var text: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            if index > 0, isUpper(byte) {
                let endsWord = !isUpper(bytes[index - 1])
                let startsWord = index + 1 < bytes.count && bytes[index + 1] &- UInt8(ascii: "a") < 26
                if (endsWord || startsWord) && text.last != UInt8(ascii: "_") { text.append(UInt8(ascii: "_")) }
            }
            text.append(asciiLowercased(byte))
        }
        return text
    }

    /// The value whose name, or an alias of it, ends HealthKit's constant: the longest, at the start of a word.
    static func value(_ constant: ArraySlice<UInt8>, of values: [CatalogValue]) -> CatalogValue? {
        let text = snake(constant)
        var best: (value: CatalogValue, length: Int)?
        for value in values {
            for name in [value.name] + value.aliases where name.utf8.count > (best?.length ?? 0) {
                let length = name.utf8.count
                guard text.count >= length, text.suffix(length).elementsEqual(name.utf8) else { continue }
                if text.count > length, text[text.count - length - 1] != UInt8(ascii: "_") { continue }
                best = (value, length)
            }
        }
        return best?.value
    }
}

/// What the text of a HealthKit device says, its place in memory left out.
///
/// Shape: `<<HKDevice: 0x28…>, name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch6,2, software:10.1>`. The
/// address changes with each export, and so does the time at which the object was made (`creation date`): neither says
/// anything of the sample.
struct AppleDevice: Equatable {
    /// nil when it has none.
    var name: [UInt8]?
    /// The other members, keys in small letters with `_` for blanks.
    var members: [(key: [UInt8], value: [UInt8])] = []

    static func == (left: AppleDevice, right: AppleDevice) -> Bool {
        left.name == right.name
            && left.members.elementsEqual(right.members) { $0.key == $1.key && $0.value == $1.value }
    }

    /// - Parameter text: references replaced. One of another shape is a name as it stands.
    init(_ text: [UInt8]) {
        let opening = Array("<<HKDevice: ".utf8)
        guard text.starts(with: opening), let end = text.firstIndex(of: UInt8(ascii: ">")) else {
            name = text.isEmpty ? nil : text
            return
        }
        var rest = text[(end + 1)...]
        if rest.last == UInt8(ascii: ">") { rest = rest.dropLast() }
        var key: [UInt8]?, start = rest.startIndex, at = rest.startIndex
        while at < rest.endIndex {
            if rest[at] == UInt8(ascii: ","), let next = Self.key(in: rest, at: at + 1) {
                take(key, rest[start..<at])
                (key, start) = (next.key, next.end)
                at = next.end
            } else {
                at += 1
            }
        }
        take(key, rest[start...])
    }

    private mutating func take(_ key: [UInt8]?, _ value: ArraySlice<UInt8>) {
        guard let key, !value.isEmpty, !key.elementsEqual("creation_date".utf8) else { return }
        if key.elementsEqual("name".utf8) {
            if name == nil { name = Array(value) }
        } else if !members.contains(where: { $0.key == key }) {
            members.append((key, Array(value)))
        }
    }

    /// A blank, letters and blanks, a colon.
    private static func key(in text: ArraySlice<UInt8>, at start: Int) -> (key: [UInt8], end: Int)? {
        guard start < text.endIndex, text[start] == UInt8(ascii: " ") else { return nil }
        var key: [UInt8] = [], at = start + 1
        while at < text.endIndex, key.count <= 40 {
            let byte = asciiLowercased(text[at])
            if byte == UInt8(ascii: ":") { return key.isEmpty ? nil : (key, at + 1) }
            guard byte &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: " ") else { return nil }
            key.append(byte == UInt8(ascii: " ") ? UInt8(ascii: "_") : byte)
            at += 1
        }
        return nil
    }
}
