import Wire

/// How far a reader of the changes is: between two of them, or within one.
package struct ChangeCursor: Equatable, Hashable, Sendable {
    /// Where the reading of a change goes on.
    enum Position: Equatable, Hashable, Sendable {
        /// Behind this one among rows that went, or of those that got another part.
        case note(isRemoval: Bool, device: Int64, type: Int64, key: KeyBytes, part: Int64)
        /// In this area of what the change touched, in this series: at its begin.
        case series(area: Int, series: Int64)
        /// The same, behind this row.
        case row(area: Int, series: Int64, start: Int64, key: KeyBytes, part: Int64)
    }

    var epoch: Int64
    /// Of the last change that was read to its end; of the one at hand where there is a position.
    var number: Int64
    var position: Position?

    init(epoch: Int64, number: Int64, position: Position? = nil) {
        self.epoch = epoch
        self.number = number
        self.position = position
    }

    /// Behind all that is known at a point: a copy may begin there.
    package init(_ point: ChangePoint) { self.init(epoch: point.epoch, number: point.number) }

    // MARK: Text

    /// Longest text, in bytes: that of a key of 256 bytes.
    package static let maximumTextBytes = 440

    /// Letters, digits, `-` and `_`; 23 characters or more.
    package var text: String {
        var bytes: [UInt8] = [Self.form]
        for shift in stride(from: 56, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: UInt64(bitPattern: epoch) >> UInt64(shift)))
        }
        func append(_ number: Int64) { VarInt.append(VarInt.zigzag(number), to: &bytes) }
        func append(_ key: KeyBytes, _ part: Int64) {
            append(part)
            bytes.append(key.isUUID ? 1 : 0)
            bytes += key.bytes
        }
        append(number)
        switch position {
        case nil: bytes.append(0)
        case .note(let isRemoval, let device, let type, let key, let part):
            bytes.append(isRemoval ? 1 : 2)
            append(device)
            append(type)
            append(key, part)
        case .series(let area, let series):
            bytes.append(3)
            append(Int64(area))
            append(series)
        case .row(let area, let series, let start, let key, let part):
            bytes.append(4)
            append(Int64(area))
            append(series)
            append(start)
            append(key, part)
        }
        let check = Self.check(bytes)
        return String(decoding: base64(bytes + check, .url), as: UTF8.self)
    }

    /// - Returns: nil for what `text` never is.
    package init?(_ text: String) {
        let characters = Array(text.utf8.prefix(Self.maximumTextBytes + 1))
        guard characters.count <= Self.maximumTextBytes, let all = base64Decoded(characters, .url), all.count > 13
        else { return nil }
        let bytes = Array(all.dropLast(4))
        guard all.suffix(4).elementsEqual(Self.check(bytes)), bytes[0] == Self.form else { return nil }
        epoch = Int64(bitPattern: bytes[1...8].reduce(0) { $0 << 8 | UInt64($1) })
        var reader = VarInt.Reader(Array(bytes[9...]))
        func next() -> Int64? { reader.next().map(VarInt.unzigzag) }
        func key() -> KeyBytes? {
            guard let isUUID = reader.take(1)?.first, isUUID < 2 else { return nil }
            let bytes = reader.rest
            return isUUID == 1 && bytes.count != 16 ? nil : KeyBytes(isUUID: isUUID == 1, bytes: bytes)
        }
        func area() -> Int? { next().flatMap { $0 < 0 ? nil : Int(exactly: $0) } }
        guard let number = next(), number >= 0, let form = reader.take(1)?.first else { return nil }
        self.number = number
        switch form {
        case 0:
            guard reader.isAtEnd else { return nil }
        case 1, 2:
            guard let device = next(), let type = next(), let part = next(), let key = key() else { return nil }
            position = .note(isRemoval: form == 1, device: device, type: type, key: key, part: part)
        case 3:
            guard let area = area(), let series = next(), reader.isAtEnd else { return nil }
            position = .series(area: area, series: series)
        case 4:
            guard let area = area(), let series = next(), let start = next(), let part = next(), let key = key() else {
                return nil
            }
            position = .row(area: area, series: series, start: start, key: key, part: part)
        default: return nil
        }
        // One text a cursor.
        if self.text != text { return nil }
    }

    private static let form: UInt8 = 1

    /// Against typing errors; no secret is in it.
    private static func check(_ bytes: [UInt8]) -> [UInt8] {
        let hash = Fingerprint.of(bytes)
        return (0..<4).map { UInt8(truncatingIfNeeded: hash >> UInt64(24 - 8 * $0)) }
    }
}
