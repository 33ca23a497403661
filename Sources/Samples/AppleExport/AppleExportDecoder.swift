import Wire

/// Decodes `export.xml` of Apple's Health app while it arrives, in constant memory.
///
/// What becomes of an element:
///
/// | element | sample |
/// | --- | --- |
/// | `Record` | quantity or category under Syncky's name; a type that the catalog doesn't know keeps its identifier |
/// | `Workout` | `workout` with `energy_kcal`, `distance_m`, `events`, `statistics`, `activities`, `routes`, `metadata` |
/// | `ActivitySummary` | `activity_summary` of its day |
/// | `Me` | a characteristic for each attribute that is set |
/// | `Audiogram`, `VisionPrescription` | `audiogram`, `vision_prescription` |
/// | `Correlation` | none: its records stand in the file once more by themselves |
/// | `ClinicalRecord` | none |
///
/// Values are in the catalog's unit where a conversion is known; `apple_value` and `apple_unit` then keep what the file has. Other
/// members of `rest`: `creation_date`, `source_version`, `device` (without address), `metadata`, `instantaneous_bpm`. The
/// key is made of the content (`docs/identity.md`), so the next export gives the same.
package struct AppleExportDecoder {
    /// Why an element is no sample.
    package enum Skipped: String, CaseIterable, Sendable {
        case clinical = "clinical records"
        case correlation = "correlations, whose records are there by themselves"
        case nested = "records inside of correlations"
        case damaged = "broken tags"
        case encoding = "elements that are not UTF-8"
        case time = "elements without a time that can be read"
        case type = "records without a type"
        case tooLarge = "elements longer than 1 MiB"
        case other = "elements of a kind that this program doesn't know"
    }

    /// What was read, and is not part of samples that were read before.
    package struct Counts: Sendable {
        package var skipped: [Skipped: Int] = [:]
        package init() {}
    }

    /// Takes samples, and how many elements of the file are read with them.
    package typealias Sink = (_ batch: SampleBatch, _ elements: Int) throws -> Void

    /// Longest `rest` of an element.
    static let maximumElementBytes = 1 << 20
    private static let maximumBatchBytes = 4 << 20

    var scanner = XMLTagScanner()
    var types: AppleTypes
    var sources = AppleSources()
    var batch = SampleBatch()
    var pending: Pending?
    /// Memory of the record that was finished last.
    var spare = Pending(.record)
    var name = NameUUID()
    private let sliceRecords: Int
    /// Elements that an earlier run has read.
    let done: Int
    package private(set) var elements: Int = 0
    package private(set) var counts = Counts()
    /// Which routes' files the workouts name, by their path in the archive.
    package internal(set) var routes: [[UInt8]: AppleRoute] = [:]
    /// The file's root was there.
    package private(set) var hasRoot = false
    /// … and its end.
    package private(set) var isComplete = false

    /// - Parameters:
    ///   - sliceRecords: samples that are handed on together.
    ///   - done: elements of this file that are read and left out.
    package init(catalog: Catalog = .builtIn, sliceRecords: Int = 4_000, done: Int = 0) {
        types = AppleTypes(catalog)
        self.sliceRecords = max(1, sliceRecords)
        self.done = done
        batch.extras = .imported
    }

    /// Takes the next bytes of the file.
    package mutating func feed(_ bytes: Span<UInt8>, _ sink: Sink) throws {
        scanner.feed(bytes)
        try readTags(sink)
    }

    /// Says that the file is at its end, whole or not: what is whole of it is handed on.
    package mutating func finish(_ sink: Sink) throws {
        scanner.finish()
        try readTags(sink)
        pending = nil
        try flush(sink)
    }

    private mutating func flush(_ sink: Sink) throws {
        if batch.samples.isEmpty { return }
        let full = batch
        batch = SampleBatch()
        batch.extras = .imported
        types.newBatch()
        try sink(full, elements)
    }

    // MARK: Tags

    private mutating func readTags(_ sink: Sink) throws {
        while let token = scanner.next() {
            switch token {
            case .open: try open(sink)
            case .close: try close(sink)
            case .damaged: count(.damaged)
            case .text: break
            }
        }
    }

    private mutating func open(_ sink: Sink) throws {
        let name = scanner.name
        if pending != nil {
            let isTop = Kind(name, in: scanner).isTop
            if !isTop || (pending?.kind == .correlation && scanner.equals(name, "Record")) {
                return openChild()
            }
            // Its end is missing: it ends here.
            try end(sink)
        }
        let kind = Kind(name, in: scanner)
        switch kind {
        case .root:
            hasRoot = true
            return
        case .exportDate: return
        case .me:
            start(kind)
            takeCharacteristics()
        default: start(kind)
        }
        if scanner.isEmptyElement { try end(sink) }
    }

    private mutating func close(_ sink: Sink) throws {
        if let pending {
            if scanner.equals(scanner.name, pending.tag) { return try end(sink) }
            return closeChild()
        }
        if scanner.equals(scanner.name, "HealthData") { isComplete = true }
    }

    /// The top element is whole.
    private mutating func end(_ sink: Sink) throws {
        guard let element = pending.take() else { return }
        elements += 1
        if elements > done {
            if let reason = element.skipped {
                count(reason)
            } else {
                finish(element)
            }
        }
        spare = element
        if batch.samples.count >= sliceRecords || batch.arenaBytes >= Self.maximumBatchBytes { try flush(sink) }
    }

    mutating func count(_ reason: Skipped) {
        if elements >= done { counts.skipped[reason, default: 0] += 1 }
    }

    /// What an element is, by its name.
    enum Kind: Sendable {
        case root, exportDate, me, record, correlation, workout, summary, audiogram, vision, clinical, other

        init(_ name: Range<Int>, in scanner: borrowing XMLTagScanner) {
            if scanner.equals(name, "Record") {
                self = .record
                return
            }
            for (word, kind) in Self.names where scanner.equals(name, word) {
                self = kind
                return
            }
            self = .other
        }

        private static let names: [(StaticString, Kind)] = [
            ("HealthData", .root), ("ExportDate", .exportDate), ("Me", .me), ("Correlation", .correlation),
            ("Workout", .workout), ("ActivitySummary", .summary), ("Audiogram", .audiogram),
            ("VisionPrescription", .vision), ("ClinicalRecord", .clinical),
        ]

        /// Whether it never stands within another; one of a name that we don't know may.
        var isTop: Bool { self != .other }
    }
}

/// A workout's route, as the workout tells it; the points are in a file of their own.
package struct AppleRoute: Sendable {
    package var app: [UInt8]
    package var device: [UInt8]
    package var offsetMinutes: Int16?
}
