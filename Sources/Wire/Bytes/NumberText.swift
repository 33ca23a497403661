extension [UInt8] {
    /// Appends the shortest decimal that reads back as `value`, as JSON, CSV and line protocol write a number: whole
    /// numbers below 2^54 without a point, others such as `0.25` or `1.5e-07`.
    ///
    /// - Parameter value: finite; what is not has no spelling in any of them, and traps.
    package mutating func append(number value: Double) {
        precondition(value.isFinite)
        let magnitude = value.magnitude
        if magnitude < 0x1p54 && value == value.rounded(.towardZero) {
            if value == 0 && value.sign == .minus { append(UInt8(ascii: "-")) }
            return append(decimal: Int64(value))
        }
        // A quotient of two exact doubles is the double nearest to that decimal, and no other decimal of 15 digits
        // reads back as the same double.
        let millionths = (magnitude * 1e6).rounded()
        if millionths < 1e15 && millionths / 1e6 == magnitude {
            let (whole, fraction) = UInt64(millionths).quotientAndRemainder(dividingBy: 1_000_000)
            if value < 0 { append(UInt8(ascii: "-")) }
            append(decimal: Int64(whole))
            append(UInt8(ascii: "."))
            append(fraction: fraction, digits: 6)
            return
        }
        append(contentsOf: value.description.utf8)
    }

    /// Appends a whole number.
    package mutating func append(decimal value: Int64) {
        if value < 0 { append(UInt8(ascii: "-")) }
        var rest = value.magnitude
        if rest < 10 { return append(UInt8(ascii: "0") + UInt8(rest)) }
        let start = count
        while rest > 0 {
            append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        }
        self[start...].reverse()
    }

    /// Appends `value` with zeros in front, `digits` long.
    package mutating func append(padded value: UInt64, digits: Int) {
        let start = count
        append(contentsOf: repeatElement(UInt8(ascii: "0"), count: digits))
        var rest = value, index = start + digits
        while rest > 0 && index > start {
            index -= 1
            self[index] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        }
    }

    /// Appends the digits behind a point, without zeros at their end.
    ///
    /// - Parameter value: not 0; below 10 to the power of `digits`.
    package mutating func append(fraction value: UInt64, digits: Int) {
        append(padded: value, digits: digits)
        while last == UInt8(ascii: "0") { removeLast() }
    }
}
