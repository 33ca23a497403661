import Wire

/// The part of an address behind `?`, and what a form's body holds: names and values, each name once.
struct APIQuery: Sendable {
    /// More than any route has.
    static let maximumParameters = 32

    private(set) var values: [String: String] = [:]

    init() {}

    /// Reads `name=value&name=value`; `+` is a blank, `%XX` a byte. Source: the URL standard's
    /// application/x-www-form-urlencoded, but strict: a percent sign without two digits, bytes that are no UTF-8 and
    /// control characters are refused, and so is what `known` doesn't have.
    init(_ bytes: ArraySlice<UInt8>, known: [String]) throws(APIProblem) {
        guard !bytes.isEmpty else { return }
        var count = 0
        for pair in bytes.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false) {
            count += 1
            guard count <= Self.maximumParameters else {
                throw APIProblem(400, "parameter_unknown", "There are more parameters than this address takes.")
            }
            let end = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            guard let name = Self.decoded(pair[..<end]), let known = known.first(where: { $0 == name }) else {
                throw APIProblem(
                    400, "parameter_unknown",
                    known.isEmpty
                        ? "This address takes no parameters."
                        : "This address takes \(known.joined(separator: ", ")) and nothing else.",
                    parameter: nil)
            }
            guard values[known] == nil else {
                throw APIProblem(400, "parameter_repeated", "A parameter is given once.", parameter: known)
            }
            guard end < pair.endIndex, let value = Self.decoded(pair[(end + 1)...]) else {
                throw APIProblem.invalid(known, "The parameter \(known) needs a value in UTF-8, percent-encoded.")
            }
            values[known] = value
        }
    }

    /// - Returns: nil for a broken escape, bytes that are no UTF-8, and control characters.
    static func decoded(_ bytes: ArraySlice<UInt8>, plusIsBlank: Bool = true) -> String? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            switch bytes[index] {
            case UInt8(ascii: "%"):
                guard bytes.endIndex - index > 2, let high = hexValue(bytes[index + 1]),
                    let low = hexValue(bytes[index + 2])
                else { return nil }
                decoded.append(high << 4 | low)
                index += 3
            case UInt8(ascii: "+") where plusIsBlank:
                decoded.append(0x20)
                index += 1
            case let byte:
                decoded.append(byte)
                index += 1
            }
        }
        guard let text = String(validating: decoded, as: UTF8.self),
            !text.unicodeScalars.contains(where: { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) })
        else { return nil }
        return text
    }
}
