import Receiver
import Testing

/// Who may ask, and for what.
struct APITokenTests {
    private let api: TestAPI
    init() throws { api = try TestAPI(persons: ["kim"]) }

    @Test func aTokenIsTakenFromOneAuthorizationFieldAndFromNowhereElse() throws {
        let good = TestAPI.secret("reader")
        let cases: [(headers: [String], status: Int)] = [
            (["Authorization: Bearer \(good)"], 200), (["Authorization: bearer \(good)"], 200),
            (["Authorization: BEARER \(good)"], 200), (["Host: evil.example", "Authorization: Bearer \(good)"], 400),
            ([], 401), (["Authorization: \(good)"], 401), (["Authorization: Basic \(good)"], 401),
            (["Authorization: Bearer"], 401), (["Authorization: Bearer "], 401),
            (["Authorization: Bearer  \(good)"], 401), (["Authorization: Bearer \(good)x"], 401),
            (["Authorization: Bearer \(good.dropLast())"], 401), (["Authorization: Bearer \(good.dropFirst(4))"], 401),
            (["Authorization: Bearer \(good)", "Authorization: Bearer \(good)"], 401),
            (["Authorization: Bearer \(TestAPI.secret("gone"))"], 401), (["X-Api-Key: \(good)"], 401),
            (["Cookie: syncky_session=\(good)"], 401), (["Authorization: Bearer \(TestServer.token)"], 401),
        ]
        for (headers, status) in cases {
            let answer = try api.ask("/session", token: nil, headers: headers + ["X-Forwarded-For: 10.0.0.1"])
            #expect(answer.status == status || answer.status == 429 && status == 401, "\(headers)")
            if answer.status == 401 {
                #expect(answer.code == "unauthorized" && answer.field("www-authenticate") == "Bearer")
            }
        }
        // Addresses end up in logs.
        #expect(try api.ask("/session?token=\(good)", token: nil).status == 401)
        #expect(try api.ask("/session?token=\(good)").code == "parameter_unknown")
    }

    @Test func theHostDoesNotMatter() throws {
        let head = "GET /session HTTP/1.1\r\nHost: elsewhere.example\r\nAuthorization: Bearer "
        let client = try LoopbackClient(port: api.port)
        try client.send(Array("\(head)\(TestAPI.secret("reader"))\r\n\r\n".utf8))
        #expect(try client.receive().status == 200)
    }

    @Test func aTokenEndsInItsLastSecond() throws {
        #expect(try api.ask("/session", token: "soon").status == 200)
        api.server.clock.advance(seconds: 99)
        #expect(try api.ask("/session", token: "soon").status == 200)
        api.server.clock.advance(seconds: 1)
        #expect(try api.ask("/session", token: "soon").status == 401)
        #expect(try api.ask("/session").status == 200)
    }

    @Test func guessingIsSlowedAndRightTokensAreNeverRefused() throws {
        for _ in 0..<20 { #expect(try api.ask("/session", token: nil).status == 401) }  // nothing was guessed
        for _ in 0..<10 { #expect(try api.ask("/session", token: "wrong").status == 401) }
        let late = try api.ask("/session", token: "wrong")
        #expect(late.status == 429 && late.code == "too_many_failures" && late.field("retry-after") == "6")
        #expect(try api.post(#"{"token":"sat_wrong"}"#, to: "/session", token: nil).status == 429)
        #expect(try api.ask("/session").status == 200)
        #expect(try api.signIn().hasPrefix("syncky_session=writer."))
        api.server.clock.advance(seconds: 6)
        #expect(try api.ask("/session", token: "wrong").status == 401)
        #expect(try api.ask("/session", token: "wrong").status == 429)
    }

    @Test func theScopeReadChangesNothing() throws {
        let wish = #"{"type":"body_mass","value":72.5,"unit":"kg","endpoint":"phone"}"#
        #expect(try api.post(wish, token: "reader").code == "forbidden")
        #expect(try api.ask("/api/v1/commands/c_1", method: "DELETE").code == "forbidden")
        #expect(try api.post(wish, token: "writer").status == 201)
        #expect(try api.ask("/api/v1/commands").text.contains(#""type": "body_mass""#))
    }

    @Test func aTokenOfOnePersonSeesNothingOfAnother() throws {
        let wish = #"{"type":"body_mass","value":72.5,"unit":"kg","endpoint":"of-kim"}"#
        #expect(try api.post(wish, token: "writer").status == 404)
        #expect(try api.post(wish, token: "all").status == 201)
        #expect(try !api.ask("/api/v1/commands").text.contains("of-kim"))
        #expect(try api.ask("/api/v1/commands", token: "other").text.contains("of-kim"))
        #expect(try api.ask("/api/v1/commands", token: "all").text.contains("of-kim"))
        #expect(try !api.ask("/api/v1/commands?person=me", token: "all").text.contains("of-kim"))
        #expect(try api.ask("/api/v1/commands?person=kim", token: "all").text.contains("of-kim"))
        #expect(try api.ask("/api/v1/commands?person=kim").code == "person_forbidden")
        #expect(try api.ask("/api/v1/commands?person=nobody").code == "person_forbidden")
        #expect(try api.ask("/api/v1/commands?person=nobody", token: "all").code == "person_unknown")
        #expect(try api.ask("/api/v1/commands?endpoint=of-kim").status == 404)
        #expect(try api.ask("/api/v1/commands/c_1?endpoint=of-kim", method: "DELETE", token: "writer").status == 404)
        for target in ["/api/v1/status", "/metrics"] {
            _ = try api.server.post(api.server.delivery())
            #expect(try !api.ask(target, token: "other").text.contains("\"phone\""), "\(target)")
            #expect(try api.ask(target).text.contains("\"phone\""), "\(target)")
        }
    }

    @Test func aTokenOfSomeTypesSeesNothingOfOthers() throws {
        #expect(
            try api.post(#"{"type":"body_mass","value":72.5,"unit":"kg","id":"m","endpoint":"phone"}"#).status == 201)
        let refused = try api.post(#"{"type":"body_mass","value":1,"unit":"kg"}"#, token: "stepper")
        #expect(refused.status == 403 && refused.code == "type_forbidden" && refused.parameter == "type")
        #expect(try api.post(#"{"type":"steps","value":5,"unit":"count"}"#, token: "stepper").status == 201)
        #expect(try api.post(#"{"delete":"m"}"#, token: "stepper").code == "type_forbidden")
        #expect(try api.ask("/api/v1/commands/m", method: "DELETE", token: "stepper").code == "type_forbidden")
        for target in ["/api/v1/commands", "/api/v1/status"] {
            let text = try api.ask(target, token: "stepper").text
            #expect(text.contains("steps") && !text.contains("body_mass"), "\(target)")
        }
        // Counts of everything would tell of other types.
        _ = try api.server.post(api.server.delivery())
        func status(_ token: String) throws -> String {
            try api.ask("/api/v1/status", token: token).text.filter { !$0.isWhitespace }
        }
        let whole = try status("writer")
        #expect(whole.contains("\"deliveries\":[{") && !whole.contains("\"samples\":null"))
        let some = try status("stepper")
        #expect(some.contains("\"deliveries\":[]") && some.contains("\"samples\":null"))
    }

    @Test func whatATokenIsForIsTold() throws {
        #expect(
            try api.ask("/session", token: "all").text == """
                {
                  "name": "all",
                  "scope": "write",
                  "person": null,
                  "persons": [
                    "kim",
                    "me"
                  ],
                  "types": null,
                  "expires": null
                }

                """)
        let stepper = try api.ask("/session", token: "stepper").text
        #expect(stepper.contains("\"persons\": [\n    \"me\"\n  ]") && stepper.contains("[\n    \"steps\"\n  ]"))
        #expect(try api.ask("/session", token: "soon").text.contains(#""expires": "2026-10-14T07:06:40Z""#))
    }

    @Test func noLineOfTheLogHasATokenOrAnAddress() throws {
        _ = try api.ask("/session?secret_of_mine=1", token: "wrong")
        _ = try api.post(#"{"type":"body_mass","value":72.5,"unit":"kg","endpoint":"phone"}"#)
        _ = try api.ask("/api/v1/commands?endpoint=secret_of_mine")
        api.server.stop()
        let log = api.server.logText
        #expect(log.contains("route=/api/v1/commands token=writer status=201"))
        #expect(!log.contains("sat_") && !log.contains("secret_of_mine") && !log.contains("72.5"))
    }
}
