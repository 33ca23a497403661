/// Who recorded a sample, so that two spellings of the same recorders are equal: the names between bars, in order.
///
/// Compared after NFC (Swift's `String` does that by itself), with every kind of space as one plain space and none at the
/// ends. A sample without a source has the one name "", so that "not told" is a recorder of its own.
struct SourceSet: Hashable, Comparable, Sendable {
    let names: [String]

    static let unknown = SourceSet(names: [""])

    private init(names: [String]) { self.names = names }

    /// - Parameters: texts of a row's source, UTF-8; nil where it has none.
    init(app: [UInt8]?, device: [UInt8]?) {
        var names: Set<String> = []
        for text in [app, device].compactMap(\.self) {
            for piece in String(decoding: text, as: UTF8.self).unicodeScalars.split(separator: "|") {
                let words = piece.split(whereSeparator: \.properties.isWhitespace)
                if !words.isEmpty { names.insert(words.map(String.init).joined(separator: " ")) }
            }
        }
        self.names = names.isEmpty ? [""] : names.sorted()
    }

    static func < (left: SourceSet, right: SourceSet) -> Bool { left.names.lexicographicallyPrecedes(right.names) }
}
