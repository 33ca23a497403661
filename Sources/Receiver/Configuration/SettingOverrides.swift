/// The names that one setting has in the three places it can come from.
package struct SettingName: Equatable, Sendable {
    /// In `receiver.json`.
    package let key: String

    package init(key: String) { self.key = key }

    package var environment: String { "SYNCKY_" + key.uppercased() }
    package var flag: String { "--" + key.replacingUnderscores() }
}

extension String {
    fileprivate func replacingUnderscores() -> String {
        String(map { $0 == "_" ? "-" : $0 })
    }
}

/// Settings from flags and from the environment. A flag comes before the environment, which comes before the file.
///
/// Made once at start and applied again whenever the file has changed.
package struct SettingOverrides: Sendable, Equatable {
    /// All settings that can be given this way.
    package static let names = (["bind", "port", "api_bind"] + Limits.settings.map(\.key)).map(SettingName.init(key:))

    private var bind: String?
    private var port: Int?
    private var apiBind: String?
    private var limits: [String: Int] = [:]

    /// - Parameter flags: by their whole name, such as `--max-body-bytes`; others than those in `names` are refused.
    /// - Parameter environment: the process's; names that aren't in `names` are left alone, and an empty value counts
    ///   as absent, as compose files give it.
    package init(flags: [String: String] = [:], environment: [String: String] = [:]) throws(ConfigurationError) {
        var values: [(source: String, key: String, text: String)] = []
        for name in Self.names {
            if let text = environment[name.environment], !text.isEmpty {
                values.append((name.environment, name.key, text))
            }
            if let text = flags[name.flag] { values.append((name.flag, name.key, text)) }
        }
        for flag in flags.keys.sorted() where !Self.names.contains(where: { $0.flag == flag }) {
            throw invalid("\(flag) is no setting")
        }
        // Later ones win, and a bad one is refused even where a better one would have hidden it.
        for value in values { try set(value.key, value.text, source: value.source) }
    }

    private mutating func set(_ key: String, _ text: String, source: String) throws(ConfigurationError) {
        switch key {
        case "bind":
            guard ConfigurationRules.isAddress(text) else { throw invalid("\(source) must be an IPv4 or IPv6 address") }
            bind = text
        case "port":
            // Port 0, chosen by the system, is for who starts the program and can read the log: tests and scripts.
            let first = source.hasPrefix("--") ? 0 : 1
            guard let port = wholeNumber(text), (first...65_535).contains(port) else {
                throw invalid("\(source) must be a whole number from \(first) to 65535")
            }
            self.port = port
        case "api_bind":
            let first = source.hasPrefix("--") ? 0 : 1
            guard text == "off" || APIAddress(text).map({ Int($0.port) >= first }) ?? false else {
                throw invalid("\(source) must be an address with a port such as 127.0.0.1:8788, or off")
            }
            apiBind = text
        default:
            guard let setting = Limits.settings.first(where: { $0.key == key }) else { return }
            guard let value = wholeNumber(text), setting.range.contains(value) else {
                throw invalid("\(source) \(setting.rule)")
            }
            limits[key] = value
        }
    }

    /// `configuration` with these settings in place of its own.
    ///
    /// - Throws: when two limits contradict each other only now.
    package func applied(to configuration: Configuration) throws(ConfigurationError) -> Configuration {
        var result = configuration
        if let bind { result.bind = bind }
        if let port { result.port = port }
        if let apiBind { result.api.bind = apiBind }
        for setting in Limits.settings {
            if let value = limits[setting.key] { result.limits[keyPath: setting.keyPath] = value }
        }
        try result.limits.check()
        return result
    }
}

/// ASCII digits only: `Int` alone would take a sign.
private func wholeNumber(_ text: String) -> Int? {
    text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(text) : nil
}
