import Samples
import Testing

@testable import Storage

@Suite struct SampleExportTests {
    let folder = TestFolder()

    private func read(_ export: SampleExport, stopping: (Int) -> Bool = { _ in false }) throws -> [String] {
        var found: [String] = []
        var isMore = true
        while isMore {
            isMore = try export.readSlice { (sample, series) throws(StoreError) in
                let key: String
                switch sample.key {
                case .uuid(let high, let low): key = "\(high)-\(low)"
                case .text: key = String(decoding: sample.keyText, as: UTF8.self)
                }
                found.append("\(series.id)|\(sample.start.microseconds)|\(key)|\(sample.part)")
                return !stopping(found.count)
            }
        }
        return found
    }

    /// Slices end anywhere: between parts of a key, keys of both kinds, starts and series.
    @Test func everyRowComesOnceWhereverASliceEnds() throws {
        let store = try Store.open(directory: folder.path)
        var samples: [Sent] = []
        for number in 0..<40 {
            for part in 0..<3 { samples.append(Sent(key: Sent.uuid(number), start: 5, value: 1, part: Int32(part))) }
            samples.append(Sent(key: "text \(number)", start: 5, value: 1))
            samples.append(Sent(key: "none \(number)", value: 1))
            samples.append(
                Sent(key: Sent.uuid(1_000 + number), type: "steps", start: Int64(number / 3), value: 1, unit: "u"))
        }
        #expect(store.outcome(samples) == "240/0/0/0")
        store.close()
        let whole = try read(SampleExport(directory: folder.path, filter: SampleFilter()))
        #expect(whole.count == 240 && Set(whole).count == 240)
        for rows in [1, 2, 3, 7, 119] {
            let export = try SampleExport(directory: folder.path, filter: SampleFilter())
            #expect(try read(export) { $0.isMultiple(of: rows) } == whole)
        }
        var filter = SampleFilter()
        (filter.from, filter.to) = (Timestamp(microseconds: 5), Timestamp(microseconds: 6))
        #expect(try read(SampleExport(directory: folder.path, filter: filter)) { _ in true }.count == 40 * 4 + 3)
    }

    @Test func moreThanASliceAtOneMoment() throws {
        let store = try Store.open(directory: folder.path)
        let count = SampleExport.sliceRows * 2 + 1
        let samples = (0..<count).map { Sent(key: Sent.uuid($0), start: 5, value: 1) }
        #expect(store.outcome(samples) == "\(count)/0/0/0")
        store.close()
        let export = try SampleExport(directory: folder.path, filter: SampleFilter())
        #expect(try Set(read(export)).count == count)
    }

    /// The next slice starts at its place, however many rows lie before it at the same moment.
    @Test func aSliceIsARangeOfTheTable() throws {
        try Store.open(directory: folder.path).close()
        let plan = try rows(
            folder,
            """
            EXPLAIN QUERY PLAN SELECT \(StoredSample.columns) FROM sample AS k WHERE k.series = 1
              AND (k.start, k.uuid, k.part) > (5, x'00', 0) ORDER BY k.start, k.uuid, k.part LIMIT 10
            """)
        #expect(
            plan.count == 1 && plan[0].contains("SEARCH k USING PRIMARY KEY (series=? AND (start,uuid,part)>(?,?,?))"))
    }

    /// Between two slices no transaction is open: the log can be cut off.
    @Test func checkpointsGoOnBetweenSlices() throws {
        let store = try Store.open(directory: folder.path)
        defer { store.close() }
        #expect(store.outcome((0..<10).map { Sent(key: Sent.uuid($0), start: Int64($0), value: 1) }) == "10/0/0/0")
        let export = try SampleExport(directory: folder.path, filter: SampleFilter())
        var taken = 0
        _ = try export.readSlice { (_, _) throws(StoreError) in
            taken += 1
            return taken < 3
        }
        let writer = try Connection(
            path: DataFolder(existing: folder.path).database, access: .readWrite, busyMilliseconds: 1_000)
        #expect(try writer.checkpoint(.truncate).logPages == 0)
        #expect(store.outcome([Sent(key: Sent.uuid(99), start: 99, value: 1)]) == "1/0/0/0")
        #expect(try read(export).count == 8)  // the seven that were left, and the new one
    }
}
