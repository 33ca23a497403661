import Samples

/// One reading of changes: what it found, and what it may still cost.
struct ChangeReading {
    private(set) var changes: [Change] = []
    private let feed: ChangeFeed
    private let statements: ChangeStatements
    private let filter: ChangeFilter
    private let limits: ChangeLimits
    private let epoch: Int64
    private var rows = 0
    private var bytes = 0
    /// Of the change at hand.
    private var number: Int64 = 0

    init(
        _ feed: ChangeFeed, _ statements: ChangeStatements, _ filter: ChangeFilter, _ limits: ChangeLimits, epoch: Int64
    ) {
        self.epoch = epoch
        self.feed = feed
        self.statements = statements
        self.filter = filter
        self.limits = limits
    }

    /// Checked behind each row, so that each reading comes further.
    var isFull: Bool { rows >= limits.rows || changes.count >= limits.changes || bytes >= limits.bytes }

    /// Reads one change.
    ///
    /// - Parameter position: where an earlier reading stopped in it.
    /// - Returns: where this one stopped; nil at the change's end.
    mutating func read(
        _ number: Int64, delivery: Int64, _ areas: [TouchedSet.Area], from position: ChangeCursor.Position?
    ) throws(StoreError) -> ChangeCursor.Position? {
        self.number = number
        rows += 1
        if areas.isEmpty { return nil }
        var position = position
        for isRemoval in [true, false] {
            switch position {
            case nil: break
            case .note(isRemoval, _, _, _, _): break
            default: continue  // behind these
            }
            if let stop = try readNotes(delivery, isRemoval: isRemoval, from: position) { return stop }
            position = nil
        }
        var first = 0
        switch position {
        case .series(let area, _), .row(let area, _, _, _, _): first = area
        default: break
        }
        for index in areas.indices.dropFirst(first) {
            if let stop = try readArea(index, areas[index], delivery, from: position) { return stop }
            position = nil
        }
        return nil
    }

    private func isWanted(person: StoredText, type: StoredText) -> Bool {
        if let wanted = filter.person, !person.bytes.elementsEqual(wanted.utf8) { return false }
        return filter.types.isEmpty || filter.types.contains(String(decoding: type.bytes, as: UTF8.self))
    }

    // MARK: Notes

    private mutating func readNotes(
        _ delivery: Int64, isRemoval: Bool, from position: ChangeCursor.Position?
    ) throws(StoreError) -> ChangeCursor.Position? {
        let row = statements.notes
        row.bind(1, number)
        if case .note(_, let device, let type, let key, let part) = position {
            row.bind(2, device)
            row.bind(3, type)
            key.bind(row, 4)
            row.bind(5, part)
        } else {
            row.bind(2, Int64.min)
            row.bind(3, Int64.min)
            row.bind(4, text: [])
            row.bind(5, Int64.min)
        }
        defer { row.reset() }
        while try row.step() {
            rows += 1
            let (device, type) = (row.integer(0), row.integer(1))
            var here = ChangeCursor.Position.note(
                isRemoval: isRemoval, device: device, type: type, key: KeyBytes(row, 2), part: row.integer(3))
            if rows >= limits.rows {
                let subject = try feed.subject(device: device, type: type)
                // Behind all of what the reader may not see: a cursor tells no key of it.
                if !isWanted(person: subject.person, type: subject.type) {
                    here = .note(isRemoval: isRemoval, device: device, type: type, key: .last, part: .max)
                }
            }
            if (row.integer(4) == ChangeLog.Note.removed.rawValue) == isRemoval {
                if isRemoval { try addRemoval(row, here) } else { try addRenumbered(row, delivery, here) }
            }
            if isFull { return here }
        }
        return nil
    }

    private mutating func addRemoval(_ row: Statement, _ here: ChangeCursor.Position) throws(StoreError) {
        let (person, device, type) = try feed.subject(device: row.integer(0), type: row.integer(1))
        guard isWanted(person: person, type: type) else { return }
        var change = Change(
            operation: .delete, person: person, device: device, type: type, key: .text, keyText: [],
            part: row.integer(3), cursor: ChangeCursor(epoch: epoch, number: number, position: here))
        if let (high, low) = row.uuid(2) {
            change.key = .uuid(high: high, low: low)
        } else {
            change.keyText = row.bytes(2)
        }
        changes.append(change)
    }

    /// A row whose delivery stayed; one that this change or a later one wrote is told by its own delivery.
    private mutating func addRenumbered(
        _ note: Statement, _ delivery: Int64, _ here: ChangeCursor.Position
    ) throws(StoreError) {
        let series = try feed.series(note.integer(5))
        guard isWanted(person: series.person, type: series.type) else { return }
        let row = statements.place
        row.bind(1, series.id)
        row.bind(2, note.integer(6))
        KeyBytes(note, 2).bind(row, 3)
        row.bind(4, note.integer(3))
        defer { row.reset() }
        guard try row.step() else { return }
        let owner = row.integer(12)
        if owner == delivery || owner > number { return }
        try add(row, note.integer(4) == ChangeLog.Note.added.rawValue ? .insert : .update, series, here)
    }

    private mutating func add(
        _ row: Statement, _ operation: Change.Operation, _ series: StoredSeries, _ here: ChangeCursor.Position
    ) throws(StoreError) {
        var sample = StoredSample()
        try sample.read(row)
        bytes += sample.rest.count
        changes.append(
            Change(
                operation: operation, person: series.person, device: series.device, type: series.type, key: sample.key,
                keyText: sample.keyText, part: sample.part, stored: (sample, series),
                cursor: ChangeCursor(epoch: epoch, number: number, position: here)))
    }

    // MARK: Rows

    private mutating func readArea(
        _ index: Int, _ area: TouchedSet.Area, _ delivery: Int64, from position: ChangeCursor.Position?
    ) throws(StoreError) -> ChangeCursor.Position? {
        var series: Int64? = area.series.lowerBound
        var position = position
        switch position {
        case .series(_, let id), .row(_, let id, _, _, _):
            if area.series.contains(id) { series = id } else { position = nil }
        default: break
        }
        if area.series.lowerBound < area.series.upperBound { series = try self.series(from: series ?? 0) }
        while let id = series, id <= area.series.upperBound {
            let names = try feed.series(id)
            if isWanted(person: names.person, type: names.type),
                let stop = try readRows(index, area.starts, names, delivery, from: position)
            {
                return stop
            }
            position = nil
            if id == area.series.upperBound { return nil }
            series = try self.series(from: id + 1)
            rows += 1
            if isFull, let series, series <= area.series.upperBound { return .series(area: index, series: series) }
        }
        return nil
    }

    private func series(from id: Int64) throws(StoreError) -> Int64? {
        statements.nextSeries.bind(1, id)
        defer { statements.nextSeries.reset() }
        return try statements.nextSeries.step() ? statements.nextSeries.optionalInteger(0) : nil
    }

    private mutating func readRows(
        _ index: Int, _ starts: ClosedRange<Int64>, _ series: StoredSeries, _ delivery: Int64,
        from position: ChangeCursor.Position?
    ) throws(StoreError) -> ChangeCursor.Position? {
        var row = statements.firstRows
        var low = starts.lowerBound
        if case .row(_, series.id, let start, let key, let part) = position {
            row = statements.nextRows
            low = max(low, start)
            key.bind(row, 4)
            row.bind(5, part)
        }
        row.bind(1, series.id)
        row.bind(2, low)
        row.bind(3, starts.upperBound)
        defer { row.reset() }
        while try row.step() {
            rows += 1
            if row.integer(12) == delivery {
                let wasThere = row.integer(9) & StoredSpelling.wasThere != 0
                try add(row, wasThere ? .update : .insert, series, self.position(index, series, row))
            }
            if isFull { return self.position(index, series, row) }
        }
        return nil
    }

    private func position(_ area: Int, _ series: StoredSeries, _ row: Statement) -> ChangeCursor.Position {
        .row(area: area, series: series.id, start: row.integer(0), key: KeyBytes(row, 1), part: row.integer(2))
    }
}
