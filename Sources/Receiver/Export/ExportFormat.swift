package import Storage
import Wire

/// Why a sample is not in an export: its format has no place for it.
package enum Omission: Hashable, Sendable {
    /// The format has no records of this kind.
    case kind(String)
    /// The type's name can't be written.
    case type
    /// The device's name can't be written.
    case device
    /// No start, or one that the format's times don't reach.
    case time
    /// No value.
    case value
    /// The record would read as a deletion.
    case deletion

    /// For people, behind a number.
    package var text: String {
        switch self {
        case .kind(let name): name
        case .type: "with a type's name that can't be written"
        case .device: "with a device's name that can't be written"
        case .time: "without a time that can be written"
        case .value: "without a value"
        case .deletion: "that would read as deletions"
        }
    }
}

/// Records on their way out.
package struct ExportPage: Sendable {
    package var bytes: [UInt8] = []
    /// Where each record ends; empty unless records are told apart.
    package private(set) var ends: [Int] = []
    /// Records that are longer than they may be, since one sample alone is.
    package var oversized = 0
    private let tellsRecordsApart: Bool

    package init(tellsRecordsApart: Bool) { self.tellsRecordsApart = tellsRecordsApart }

    /// Everything up to here belongs together.
    package mutating func endRecord() { if tellsRecordsApart { ends.append(bytes.count) } }

    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }
}

/// How samples are written; keeps no more than one record.
package protocol ExportFormat {
    /// What each file begins with.
    var head: [UInt8] { get }
    /// Whether a file of several holds one record only.
    var isOneRecordAFile: Bool { get }
    /// Appends the sample's record.
    ///
    /// - Returns: why it is left out; nil when it is not.
    mutating func append(
        _ sample: borrowing StoredSample, of series: StoredSeries, _ texts: StoredTexts, to page: inout ExportPage
    ) throws(StoreError) -> Omission?
    /// Appends what is still kept, behind the last sample.
    mutating func finish(_ page: inout ExportPage)
}

extension ExportFormat {
    package var head: [UInt8] { [] }
    package var isOneRecordAFile: Bool { false }
    package mutating func finish(_ page: inout ExportPage) {}
}

/// `^[a-z][a-z0-9_]{1,63}$`: one other name, and a reader refuses the whole body.
func isTypeName(_ name: [UInt8]) -> Bool {
    func isSmall(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
    return 2...64 ~= name.count && isSmall(name[0])
        && name.allSatisfy { isSmall($0) || isDigit($0) || $0 == UInt8(ascii: "_") }
}

extension [UInt8] {
    mutating func append(_ text: StaticString) {
        unsafe append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends a uuid in upper case with hyphens, as HealthKit shows it.
    mutating func append(uuidHigh high: UInt64, low: UInt64) {
        appendHex(high >> 32, digits: 8)
        append(UInt8(ascii: "-"))
        appendHex(high >> 16, digits: 4)
        append(UInt8(ascii: "-"))
        appendHex(high, digits: 4)
        append(UInt8(ascii: "-"))
        appendHex(low >> 48, digits: 4)
        append(UInt8(ascii: "-"))
        appendHex(low, digits: 12)
    }

    private mutating func appendHex(_ value: UInt64, digits: Int) {
        var shift = UInt64(digits * 4)
        while shift > 0 {
            shift -= 4
            let digit = UInt8(value >> shift & 15)
            append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") - 10 + digit)
        }
    }
}
