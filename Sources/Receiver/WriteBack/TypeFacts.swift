/// What the catalog says of a type that is to be written: our reading of Apple Health, which the app may know better.
package struct TypeFacts: Sendable {
    package enum Kind: Sendable {
        case quantity
        case category
        /// A workout, a characteristic and their like, which no command can write.
        case other
    }

    package var kind: Kind
    /// Whether Apple Health takes it from an app.
    package var isWritable: Bool
    /// What a quantity is given in without a unit; nil for other kinds.
    package var unit: String?
    /// What a quantity may be, in `unit`; nil when nothing is known.
    package var bounds: ClosedRange<Double>?
    /// A value of the given unit in `unit`; nil when it doesn't measure the same.
    package var converted: @Sendable (_ value: Double, _ unit: String) -> Double?
    /// Of a category: HealthKit's numbers for its values' names.
    package var values: [String: Double]

    package init(
        kind: Kind, isWritable: Bool, unit: String? = nil, bounds: ClosedRange<Double>? = nil,
        values: [String: Double] = [:], converted: @escaping @Sendable (Double, String) -> Double? = { _, _ in nil }
    ) {
        self.kind = kind
        self.isWritable = isWritable
        self.unit = unit
        self.bounds = bounds
        self.values = values
        self.converted = converted
    }
}
