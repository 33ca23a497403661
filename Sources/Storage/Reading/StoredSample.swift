package import Samples

/// One row of `sample` as it lies there, its texts still numbers that `StoredTexts` knows.
///
/// Filled anew for each row, so that its arrays keep their memory.
package struct StoredSample: Sendable {
    package enum Key: Equatable, Sendable {
        case uuid(high: UInt64, low: UInt64)
        /// In `keyText`.
        case text
    }

    package internal(set) var key = Key.text
    /// UTF-8; empty for a uuid.
    package internal(set) var keyText: [UInt8] = []
    package internal(set) var part: Int64 = 0
    /// `Timestamp.none` when there is none.
    package internal(set) var start = Timestamp.none
    /// `Timestamp.none` when there is none.
    package internal(set) var end = Timestamp.none
    package internal(set) var value: Double?
    /// For `StoredTexts.text`; nil when there is none.
    package internal(set) var valueName: Int64?
    /// For `StoredTexts.source`; nil when there is none.
    package internal(set) var source: Int64?
    package internal(set) var kind = SampleKind.other
    package internal(set) var dialect = Dialect.native
    package internal(set) var spelled: SpelledMembers = []
    /// How it meets what comes under its key, as `SampleRecord` has it.
    package internal(set) var grain = Grain.raw
    package internal(set) var merge = MergeRule.replace
    package internal(set) var utcOffsetMinutes: Int16?
    /// For `StoredTexts.endpoint`.
    package internal(set) var endpoint: Int64 = 0
    /// For `StoredTexts.receivedAt`.
    package internal(set) var delivery: Int64 = 0
    /// `"name":value` pairs joined by commas, no braces; empty when none.
    package internal(set) var rest: [UInt8] = []

    package init() {}

    /// The columns that `read` takes, of a row of `sample` called `k`.
    package static let columns = """
        k.start, k.uuid, k.part, k."end", k.value, k.value_name, k.source, k.kind, k.dialect, k.spelled, k.utc_offset, \
        k.endpoint, k.delivery, k.rest
        """

    package mutating func read(_ row: Statement) throws(StoreError) {
        start = Timestamp(microseconds: row.integer(0))
        keyText.removeAll(keepingCapacity: true)
        if let halves = row.uuid(1) {
            key = .uuid(high: halves.high, low: halves.low)
        } else {
            if row.isBlob(1) { throw Self.damaged("a key of sample is no uuid") }
            key = .text
            row.append(1, to: &keyText)
        }
        part = row.integer(2)
        end = row.optionalInteger(3).map(Timestamp.init) ?? .none
        // JSON and CSV have no word for what is no finite number; a file can hold it, whoever wrote it there.
        value = row.double(4).flatMap { $0.isFinite ? $0 : nil }
        valueName = row.optionalInteger(5)
        source = row.optionalInteger(6)
        guard let kind = SampleKind(rawValue: UInt8(clamping: row.integer(7))),
            let dialect = Dialect(code: row.integer(8))
        else { throw Self.damaged("a code of sample is unknown") }
        self.kind = kind
        self.dialect = dialect
        spelled = SpelledMembers(rawValue: UInt8(truncatingIfNeeded: row.integer(9)))
        grain = StoredSpelling.grain(ofColumn: row.integer(9))
        merge = StoredSpelling.rule(ofColumn: row.integer(9))
        utcOffsetMinutes = row.optionalInteger(10).map { Int16(clamping: $0) }
        endpoint = row.integer(11)
        delivery = row.integer(12)
        rest.removeAll(keepingCapacity: true)
        row.append(13, to: &rest)
    }

    private static func damaged(_ detail: String) -> StoreError { StoreError(.damaged, detail: detail) }
}

/// What all samples of a series share.
package struct StoredSeries: Sendable {
    package var id: Int64
    package var person: StoredText
    package var device: StoredText
    package var type: StoredText
    /// Nil when there is none.
    package var unit: StoredText?

    package init(id: Int64, person: StoredText, device: StoredText, type: StoredText, unit: StoredText?) {
        self.id = id
        self.person = person
        self.device = device
        self.type = type
        self.unit = unit
    }
}

/// A repeated text in the forms that writers need.
package struct StoredText: Equatable, Sendable {
    /// UTF-8.
    package let bytes: [UInt8]
    /// As a JSON string, quotes included.
    package let json: [UInt8]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        json = JSONText.quoted(bytes)
    }
}

extension Dialect {
    /// The dialect that is stored as `code`.
    package init?(code: Int64) {
        guard let dialect = Dialect.allCases.first(where: { $0.code == code }) else { return nil }
        self = dialect
    }
}
