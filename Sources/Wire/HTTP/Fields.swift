/// The fields of a request's head in the order they came: views into one buffer, no allocation a field.
package struct Fields: Sendable, RandomAccessCollection {
    package struct Field: Sendable {
        /// In lower case, whatever was sent.
        package var name: ArraySlice<UInt8>
        /// Without the white space around it; may hold HTAB, and bytes from 0x80 that need not be UTF-8.
        package var value: ArraySlice<UInt8>
    }

    /// Where a field lies in the head's bytes.
    struct Place: Sendable {
        var name: Range<Int>
        var value: Range<Int>
    }

    /// The head as sent, but field names in lower case.
    let bytes: [UInt8]
    let places: [Place]

    init(bytes: [UInt8], places: [Place]) {
        self.bytes = bytes
        self.places = places
    }

    package var startIndex: Int { 0 }
    package var endIndex: Int { places.count }

    package subscript(index: Int) -> Field {
        Field(name: bytes[places[index].name], value: bytes[places[index].value])
    }

    /// The values of every field of that name, in the order they came.
    ///
    /// - Parameter lowercaseName: a token in lower case; another finds nothing.
    package func values(_ lowercaseName: String) -> [ArraySlice<UInt8>] {
        var found: [ArraySlice<UInt8>] = []
        for place in places where isNamed(place, lowercaseName) { found.append(bytes[place.value]) }
        return found
    }

    /// The value of the first field of that name.
    package func first(_ lowercaseName: String) -> ArraySlice<UInt8>? {
        for place in places where isNamed(place, lowercaseName) { return bytes[place.value] }
        return nil
    }

    private func isNamed(_ place: Place, _ name: String) -> Bool {
        place.name.count == name.utf8.count && bytes.span.extracting(place.name).equals(name.utf8.span)
    }
}
