import Insights
import Samples
import Storage
import Wire

/// Writes JSON without white space into one array. It keeps nothing but the bytes, so a page of many rows costs no more
/// than its text; that what is written is an object is up to the caller.
struct JSONOut {
    private(set) var bytes: [UInt8] = []
    /// Whether a value stands in front.
    private var needsComma = false
    private var time = TimeText()

    init(reservingBytes: Int = 0) { bytes.reserveCapacity(reservingBytes) }

    // MARK: Structure

    mutating func beginObject() {
        beginValue()
        bytes.append(UInt8(ascii: "{"))
        needsComma = false
    }

    mutating func endObject() {
        bytes.append(UInt8(ascii: "}"))
        needsComma = true
    }

    mutating func object<Failure: Error>(_ body: (inout JSONOut) throws(Failure) -> Void) throws(Failure) {
        beginObject()
        try body(&self)
        endObject()
    }

    mutating func beginArray() {
        beginValue()
        bytes.append(UInt8(ascii: "["))
        needsComma = false
    }

    mutating func endArray() {
        bytes.append(UInt8(ascii: "]"))
        needsComma = true
    }

    mutating func array<Failure: Error>(_ body: (inout JSONOut) throws(Failure) -> Void) throws(Failure) {
        beginArray()
        try body(&self)
        endArray()
    }

    /// A member's name; its value comes next.
    mutating func name(_ name: StaticString) {
        beginValue()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(name)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    private mutating func beginValue() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    // MARK: Values

    mutating func null() {
        beginValue()
        bytes.append("null")
    }

    mutating func value(_ flag: Bool) {
        beginValue()
        bytes.append(flag ? "true" : "false")
    }

    mutating func value(_ text: String?) {
        guard let text else { return null() }
        value(json: StoredText(Array(text.utf8)).json)
    }

    /// - Parameter json: one whole value.
    mutating func value(json: [UInt8]) {
        beginValue()
        bytes += json
    }

    /// A word of ours, which needs no escapes.
    mutating func value(word: String) {
        beginValue()
        bytes.append(UInt8(ascii: "\""))
        bytes += word.utf8
        bytes.append(UInt8(ascii: "\""))
    }

    mutating func value(count: Int) {
        beginValue()
        bytes.append(decimal: Int64(count))
    }

    /// The shortest decimal of that double; null for what is no finite number, which JSON has no word for.
    mutating func value(_ number: Double?) {
        guard let number, number.isFinite else { return null() }
        beginValue()
        bytes.append(number: number)
    }

    /// In UTC, or as a clock so many minutes east of it shows it; null for no time.
    mutating func value(_ moment: Timestamp?, offsetMinutes: Int16? = nil) {
        guard let moment, moment != .none else { return null() }
        beginValue()
        bytes.append(UInt8(ascii: "\""))
        time.append(moment, offsetMinutes: offsetMinutes, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    mutating func value(_ date: CivilDate) {
        beginValue()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(date)
        bytes.append(UInt8(ascii: "\""))
    }

    /// `{"app","device"}`, both null where nothing is known.
    mutating func value(_ source: SourceName) {
        object {
            $0.member("app", source.app)
            $0.member("device", source.device)
        }
    }

    /// Appends bytes that another writer makes of one value.
    mutating func value<Failure: Error>(
        writtenBy write: (inout [UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        beginValue()
        try write(&bytes)
    }
}

// MARK: Members

extension JSONOut {
    mutating func member(_ name: StaticString, _ text: String?) {
        self.name(name)
        value(text)
    }

    mutating func member(_ name: StaticString, word: String?) {
        self.name(name)
        if let word { value(word: word) } else { null() }
    }

    mutating func member(_ name: StaticString, json: [UInt8]?) {
        self.name(name)
        if let json { value(json: json) } else { null() }
    }

    mutating func member(_ name: StaticString, _ flag: Bool) {
        self.name(name)
        value(flag)
    }

    mutating func member(_ name: StaticString, count: Int) {
        self.name(name)
        value(count: count)
    }

    mutating func member(_ name: StaticString, _ number: Double?) {
        self.name(name)
        value(number)
    }

    mutating func member(_ name: StaticString, _ moment: Timestamp?, offsetMinutes: Int16? = nil) {
        self.name(name)
        value(moment, offsetMinutes: offsetMinutes)
    }

    mutating func member(_ name: StaticString, _ date: CivilDate) {
        self.name(name)
        value(date)
    }

    mutating func member(_ name: StaticString, _ source: SourceName) {
        self.name(name)
        value(source)
    }

    mutating func array<Element, Failure: Error>(
        _ name: StaticString, of elements: [Element], _ write: (inout JSONOut, Element) throws(Failure) -> Void
    ) throws(Failure) {
        self.name(name)
        try array { (out: inout JSONOut) throws(Failure) in
            for element in elements { try write(&out, element) }
        }
    }

    mutating func object<Failure: Error>(
        _ name: StaticString, _ body: (inout JSONOut) throws(Failure) -> Void
    ) throws(Failure) {
        self.name(name)
        try object(body)
    }

    /// The whole of an answer.
    static func text(reservingBytes: Int = 0, _ body: (inout JSONOut) -> Void) -> [UInt8] {
        var out = JSONOut(reservingBytes: reservingBytes)
        out.object(body)
        return out.finished()
    }

    /// The bytes with a line feed at their end, for people with a terminal.
    consuming func finished() -> [UInt8] {
        bytes.append(0x0A)
        return bytes
    }
}

extension [UInt8] {
    /// Appends `YYYY-MM-DD`.
    mutating func append(_ date: CivilDate) {
        append(padded: UInt64(Swift.max(0, date.year)), digits: 4)
        append(UInt8(ascii: "-"))
        append(padded: UInt64(Swift.max(0, date.month)), digits: 2)
        append(UInt8(ascii: "-"))
        append(padded: UInt64(Swift.max(0, date.day)), digits: 2)
    }
}
