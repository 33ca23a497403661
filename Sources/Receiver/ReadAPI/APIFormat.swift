/// A form in which the API answers.
package struct APIFormat: Hashable, Sendable {
    /// `type/subtype` in lower case, as `Accept` names it.
    package let mediaType: String
    /// What the answer's Content-Type says.
    package let contentType: String

    package init(mediaType: String, contentType: String? = nil) {
        self.mediaType = mediaType
        self.contentType = contentType ?? mediaType
    }

    package static let json = APIFormat(mediaType: "application/json")
    package static let csv = APIFormat(mediaType: "text/csv", contentType: "text/csv; charset=utf-8; header=present")
    package static let eventStream = APIFormat(mediaType: "text/event-stream")
    package static let gpx = APIFormat(mediaType: "application/gpx+xml")
    package static let geoJSON = APIFormat(mediaType: "application/geo+json")
    /// Prometheus' text format. Source: its exposition format, version 0.0.4.
    package static let prometheus = APIFormat(
        mediaType: "text/plain", contentType: "text/plain; version=0.0.4; charset=utf-8")

    /// The one of `offered` that a client wants most; the first of equals.
    ///
    /// Elements of `accept` that make no sense are passed over; where none is left, the client takes anything. Source: RFC
    /// 9110 section 12.5.1; parameters other than `q` are ignored.
    ///
    /// - Parameter accept: the values of all `Accept` fields.
    /// - Returns: nil when it takes none of them.
    static func negotiated(_ accept: [ArraySlice<UInt8>], offered: [APIFormat]) -> APIFormat? {
        let ranges = accept.flatMap { $0.split(separator: UInt8(ascii: ",")) }.prefix(64).compactMap(MediaRange.init)
        guard !ranges.isEmpty else { return offered.first }
        var best: (format: APIFormat, quality: Int)?
        for format in offered {
            // The most specific range decides, whatever quality a broader one has.
            let fitting = ranges.filter { $0.covers(format.mediaType) }
            guard let range = fitting.max(by: { $0.specificity < $1.specificity }), range.quality > 0 else { continue }
            if best.map({ range.quality > $0.quality }) ?? true { best = (format, range.quality) }
        }
        return best?.format
    }
}

/// One element of `Accept`.
private struct MediaRange {
    let type: String
    let subtype: String
    /// In thousandths.
    let quality: Int

    init?(_ bytes: ArraySlice<UInt8>) {
        let parts = bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map(Self.word)
        let names = parts[0].split(separator: "/", omittingEmptySubsequences: false)
        guard names.count == 2, !names[0].isEmpty, !names[1].isEmpty, names[0] != "*" || names[1] == "*" else {
            return nil
        }
        (type, subtype) = (String(names[0]), String(names[1]))
        var quality = 1000
        for part in parts.dropFirst() where part.hasPrefix("q=") {
            guard let value = Self.thousandths(part.dropFirst(2)) else { return nil }
            quality = value
        }
        self.quality = quality
    }

    var specificity: Int { type == "*" ? 0 : subtype == "*" ? 1 : 2 }

    func covers(_ mediaType: String) -> Bool {
        let names = mediaType.split(separator: "/")
        return (type == "*" || type == names[0]) && (subtype == "*" || subtype == names[1])
    }

    /// In lower case, without blanks.
    private static func word(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes.filter { $0 != 0x20 && $0 != 0x09 }, as: UTF8.self).lowercased()
    }

    /// `0`, `1`, and with up to three digits behind a point.
    private static func thousandths(_ text: Substring) -> Int? {
        let digits = Array(text.utf8)
        guard (1...5).contains(digits.count), digits[0] == UInt8(ascii: "0") || digits[0] == UInt8(ascii: "1") else {
            return nil
        }
        var value = Int(digits[0] - UInt8(ascii: "0")) * 1000
        guard digits.count > 1 else { return value }
        guard digits[1] == UInt8(ascii: ".") else { return nil }
        var unit = 100
        for digit in digits.dropFirst(2) {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            value += Int(digit - UInt8(ascii: "0")) * unit
            unit /= 10
        }
        return value <= 1000 ? value : nil
    }
}
