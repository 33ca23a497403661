import Insights
import Samples
import Testing
import Transport
import Wire

@testable import Receiver

/// The conventions of `docs/api.md`, and requests that break them.
struct APIConventionTests {
    /// Routes that say back what they were given.
    private static let routes: [APIRoute] = [
        APIRoute(
            .get, "/t/echo",
            parameters: [
                .optional("text"), .optional("limit"), .optional("flag"), .optional("by"), .optional("from"),
                .optional("to"), .optional("list"), .optional("types"),
            ]
        ) { request in
            var lines: [String] = []
            if let text = request.text("text") { lines.append("text \(text)") }
            if request.text("limit") != nil { lines.append("limit \(try request.limit())") }
            if request.text("flag") != nil { lines.append("flag \(try request.flag("flag"))") }
            if let by = try request.choice("by", BucketSize.self) { lines.append("by \(by)") }
            if request.text("from") != nil || request.text("to") != nil {
                let range = try request.requiredRange(of: try request.person())
                lines.append("\(range.lowerBound.text) \(range.upperBound.text)")
            }
            if let list = try request.list("list") { lines.append("list \(list)") }
            if let types = try request.types() { lines.append("types \(types.sorted())") }
            let text = lines.joined(separator: "\n")
            return .table(json: { Array("\"\(text)\"".utf8) }, csv: { Array(text.utf8) })
        },
        APIRoute(.get, "/t/typed", parameters: [.required("type")]) { request in
            .text(try request.requiredType())
        },
        APIRoute(.get, "/t/workouts/{id}.gpx", formats: [.gpx]) { .text("gpx \($0.captures["id"] ?? "")") },
        APIRoute(.get, "/t/workouts/{id}") { .text("one \($0.captures["id"] ?? "")") },
        APIRoute(.get, "/t/person", parameters: [.optional("person")]) { request in
            let person = try request.person()
            return .text("\(person.name) \(person.zoneName)")
        },
        APIRoute(.get, "/t/open", access: .open, formats: [.json]) { _ in .text("{}") },
        APIRoute(.get, "/t/model") { request in
            .text("\(try request.readModel() != nil) \(try request.storeReader() != nil)")
        },
        APIRoute(.get, "/t/broken") { _ in throw BrokenError() },
    ]
    private struct BrokenError: Error {}

    private let api: TestAPI
    init() throws { api = try TestAPI(routes: Self.routes + APIRoutes.all, persons: ["kim"]) }

    // MARK: Queries

    static let queries: [(query: String, expected: String)] = [
        ("text=a", "text a"), ("text=", "text "), ("text=a+b%20c", "text a b c"), ("text=%C3%A9", "text é"),
        ("te%78t=a", "text a"), ("text=a=b", "text a=b"), ("text=%26%3D", "text &="), ("text=a?b", "text a?b"),
        ("text", "parameter_invalid text"), ("text=%", "parameter_invalid text"), ("text=%4", "parameter_invalid text"),
        ("text=%zz", "parameter_invalid text"), ("text=%FF", "parameter_invalid text"),
        ("text=%C3", "parameter_invalid text"), ("text=%00", "parameter_invalid text"),
        ("text=%0A", "parameter_invalid text"), ("text=%7F", "parameter_invalid text"),
        ("text=%C2%85", "parameter_invalid text"), ("text=%ED%A0%80", "parameter_invalid text"),
        ("text=a&text=a", "parameter_repeated text"), ("text=a&te%78t=b", "parameter_repeated text"),
        ("Text=a", "parameter_unknown"), ("tex=a", "parameter_unknown"), ("=a", "parameter_unknown"),
        ("&text=a", "parameter_unknown"), ("text=a&", "parameter_unknown"), ("text=a;limit=1", "text a;limit=1"),
        ("%=a", "parameter_unknown"), ("te%00xt=a", "parameter_unknown"), ("text%00=a", "parameter_unknown"),
        ("limit=1", "limit 1"), ("limit=10000", "limit 10000"), ("limit=0001", "limit 1"),
        ("limit=0", "parameter_invalid limit"), ("limit=10001", "parameter_invalid limit"),
        ("limit=-1", "parameter_invalid limit"), ("limit=+1", "parameter_invalid limit"),
        ("limit=1.0", "parameter_invalid limit"), ("limit=1e3", "parameter_invalid limit"),
        ("limit=", "parameter_invalid limit"), ("limit=%D9%A1", "parameter_invalid limit"),
        ("limit=99999999999999999999999999", "parameter_invalid limit"), ("flag=true", "flag true"),
        ("flag=false", "flag false"), ("flag=1", "parameter_invalid flag"), ("flag=TRUE", "parameter_invalid flag"),
        ("by=week", "by week"), ("by=Week", "parameter_invalid by"), ("by=", "parameter_invalid by"),
        ("from=2026-10-01T00:00:00Z&to=2026-10-02T00:00:00Z", "2026-10-01T00:00:00Z 2026-10-02T00:00:00Z"),
        ("from=2026-10-01T02:00:00%2B02:00&to=2026-10-02", "2026-10-01T00:00:00Z 2026-10-02T00:00:00Z"),
        // A plus sign that nobody escaped is meant as one.
        ("from=2026-10-01T02:00:00+02:00&to=2026-10-02", "2026-10-01T00:00:00Z 2026-10-02T00:00:00Z"),
        ("from=2026-10-01&to=2026-10-01", "2026-10-01T00:00:00Z 2026-10-01T00:00:00Z"),
        ("from=2026-10-02&to=2026-10-01", "parameter_invalid to"), ("from=2026-10-02", "parameter_missing to"),
        ("to=2026-10-02", "parameter_missing from"), ("from=2026-02-30&to=2026-10-01", "parameter_invalid from"),
        ("from=yesterday&to=2026-10-01", "parameter_invalid from"), ("from=&to=2026-10-01", "parameter_invalid from"),
        ("from=0000-01-01&to=9999-12-31T23:59:60Z", "0000-01-01T00:00:00Z"),
        ("list=a,b", "list [\"a\", \"b\"]"), ("list=a,,b", "parameter_invalid list"),
        ("list=,", "parameter_invalid list"), ("list=", "parameter_invalid list"), ("types=steps", "types [\"steps\"]"),
    ]

    @Test func queriesAreReadStrictly() throws {
        for (query, expected) in Self.queries {
            let answer = try api.ask("/t/echo?\(query)", headers: ["Accept: text/csv"])
            let words = expected.split(separator: " ")
            if answer.status == 200 {
                #expect(answer.text.hasPrefix(expected), "\(query)")
            } else {
                #expect(answer.status == 400 && answer.code == String(words[0]), "\(query)")
                #expect(answer.parameter == (words.count > 1 ? String(words[1]) : nil), "\(query)")
            }
        }
        let many = (0..<33).map { "a\($0)=1" }.joined(separator: "&")
        #expect(try api.ask("/t/echo?\(many)").code == "parameter_unknown")
        let list = Array(repeating: "a", count: 101).joined(separator: ",")
        #expect(try api.ask("/t/echo?list=\(list.dropLast(2))").status == 200)
        #expect(try api.ask("/t/echo?list=\(list)").code == "parameter_invalid")
        #expect(try api.ask("/t/echo?").status == 200)
        // What the client made up is not said back.
        #expect(try !api.ask("/t/echo?evil%3Cscript=1").text.contains("evil"))
    }

    @Test func aTypeThatTheTokenIsNotForIsForbiddenWhereItIsNamed() throws {
        #expect(try api.ask("/t/typed?type=steps", token: "stepper").text == "steps")
        #expect(try api.ask("/t/typed?type=heart_rate", token: "stepper").code == "type_forbidden")
        #expect(try api.ask("/t/typed?type=", token: "stepper").code == "parameter_missing")
        #expect(try api.ask("/t/typed", token: "stepper").code == "parameter_missing")
        #expect(try api.ask("/t/echo?types=steps,heart_rate", token: "stepper").code == "type_forbidden")
        #expect(try api.ask("/t/echo", token: "stepper", headers: ["Accept: text/csv"]).text == "types [\"steps\"]")
        #expect(try api.ask("/t/echo", headers: ["Accept: text/csv"]).text == "")
    }

    @Test func thePersonIsTheTokensOrTheOneThatWasNamed() throws {
        #expect(try api.ask("/t/person").text == "me UTC")
        #expect(try api.ask("/t/person?person=me").text == "me UTC")
        #expect(try api.ask("/t/person", token: "other").text == "kim Europe/Berlin")
        #expect(try api.ask("/t/person?person=kim", token: "all").text == "kim Europe/Berlin")
        let missing = try api.ask("/t/person", token: "all")
        #expect(missing.code == "parameter_missing" && missing.parameter == "person")
        #expect(try api.ask("/t/person?person=kim").code == "person_forbidden")
        #expect(try api.ask("/t/person?person=", token: "all").code == "person_unknown")
        let alone = try TestAPI(routes: Self.routes)
        #expect(try alone.ask("/t/person", token: "all").text == "me UTC")
        // Whose endpoint is gone is known by what is stored.
        _ = try alone.server.post(alone.server.delivery())
        #expect(try alone.ask("/t/person?person=kim", token: "all").code == "person_unknown")
    }

    // MARK: Addresses and methods

    @Test func addressesAreComparedWhole() throws {
        let found = [
            ("/t/workouts/A-1", "one A-1"), ("/t/workouts/A-1.gpx", "gpx A-1"), ("/t/workouts/.gpx", "one .gpx"),
            ("/t/workouts/a%2Fb", "one a/b"), ("/t/workouts/a+b", "one a+b"), ("/t/workouts/%67px", "one gpx"),
            ("/t/workouts/a%2Egpx", "one a.gpx"), ("http://elsewhere.example/t/workouts/x", "one x"),
        ]
        for (target, expected) in found { #expect(try api.ask(target).text == expected, "\(target)") }
        for target in [
            "/t/workouts", "/t/workouts/", "/t/workouts/a/b", "/t/workouts//", "/t//workouts/a", "/T/workouts/a",
            "/t/workouts/a/", "/t/workouts/%FF", "/t/workouts/%00", "/t/workouts/%", "/t/../t/workouts/a", "/./t/open",
            "/api", "/api/v1", "/api/v1/commands/", "/API/v1/status", "/hook/phone", "/assets/../receiver.json",
            "/assets/%2e%2e/receiver.json", "/" + String(repeating: "a/", count: 100),
        ] {
            let answer = try api.ask(target)
            #expect(answer.status == 404 && answer.code == "not_found", "\(target)")
        }
    }

    @Test func otherMethodsAreToldWhichThereAre() throws {
        let cases = [
            ("PUT", "/api/v1/commands", "GET, HEAD, POST"), ("DELETE", "/api/v1/commands", "GET, HEAD, POST"),
            ("OPTIONS", "/api/v1/status", "GET, HEAD"), ("TRACE", "/metrics", "GET, HEAD"),
            ("get", "/metrics", "GET, HEAD"), ("PATCH", "/session", "DELETE, GET, HEAD, POST"),
            ("GET", "/api/v1/commands/c_1", "DELETE"), ("HEAD", "/api/v1/commands/c_1", "DELETE"),
            ("OPTIONS", "*", "DELETE, GET, HEAD, POST"),
        ]
        for (method, target, allowed) in cases {
            let answer = try api.ask(target, method: method, token: nil)
            #expect(answer.status == 405 && answer.field("allow") == allowed, "\(method) \(target)")
        }
    }

    // MARK: Answers

    @Test func acceptChoosesTheForm() throws {
        let cases: [(accept: [String], type: String?)] = [
            ([], "application/json"), (["Accept: */*"], "application/json"), (["Accept: text/csv"], "text/csv"),
            (["Accept: text/*"], "text/csv"), (["Accept: TEXT/CSV"], "text/csv"),
            (["Accept: application/json;q=0.5, text/csv"], "text/csv"),
            (["Accept: text/csv;q=0.5, application/json;q=0.4"], "text/csv"),
            (["Accept: text/csv;q=0, */*"], "application/json"), (["Accept: application/json;q=0, */*"], "text/csv"),
            (["Accept: */*;q=0.1, text/csv;q=0.2"], "text/csv"), (["Accept: text/csv;header=present"], "text/csv"),
            (["Accept: text/html, application/xhtml+xml, */*;q=0.8"], "application/json"),
            (["Accept: text/html", "Accept: text/csv"], "text/csv"), (["Accept: text/html"], nil),
            (["Accept: application/json;q=0"], nil), (["Accept: */*;q=0"], nil), (["Accept: text/html;q=1.000"], nil),
            (["Accept:"], "application/json"), (["Accept: , ,"], "application/json"),
            (["Accept: nonsense"], "application/json"), (["Accept: text/csv;q=2"], "application/json"),
            (["Accept: */csv"], "application/json"), (["Accept: text/csv;q=0.1234"], "application/json"),
        ]
        for (accept, type) in cases {
            let answer = try api.ask("/t/echo", headers: accept)
            #expect(answer.status == (type == nil ? 406 : 200), "\(accept)")
            let expected = type ?? "application/problem+json"
            #expect(answer.field("content-type")?.hasPrefix(expected) == true, "\(accept)")
        }
    }

    @Test func anAnswerThatTheClientHasIsNotSentAgain() throws {
        let first = try api.ask("/t/echo?text=a")
        let tag = try #require(first.field("etag"))
        #expect(first.field("cache-control") == "private, no-cache" && tag.count == 24)
        for value in [tag, "W/\(tag)", "\"x\", \(tag)", "*", "\"a\",W/\(tag) ,\"b\""] {
            let again = try api.ask("/t/echo?text=a", headers: ["If-None-Match: \(value)"])
            #expect(again.status == 304 && again.body.isEmpty && again.field("etag") == tag, "\(value)")
            #expect(again.field("content-length") == nil && again.field("content-type") == nil)
        }
        for value in ["\"x\"", String(tag.dropFirst().dropLast()), "", "w/\(tag)"] {
            #expect(try api.ask("/t/echo?text=a", headers: ["If-None-Match: \(value)"]).status == 200, "\(value)")
        }
        #expect(try api.ask("/t/echo?text=b", headers: ["If-None-Match: \(tag)"]).status == 200)
        #expect(try api.ask("/t/echo?text=a", headers: ["Accept: text/csv"]).field("etag") != tag)
        #expect(try api.ask("/t/echo?text=a", token: nil, headers: ["If-None-Match: *"]).status == 401)
        let head = try api.ask("/t/echo?text=a", method: "HEAD")
        #expect(head.status == 200 && head.field("etag") == tag && head.body.isEmpty)
        #expect(head.field("content-length") == String(first.body.count))
    }

    @Test func everyAnswerTellsBrowsersToLoadFromHereAlone() throws {
        let answers = [
            try api.ask("/t/open", token: nil), try api.ask("/t/echo"), try api.ask("/t/echo", token: nil),
            try api.ask("/nowhere"), try api.ask("/t/broken"), try api.ask("/", method: "POST"),
            try api.ask("/session", method: "DELETE", token: nil), try api.ask("/t/echo?x=1"),
            try api.ask("/t/echo", headers: ["If-None-Match: *"]), try api.ask("/t/echo", headers: ["X : broken"]),
        ]
        for answer in answers {
            #expect(answer.field("content-security-policy")?.hasPrefix("default-src 'self'; ") == true)
            #expect(answer.field("content-security-policy")?.contains("frame-ancestors 'none'") == true)
            #expect(answer.field("x-content-type-options") == "nosniff")
            #expect(answer.field("referrer-policy") == "no-referrer")
            #expect(answer.field("access-control-allow-origin") == nil)
        }
        #expect(answers.map(\.status) == [200, 200, 401, 404, 503, 405, 204, 400, 304, 400])
        #expect(answers[4].code == "storage_unavailable" && answers[4].field("retry-after") == "30")
        #expect(answers[9].code == "field_name_invalid" || answers[9].code != nil)
    }

    @Test func aProblemHasTheMembersOfItsRFC() throws {
        let answer = try api.ask("/t/echo?limit=0")
        #expect(answer.field("content-type") == "application/problem+json")
        #expect(
            answer.text
                == #"{"type":"about:blank","title":"Bad Request","status":400,"code":"parameter_invalid","detail":"The parameter limit takes a whole number from 1 to 10000.","parameter":"limit"}"#
                + "\n")
    }

    @Test func beforeAnythingIsStoredThereIsSomethingToAsk() throws {
        #expect(try api.ask("/t/model").text == "true true")
    }

    // MARK: Bodies

    @Test func bodiesAreBounded() throws {
        let json = ["Content-Type: application/json"]
        let limit = APIService.maximumBodyBytes
        func wish(_ count: Int) -> String {
            let start = #"{"type":"body_mass","value":72.5,"unit":"kg","endpoint":"phone"}"#
            return start + String(repeating: " ", count: count - start.utf8.count)
        }
        #expect(try api.post(wish(limit)).status == 201)
        let late = try api.post(wish(limit + 1))
        #expect(late.status == 413 && late.code == "body_too_large" && late.field("connection") == "close")
        let client = try LoopbackClient(port: api.port)
        let chunk = String(repeating: " ", count: 0x8000)
        var request = TestAPI.request(
            "POST", "/api/v1/commands", token: "writer", headers: json + ["Transfer-Encoding: chunked"], body: nil)
        for _ in 0..<3 { request += Array("8000\r\n\(chunk)\r\n".utf8) }
        try client.send(request)
        #expect(try client.receive().status == 413)
        // Where no body is read, one is too large.
        #expect(try api.ask("/t/echo", body: "a").status == 413)
        #expect(try api.ask("/t/echo", body: "").status == 200)
        #expect(try api.ask("/api/v1/commands/c_1", method: "DELETE", token: "writer", body: "{}").status == 413)
        // A stranger's body is not waited for.
        let stranger = try LoopbackClient(port: api.port)
        try stranger.send(
            Array("POST /api/v1/commands HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n".utf8))
        #expect(try stranger.receive().status == 401)
    }

    @Test func aBodyCutAnywhereIsRefusedAndEndsNothing() throws {
        let body = Array(
            #"{"type":"body_mass","value":-7.25e1,"unit":"kg","start":"2026-10-14T07:00:00Z","id":"é"}"#.utf8)
        for count in 0..<body.count {
            let answer = try api.ask(
                "/api/v1/commands", method: "POST", token: "stepper", headers: ["Content-Type: application/json"],
                bytes: Array(body[..<count]))
            #expect(answer.status == 400 && answer.code == "body_invalid", "\(count)")
        }
        let nested = String(repeating: "[", count: 30_000)
        #expect(try api.post(nested).code == "body_invalid")
        #expect(try api.post("{\"a\":\(nested)").code == "body_invalid")
        #expect(try api.ask("/t/open", token: nil).status == 200)
    }
}
