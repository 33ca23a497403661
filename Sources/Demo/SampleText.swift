import Samples
import Wire

/// Writes samples as the phone's own JSON.
struct SampleText {
    /// Where a sample says that it comes from.
    enum Source: String {
        case watch = #"{"app":"com.apple.health","device":"Apple Watch"}"#
        case phone = #"{"app":"com.apple.health","device":"iPhone"}"#
        case scale = #"{"app":"com.example.scale","device":"Bathroom Scale"}"#
        case gym = #"{"app":"com.example.gym"}"#
        case runner = #"{"app":"com.example.runner","device":"iPhone"}"#
        case typed = #"{"app":"com.apple.Health"}"#
    }

    /// Minutes east of UTC that times are written with; 0 for `Z`.
    var offsetMinutes = 0

    func quantity(
        _ uuid: [UInt8], _ type: String, _ value: Double, _ unit: String, _ start: Int64, _ end: Int64, _ source: Source
    ) -> [UInt8] {
        var text = begun(uuid, type)
        text += ",\"value\":".utf8
        text.append(number: value)
        text += ",\"unit\":\"\(unit)\"".utf8
        finish(&text, start, end, source)
        return text
    }

    func category(
        _ uuid: [UInt8], _ type: String, _ value: String, _ start: Int64, _ end: Int64, _ source: Source
    ) -> [UInt8] {
        var text = begun(uuid, type)
        text += ",\"value\":\"\(value)\"".utf8
        finish(&text, start, end, source)
        return text
    }

    /// Any other kind.
    ///
    /// - Parameter members: what only this kind has, each with a comma in front.
    func other(
        _ uuid: [UInt8], _ type: String, _ start: Int64, _ end: Int64, _ source: Source, members: [UInt8]
    ) -> [UInt8] {
        var text = begun(uuid, type)
        text += members
        finish(&text, start, end, source)
        return text
    }

    /// What has no time: a characteristic, a day's rings.
    func timeless(_ key: String, _ type: String, members: [UInt8]) -> [UInt8] {
        begun(Array(key.utf8), type) + members + "}".utf8
    }

    private func begun(_ uuid: [UInt8], _ type: String) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(256)
        text += "{\"uuid\":\"".utf8
        text += uuid
        text += "\",\"type\":\"".utf8
        text += type.utf8
        text.append(UInt8(ascii: "\""))
        return text
    }

    private func finish(_ text: inout [UInt8], _ start: Int64, _ end: Int64, _ source: Source) {
        text += ",\"start\":\"".utf8
        append(time: start, to: &text)
        text += "\",\"end\":\"".utf8
        append(time: end, to: &text)
        text += "\",\"source\":".utf8
        text += source.rawValue.utf8
        text.append(UInt8(ascii: "}"))
    }

    /// `2026-10-14T07:01:00Z`, or with the offset.
    func append(time seconds: Int64, to text: inout [UInt8]) {
        let local = seconds + Int64(offsetMinutes) * 60
        let days = local / 86_400, second = UInt64(local % 86_400)
        append(date: CivilDate(daysSince1970: Int32(days)), to: &text)
        text.append(UInt8(ascii: "T"))
        text.append(padded: second / 3_600, digits: 2)
        text.append(UInt8(ascii: ":"))
        text.append(padded: second / 60 % 60, digits: 2)
        text.append(UInt8(ascii: ":"))
        text.append(padded: second % 60, digits: 2)
        guard offsetMinutes != 0 else { return text.append(UInt8(ascii: "Z")) }
        text.append(offsetMinutes < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
        text.append(padded: UInt64(offsetMinutes.magnitude / 60), digits: 2)
        text.append(UInt8(ascii: ":"))
        text.append(padded: UInt64(offsetMinutes.magnitude % 60), digits: 2)
    }

    func append(date: CivilDate, to text: inout [UInt8]) {
        text.append(padded: UInt64(date.year), digits: 4)
        text.append(UInt8(ascii: "-"))
        text.append(padded: UInt64(date.month), digits: 2)
        text.append(UInt8(ascii: "-"))
        text.append(padded: UInt64(date.day), digits: 2)
    }
}
