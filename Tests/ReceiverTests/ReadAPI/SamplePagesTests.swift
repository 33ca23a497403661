import Foundation
import Insights
import Samples
import Storage
import TestSupport
import Testing

@testable import Receiver

/// Pages of samples against all rows of the view, sorted.
@Suite struct SamplePagesTests {
    /// Two devices, three units and none, starts that several rows of several series share, keys of both sorts, parts, and
    /// rows without a start.
    private static func filled() throws -> ExportStore {
        let store = try ExportStore()
        var random = SeededGenerator(seed: 11)
        for device in ["d_2", "d_1"] {
            var samples: [String] = []
            for number in 0..<40 {
                let minute = Int.random(in: 10..<14, using: &random)
                let start = number % 9 == 0 ? "" : #","start":"2026-10-14T07:\#(minute):00Z""#
                let unit = ["", #","unit":"kg""#, #","unit":"lb""#, #","unit":"g""#][number % 4]
                let key = number % 3 == 0 ? "key \(number)" : HostileSamples.uuid(1_000 - number)
                let part = number % 5 == 0 ? #","part":\#(number)"# : ""
                let source = number % 2 == 0 ? #","source":{"app":"a","device":"w"}"# : #","source":{"app":"b"}"#
                samples.append(
                    #"{"uuid":"\#(key)","type":"body_mass","value":\#(number)\#(unit)\#(part)\#(start)\#(number % 7 == 0 ? "" : source)}"#
                )
            }
            samples.append(#"{"uuid":"other","type":"steps","value":1,"start":"2026-10-14T07:10:00Z"}"#)
            try store.take([nativeBody(samples, device: device)], as: .native)
        }
        try store.take(
            [nativeBody([#"{"uuid":"k","type":"body_mass","value":1}"#])], as: .native, endpoint: "anna",
            person: "anna")
        return store
    }

    private static func model(_ store: ExportStore) throws -> ReadModel {
        try ReadModel(ReadModel.Setup(directory: store.path, catalog: .builtIn, persons: []))
    }

    private struct Row: Equatable, CustomStringConvertible {
        var start: Int64, device: String, unit: String, isUUID: Bool, key: String, part: Int64, app: String?
        var description: String { "\(start) \(device) \(unit) \(key) \(part)" }
        var order: (Int64, String, String, Int, String, Int64) {
            (start, device, unit, isUUID ? 1 : 0, key, part)
        }
    }

    private static func rows(_ store: ExportStore) throws -> [Row] {
        func text(_ value: SQLValue?) -> String? { if case .text(let text)? = value { text } else { nil } }
        func number(_ value: SQLValue?) -> Int64? { if case .integer(let number)? = value { number } else { nil } }
        let rows = try store.samples(
            "start_us, device, unit, uuid, part, source_app", where: "person = 'me' AND type = 'body_mass'"
        ).map { row in
            let key = text(row["uuid"]) ?? ""
            return Row(
                start: number(row["start_us"]) ?? .min, device: text(row["device"]) ?? "",
                unit: text(row["unit"]) ?? "", isUUID: key.count == 36, key: key, part: number(row["part"]) ?? 0,
                app: text(row["source_app"]))
        }
        return rows.sorted { $0.order < $1.order }
    }

    private static func row(_ sample: borrowing StoredSample, _ series: StoredSeries, _ texts: StoredTexts)
        throws(StoreError) -> Row
    {
        var bytes: [UInt8] = []
        SampleObject.appendKey(sample, to: &bytes)
        let key = String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
        let app = try sample.source.map { (id) throws(StoreError) in try texts.source(id).app?.bytes }
        return Row(
            start: sample.start.microseconds, device: String(decoding: series.device.bytes, as: UTF8.self),
            unit: String(decoding: series.unit?.bytes ?? [], as: UTF8.self), isUUID: sample.key != .text, key: key,
            part: sample.part, app: (app ?? nil).map { String(decoding: $0, as: UTF8.self) })
    }

    /// All pages, each begun where the cursor's text of the one before says.
    private static func pages(_ model: ReadModel, _ query: SampleQuery) throws -> (rows: [Row], pages: Int) {
        var query = query, all: [Row] = [], pages = 0
        while true {
            pages += 1
            var page: [Row] = []
            let end = try model.samples(query) { (sample, series) throws(StoreError) in
                page.append(try row(sample, series, model.texts))
                return true
            }
            #expect(page.count <= query.limit)
            all += page
            switch end {
            case .last: return (all, pages)
            case .more(let place):
                query.after = SamplePlace(text: place.text)
                #expect(query.after == place && pages < 1_000)
            case .foreignPlace: throw CocoaError(.coderInvalidValue)
            }
        }
    }

    @Test(arguments: SampleQuery.Order.allCases) func everyLimitGivesAllRowsInOrder(order: SampleQuery.Order) throws {
        let store = try Self.filled(), model = try Self.model(store)
        let rows = try Self.rows(store), expected = order == .ascending ? rows : rows.reversed()
        #expect(rows.count == 80)
        for limit in Array(1...20) + [79, 80, 81, 10_000] {
            let read = try Self.pages(
                model, SampleQuery(person: "me", type: "body_mass", order: order, limit: limit))
            #expect(read.rows == expected)
            #expect(read.pages == (80 + limit - 1) / limit)
        }
    }

    /// A bound leaves out what has no start.
    @Test(arguments: SampleQuery.Order.allCases) func rangesAreHalfOpenWhereverPagesEnd(
        order: SampleQuery.Order
    ) throws {
        let store = try Self.filled(), model = try Self.model(store)
        let rows = try Self.rows(store)
        let starts = Array(Set(rows.map(\.start))).sorted().filter { $0 != .min }
        var bounds: [Timestamp?] = [nil, Timestamp(microseconds: .min), Timestamp(microseconds: .max)]
        bounds += starts.flatMap { [Timestamp(microseconds: $0), Timestamp(microseconds: $0 + 1)] }
        for from in bounds {
            for to in bounds {
                let expected = rows.filter { row in
                    if from == nil && to == nil { return true }
                    return row.start != .min && row.start >= from?.microseconds ?? .min
                        && row.start < to?.microseconds ?? .max
                }
                for limit in [1, 7, 100] {
                    var query = SampleQuery(person: "me", type: "body_mass", limit: limit)
                    (query.from, query.to, query.order) = (from, to, order)
                    #expect(
                        try Self.pages(model, query).rows == (order == .ascending ? expected : expected.reversed()))
                }
            }
        }
    }

    @Test func filtersKeepTheOrder() throws {
        let store = try Self.filled(), model = try Self.model(store)
        let rows = try Self.rows(store)
        var query = SampleQuery(person: "me", type: "body_mass", limit: 3)
        query.device = "d_1"
        #expect(try Self.pages(model, query).rows == rows.filter { $0.device == "d_1" })
        query.device = nil
        for (filter, app) in [("a", "a"), ("b", "b"), ("@w", "a")] {
            query.source = SourceFilter(filter)
            #expect(try Self.pages(model, query).rows == rows.filter { $0.app == app })
        }
        for change in [
            { $0.source = .app("w") }, { $0.source = .device("a") }, { $0.device = "d_3" }, { $0.person = "nobody" },
            { $0.type = "nothing" },
        ] as [(inout SampleQuery) -> Void] {
            var query = query
            query.source = nil
            change(&query)
            #expect(try Self.pages(model, query).rows == [])
        }
        query.source = nil
        query.person = "anna"
        #expect(try Self.pages(model, query).rows.map(\.key) == ["k"])
    }

    /// A place of another person, type or device is told from one of these samples.
    @Test func foreignPlaces() throws {
        let store = try Self.filled(), model = try Self.model(store)
        func place(_ person: String, _ type: String, _ device: String? = nil) throws -> SamplePlace {
            let query = SampleQuery(person: person, type: type, device: device, limit: 1)
            var place: SamplePlace?
            var number: Int64 = 0
            _ = try model.samples(query) { (_, series) in
                number = series.id
                return true
            }
            let text = SamplePlace.text(series: number)
            place = SamplePlace(text: text)
            return try #require(place)
        }
        var query = SampleQuery(person: "me", type: "body_mass", limit: 5)
        for foreign in [try place("anna", "body_mass"), try place("me", "steps")] {
            query.after = foreign
            #expect(try model.samples(query) { (_, _) in true } == .foreignPlace)
        }
        query.device = "d_1"
        query.after = try place("me", "body_mass", "d_2")
        #expect(try model.samples(query) { (_, _) in true } == .foreignPlace)
        query.after = try place("me", "body_mass", "d_1")
        #expect(try model.samples(query) { (_, _) in true } != .foreignPlace)
    }

    /// Places that no sample has, at the edges of what numbers there are: they only say where to go on.
    @Test func inventedPlaces() throws {
        let store = try Self.filled(), model = try Self.model(store)
        let rows = try Self.rows(store)
        var series: Set<Int64> = []
        _ = try model.samples(SampleQuery(person: "me", type: "body_mass", limit: 1_000)) { (_, one) in
            series.insert(one.id)
            return true
        }
        #expect(series.count == 8)
        for one in series {
            for (start, part) in [
                (Int64.min, Int64.min), (.min, .max), (.max, .max), (.max, .min), (0, 0), (-1, 5), (.min + 1, 0),
            ] {
                for key in [[0], [UInt8(ascii: "~")], [0xFF, 0xFE], Array(repeating: UInt8(ascii: "z"), count: 256)] {
                    for order in SampleQuery.Order.allCases {
                        var query = SampleQuery(person: "me", type: "body_mass", order: order, limit: 1_000)
                        query.after = SamplePlace(text: SamplePlace.text(series: one, start, key, part))
                        #expect(query.after != nil)
                        let found = try Self.pages(model, query).rows
                        #expect(found.count <= rows.count)
                        if start == 0 {
                            #expect(found.allSatisfy { order == .ascending ? $0.start > 0 : $0.start == .min })
                        }
                    }
                }
            }
        }
    }

    /// Whoever takes samples says when a page is full: in bytes, say.
    @Test(arguments: SampleQuery.Order.allCases) func pagesThatTheReaderEnds(order: SampleQuery.Order) throws {
        let store = try Self.filled(), model = try Self.model(store)
        let rows = try Self.rows(store)
        var query = SampleQuery(person: "me", type: "body_mass", order: order, limit: 50), found: [Row] = []
        reading: for _ in 0..<100 {
            var page = 0
            let end = try model.samples(query) { (sample, series) throws(StoreError) in
                found.append(try Self.row(sample, series, model.texts))
                page += 1
                return page < 3
            }
            #expect(page <= 3)
            switch end {
            case .more(let place): query.after = place
            default: break reading
            }
        }
        #expect(found == (order == .ascending ? rows : rows.reversed()))
    }

    // MARK: Newest

    @Test func latestIsTheLastOfEachType() throws {
        let store = try Self.filled(), model = try Self.model(store)
        try store.take(
            [
                nativeBody([
                    #"{"uuid":"b","type":"characteristic","name":"blood_type","value":"a_positive"}"#,
                    #"{"uuid":"h","type":"heart_rate","value":60,"unit":"count/min","start":"2026-10-14T09:00:00Z"}"#,
                ])
            ], as: .native)
        func latest(_ types: Set<String>?, _ person: String = "me") throws -> [String] {
            var found: [String] = []
            try model.latest(of: person, types: types) { (sample, series) throws(StoreError) in
                found.append(
                    String(decoding: series.type.bytes, as: UTF8.self) + " "
                        + (try Self.row(sample, series, model.texts).description))
            }
            return found
        }
        let newest = try #require(try Self.rows(store).last)
        #expect(
            try latest(nil) == [
                "body_mass \(newest)", "characteristic \(Int64.min) d_1  b 0",
                "heart_rate 1791968400000000 d_1 count/min h 0", "steps 1791961800000000 d_2  other 0",
            ])
        #expect(try latest(["heart_rate", "nothing"]).count == 1)
        #expect(try latest([]) == [] && latest(nil, "nobody") == [])
        #expect(try latest(nil, "anna").count == 1)
    }
}

extension SamplePlace {
    /// A cursor as anyone could write it.
    static func text(series: Int64, _ start: Int64 = 0, _ key: [UInt8] = [0x6B], _ part: Int64 = 0) -> String {
        let numbers = [series, start, part].flatMap { number in withUnsafeBytes(of: number.bigEndian) { Array($0) } }
        return Data([1] + numbers + [1] + key).base64EncodedString().replacing("+", with: "-")
            .replacing("/", with: "_").replacing("=", with: "")
    }
}
