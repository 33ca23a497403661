import Wire

extension HAEReader {
    /// The date in a member; nil when it is absent.
    func readDate(_ name: HAEName) throws(HAESkip) -> HAEDate? {
        guard let member = object[name] else { return nil }
        do throws(HAEDateFault) {
            switch member.kind {
            case .string:
                return try json.withBytes(of: member.text) { text in
                    Result { () throws(HAEDateFault) in try Self.date(text, context) }
                }.get()
            case .number where member.number.isFinite:
                return try HAEDate(epoch: member.number, zone: context.offsetMinutes)
            case .number: return nil
            default: throw .invalid
            }
        } catch {
            throw HAESkip(error)
        }
    }

    private static func date(_ text: Span<UInt8>, _ context: DecodeContext) throws(HAEDateFault) -> HAEDate? {
        // An empty text is as good as none.
        let isEmpty = text.indices.allSatisfy { text[$0] <= 0x20 }
        return isEmpty ? nil : try HAEDate(text, zone: context.offsetMinutes)
    }

    /// As `readDate`, nil for one that is none.
    func date(_ name: HAEName) -> HAEDate? { try? readDate(name) }

    /// The first of the members that is there.
    func readDate(firstOf names: HAEName...) throws(HAESkip) -> (date: HAEDate, name: HAEName)? {
        for name in names {
            if let date = try readDate(name) { return (date, name) }
        }
        return nil
    }

    /// Fills in `record`'s interval and says what of its members the columns hold.
    ///
    /// - Parameters:
    ///   - from: the member whose date is the record's start.
    ///   - to: the member whose date is its end, when there is one.
    func setInterval(
        _ record: inout HAERecord, start: HAEDate, from: HAEName, end: HAEDate? = nil, to: HAEName = .end
    ) throws(HAESkip) {
        record.start = start
        if start.isZoneAssumed { record.extra.add(.zoneAssumed, true) }
        keep(from, start, in: &record)
        guard let end else { return }
        guard end.timestamp >= start.timestamp else { throw .intervalInvalid }
        record.end = end.timestamp
        // A column has no offset for the end.
        var plain = end
        plain.isPlain = end.isPlain && end.offsetMinutes == start.offsetMinutes
        keep(to, plain, in: &record)
    }

    /// Drops a date that the columns give back; of another they hold the instant alone.
    private func keep(_ name: HAEName, _ date: HAEDate, in record: inout HAERecord) {
        if date.isPlain { record.dropped.append(name) }
    }

    /// A name's key, see `NameUUID`.
    func key(_ type: some Collection<UInt8>, _ parts: (inout NameUUID) -> Void) -> SampleKey {
        var name = NameUUID()
        Self.startKey(type, &name)
        parts(&name)
        return name.key
    }

    /// What every name of a sample of this format begins with.
    static func startKey(_ type: some Collection<UInt8>, _ name: inout NameUUID) {
        name.add("hae".utf8)
        name.add(type)
    }
}
