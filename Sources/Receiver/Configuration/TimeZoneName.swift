import Glibc
package import Samples

/// Names of the time zone database, as far as a file system knows them.
package enum TimeZoneName {
    package static let databasePath = "/usr/share/zoneinfo"

    /// Whether `name` is well formed and the database has rules for it. `UTC` needs none, so it always exists.
    ///
    /// Shape: parts of letters, digits, `+`, `-` and `_`, joined by `/`; so no name leads out of the database's folder.
    package static func exists(_ name: String, database: String = databasePath) -> Bool {
        let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let isWellFormed =
            name.utf8.count <= 64
            && parts.allSatisfy { part in
                !part.isEmpty
                    && part.allSatisfy {
                        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) && $0 < 0x80
                            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || "+-_".utf8.contains($0)
                    }
            }
        guard isWellFormed else { return false }
        return name == "UTC" || hasRules("\(database)/\(name)")
    }

    /// Reads the clock of a zone; that of `UTC` needs no database.
    ///
    /// - Throws: `ConfigurationError` when the name isn't known or its file can't be read or used.
    package static func rules(of name: String, database: String = databasePath) throws(ConfigurationError) -> ZoneRules
    {
        if name == "UTC" { return .utc }
        guard exists(name, database: database) else {
            throw invalid("the time zone \(name) is not known: no file of rules has its name")
        }
        // The largest zone of the database has 4 KiB.
        do { return try ZoneRules(parsing: contents(of: "\(database)/\(name)", atMost: 256 << 10)) } catch {
            throw invalid(
                "the rules of the time zone \(name) can't be read: \(database)/\(name) is damaged at byte \(error.offset)"
            )
        }
    }

    /// The zone that this machine is set to: `TZ`, then `/etc/timezone`, then where `/etc/localtime` leads, else `UTC`.
    ///
    /// - Parameter timeZone: the value of the environment's `TZ`.
    /// - Parameter root: put before all paths, for tests.
    package static func system(timeZone: String?, root: String = "") -> String {
        let database = root + databasePath
        var candidates: [String] = []
        if let timeZone { candidates.append(name(of: timeZone.first == ":" ? String(timeZone.dropFirst()) : timeZone)) }
        if let line = firstLine(of: "\(root)/etc/timezone") { candidates.append(line) }
        if let target = linkTarget(of: "\(root)/etc/localtime") { candidates.append(name(of: target)) }
        return candidates.first { exists($0, database: database) } ?? "UTC"
    }

    /// The part behind the database's folder, wherever that is; the text itself when it names no file there.
    private static func name(of path: String) -> String {
        let parts = path.split(separator: "/")
        guard path.contains("/"), let folder = parts.lastIndex(of: "zoneinfo") else { return path }
        return parts[(folder + 1)...].joined(separator: "/")
    }

    /// Whether the file begins as RFC 9636 section 3.1 says.
    private static func hasRules(_ path: String) -> Bool {
        contents(of: path, atMost: 4).elementsEqual("TZif".utf8)
    }

    private static func firstLine(of path: String) -> String? {
        let line = contents(of: path, atMost: 256).prefix { $0 != UInt8(ascii: "\n") }
        return String(validating: line, as: UTF8.self)
    }

    private static func contents(of path: String, atMost limit: Int) -> [UInt8] {
        guard let file = try? OpenFile(path, O_RDONLY | O_NONBLOCK), file.isRegular else { return [] }
        return (try? file.read(atMost: limit)) ?? []
    }

    private static func linkTarget(of path: String) -> String? {
        var target = [UInt8](repeating: 0, count: 4096)
        let count = unsafe target.withUnsafeMutableBufferPointer { target in
            unsafe target.withMemoryRebound(to: CChar.self) { unsafe readlink(path, $0.baseAddress!, $0.count) }
        }
        return count > 0 ? String(validating: target[..<count], as: UTF8.self) : nil
    }
}
