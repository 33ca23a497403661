/// A decimal number as programs print it.
package enum DecimalText {
    /// Reads `[+-]digits[.digits][e[+-]digits]`, also `.5` and `5.`; nil for anything else, and for what no double holds.
    ///
    /// - Returns: the nearest double, and the digits from the first to the last that is not zero.
    package static func parse(_ text: Span<UInt8>) -> (value: Double, significantDigits: Int)? {
        var at = 0
        let isNegative = text.count > 0 && text[0] == UInt8(ascii: "-")
        if isNegative || (text.count > 0 && text[0] == UInt8(ascii: "+")) { at = 1 }
        let first = at
        var mantissa: UInt64 = 0, digits = 0, significant = 0, exponent = 0, written = 0
        var isFraction = false
        while at < text.count {
            let byte = text[at], digit = byte &- UInt8(ascii: "0")
            if byte == UInt8(ascii: "."), !isFraction {
                isFraction = true
            } else if digit < 10 {
                written += 1
                if isFraction { exponent -= 1 }
                if digits > 0 || digit != 0 {
                    digits += 1
                    if digits <= 19 { mantissa = mantissa * 10 + UInt64(digit) } else { exponent += 1 }
                    if digit != 0 { significant = digits }
                }
            } else {
                break
            }
            at += 1
        }
        guard written > 0 else { return nil }
        if at < text.count {
            guard text[at] | 0x20 == UInt8(ascii: "e"), let power = power(text, from: at + 1) else { return nil }
            exponent += power
        }
        if significant == 0 { return (0, 0) }
        if digits <= 19, mantissa <= 1 << 53, -22...22 ~= exponent {
            // Both are exact, so one operation rounds once.
            let magnitude =
                exponent < 0
                ? Double(mantissa) / powers[-exponent] : Double(mantissa) * powers[exponent]
            return (isNegative ? -magnitude : magnitude, significant)
        }
        var copy: [UInt8] = isNegative ? [UInt8(ascii: "-")] : []
        if text[first] == UInt8(ascii: ".") { copy.append(UInt8(ascii: "0")) }
        copy.append(copying: text.extracting(first..<text.count))
        guard copy.count <= 400, let value = Double(String(decoding: copy, as: UTF8.self)), value.isFinite else {
            return nil
        }
        return (value == 0 ? 0 : value, significant)
    }

    /// Capped far beyond a double's range.
    private static func power(_ text: Span<UInt8>, from start: Int) -> Int? {
        var at = start, value = 0
        let isNegative = at < text.count && text[at] == UInt8(ascii: "-")
        if at < text.count, isNegative || text[at] == UInt8(ascii: "+") { at += 1 }
        guard at < text.count else { return nil }
        while at < text.count {
            let digit = text[at] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            if value < 100_000 { value = value * 10 + Int(digit) }
            at += 1
        }
        return isNegative ? -value : value
    }

    private static let powers: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]
}
