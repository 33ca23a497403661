/// One sample that was put, changed or taken away.
package struct Change: Sendable {
    package enum Operation: String, Sendable { case insert, update, delete }

    /// What the newest change of it did.
    package var operation: Operation
    package var person: StoredText
    package var device: StoredText
    package var type: StoredText
    package var key: StoredSample.Key
    /// Of a key that is a text, UTF-8; empty for a uuid.
    package var keyText: [UInt8]
    package var part: Int64
    /// As it is now; nil for a deletion.
    package var stored: (sample: StoredSample, series: StoredSeries)?
    /// Behind this one: who has come so far goes on from there.
    package var cursor: ChangeCursor
}

/// Which changes are told; what is nil or empty filters nothing.
package struct ChangeFilter: Equatable, Sendable {
    package var person: String?
    package var types: Set<String> = []
    package init(person: String? = nil, types: Set<String> = []) {
        self.person = person
        self.types = types
    }
}

/// What one reading costs at most.
package struct ChangeLimits: Equatable, Sendable {
    /// Changes that are handed out, at least 1.
    package var changes = 1_000
    /// Bytes of `rest` after which no other change is begun.
    package var bytes = 4 << 20
    /// Rows that are looked at, at least 1.
    package var rows = 50_000
    package init(changes: Int = 1_000) { self.changes = max(1, changes) }
}
