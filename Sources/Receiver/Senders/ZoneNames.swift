import Samples
import Synchronization

/// The clocks of zones that bodies name, each read once: a file is not for an I/O thread to read with every body.
enum ZoneNames {
    /// More than one household travels through; past it all are forgotten.
    private static let capacity = 64
    private static let known = Mutex<[[UInt8]: ZoneRules?]>([:])

    /// Nil for a name that the system's database hasn't.
    static func rules(_ name: [UInt8]) -> ZoneRules? {
        if let found = known.withLock({ $0[name] }) { return found }
        let rules = name.count <= 64 ? try? TimeZoneName.rules(of: String(decoding: name, as: UTF8.self)) : nil
        known.withLock { known in
            if known.count >= capacity { known.removeAll() }
            known[name] = .some(rules)
        }
        return rules
    }
}
