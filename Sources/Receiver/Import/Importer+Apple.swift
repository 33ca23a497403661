import Samples
import Storage
import Wire

/// Apple's export, by itself or in its archive.
extension Importer {
    /// Hands the bytes of a file over, piece by piece.
    private typealias Source = (_ take: (Span<UInt8>) throws -> Void) throws -> Void

    func readExport() throws {
        var decoder = appleDecoder(done: summary.resumedAt)
        try read(&decoder, behind: 0, "It") { take in
            var offset = 0
            while offset < file.count {
                let piece = try file.read(offset, min(options.pieceBytes, file.count - offset))
                offset += piece.count
                summary.textBytes += piece.count
                try take(piece.span)
                try step(readBytes: offset)
            }
        }
        note(decoder)
    }

    func readRoute() throws {
        var decoder = RouteDecoder()
        var offset = 0
        while offset < file.count {
            let piece = try file.read(offset, min(options.pieceBytes, file.count - offset))
            offset += piece.count
            decoder.feed(piece.span)
            try step(readBytes: offset)
        }
        guard let batch = decoder.finish(nil) else { throw fault("has no route with times in it") }
        if !decoder.isComplete { summary.damage = "It ends in the middle; what is whole of it was taken." }
        try take(batch, .apple, device: Self.appleDevice, elements: 0)
    }

    private func appleDecoder(done: Int) -> AppleExportDecoder {
        AppleExportDecoder(catalog: options.context.catalog, sliceRecords: options.sliceRecords, done: done)
    }

    /// - Parameter elements: of files that are read before this one.
    private func read(
        _ decoder: inout AppleExportDecoder, behind elements: Int, _ what: String, from source: Source
    ) throws {
        let sink: AppleExportDecoder.Sink = { batch, count in
            try self.take(batch, .apple, device: Self.appleDevice, elements: elements + count)
        }
        do {
            try source { bytes in try decoder.feed(bytes, sink) }
        } catch let damage as ZipFault {
            summary.damage = "\(what) \(damage.message); what comes before was taken."
        }
        try decoder.finish(sink)
        if !decoder.isComplete, summary.damage == nil {
            summary.damage = "\(what) ends in the middle; what is whole of it was taken."
        }
    }

    private func note(_ damage: ZipFault) {
        if summary.damage == nil { summary.damage = "A file in it \(damage.message); the others were taken." }
    }

    private func note(_ decoder: AppleExportDecoder) {
        for (reason, count) in decoder.counts.skipped { summary.skip(reason.rawValue, count) }
    }

    // MARK: The archive

    /// Compressed bytes that are enough to see what a file is.
    private static let sniffBytes = 32 << 10

    func readArchive() throws {
        let archive: ZipArchive
        do {
            archive = try ZipArchive(count: file.count, read: file.read)
        } catch let damage as ZipFault {
            throw fault(damage.message)
        }
        var exports: [ZipEntry] = [], routes: [ZipEntry] = []
        for entry in archive.entries where entry.bytes > 0 {
            switch try kind(of: entry) {
            case .appleExport: exports.append(entry)
            case .route: routes.append(entry)
            default: summary.skip("other files in the archive")
            }
        }
        guard !exports.isEmpty || !routes.isEmpty else {
            throw fault("holds no export of Apple's Health app")
        }
        var readBytes = 0, elements = 0
        var known: [[UInt8]: AppleRoute] = [:]
        for entry in exports {
            var decoder = appleDecoder(done: max(0, summary.resumedAt - elements))
            let before = readBytes
            try read(&decoder, behind: elements, "export.xml in it") { take in try extract(entry, before, take) }
            note(decoder)
            elements += decoder.elements
            readBytes += entry.compressedBytes
            known.merge(decoder.routes) { first, _ in first }
        }
        for entry in routes {
            elements += 1
            if elements > summary.resumedAt { try readRoute(entry, readBytes, elements, known) }
            readBytes += entry.compressedBytes
        }
    }

    private func readRoute(
        _ entry: ZipEntry, _ readBytes: Int, _ elements: Int, _ known: [[UInt8]: AppleRoute]
    ) throws {
        var decoder = RouteDecoder()
        do {
            try extract(entry, readBytes) { bytes in decoder.feed(bytes) }
        } catch let damage as ZipFault {
            note(damage)
            return summary.skip("routes that are damaged")
        }
        guard let batch = decoder.finish(Self.route(entry.name, known)) else {
            return summary.skip("routes without points and times")
        }
        try take(batch, .apple, device: Self.appleDevice, elements: elements)
    }

    /// What a workout says of the file: its path there has no folder of the archive's in front.
    private static func route(_ name: [UInt8], _ known: [[UInt8]: AppleRoute]) -> AppleRoute? {
        var path = name[...]
        while true {
            if let route = known[Array(path)] { return route }
            guard let slash = path.firstIndex(of: UInt8(ascii: "/")) else { return nil }
            path = path[(slash + 1)...]
        }
    }

    private func kind(of entry: ZipEntry) throws -> ImportKind {
        var head: [UInt8] = []
        let extractor = ZipExtractor(entry)
        do {
            let start = try ZipArchive.dataOffset(of: entry, count: file.count, read: file.read)
            let piece = try file.read(start, min(entry.compressedBytes, Self.sniffBytes))
            try extractor.extract(piece.span) { bytes in
                head.append(copying: bytes)
                if head.count >= ImportKind.headBytes { throw Enough() }
            }
        } catch is Enough {
        } catch let damage as ZipFault {
            switch damage {
            // Nobody would expect half of an archive.
            case .encrypted, .method: throw fault(damage.message)
            default: note(damage)
            }
        }
        return ImportKind(head)
    }

    private struct Enough: Error {}

    /// - Throws: a `ZipFault`, and what `take` throws.
    private func extract(
        _ entry: ZipEntry, _ readBytes: Int, _ take: (Span<UInt8>) throws -> Void
    ) throws {
        let start = try ZipArchive.dataOffset(of: entry, count: file.count, read: file.read)
        let extractor = ZipExtractor(entry)
        var offset = 0
        while offset < entry.compressedBytes {
            let piece = try file.read(
                start + offset, min(max(1, options.pieceBytes / 4), entry.compressedBytes - offset))
            offset += piece.count
            try extractor.extract(piece.span) { bytes in
                summary.textBytes += bytes.count
                try take(bytes)
            }
            try step(readBytes: readBytes + offset)
        }
        try extractor.finish()
    }
}
