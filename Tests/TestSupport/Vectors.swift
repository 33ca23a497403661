import Foundation

/// Loads the cases of `test-vectors/`.
package enum Vectors {
    /// Every case of a file that holds one array, such as `http/chunked.json`.
    ///
    /// A file that is missing, empty or of another shape ends the run: its tests must not pass as "no cases".
    package static func load<Case: Decodable>(_ file: String, as type: Case.Type) -> [Case] {
        do {
            let cases = try JSONDecoder().decode([Case].self, from: RepositoryRoot.contents(of: "test-vectors/" + file))
            guard !cases.isEmpty else { fatalError("test-vectors/\(file) has no cases") }
            return cases
        } catch {
            fatalError("test-vectors/\(file): \(error)")
        }
    }
}

extension String {
    /// The bytes of a text in which one character stands for one byte (U+0000 to U+00FF).
    package var latin1Bytes: [UInt8] {
        unicodeScalars.map {
            guard let byte = UInt8(exactly: $0.value) else { fatalError("a character past U+00FF in a vector") }
            return byte
        }
    }

    /// The text in which each byte is one character.
    package init(latin1 bytes: some Sequence<UInt8>) {
        var scalars = UnicodeScalarView()
        scalars.append(contentsOf: bytes.lazy.map { Unicode.Scalar($0) })
        self.init(scalars)
    }
}
