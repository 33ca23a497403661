/// Units that measure the same thing.
package struct UnitFamily: Equatable, Sendable {
    package struct Unit: Equatable, Sendable {
        package var name: String
        /// To the family's own unit.
        var conversion: ExactConversion
        /// Whether HealthKit itself doesn't read this spelling.
        package var isAlternate: Bool
    }

    package var name: String
    /// The unit that the conversions are given to.
    package var unit: String
    package let units: [Unit]
    private let indices: [[UInt8]: Int]

    init(name: String, unit: String, units: [Unit]) {
        self.name = name
        self.unit = unit
        self.units = units
        indices = Dictionary(
            units.indices.map { (Array(units[$0].name.utf8), $0) }, uniquingKeysWith: { first, _ in first })
    }

    package func hasUnit(_ name: some Collection<UInt8>) -> Bool { indices[Array(name)] != nil }

    /// nil when one of both is not in the family.
    package func conversion(from unit: some Collection<UInt8>, to target: some Collection<UInt8>) -> UnitConversion? {
        guard let from = indices[Array(unit)], let to = indices[Array(target)] else { return nil }
        return units[from].conversion.followed(byInverseOf: units[to].conversion).map(UnitConversion.init)
    }
}

/// A change of unit: `(value * multiplier + addend) / divisor`, with all three as whole numbers where doubles hold them.
///
/// Multiplying first and dividing last keeps round numbers round: 418.4 kJ are 100 kcal, 98.6 degF are 37 degC.
package struct UnitConversion: Equatable, Sendable {
    let multiplier, addend, divisor: Double

    init(_ exact: ExactConversion) {
        multiplier = Double(exact.multiplier)
        addend = Double(exact.addend)
        divisor = Double(exact.divisor)
    }

    /// Nothing is changed, not even the last bit.
    package var isIdentity: Bool { multiplier == divisor && addend == 0 }

    package func callAsFunction(_ value: Double) -> Double {
        if isIdentity { return value }
        let product = value * multiplier + addend
        // The product can be too large for a double where the quotient isn't; then a bit less exact is better.
        return product.isFinite ? product / divisor : value / divisor * multiplier + addend / divisor
    }
}

/// The same with integers of any size that occurs: `(value * multiplier + addend) / divisor`, `divisor` positive.
struct ExactConversion: Equatable, Sendable {
    var multiplier, addend, divisor: Int128

    /// - Parameters: decimals such as `0.45359237`, or fractions such as `-160/9`; nil when either is none or too long.
    init?(factor: String, offset: String) {
        guard let factor = Self.fraction(factor), let offset = Self.fraction(offset), factor.top > 0 else { return nil }
        self.init(
            multiplier: factor.top.multipliedReportingOverflow(by: offset.bottom),
            addend: offset.top.multipliedReportingOverflow(by: factor.bottom),
            divisor: factor.bottom.multipliedReportingOverflow(by: offset.bottom))
    }

    private typealias Product = (partialValue: Int128, overflow: Bool)

    private init?(multiplier: Product, addend: Product, divisor: Product) {
        guard !multiplier.overflow, !addend.overflow, !divisor.overflow, divisor.partialValue > 0 else { return nil }
        let common = Self.greatestDivisor(
            Self.greatestDivisor(multiplier.partialValue, addend.partialValue), divisor.partialValue)
        self.multiplier = multiplier.partialValue / common
        self.addend = addend.partialValue / common
        self.divisor = divisor.partialValue / common
    }

    /// First this one, then the other backwards; nil when no 128 bits hold it.
    func followed(byInverseOf other: ExactConversion) -> ExactConversion? {
        // ((v * m + a) / d * d' - a') / m' = (v * m d' + a d' - a' d) / (d m')
        let left = addend.multipliedReportingOverflow(by: other.divisor)
        let right = other.addend.multipliedReportingOverflow(by: divisor)
        guard !left.overflow, !right.overflow else { return nil }
        return ExactConversion(
            multiplier: multiplier.multipliedReportingOverflow(by: other.divisor),
            addend: left.partialValue.subtractingReportingOverflow(right.partialValue),
            divisor: divisor.multipliedReportingOverflow(by: other.multiplier))
    }

    private static func greatestDivisor(_ left: Int128, _ right: Int128) -> Int128 {
        var (left, right) = (left.magnitude, right.magnitude)
        while right != 0 { (left, right) = (right, left % right) }
        return Int128(truncatingIfNeeded: max(left, 1))
    }

    /// Up to 18 digits on each side of the dot or the stroke.
    private static func fraction(_ text: String) -> (top: Int128, bottom: Int128)? {
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        let parts = text.utf8.dropFirst(isNegative ? 1 : 0)
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard 1...2 ~= parts.count, let top = decimal(parts[0]),
            let bottom = parts.count == 2 ? decimal(parts[1]) : (1, 1),
            bottom.digits > 0
        else { return nil }
        let product = top.digits.multipliedReportingOverflow(by: bottom.scale)
        let divisor = bottom.digits.multipliedReportingOverflow(by: top.scale)
        guard !product.overflow, !divisor.overflow else { return nil }
        let common = greatestDivisor(product.partialValue, divisor.partialValue)
        return ((isNegative ? -1 : 1) * product.partialValue / common, divisor.partialValue / common)
    }

    private static func decimal(_ text: Substring.UTF8View) -> (digits: Int128, scale: Int128)? {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard 1...2 ~= parts.count, parts.allSatisfy({ 1...18 ~= $0.count }) else { return nil }
        var digits: Int128 = 0, scale: Int128 = 1
        for (index, part) in parts.enumerated() {
            for byte in part {
                guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
                digits = digits * 10 + Int128(byte - UInt8(ascii: "0"))
                if index == 1 { scale *= 10 }
            }
        }
        return (digits, scale)
    }
}
