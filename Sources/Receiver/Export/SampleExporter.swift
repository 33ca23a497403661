package import Storage

/// Where an export goes. The first call is `startFile`.
package protocol ExportSink {
    /// What follows is the next file, or the only one.
    mutating func startFile() throws
    mutating func write(_ bytes: [UInt8]) throws
}

/// What came of an export.
package struct ExportSummary: Equatable, Sendable {
    package var written = 0
    package var bytes = 0
    package var files = 0
    /// Samples that the format has no place for.
    package var omitted: [Omission: Int] = [:]
    /// Bodies of one sample that are longer than they may be.
    package var oversized = 0

    package init() {}
}

/// Reads samples, has them written in a format and hands the bytes on, in memory that doesn't grow with their number.
package struct SampleExporter {
    /// A slice ends behind the sample that makes it as long as this.
    private static let pageBytes = 1 << 20

    private let source: SampleExport
    private var format: any ExportFormat
    private let maximumFileBytes: Int?
    private var fileBytes = 0
    package private(set) var summary = ExportSummary()

    /// - Parameter maximumFileBytes: has a new file start where this one would become longer; one record may.
    package init(_ source: SampleExport, as format: any ExportFormat, maximumFileBytes: Int? = nil) {
        self.source = source
        self.format = format
        self.maximumFileBytes = maximumFileBytes
    }

    /// Writes everything to `sink`.
    ///
    /// - Parameter goesOn: is asked behind each slice, with what was written so far.
    /// - Returns: false when it was told to stop.
    package mutating func run(
        to sink: inout some ExportSink, while goesOn: (ExportSummary) -> Bool = { _ in true }
    ) throws -> Bool {
        // Not a file that has nothing in it where each is one body.
        if maximumFileBytes == nil || !format.isOneRecordAFile { try start(&sink) }
        var page = ExportPage(tellsRecordsApart: maximumFileBytes != nil)
        var isMore = true
        while isMore {
            isMore = try fill(&page)
            if !isMore { format.finish(&page) }
            // The slice's transaction has ended: whoever reads what we write may take his time.
            try flush(&page, to: &sink)
            guard goesOn(summary) else { return false }
        }
        return true
    }

    private mutating func fill(_ page: inout ExportPage) throws(StoreError) -> Bool {
        // The one dynamic dispatch a slice: inside, the format's type is known.
        try Self.fill(&page, from: source, &format, &summary)
    }

    private static func fill(
        _ page: inout ExportPage, from source: SampleExport, _ format: inout some ExportFormat,
        _ summary: inout ExportSummary
    ) throws(StoreError) -> Bool {
        let texts = source.texts
        return try source.readSlice { (sample, series) throws(StoreError) in
            if let omission = try format.append(sample, of: series, texts, to: &page) {
                summary.omitted[omission, default: 0] += 1
            } else {
                summary.written += 1
            }
            return page.bytes.count < pageBytes
        }
    }

    // MARK: Files

    private mutating func start(_ sink: inout some ExportSink) throws {
        try sink.startFile()
        summary.files += 1
        fileBytes = 0
        try write(format.head, to: &sink)
    }

    private mutating func flush(_ page: inout ExportPage, to sink: inout some ExportSink) throws {
        summary.oversized += page.oversized
        page.oversized = 0
        guard let maximumFileBytes else {
            try write(page.bytes, to: &sink)
            return page.removeAll()
        }
        if summary.files == 0 && !page.ends.isEmpty { try start(&sink) }
        var begin = 0, end = 0
        for next in page.ends {
            let isFull = format.isOneRecordAFile || fileBytes + next - begin > maximumFileBytes
            if isFull, fileBytes + end - begin > format.head.count {
                try write(Array(page.bytes[begin..<end]), to: &sink)
                try start(&sink)
                begin = end
            }
            end = next
        }
        try write(Array(page.bytes[begin..<end]), to: &sink)
        page.removeAll()
    }

    private mutating func write(_ bytes: [UInt8], to sink: inout some ExportSink) throws {
        if bytes.isEmpty { return }
        try sink.write(bytes)
        fileBytes += bytes.count
        summary.bytes += bytes.count
    }
}
