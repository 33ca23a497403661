package import Samples

/// Sentences about what has been quiet for longer than ever. Pure.
package enum QuietWarnings {
    /// Types that one sentence names.
    private static let maximumNamed = 3

    /// One sentence for each endpoint with quiet types, by name.
    ///
    /// - Parameter rhythms: of all types: when every one of an endpoint is quiet, the endpoint is.
    package static func sentences(_ rhythms: [Rhythm], now: Timestamp) -> [String] {
        let byEndpoint = Dictionary(grouping: rhythms) { $0.endpoint }
        return byEndpoint.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.compactMap { endpoint in
            let all = byEndpoint[endpoint] ?? []
            let quiet = all.filter(\.isQuiet).sorted { ($0.lastStored, $1.type) > ($1.lastStored, $0.type) }
            guard let last = quiet.first else { return nil }
            if quiet.count == all.count {
                let longest = quiet.map(\.longestSeconds).max() ?? 0
                return "Endpoint \(endpoint) has stored nothing new for \(length(last.lastStored, now)): the longest"
                    + " pause before was \(length(longest)). Is the phone's automation still on?"
            }
            let several = Set(all.map(\.person)).count > 1
            let named = quiet.prefix(maximumNamed).map { rhythm in
                "\(rhythm.type)\(several ? " of \(rhythm.person)" : "") for \(length(rhythm.lastStored, now))"
                    + " (longest pause before: \(length(rhythm.longestSeconds)))"
            }
            let more = quiet.count - named.count
            return "Endpoint \(endpoint) has stored no new \(named.joined(separator: ", "))"
                + (more > 0 ? " and \(more) more type\(more == 1 ? "" : "s")" : "") + ", while others came."
        }
    }

    private static func length(_ from: Timestamp, _ to: Timestamp) -> String {
        length((Double(to.microseconds) - Double(from.microseconds)) / 1e6)
    }

    /// In the largest unit that is full twice, rounded down: `47 hours`, `2 days`.
    static func length(_ seconds: Double) -> String {
        for (unit, one) in [("day", 86_400.0), ("hour", 3_600), ("minute", 60)] where seconds >= 2 * one {
            return "\(Int(min(seconds / one, 1e9))) \(unit)s"
        }
        return seconds >= 60 ? "1 minute" : "less than a minute"
    }
}
