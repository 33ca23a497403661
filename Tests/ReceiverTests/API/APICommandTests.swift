import Receiver
import Samples
import Storage
import Testing

/// `/api/v1/commands`, `/api/v1/status` and `/metrics`.
struct APICommandTests {
    private let api: TestAPI
    init() throws { api = try TestAPI() }

    private func rows() throws -> [CommandRow] { try StoreReader(directory: api.server.folder.path).commands() }

    @Test func aWriteIsQueuedAndGoesOutWithTheNextDelivery() throws {
        let made = try api.post(
            #"{"type":"body_mass","value":72.50,"unit":"kg","start":"2026-10-14T09:00:00+02:00","id":"m:1","endpoint":"phone"}"#
        )
        #expect(made.status == 201 && made.field("content-type") == "application/json")
        #expect(made.text == "{\n  \"id\": \"m:1\",\n  \"version\": 1,\n  \"warnings\": []\n}\n")
        #expect(made.field("etag") == nil && made.field("cache-control") == "no-store")
        let row = try #require(try rows().first)
        // The number goes out as it was typed.
        #expect(row.body.contains(#""value":72.50,"unit":"kg","start":"2026-10-14T07:00:00Z""#))
        let reply = try api.server.post(api.server.delivery())
        #expect(reply.status == 200 && reply.text.contains("m:1"))
        let sent = try api.ask("/api/v1/commands/m:1", method: "DELETE", token: "writer")
        #expect(sent.status == 409 && sent.code == "command_sent")
        #expect(try api.post(#"{"delete":"m:1"}"#).text.contains(#""version": 2"#))
        #expect(try rows().map(\.op) == [.delete])
    }

    @Test func oneThatWaitsIsWithdrawn() throws {
        #expect(try api.post(#"{"type":"body_mass","value":72,"unit":"kg"}"#).status == 201)
        #expect(try api.ask("/api/v1/commands/c_1", method: "DELETE", token: "writer").status == 204)
        let row = try #require(try rows().first)
        #expect(row.state == .rejected && row.reason == "withdrawn" && row.sent == 0)
        #expect(try api.server.post(api.server.delivery()).status == 204)
        // Once more is the same.
        #expect(try api.ask("/api/v1/commands/c_1", method: "DELETE", token: "writer").status == 204)
        #expect(try api.ask("/api/v1/commands/c_2", method: "DELETE", token: "writer").code == "not_found")
        #expect(try api.ask("/api/v1/commands/c%201", method: "DELETE", token: "writer").code == "not_found")
        #expect(try api.ask("/api/v1/commands/c_1?endpoint=x", method: "DELETE", token: "writer").status == 404)
    }

    static let wishes: [(json: String, status: Int, code: String?)] = [
        (#"{"type":"steps","value":412,"unit":"count"}"#, 201, nil),
        (
            #"{"type":"sleep_analysis","value":"asleep_core","start":"2026-10-14T01:00:00Z","end":"2026-10-14T02:00:00Z"}"#,
            201, nil
        ),
        (#"{"type":"body_mass","value":"72.5","unit":"kg"}"#, 201, nil),
        (#"{"type":"body_mass","value":72.5,"unit":null,"id":null}"#, 201, nil),
        (#"{"type":"from_the_future","value":1,"unit":"furlong"}"#, 201, nil),
        (#"{"type":"body_mass","value":1,"unit":"kg","start":"2026-10-14T07:00"}"#, 201, nil),
        (#"{"type":"body_mass","value":1,"unit":"kg","start":"07:00"}"#, 400, "body_invalid"),
        (#"{"type":"body_mass","value":1,"unit":"kg","start":"now"}"#, 400, "body_invalid"),
        (#"{"type":"body_mass"}"#, 400, "body_invalid"), (#"{"value":1}"#, 400, "body_invalid"),
        ("{}", 400, "body_invalid"),
        (#"{"type":"body_mass","value":true,"unit":"kg"}"#, 400, "body_invalid"),
        (#"{"type":"body_mass","value":[1],"unit":"kg"}"#, 400, "body_invalid"),
        (#"{"type":"body_mass","value":null,"unit":"kg"}"#, 400, "body_invalid"),
        (#"{"type":"body_mass","value":1,"value":2,"unit":"kg"}"#, 400, "body_invalid"),
        (#"{"type":"body_mass","value":1,"unit":"kg","more":1}"#, 400, "body_invalid"),
        (#"{"type":"body_mass","value":01,"unit":"kg"}"#, 400, "body_invalid"),
        (#"{"type":"body_mass","value":1,"unit":"kg","start":"today"}"#, 400, "body_invalid"),
        (#"{"type":"body_mass","value":1,"unit":"kg","start":5}"#, 400, "body_invalid"),
        (#"{"type":"body_mass","value":"much","unit":"kg"}"#, 400, "command_invalid"),
        (#"{"type":"body_mass","value":1e999,"unit":"kg"}"#, 400, "command_invalid"),
        (#"{"type":"workout","value":1,"unit":"kg"}"#, 400, "command_invalid"),
        (#"{"type":"from_the_future","value":1}"#, 400, "command_invalid"),
        (#"{"type":"sleep_analysis","value":"asleep_core","unit":"h"}"#, 400, "command_invalid"),
        (#"{"type":"Body Mass","value":1,"unit":"kg"}"#, 400, "command_invalid"),
        (#"{"type":"body_mass","value":1,"unit":"kg","id":"a b"}"#, 400, "command_invalid"),
        (
            #"{"type":"body_mass","value":1,"unit":"kg","start":"2026-10-14T02:00:00Z","end":"2026-10-14T01:00:00Z"}"#,
            400, "command_invalid"
        ),
        (#"{"type":"body_mass","value":1,"unit":"kg","endpoint":"tablet"}"#, 404, "not_found"),
        (#"{"delete":"nothing"}"#, 404, "not_found"), (#"{"delete":"a b"}"#, 404, "not_found"),
        (#"{"delete":1}"#, 400, "body_invalid"), (#"{"delete":"c_1","type":"steps"}"#, 400, "body_invalid"),
    ]

    @Test func wishesAreReadStrictly() throws {
        for (json, status, code) in Self.wishes {
            let answer = try api.post(json)
            #expect(answer.status == status && answer.code == code, "\(json)")
        }
        #expect(try api.ask("/api/v1/commands", method: "POST", token: "writer", body: "{}").status == 415)
        let doubted = try api.post(#"{"type":"from_the_future","value":1,"unit":"furlong"}"#)
        #expect(doubted.text.contains("The app may refuse this command: its type is not in the catalog."))
        #expect(try api.post(#"{"type":"steps","value":1,"unit":"count","id":"one"}"#).status == 201)
        #expect(try api.post(#"{"type":"body_mass","value":1,"unit":"kg","id":"one"}"#).code == "command_conflict")
    }

    @Test("A time without an offset is on the endpoint's clock")
    func localTimes() throws {
        let api = try TestAPI(persons: ["kim"])
        let json = """
            {"type":"body_mass","value":72,"unit":"kg","endpoint":"of-kim","start":"2026-10-14T09:00",\
            "end":"2026-10-14 09:00:30"}
            """
        #expect(try api.post(json, token: "all").status == 201)
        let row = try #require(try StoreReader(directory: api.server.folder.path).commands().first)
        #expect(row.start?.text == "2026-10-14T07:00:00Z" && row.end?.text == "2026-10-14T07:00:30Z")
    }

    @Test func theQueueIsListedAsTheCommandHasIt() throws {
        #expect(try api.ask("/api/v1/commands").text == "{\n  \"commands\": []\n}\n")
        _ = try api.post(#"{"type":"body_mass","value":-72.5,"unit":"kg","start":"2026-10-14T07:00:00Z"}"#)
        let csv = try api.ask("/api/v1/commands", headers: ["Accept: text/csv"]).text
        #expect(
            csv == """
                id,endpoint,version,op,type,value,unit,start,end,state,reason,sent,queued_at,first_sent_at,last_sent_at,\
                result_at,sample\r
                c_1,phone,1,write,body_mass,-72.5,kg,2026-10-14T07:00:00Z,2026-10-14T07:00:00Z,waiting,,0,\
                2026-10-14T07:05:00Z,,,,\r

                """)
        #expect(try api.ask("/api/v1/commands?endpoint=phone").text.contains(#""id": "c_1""#))
    }

    @Test func statusTellsOfSendersAndDeliveries() throws {
        let empty = try api.ask("/api/v1/status")
        #expect(empty.status == 200 && empty.text.contains(#""code": "never_stored""#))
        #expect(empty.text.contains(#""deliveries": []"#) && empty.text.contains(#""rhythms": []"#))
        _ = try api.server.post(api.server.delivery())
        _ = try api.server.post(api.server.delivery("{", id: "broken"))
        let text = try api.ask("/api/v1/status").text
        #expect(text.contains(#""last_stored": "2026-10-14T07:05:00Z""#) && text.contains(#""samples": 1"#))
        #expect(text.contains("\"status\": 204,\n      \"code\": null,\n      \"stored\": 1"))
        #expect(text.contains("\"status\": 400,\n      \"code\": \"") && !text.contains("never_stored"))
        for secret in [TestServer.token, TestServer.secret, TestAPI.secret("reader")] {
            #expect(!text.contains(secret))
        }
    }

    @Test func healthValuesAreInTheMetricsOnDemandAlone() throws {
        let api = try TestAPI(persons: ["kim"], showsValues: true)
        _ = try api.server.post(api.server.delivery(TestServer.body([TestServer.sample(1, value: 61)])))
        let line = #"syncky_latest{person="me",type="heart_rate",unit="count/min"} 61"#
        #expect(try api.ask("/metrics").text.split(separator: "\n").contains { $0 == line })
        for token in ["other", "stepper"] {
            #expect(try !api.ask("/metrics", token: token).text.contains("heart_rate"))
        }
    }

    @Test func metricsCountAndTellNoHealthValue() throws {
        _ = try api.server.post(api.server.delivery())
        _ = try api.server.post(api.server.delivery("{", id: "broken"))
        _ = try api.server.post(api.server.delivery(id: "other", token: "wrong"))
        api.server.clock.advance(seconds: 12)
        let answer = try api.ask("/metrics", headers: ["Accept: text/plain;version=0.0.4;q=0.5,*/*;q=0.1"])
        #expect(answer.field("content-type") == "text/plain; version=0.0.4; charset=utf-8")
        let lines = answer.text.split(separator: "\n").map(String.init)
        for line in [
            #"syncky_deliveries_total{endpoint="phone",status="204"} 1"#,
            #"syncky_deliveries_total{endpoint="phone",status="400"} 1"#,
            #"syncky_rows_total{endpoint="phone",change="stored"} 1"#, #"syncky_refusals_total{status="401"} 1"#,
            "syncky_ready 1", "syncky_uptime_seconds 12", "syncky_queue_bytes 0",
            #"syncky_last_stored_seconds{endpoint="phone"} 1791961500"#, "# TYPE syncky_rows_total counter",
        ] {
            #expect(lines.contains(line), "\(line)")
        }
        #expect(!answer.text.contains("heart_rate") && !answer.text.contains("syncky_latest"))
        for line in lines where !line.hasPrefix("#") {
            #expect(line.split(separator: " ").count == 2 && Double(line.split(separator: " ")[1]) != nil, "\(line)")
        }
        #expect(try api.ask("/metrics", token: nil).status == 401)
    }
}
