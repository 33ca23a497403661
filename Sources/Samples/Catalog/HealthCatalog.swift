/// Raw values that HealthKit has for names. Looked up once a batch for each name, not once a sample.
package enum HealthCatalog {
    /// HealthKit's number for a category type's value, such as 3 for `sleep_analysis`, `asleep_core`; nil when the type
    /// or the name is not known. Names are compared as bytes.
    package static func categoryValue(type: some Sequence<UInt8>, name: some Sequence<UInt8>) -> Double? {
        guard let values = categoryValues[Array(type)] else { return nil }
        return values[Array(name)]
    }

    /// HealthKit's number for a characteristic's value, such as 1 for `blood_type`, `a_positive`; nil when either is not
    /// known.
    package static func characteristicValue(characteristic: some Sequence<UInt8>, name: some Sequence<UInt8>) -> Double?
    {
        characteristics[Array(characteristic)]?[Array(name)]
    }

    private typealias Values = [[UInt8]: Double]

    private static let characteristics: [[UInt8]: Values] = values(HealthNames.characteristics)

    /// By category type.
    private static let categoryValues: [[UInt8]: Values] = {
        let enumerations = values(HealthNames.categoryValues)
        var byType: [[UInt8]: Values] = [:]
        for (enumeration, types) in lines(HealthNames.categoryTypes) {
            for type in types { byType[Array(type.utf8)] = enumerations[Array(enumeration.utf8)] }
        }
        return byType
    }()

    private static func lines(_ text: String) -> [(key: Substring, words: ArraySlice<Substring>)] {
        text.split(separator: "\n").map { line in
            let words = line.split(separator: " ")
            return (words[0].dropLast(), words[1...])
        }
    }

    private static func values(_ text: String) -> [[UInt8]: Values] {
        var values: [[UInt8]: Values] = [:]
        for (key, words) in lines(text) {
            for word in words {
                let pair = word.split(separator: "=")
                values[Array(key.utf8), default: [:]][Array(pair[0].utf8)] = Double(pair[1])
            }
        }
        return values
    }
}
