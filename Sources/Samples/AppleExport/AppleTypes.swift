import Wire

/// The types, units and values that an export names, each looked up in the catalog once.
///
/// Indices into a batch are good for one `generation`: a new batch has all of them interned anew.
struct AppleTypes {
    struct Unit {
        var raw: [UInt8]
        /// As it is stored: the catalog's, else as it came.
        var name: [UInt8]
        /// nil where nothing changes.
        var conversion: UnitConversion?
        /// Whether the stored unit is spelled otherwise than the file's.
        var isRenamed: Bool
        var series: BatchIndex = -1
        var generation = -1
    }

    struct Value {
        var raw: [UInt8]
        var name: [UInt8]
        var number: Double?
        var text: BatchIndex = -1
        var generation = -1
    }

    struct Entry {
        var raw: [UInt8]
        /// Syncky's name, else HealthKit's identifier as it came.
        var name: [UInt8]
        var kind: SampleKind
        var type: CatalogType?
        var units: [Unit] = []
        var values: [Value] = []
    }

    /// A file that names more is not one of Apple's; what is past it is found anew each time.
    private static let maximumEntries = 2_000
    private static let maximumValues = 200

    let catalog: Catalog
    var entries: [Entry] = []
    var generation = 0
    private var last = 0
    private var indices: [[UInt8]: Int] = [:]

    init(_ catalog: Catalog) { self.catalog = catalog }

    mutating func newBatch() { generation += 1 }

    /// The entry of a type's identifier: the last one's, as good as always, since an export is sorted by type.
    mutating func index(of range: Range<Int>, in scanner: borrowing XMLTagScanner) -> Int {
        if last < entries.count, scanner.equals(range, entries[last].raw) { return last }
        let raw = scanner.withBytes(range) { span in span.array }
        if let known = indices[raw] {
            last = known
            return known
        }
        if entries.count >= Self.maximumEntries { (entries, indices) = ([], [:]) }
        let identifier = scanner.unescaped(range)
        let type = catalog.type(healthKit: identifier)
        var kind = SampleKind.other
        switch type?.kind {
        case .quantity: kind = .quantity
        case .category: kind = .category
        case nil:
            if identifier.starts(with: "HKQuantityType".utf8) { kind = .quantity }
            if identifier.starts(with: "HKCategoryType".utf8) { kind = .category }
        }
        last = entries.count
        indices[raw] = last
        entries.append(
            Entry(raw: raw, name: type.map { Array($0.name.utf8) } ?? identifier, kind: kind, type: type))
        return last
    }

    /// The unit of a type that the file names so; nil for none.
    mutating func unit(_ range: Range<Int>?, of type: Int, in scanner: borrowing XMLTagScanner) -> Int {
        for index in entries[type].units.indices {
            let raw = entries[type].units[index].raw
            if let range { if scanner.equals(range, raw) { return index } } else if raw.isEmpty { return index }
        }
        if entries[type].units.count >= Self.maximumValues { entries[type].units = [] }
        let raw = range.map { scanner.withBytes($0) { $0.array } } ?? []
        let name = range.map { scanner.unescaped($0) } ?? []
        var unit = Unit(raw: raw, name: name, conversion: nil, isRenamed: false)
        if !name.isEmpty, let catalogType = entries[type].type, let own = catalogType.unit,
            let conversion = catalog.conversion(from: name, to: catalogType)
        {
            unit.isRenamed = !name.elementsEqual(own.utf8)
            unit.name = Array(own.utf8)
            unit.conversion = conversion.isIdentity ? nil : conversion
        }
        entries[type].units.append(unit)
        return entries[type].units.count - 1
    }

    /// The value of a category that the file writes so.
    mutating func value(_ range: Range<Int>, of type: Int, in scanner: borrowing XMLTagScanner) -> Int {
        for index in entries[type].values.indices where scanner.equals(range, entries[type].values[index].raw) {
            return index
        }
        if entries[type].values.count >= Self.maximumValues { entries[type].values = [] }
        let text = scanner.unescaped(range)
        let known = entries[type].type?.values ?? []
        var value = Value(raw: scanner.withBytes(range) { $0.array }, name: text, number: nil)
        if let number = DecimalText.parse(text.span)?.value {
            value.number = number
            value.name = known.first { Double($0.raw) == number }.map { Array($0.name.utf8) } ?? []
        } else if let found = AppleText.value(text[...], of: known) {
            value.name = Array(found.name.utf8)
            value.number = Double(found.raw)
        }
        entries[type].values.append(value)
        return entries[type].values.count - 1
    }

    /// The index of a type with a unit in the batch's series.
    mutating func series(_ unit: Int, of type: Int, in batch: inout SampleBatch) -> BatchIndex {
        if entries[type].units[unit].generation == generation { return entries[type].units[unit].series }
        let name = entries[type].units[unit].name
        let unitText = 1...NativeReader.maximumTextBytes ~= name.count ? batch.intern(name.span) : -1
        let typeName = entries[type].name
        let series = batch.series(type: batch.intern(typeName.span), unit: unitText)
        entries[type].units[unit].series = series
        entries[type].units[unit].generation = generation
        return series
    }

    /// The index of a category's value name in the batch; -1 for none.
    mutating func text(_ value: Int, of type: Int, in batch: inout SampleBatch) -> BatchIndex {
        if entries[type].values[value].generation == generation { return entries[type].values[value].text }
        let name = entries[type].values[value].name
        let text = 1...NativeReader.maximumTextBytes ~= name.count ? batch.intern(name.span) : -1
        entries[type].values[value].text = text
        entries[type].values[value].generation = generation
        return text
    }
}

extension Span<UInt8> {
    /// A copy.
    var array: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(copying: self)
        return bytes
    }
}

/// Where a sample came from: few make a file, each again and again in the same bytes.
struct AppleSources {
    struct Entry {
        var app: [UInt8]
        var name: [UInt8]
        var version: [UInt8]
        var rawApp: [UInt8]
        var rawDevice: [UInt8]
        /// The device's other members as JSON; empty when none.
        var device: [UInt8]
        var source: BatchIndex = -1
        var generation = -1
    }

    private static let maximumEntries = 64
    var entries: [Entry] = []
    private var last = 0

    /// The index is good until the next call, so that only a top element may ask, and only for itself.
    ///
    /// - Parameters: ranges of `sourceName` and `device`.
    mutating func index(
        app: Range<Int>?, device: Range<Int>?, in scanner: borrowing XMLTagScanner
    ) -> Int {
        // Behind the address, which is another one in each record or in each file.
        let told = device.map { Self.behindAddress($0, scanner) }
        if last < entries.count, Self.matches(entries[last], app, told, scanner) { return last }
        for index in entries.indices where Self.matches(entries[index], app, told, scanner) {
            last = index
            return index
        }
        if entries.count >= Self.maximumEntries { entries = [] }
        entries.append(Self.entry(app: app, device: device, in: scanner))
        last = entries.count - 1
        return last
    }

    /// One that is not remembered: an index of an element that is open stays good.
    static func entry(app: Range<Int>?, device: Range<Int>?, in scanner: borrowing XMLTagScanner) -> Entry {
        let described = AppleDevice(device.map { scanner.unescaped($0) } ?? [])
        var json: [UInt8] = []
        for member in described.members {
            json.append(json.isEmpty ? UInt8(ascii: "{") : UInt8(ascii: ","))
            json.append(quoted: member.key)
            json.append(UInt8(ascii: ":"))
            json.append(quoted: member.value)
        }
        if !json.isEmpty { json.append(UInt8(ascii: "}")) }
        return Entry(
            app: column(app.map { scanner.unescaped($0) } ?? []), name: column(described.name ?? []), version: [],
            rawApp: app.map { scanner.withBytes($0) { $0.array } } ?? [],
            rawDevice: device.map { scanner.withBytes(behindAddress($0, scanner)) { $0.array } } ?? [], device: json)
    }

    /// No column holds more; so long a name is nobody's.
    private static func column(_ text: [UInt8]) -> [UInt8] {
        text.count <= NativeReader.maximumTextBytes ? text : []
    }

    private static func matches(
        _ entry: Entry, _ app: Range<Int>?, _ device: Range<Int>?, _ scanner: borrowing XMLTagScanner
    ) -> Bool {
        scanner.equals(app ?? 0..<0, entry.rawApp) && scanner.equals(device ?? 0..<0, entry.rawDevice)
    }

    /// The range without `<<HKDevice: 0x…`, written with `<` or with `&lt;`.
    private static func behindAddress(_ range: Range<Int>, _ scanner: borrowing XMLTagScanner) -> Range<Int> {
        var at = range.lowerBound
        let limit = min(range.upperBound, at + 64)
        while at < limit, scanner.byte(at) != UInt8(ascii: ",") { at += 1 }
        return at < limit ? at..<range.upperBound : range
    }

    mutating func source(_ index: Int, in batch: inout SampleBatch, generation: Int) -> BatchIndex {
        if entries[index].generation == generation { return entries[index].source }
        let entry = entries[index]
        let app = entry.app.isEmpty ? -1 : batch.intern(entry.app.span)
        let name = entry.name.isEmpty ? -1 : batch.intern(entry.name.span)
        let source = app < 0 && name < 0 ? -1 : batch.source(app: app, device: name)
        entries[index].source = source
        entries[index].generation = generation
        return source
    }
}
