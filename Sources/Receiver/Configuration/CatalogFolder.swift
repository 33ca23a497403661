import Glibc
package import Samples

extension Catalog {
    /// The largest file that is read: many times the one that is built in.
    private static var maximumFileBytes: Int { 8 << 20 }

    /// Reads `types.json` and `units.json` of a folder.
    ///
    /// - Throws: `.unreadable` and `.invalid`, with the file and, where it is known, the line.
    package static func read(folder: String) throws(ConfigurationError) -> Catalog {
        let types = try contents(folder, "types.json"), units = try contents(folder, "units.json")
        do throws(CatalogFault) {
            return try Catalog(types: types, units: units)
        } catch {
            throw invalid("\(folder)/\(error.sentence)")
        }
    }

    private static func contents(_ folder: String, _ name: String) throws(ConfigurationError) -> [UInt8] {
        let path = "\(folder)/\(name)"
        let bytes: [UInt8]?
        do throws(SystemError) {
            let file = try OpenFile(path, O_RDONLY | O_NONBLOCK)
            bytes = file.isRegular ? try file.read(atMost: maximumFileBytes + 1) : nil
        } catch {
            throw ConfigurationError(.unreadable, "\(path) can't be read: \(error.words)")
        }
        guard let bytes else { throw ConfigurationError(.unreadable, "\(path) can't be read: it is no file") }
        guard bytes.count <= maximumFileBytes else {
            throw ConfigurationError(.unreadable, "\(path) is larger than \(maximumFileBytes) bytes")
        }
        return bytes
    }
}
