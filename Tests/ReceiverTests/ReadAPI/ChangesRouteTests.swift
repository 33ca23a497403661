import TestSupport
import Testing

@testable import Receiver

/// `/changes` over loopback, beside deliveries.
@Suite struct ChangesRouteTests {
    private static func steps(_ number: Int, value: Int = 1) -> String {
        #"{"uuid":"\#(HostileSamples.uuid(number))","type":"steps","value":\#(value),"unit":"count","start":"2026-10-14T07:0\#(number % 10):00Z"}"#
    }

    private static func body(_ samples: [String], deleted: [Int] = []) -> String {
        let gone = deleted.map { #"{"uuid":"\#(HostileSamples.uuid($0))","type":"steps"}"# }.joined(separator: ",")
        return
            #"{"v":1,"type":"sync","device":"d_invented","samples":[\#(samples.joined(separator: ","))],"deleted":[\#(gone)]}"#
    }

    private static func deliver(_ api: TestAPI, _ samples: [String], deleted: [Int] = []) throws {
        #expect(try api.server.post(api.server.delivery(body(samples, deleted: deleted))).status == 204)
    }

    private struct Page {
        var changes: [JSONValue], next: String, more: Bool
        var told: [String] {
            changes.map { change in
                let sample = change["sample"]
                let value = sample?["value"].map { " \($0)" } ?? ""
                return "\(change["op"]?.text ?? "") \(change["uuid"]?.text?.suffix(2) ?? "")\(value)"
            }
        }
    }

    private static func page(_ api: TestAPI, _ query: String) throws -> Page {
        let answer = try api.ask("/api/v1/changes\(query)"), json = try #require(JSONValue(parsing: answer.text))
        let document = OpenAPIDocument.shared
        let schema = try #require(
            document.schema("GET", "/api/v1/changes", status: 200, mediaType: "application/json"))
        #expect(document.faults(json, schema) == [])
        let next = try #require(json["next"]?.text)
        #expect(answer.field("link")?.contains("since=\(next)") == true)
        return Page(changes: json["changes"]?.elements ?? [], next: next, more: json["more"] == .bool(true))
    }

    @Test func aCopyFollowsInsertsUpdatesAndDeletions() throws {
        let api = try TestAPI()
        try Self.deliver(api, [Self.steps(1)])
        let begin = try Self.page(api, "")
        #expect(begin.changes.isEmpty && !begin.more)
        #expect(try Self.page(api, "?since=\(begin.next)").changes.isEmpty)
        try Self.deliver(api, [Self.steps(2), Self.steps(3), TestServer.sample(9)])
        try Self.deliver(api, [Self.steps(1, value: 5)], deleted: [3])
        let page = try Self.page(api, "?since=\(begin.next)")
        #expect(Set(page.told) == ["insert 02 1.0", "insert 09 70.0", "update 01 5.0", "delete 03"] && !page.more)
        #expect(
            page.changes.last?["sample"]?["device"] == .text("d_invented")
                || page.changes.last?["op"] == .text("delete"))
        #expect(try Self.page(api, "?since=\(page.next)").changes.isEmpty)
        let steps = try Self.page(api, "?since=\(begin.next)&types=steps")
        #expect(Set(steps.told) == ["insert 02 1.0", "update 01 5.0", "delete 03"])
        #expect(try Self.page(api, "?since=\(begin.next)&types=sleep_analysis").changes.isEmpty)
    }

    @Test func pagesOfEverySize() throws {
        let api = try TestAPI()
        let begin = try Self.page(api, "")
        try Self.deliver(api, (0..<10).map { Self.steps($0) })
        try Self.deliver(api, (10..<15).map { Self.steps($0) }, deleted: [3, 4])
        let whole = Set(try Self.page(api, "?since=\(begin.next)").told)
        #expect(whole.count == 15)
        for limit in [1, 2, 3, 7, 14, 15, 16] {
            var told: [String] = [], next = begin.next, more = true, pages = 0
            while more, pages < 40 {
                let page = try Self.page(api, "?since=\(next)&limit=\(limit)")
                #expect(page.changes.count <= limit)
                told += page.told
                (next, more) = (page.next, page.more)
                pages += 1
            }
            #expect(Set(told) == whole && !more)
        }
    }

    @Test func linesOfCSV() throws {
        let api = try TestAPI()
        let begin = try Self.page(api, "")
        try Self.deliver(api, [Self.steps(1), Self.steps(2)])
        try Self.deliver(api, [], deleted: [2])
        let answer = try api.ask("/api/v1/changes?since=\(begin.next)", headers: ["Accept: text/csv"])
        let rows = parsedCSV(answer.text)
        #expect(rows[0].joined(separator: ",") == ChangeWriter.header && rows.allSatisfy { $0.count == rows[0].count })
        #expect(rows.dropFirst().map { $0[0] }.sorted() == ["delete", "insert"])
        #expect(answer.field("link")?.contains("since=") == true)
    }

    @Test func cursorsThatLeadNowhere() throws {
        let api = try TestAPI(), other = try TestAPI()
        let foreign = try Self.page(other, "").next
        let expired = try api.ask("/api/v1/changes?since=\(foreign)")
        #expect(expired.status == 410 && expired.code == "cursor_expired")
        let own = try Self.page(api, "").next
        for text in ["", "0", "AAAA", String(own.dropLast()), own + "A", String(own.reversed())] {
            let answer = try api.ask("/api/v1/changes?since=\(text)")
            #expect(answer.status == 400 && answer.parameter == "since")
        }
    }

    /// Another person's changes are in no page of this token.
    @Test func othersStayAway() throws {
        let api = try TestAPI(persons: ["kim"])
        let begin = try Self.page(api, "")
        let body = Self.body([Self.steps(1)])
        #expect(try api.server.post(api.server.delivery(body, path: "/hook/of-kim")).status == 204)
        let page = try Self.page(api, "?since=\(begin.next)")
        #expect(page.changes.isEmpty)
        #expect(try api.ask("/api/v1/changes?since=\(begin.next)", token: "other").text.contains("\"insert\""))
    }

    /// Each at the longest that its texts may be; together far more than a stream lets wait for its peer.
    @Test func eventsOfLongTextsAllArrive() throws {
        let api = try TestAPI()
        let begin = try Self.page(api, "").next
        let name = String(repeating: "n", count: 1_000)
        let samples = (1...400).map { number in
            Self.steps(number % 250, value: number).replacing(
                /"uuid":"[^"]*"/, with: "\"uuid\":\"\(String(repeating: "k", count: 200))\(number)\""
            ).replacing("{\"uuid\"", with: "{\"source\":{\"app\":\"\(name)\",\"device\":\"\(name)\"},\"uuid\"")
        }
        try Self.deliver(api, samples)
        let client = try api.open(
            "/api/v1/changes", headers: ["Accept: text/event-stream", "Last-Event-ID: \(begin)"])
        let bytes = try client.receive { bytes in
            bytes.count > 400 * 2_000
                && String(decoding: bytes, as: UTF8.self).matches(of: /event: change/).count == 400
                && bytes.suffix(2).elementsEqual("\n\n".utf8)
        }
        let text = String(decoding: bytes, as: UTF8.self)
        let told = Set(text.matches(of: /kkk([0-9]+)"/).map { String($0.output.1) })
        #expect(told == Set((1...400).map(String.init)))
    }

    @Test func eventsAreTheSameChanges() throws {
        let api = try TestAPI()
        func text(_ client: TestSupport.LoopbackClient, until end: String) throws -> String {
            let bytes = try client.receive { String(decoding: $0, as: UTF8.self).contains(end) }
            return String(decoding: bytes, as: UTF8.self)
        }
        let begin = try Self.page(api, "").next
        let client = try api.open("/api/v1/changes", headers: ["Accept: text/event-stream"])
        let head = try text(client, until: "id: \(begin)\n\n")
        #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n"))
        try Self.deliver(api, [Self.steps(1, value: 5), Self.steps(2, value: 6)])
        let events = try text(client, until: "\"value\":6")
        client.close()
        let ids = events.matches(of: /(?m)^id: ([A-Za-z0-9_-]+)\nevent: change\ndata: \{"op":"insert","type":"steps"/)
            .map { String($0.output.1) }
        #expect(ids.count == 2)
        // What a browser sends after a broken connection: it has the first one.
        let id = try #require(ids.first)
        #expect(try Self.page(api, "?since=\(id)").told == ["insert 02 6.0"])
        let again = try api.open("/api/v1/changes", headers: ["Accept: text/event-stream", "Last-Event-ID: \(id)"])
        let rest = try text(again, until: "\"value\":6")
        #expect(!rest.contains("\"value\":5"))
        let wrong = try api.ask("/api/v1/changes", headers: ["Accept: text/event-stream", "Last-Event-ID: x"])
        #expect(wrong.status == 400)
    }
}
