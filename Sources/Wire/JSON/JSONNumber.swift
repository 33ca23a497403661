import Glibc

/// A number of the text.
package struct JSONNumber: Equatable, Sendable {
    /// The nearest double, halves to even.
    package var value: Double
    /// Of the first byte.
    package var offset: Int
    package var count: Int
    /// Decimal digits from the first to the last that is not zero; 0 for zero.
    package var significantDigits: Int
    /// The first 19 of the digits behind leading zeros, as one number.
    package var mantissa: UInt64
    /// The number is `mantissa` times 10 to this, when `significantDigits` is at most 19; capped far beyond a double's range.
    package var exponent: Int
    package var isNegative: Bool

    package var range: Range<Int> { offset..<offset + count }

    /// Whether the double stands for exactly the number that was written: the shortest decimal that reads back as
    /// `value` has its digits. Not so for -0, and not claimed outside 1e-22..<1e22, where SQLite prints doubles inexactly.
    package var isExact: Bool {
        guard significantDigits > 0 else { return !isNegative && value == 0 }
        guard value.magnitude >= 1e-22 && value.magnitude < 1e22 else { return false }
        if significantDigits <= 15 { return true }
        guard significantDigits <= 17 else { return false }
        return shortestDigits() == (trimmedMantissa().digits, trimmedMantissa().exponent)
    }

    /// `mantissa` and `exponent` without the trailing zeros.
    private func trimmedMantissa() -> (digits: UInt64, exponent: Int) {
        var digits = mantissa, exponent = exponent
        while digits != 0 && digits.isMultiple(of: 10) { digits /= 10; exponent += 1 }
        return (digits, exponent)
    }

    /// What Swift prints, which is the shortest decimal that reads back as the same double.
    private func shortestDigits() -> (digits: UInt64, exponent: Int) {
        var digits: UInt64 = 0, exponent = 0, zeros = 0, isFraction = false
        var text = value.magnitude.description.utf8[...]
        if let mark = text.firstIndex(of: UInt8(ascii: "e")) {
            exponent = Int(String(decoding: text[text.index(after: mark)...], as: UTF8.self)) ?? 0
            text = text[..<mark]
        }
        for byte in text {
            guard byte != UInt8(ascii: ".") else { isFraction = true; continue }
            // Zeros wait for a digit behind them: "412.0" has three digits, and 17 with what comes before always fit.
            if byte == UInt8(ascii: "0") {
                zeros += 1
            } else {
                for _ in 0...zeros { digits &*= 10 }
                digits &+= UInt64(byte - UInt8(ascii: "0"))
                zeros = 0
            }
            if isFraction { exponent -= 1 }
        }
        return (digits, exponent + zeros)
    }
}

extension JSONScanner {
    /// Reads the number at `position`.
    ///
    /// - Throws: `.numberTooLong`, `.numberOutOfRange` (1e400), neither with `takesAnyNumber`; a number too small for a double is 0 or subnormal.
    package mutating func number() throws(JSONFault) -> JSONNumber {
        var number = try scanNumber()
        if !number.value.isNaN { number.value = try value(of: number) }
        return number
    }

    /// The length of a token of `JSONLimits.takesAnyNumber` at `index`; 0 when there is none or it is not taken.
    func nonFiniteBytes(at index: Int) -> Int {
        guard limits.takesAnyNumber else { return 0 }
        for token in ["NaN", "Infinity", "-Infinity"] as [StaticString] {
            let isHere = (0..<token.utf8CodeUnitCount).allSatisfy { offset in
                // A byte that differs ends the comparison, as the padding's zeros do.
                unsafe byte(index + offset) == token.utf8Start[offset]
            }
            if isHere { return token.utf8CodeUnitCount }
        }
        return 0
    }

    /// Checks the number at `position`, its range included, but makes no double of it unless the range is in doubt.
    mutating func skipNumber() throws(JSONFault) {
        let number = try scanNumber(ofAnyLength: limits.skipsAnyNumber)
        if number.exponent > 200 && !limits.takesAnyNumber && !limits.skipsAnyNumber { _ = try value(of: number) }
    }

    /// Reads all but the value.
    private mutating func scanNumber(ofAnyLength: Bool = false) throws(JSONFault) -> JSONNumber {
        let start = position
        var at = start
        var number = JSONNumber(
            value: 0, offset: start, count: 0, significantDigits: 0, mantissa: 0, exponent: 0, isNegative: false)
        if byte(at) == UInt8(ascii: "-") {
            number.isNegative = true
            at += 1
        }
        guard isDigit(at) else {
            number.count = nonFiniteBytes(at: start)
            guard number.count > 0 else { throw at == start ? otherKind() : unexpected(at) }
            number.value = .nan
            position = start + number.count
            isFirst = false
            return number
        }
        var digits = 0  // behind leading zeros
        if byte(at) == UInt8(ascii: "0") {
            at += 1
            if isDigit(at) { throw JSONFault(.syntax, offset: at) }
        } else {
            at = takeDigits(at, into: &number, digits: &digits)
        }
        number.exponent = max(0, digits - 19)
        if byte(at) == UInt8(ascii: ".") {
            at += 1
            guard isDigit(at) else { throw unexpected(at) }
            let fraction = at
            let before = digits
            at = takeDigits(at, into: &number, digits: &digits)
            // Digits past the 19th are not in the mantissa, so they move nothing.
            let leadingZeros = before == 0 ? (at - fraction) - digits : 0
            let taken = min(digits, 19) - min(before, 19)
            number.exponent -= leadingZeros + taken
        }
        if byte(at) | 0x20 == UInt8(ascii: "e") {
            at += 1
            var isNegative = false
            if byte(at) == UInt8(ascii: "-") || byte(at) == UInt8(ascii: "+") {
                isNegative = byte(at) == UInt8(ascii: "-")
                at += 1
            }
            guard isDigit(at) else { throw unexpected(at) }
            var exponent = 0
            while isDigit(at) {
                if exponent < 100_000 { exponent = exponent * 10 + Int(byte(at) - UInt8(ascii: "0")) }
                at += 1
            }
            number.exponent += isNegative ? -exponent : exponent
        }
        number.count = at - start
        if number.count > limits.maximumNumberBytes && !ofAnyLength {
            guard limits.takesAnyNumber else { throw JSONFault(.numberTooLong, offset: start) }
            number.value = .nan
        }
        position = at
        isFirst = false
        return number
    }

    @inline(__always)
    private func isDigit(_ at: Int) -> Bool { byte(at) &- UInt8(ascii: "0") < 10 }

    /// Adds the digits from `at` on; returns where they end.
    @inline(__always)
    private func takeDigits(_ start: Int, into number: inout JSONNumber, digits: inout Int) -> Int {
        var at = start
        while true {
            let digit = byte(at) &- UInt8(ascii: "0")
            guard digit < 10 else { return at }
            if digits > 0 || digit != 0 {
                if digits < 19 { number.mantissa = number.mantissa &* 10 &+ UInt64(digit) }
                digits += 1
                if digit != 0 { number.significantDigits = digits }
            }
            at += 1
        }
    }

    private func value(of number: JSONNumber) throws(JSONFault) -> Double {
        guard number.significantDigits > 0 else { return number.isNegative ? -0.0 : 0 }
        // Up to 2^53 the mantissa is exact and so are powers of ten up to 22, so one operation rounds once.
        if number.significantDigits <= 19 && number.mantissa <= 1 << 53 && -22...22 ~= number.exponent {
            let magnitude =
                number.exponent < 0
                ? Double(number.mantissa) / exactPowersOfTen[-number.exponent]
                : Double(number.mantissa) * exactPowersOfTen[number.exponent]
            return number.isNegative ? -magnitude : magnitude
        }
        let value = slowValue(of: number)
        guard value.isFinite || limits.takesAnyNumber else { throw JSONFault(.numberOutOfRange, offset: number.offset) }
        return value
    }

    /// Gives `strtod` all digits without the point, so that the locale's decimal point doesn't matter.
    private func slowValue(of number: JSONNumber) -> Double {
        var text: [CChar] = []
        text.reserveCapacity(number.count + 16)
        var fractionDigits = 0, isFraction = false, at = number.offset
        let end = number.offset + number.count
        while at < end && byte(at) | 0x20 != UInt8(ascii: "e") {
            if byte(at) == UInt8(ascii: ".") {
                isFraction = true
            } else {
                text.append(CChar(bitPattern: byte(at)))
                if isFraction { fractionDigits += 1 }
            }
            at += 1
        }
        var exponent = -fractionDigits
        if at < end {
            let written = storage[at + 1..<end]
            let isNegative = written.first == UInt8(ascii: "-")
            var magnitude = 0
            for byte in written where byte >= UInt8(ascii: "0") && magnitude < 100_000 {
                magnitude = magnitude * 10 + Int(byte - UInt8(ascii: "0"))
            }
            exponent += isNegative ? -magnitude : magnitude
        }
        text.append(contentsOf: "e\(exponent)".utf8.map { CChar(bitPattern: $0) })
        text.append(0)
        return unsafe text.withUnsafeBufferPointer { unsafe strtod($0.baseAddress.unsafelyUnwrapped, nil) }
    }
}

private let exactPowersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
]
