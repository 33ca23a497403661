import Foundation
import Receiver
import Samples
import Signing
import Storage
import TestSupport
import Testing

/// Daily steps over real HTTP. Source: specs, daily-steps.
struct StepsServingTests {
    private static let days = "/hook/phone/v1/trainee/health/days"
    private static let summary = "/hook/phone/v1/trainee/health/summary"

    private func server(_ scheme: AuthScheme = .bearer) throws -> TestServer {
        try TestServer(scheme: scheme, isSigned: false, format: .steps)
    }

    private func post(_ server: TestServer, _ days: String, headers: [String] = [RelayServingTests.bearer]) throws
        -> ClientResponse
    {
        try server.post(RelayServingTests.request(#"{"days":[\#(days)]}"#, path: Self.days, headers: headers))
    }

    private func get(
        _ server: TestServer, _ query: String = "", headers: [String] = [RelayServingTests.bearer]
    ) throws -> ClientResponse {
        try server.exchange(
            "GET \(Self.summary)\(query) HTTP/1.1\r\nHost: a\r\n" + headers.map { $0 + "\r\n" }.joined() + "\r\n")
    }

    private func text(_ answer: ClientResponse) -> String { String(decoding: answer.body, as: UTF8.self) }

    private static func day(_ date: String, _ steps: Int) -> String { #"{"date":"\#(date)","steps":\#(steps)}"# }

    @Test("The answer counts days that are new or changed: the last one wins, also when it is lower")
    func upsert() throws {
        let server = try server()
        let two = Self.day("2026-10-13", 100) + "," + Self.day("2026-10-14", 4391)
        let first = try post(server, two)
        #expect(
            first.status == 200 && first.field("content-type") == "application/json" && text(first) == "{\"days\":2}\n")
        #expect(try text(post(server, two)) == "{\"days\":0}\n")
        #expect(
            try text(post(server, Self.day("2026-10-14", 4000) + "," + Self.day("2026-10-13", 100))) == "{\"days\":1}\n"
        )
        #expect(try text(post(server, "")) == "{\"days\":0}\n", "an empty list is valid")
        #expect(
            try text(get(server))
                == #"{"range":{"from":"2026-09-15","to":"2026-10-14"},"days":[{"date":"2026-10-13","steps":100},{"date":"2026-10-14","steps":4000}]}"#
                + "\n")
        #expect(try server.storedCount() == 2)
    }

    @Test("Without a query a summary is the last 30 days that end today")
    func usualRange() throws {
        let server = try server()
        _ = try post(
            server,
            ["2026-09-14", "2026-09-15", "2026-10-14", "2026-10-15"].map { Self.day($0, 1) }.joined(separator: ","))
        let answer = try text(get(server))
        #expect(answer.contains("2026-09-15\",\"steps") && answer.contains("2026-10-14\",\"steps"))
        #expect(!answer.contains("2026-09-14") && !answer.contains("2026-10-15"))
    }

    @Test(
        "A query narrows the range, both ends included",
        arguments: [
            ("?from=2026-10-13&to=2026-10-13", "2026-10-13", "2026-10-13"),
            ("?from=2026-10-13", "2026-10-13", "2026-10-14"),
            ("?to=2026-10-13", "2026-09-14", "2026-10-13"),
            ("?from=2025-10-14&to=2026-10-14", "2025-10-14", "2026-10-14"),
            ("?to=2027-01-01&from=2026-12-31", "2026-12-31", "2027-01-01"),
            ("?from=2026%2D10-13&x=1", "2026-10-13", "2026-10-14"),
            ("?", "2026-09-15", "2026-10-14"),
        ])
    func query(query: String, from: String, to: String) throws {
        let answer = try get(try server(), query)
        #expect(
            answer.status == 200 && text(answer) == #"{"range":{"from":"\#(from)","to":"\#(to)"},"days":[]}"# + "\n")
    }

    @Test(
        "A query that makes no sense is a 400",
        arguments: [
            ("?from=2026-10-14&to=2026-10-13", "range_invalid"), ("?from=2026-10-15", "range_invalid"),
            ("?from=2025-10-13&to=2026-10-14", "range_too_long"), ("?from=0000-01-01&to=9999-12-31", "range_too_long"),
            ("?from=yesterday", "date_invalid"), ("?from=", "date_invalid"), ("?from", "date_invalid"),
            ("?from=%FF", "date_invalid"), ("?to=2026-02-29", "date_invalid"), ("?from=2026-10-1", "date_invalid"),
            ("?from=2026-10-13&from=2026-10-13", "date_invalid"), ("?from=2026-10-13&from=%FF", "date_invalid"),
        ])
    func badQuery(query: String, code: String) throws {
        let answer = try get(try server(), query)
        #expect(answer.status == 400 && answer.errorCode == code, "\(text(answer))")
    }

    @Test("The first day that can be written has a summary like any other")
    func firstDay() throws {
        #expect(try get(try server(), "?from=0000-01-01&to=0000-01-01").status == 200)
        let before = try get(try server(), "?to=0000-01-02")
        #expect(text(before) == #"{"range":{"from":"0000-01-01","to":"0000-01-02"},"days":[]}"# + "\n")
    }

    @Test("A 400 names the entry, and nothing of the body is stored")
    func namesTheEntry() throws {
        let server = try server()
        let three = (10...12).map { Self.day("2026-10-\($0)", 1) }.joined(separator: ",")
        for entry in [Self.day("2026-10-32", 1), Self.day("2026-10-11", 2)] {
            let answer = try post(server, three + "," + entry)
            #expect(answer.status == 400 && text(answer).contains(#""path":"days[3].date""#), "\(text(answer))")
        }
        #expect(try server.storedCount() == 0)
    }

    @Test("Both calls want the token")
    func token() throws {
        let server = try server()
        for headers in [[], ["Authorization: Bearer wrong"]] {
            #expect(try post(server, "", headers: headers).status == 401)
            #expect(try get(server, headers: headers).status == 401)
        }
    }

    @Test("Each path takes its own method, and no other path is there")
    func methods() throws {
        let server = try server()
        for (method, path, allowed) in [("GET", Self.days, "POST"), ("POST", Self.summary, "GET, HEAD")] {
            let answer = try server.post(RelayServingTests.request("", method: method, path: path))
            #expect(answer.status == 405 && answer.field("allow") == allowed)
        }
        for path in ["/hook/phone/v1", Self.days + "/", Self.summary + "x", "/v1/trainee/health/days"] {
            #expect(try server.post(RelayServingTests.request("{}", path: path)).status == 404)
        }
        let native = try TestServer(isSigned: false)
        #expect(
            try native.post(RelayServingTests.request("{}", path: Self.days)).status == 404,
            "at an endpoint of Syncky's")
        #expect(try server.post(server.delivery(path: Self.days)).status == 404, "and Syncky posts to none of them")
        #expect(try server.post(server.delivery()).status == 204)
    }

    @Test("A question leaves one line in the log, without its query")
    func log() throws {
        let server = try server()
        _ = try get(server, "?from=2026-10-13")
        server.stop()
        #expect(server.logText.contains("question") && !server.logText.contains("2026-10-13"))
    }
}
