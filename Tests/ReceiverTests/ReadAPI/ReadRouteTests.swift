import Foundation
import Testing

@testable import Receiver

/// Every route over the read model, asked over loopback.
@Suite struct ReadRouteTests {
    private static let uuid = "0B6F0000-0000-4000-8000-000000000001"
    private static let watch = #""source":{"app":"com.apple.Health","device":"Apple Watch"}"#

    /// Some of everything, in the week of 2026-10-12.
    static let samples: [String] = {
        var samples: [String] = []
        func key() -> String { HostileSamples.uuid(samples.count) }
        for minute in 0..<40 {
            let time = "2026-10-14T07:\(10 + minute):00Z"
            samples.append(
                #"{"uuid":"\#(key())","type":"heart_rate","value":\#(100 + minute),"unit":"count/min","start":"\#(time)","end":"\#(time)",\#(watch)}"#
            )
            samples.append(
                #"{"uuid":"\#(key())","type":"steps","value":\#(minute),"unit":"count","start":"\#(time)","end":"2026-10-14T07:\#(10 + minute):59Z",\#(watch)}"#
            )
        }
        for (stage, from, to) in [("asleep_core", "22:00", "23:00"), ("asleep_rem", "23:00", "23:59")] {
            samples.append(
                #"{"uuid":"\#(key())","type":"sleep_analysis","value":"\#(stage)","start":"2026-10-13T\#(from):00Z","end":"2026-10-13T\#(to):00Z",\#(watch)}"#
            )
        }
        samples.append(
            #"{"uuid":"\#(uuid)","type":"workout","activity":"running","start":"2026-10-14T07:10:00Z","end":"2026-10-14T07:40:00Z","duration_s":1800,"energy_kcal":312.4,"distance_m":5020,\#(watch)}"#
        )
        samples.append(
            #"{"uuid":"0B6F0000-0000-4000-8000-000000000002","type":"workout","activity":"=yoga","start":"2026-10-15T07:10:00Z","end":"2026-10-15T07:40:00Z","duration_s":1800}"#
        )
        let points = (0..<30).map { #"{"t":\#($0 * 60_000),"lat":52.5\#($0 + 10),"lon":13.4,"alt_m":30.5}"# }.joined(
            separator: ",")
        samples.append(
            #"{"uuid":"\#(key())","type":"workout_route","workout":"\#(uuid)","part":0,"parts":1,"count":30,"points":[\#(points)],"start":"2026-10-14T07:10:00Z","end":"2026-10-14T07:40:00Z"}"#
        )
        samples.append(
            #"{"uuid":"\#(key())","type":"activity_summary","date":"2026-10-14","active_energy_burned":412.5,"active_energy_burned_goal":500,"exercise_minutes":30,"exercise_minutes_goal":30,"stand_hours":9,"stand_hours_goal":12}"#
        )
        samples.append(
            #"{"uuid":"characteristic:blood_type","type":"characteristic","name":"blood_type","value":"a_positive"}"#)
        return samples
    }()

    /// Shared by the tests that only ask.
    private static let filled: Result<TestAPI, any Error> = Result {
        let api = try TestAPI(persons: ["kim"])
        let answer = try api.server.post(api.server.delivery(TestServer.body(samples)))
        guard answer.status == 204 else { throw CocoaError(.coderInvalidValue) }
        return api
    }

    /// A good question for each route.
    static let good: [(path: String, query: String)] = [
        ("/api/v1/types", ""), ("/api/v1/samples", "type=steps&limit=7"),
        ("/api/v1/samples", "type=heart_rate&include=body&order=desc&from=2026-10-14&to=2026-10-15"),
        ("/api/v1/buckets", "type=steps&from=2026-10-12&to=2026-10-19&by=hour&sources=true"),
        ("/api/v1/buckets", "type=heart_rate&from=2026-10-12&to=2026-10-19&merge=highest-source&sources=true"),
        ("/api/v1/buckets", "type=sleep_analysis&from=2026-10-12&to=2026-10-19&by=week"),
        ("/api/v1/buckets", "type=never_heard_of&from=2026-10-12&to=2026-10-19"),
        ("/api/v1/sources", ""), ("/api/v1/sources", "type=steps"),
        ("/api/v1/sleep", "from=2026-10-12&to=2026-10-19"),
        ("/api/v1/sleep", "from=2026-10-12&to=2026-10-19&source=%40Apple+Watch"),
        ("/api/v1/workouts", ""), ("/api/v1/workouts", "limit=1"), ("/api/v1/workouts/\(uuid)", ""),
        ("/api/v1/workouts/\(uuid).gpx", ""), ("/api/v1/workouts/\(uuid).geojson", ""),
        ("/api/v1/activity", "from=2026-10-12&to=2026-10-19"), ("/api/v1/latest", ""),
        ("/api/v1/latest", "types=steps,heart_rate"), ("/api/v1/changes", ""),
    ]
    private static let addresses = good.map { $0.query.isEmpty ? $0.path : "\($0.path)?\($0.query)" }

    private static func route(of address: String) -> APIRoute? {
        let parts = address.split(separator: "?")[0].utf8.dropFirst().split(separator: UInt8(ascii: "/")).map {
            Array($0)[...]
        }
        return ReadRoutes.all.first { $0.captures(of: parts) != nil }
    }

    @Test func everyRouteIsAsked() {
        let asked = Set(Self.addresses.compactMap { Self.route(of: $0)?.path })
        #expect(asked == Set(ReadRoutes.all.map(\.path)).subtracting(["/openapi.json"]))
    }

    // MARK: All of them

    @Test(arguments: addresses) func answersAreAsTheDocumentHasThem(address: String) throws {
        let api = try Self.filled.get(), route = try #require(Self.route(of: address))
        for format in route.formats where format != .eventStream {
            let answer = try api.ask(address, headers: ["Accept: \(format.mediaType)"])
            #expect(answer.status == 200 && answer.field("content-type")?.hasPrefix(format.mediaType) == true)
            #expect(answer.field("cache-control") == "private, no-cache")
            if format == .csv {
                let rows = parsedCSV(answer.text)
                #expect(!rows.isEmpty && rows.allSatisfy { $0.count == rows[0].count })
            }
            guard format == .json else { continue }
            let document = OpenAPIDocument.shared
            let schema = try #require(document.schema("GET", route.path, status: 200, mediaType: format.mediaType))
            #expect(document.faults(try #require(JSONValue(parsing: answer.text)), schema) == [])
        }
    }

    /// Of several persons' token, whose data is asked for must be said.
    @Test(arguments: addresses) func persons(address: String) throws {
        let api = try Self.filled.get()
        let join = address.contains("?") ? "&" : "?"
        let forbidden = try api.ask(address + join + "person=kim")
        #expect(forbidden.status == 403 && forbidden.code == "person_forbidden")
        let unknown = try api.ask(address + join + "person=nobody", token: "all")
        #expect(unknown.status == 404 && unknown.code == "person_unknown")
        let unnamed = try api.ask(address, token: "all")
        #expect(unnamed.status == 400 && unnamed.parameter == "person")
        #expect(try api.ask(address + join + "person=me", token: "all").body == api.ask(address).body)
    }

    @Test(arguments: addresses) func tagsOfWhatTheClientHas(address: String) throws {
        let api = try Self.filled.get()
        let answer = try api.ask(address)
        let tag = try #require(answer.field("etag"))
        for value in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
            let again = try api.ask(address, headers: ["If-None-Match: \(value)"])
            #expect(again.status == 304 && again.body.isEmpty && again.field("etag") == tag)
        }
        #expect(try api.ask(address, headers: ["If-None-Match: \"other\""]).status == 200)
        let head = try api.ask(address, method: "HEAD")
        #expect(head.status == 200 && head.field("etag") == tag && head.body.isEmpty)
    }

    @Test(arguments: addresses) func wrongOnes(address: String) throws {
        let api = try Self.filled.get(), route = try #require(Self.route(of: address))
        let join = address.contains("?") ? "&" : "?"
        #expect(try api.ask(address, token: nil).status == 401)
        let unknown = try api.ask(address + join + "nonsense=1")
        #expect(unknown.status == 400 && unknown.code == "parameter_unknown")
        for method in ["POST", "PUT", "DELETE"] {
            let answer = try api.ask(address, method: method)
            #expect(answer.status == 405 && answer.field("allow") == "GET, HEAD")
        }
        #expect(try api.ask(address, headers: ["Accept: image/png"]).status == 406)
        let given = address.split(separator: "?").dropFirst().first?.split(separator: "&") ?? []
        for pair in given {
            let name = String(pair.split(separator: "=")[0])
            let twice = try api.ask(address + join + pair)
            #expect(twice.status == 400 && twice.code == "parameter_repeated" && twice.parameter == name)
            guard route.parameters.contains(.required(name)) else { continue }
            let rest = given.filter { $0 != pair }.joined(separator: "&")
            let missing = try api.ask("\(address.split(separator: "?")[0])?\(rest)")
            #expect(missing.status == 400 && missing.code == "parameter_missing" && missing.parameter == name)
        }
    }

    /// Each problem is as the document has it, too.
    @Test(
        arguments: [
            ("/api/v1/samples?type=steps&limit=0", "limit"), ("/api/v1/samples?type=steps&limit=10001", "limit"),
            ("/api/v1/samples?type=steps&limit=1e3", "limit"), ("/api/v1/samples?type=steps&limit=-1", "limit"),
            ("/api/v1/samples?type=steps&order=up", "order"), ("/api/v1/samples?type=steps&include=all", "include"),
            ("/api/v1/samples?type=steps&from=yesterday", "from"),
            ("/api/v1/samples?type=steps&from=2026-13-01", "from"),
            ("/api/v1/samples?type=steps&to=2026-10-01T00:00:00", "to"),
            ("/api/v1/samples?type=steps&from=2026-10-02&to=2026-10-01", "to"),
            ("/api/v1/samples?type=steps&cursor=AAAA", "cursor"), ("/api/v1/samples?type=steps&cursor=%20", "cursor"),
            ("/api/v1/samples?type=steps&source=", "source"), ("/api/v1/samples?type=steps&source=%40", "source"),
            ("/api/v1/samples?type=", "type"), ("/api/v1/samples?type=a%0Ab", "type"),
            ("/api/v1/samples?type=%FF", "type"),
            ("/api/v1/buckets?type=steps&from=2026-10-01&to=2026-10-02&by=decade", "by"),
            ("/api/v1/buckets?type=steps&from=2026-10-01&to=2026-10-02&merge=sum", "merge"),
            ("/api/v1/buckets?type=steps&from=2026-10-01&to=2026-10-02&sources=yes", "sources"),
            ("/api/v1/buckets?type=steps&from=2026-10-02&to=2026-10-01", "to"),
            ("/api/v1/sleep?from=2026-10-02&to=2026-10-01", "to"),
            ("/api/v1/activity?from=2026-10-02&to=2026-10-01", "to"),
            ("/api/v1/workouts?cursor=AAAA", "cursor"), ("/api/v1/workouts?limit=0", "limit"),
            ("/api/v1/samples?type=steps&device=", "device"), ("/api/v1/sources?type=", "type"),
            ("/api/v1/workouts/x?device=", "device"),
            ("/api/v1/latest?types=", "types"), ("/api/v1/latest?types=a,,b", "types"),
        ]) func wrongValues(address: String, parameter: String) throws
    {
        let answer = try Self.filled.get().ask(address)
        #expect(answer.status == 400 && answer.parameter == parameter, "\(answer.text)")
        let document = OpenAPIDocument.shared
        let path = try #require(Self.route(of: address)).path
        let schema = try #require(
            document.schema("GET", path, status: 400, mediaType: "application/problem+json"))
        #expect(document.faults(try #require(JSONValue(parsing: answer.text)), schema) == [])
    }

    @Test(
        arguments: [
            ("hour", "2025-01-01T00:00:00Z", "2026-02-21T16:00:00Z", true),
            ("hour", "2025-01-01T00:00:00Z", "2026-02-21T16:00:01Z", false),
            ("day", "1990-01-01", "2017-05-19", true), ("day", "1990-01-01", "2017-05-20", false),
            ("week", "2001-01-01", "2192-08-27", true), ("week", "2001-01-01", "2192-08-28", false),
            ("month", "2000-01-01", "2833-05-01", true), ("month", "2000-01-01", "2833-05-02", false),
            ("year", "0000-01-01", "9999-12-31", true), ("hour", "0000-01-01", "9999-12-31", false),
            ("hour", "2026-01-01", "2026-01-01", true),
        ]) func tenThousandBuckets(by: String, from: String, to: String, isGood: Bool) throws
    {
        let answer = try Self.filled.get().ask("/api/v1/buckets?type=steps&from=\(from)&to=\(to)&by=\(by)")
        #expect(answer.status == (isGood ? 200 : 400) && answer.code == (isGood ? nil : "too_many_buckets"))
    }

    // MARK: Samples

    /// The cursor of one answer leads through all rows; the field `Link` says the same address.
    @Test(arguments: ["asc", "desc"]) func pagesOverHTTP(order: String) throws {
        let api = try Self.filled.get()
        func keys(_ answer: ClientResponse) -> [String] {
            (JSONValue(parsing: answer.text)?["samples"]?.elements ?? []).compactMap { $0["uuid"]?.text }
        }
        let whole = try api.ask("/api/v1/samples?type=steps&order=\(order)")
        var address = "/api/v1/samples?type=steps&order=\(order)&limit=9", found: [String] = [], pages = 0
        while true {
            let answer = try api.ask(address)
            let csv = try api.ask(address, headers: ["Accept: text/csv"])
            #expect(parsedCSV(csv.text).dropFirst().map { $0[0] } == keys(answer))
            #expect(csv.field("link") == answer.field("link"))
            found += keys(answer)
            pages += 1
            guard let next = JSONValue(parsing: answer.text)?["next"]?.text else {
                #expect(answer.field("link") == nil)
                break
            }
            #expect(answer.field("link") == "<?cursor=\(next)&limit=9&order=\(order)&type=steps>; rel=\"next\"")
            address = "/api/v1/samples?cursor=\(next)&limit=9&order=\(order)&type=steps"
        }
        #expect(found == keys(whole) && found.count == 40 && pages == 5)
    }

    @Test func cursorsOfOtherQuestions() throws {
        let api = try Self.filled.get()
        let answer = try api.ask("/api/v1/samples?type=steps&limit=1")
        let cursor = try #require(JSONValue(parsing: answer.text)?["next"]?.text)
        for address in [
            "/api/v1/samples?type=heart_rate&cursor=\(cursor)", "/api/v1/samples?type=never&cursor=\(cursor)",
            "/api/v1/samples?type=steps&device=other&cursor=\(cursor)",
            "/api/v1/samples?type=steps&cursor=\(cursor)&person=kim", "/api/v1/workouts?cursor=\(cursor)",
            "/api/v1/samples?type=steps&cursor=\(cursor.dropLast())",
        ] {
            let answer = try api.ask(address, token: address.contains("kim") ? "all" : "reader")
            #expect(answer.status == 400 && answer.parameter == "cursor")
        }
    }

    /// A day is the person's: hers begins at 22:00 UTC.
    @Test func daysAreThePersons() throws {
        let api = try TestAPI(persons: ["kim"])
        let samples = ["2026-10-13T21:59:59Z", "2026-10-13T22:00:00Z"].enumerated().map {
            #"{"uuid":"k\#($0.offset)","type":"steps","value":1,"start":"\#($0.element)"}"#
        }
        #expect(try api.server.post(api.server.delivery(TestServer.body(samples), path: "/hook/of-kim")).status == 204)
        for (from, count) in [
            ("2026-10-14", 1), ("2026-10-13", 2), ("2026-10-13T22:00:00Z", 1), ("2026-10-14T00:00:00+02:00", 1),
        ] {
            let answer = try api.ask(
                "/api/v1/samples?type=steps&from=\(from)", token: "other", headers: ["Accept: text/csv"])
            #expect(parsedCSV(answer.text).count == count + 1)
        }
    }

    // MARK: What a token is not for

    @Test func typesOfTheToken() throws {
        let tokens = [
            TestAPI.token("steps", types: ["steps"]), TestAPI.token("runs", types: ["workout"]),
            TestAPI.token("paths", types: ["workout", "workout_route"]), TestAPI.token("all"),
        ]
        let api = try TestAPI(tokens: tokens)
        #expect(try api.server.post(api.server.delivery(TestServer.body(Self.samples))).status == 204)
        for (address, parameter) in [
            ("/api/v1/samples?type=heart_rate", "type"),
            ("/api/v1/buckets?type=heart_rate&from=2026-10-12&to=2026-10-13", "type"),
            ("/api/v1/sources?type=heart_rate", "type"), ("/api/v1/latest?types=steps,heart_rate", "types"),
            ("/api/v1/sleep?from=2026-10-12&to=2026-10-13", nil),
            ("/api/v1/activity?from=2026-10-12&to=2026-10-13", nil),
            ("/api/v1/workouts", nil), ("/api/v1/workouts/\(Self.uuid)", nil),
            ("/api/v1/workouts/\(Self.uuid).gpx", nil),
            ("/api/v1/workouts/\(Self.uuid).geojson", nil), ("/api/v1/changes?types=heart_rate", "types"),
        ] as [(String, String?)] {
            let answer = try api.ask(address, token: "steps")
            #expect(
                answer.status == 403 && answer.code == "type_forbidden" && answer.parameter == parameter, "\(address)")
        }
        for address in ["/api/v1/types", "/api/v1/latest"] {
            let text = try api.ask(address, token: "steps").text
            #expect(text.contains("\"steps\"") && !text.contains("heart_rate") && !text.contains("workout"))
        }
        #expect(try api.ask("/api/v1/sources", token: "steps").parameter == "type")
        #expect(try api.ask("/api/v1/sources?type=steps", token: "steps").status == 200)

        let whole = try api.ask("/api/v1/workouts/\(Self.uuid)", token: "all").text
        #expect(whole.contains("\"has_route\":true") && whole.contains("\"points\":[[") && whole.contains("\"km\":[{"))
        let path = try api.ask("/api/v1/workouts/\(Self.uuid)", token: "paths").text
        #expect(
            path.contains("\"heart_rate\":null,\"route\":[[") && path.contains("\"km\":[{")
                && !path.contains("\"heart_rate\":1"))
        let run = try api.ask("/api/v1/workouts/\(Self.uuid)", token: "runs").text
        #expect(run.contains("\"has_route\":false,\"heart_rate\":null,\"route\":[],\"splits\":{\"km\":[],\"mile\":[]}"))
        #expect(try !api.ask("/api/v1/workouts", token: "runs").text.contains("\"has_route\":true"))
        // A workout's own object tells of other types, in its statistics.
        #expect(whole.contains("\"body\":{\"") && run.contains("\"body\":{}"))
        let object = "/api/v1/samples?type=workout&include=body"
        #expect(try api.ask(object, token: "all").text.contains("\"body\":{"))
        #expect(try !api.ask(object, token: "paths").text.contains("\"body\""))
        #expect(try api.ask("/api/v1/workouts/\(Self.uuid).gpx", token: "runs").status == 403)
        #expect(try api.ask("/api/v1/workouts/\(Self.uuid).gpx", token: "paths").status == 200)
    }

    // MARK: Nothing there

    /// Nothing was ever stored: lists are empty, and nothing is missing but what an address names.
    @Test func anEmptyStore() throws {
        let api = try TestAPI()
        for address in Self.addresses {
            let answer = try api.ask(address), path = address.split(separator: "?")[0]
            let isOne = path.hasPrefix("/api/v1/workouts/")
            #expect(answer.status == (isOne ? 404 : 200), "\(address)")
        }
    }

    @Test func whatIsNotThere() throws {
        let api = try Self.filled.get()
        for address in [
            "/api/v1/workouts/0B6F0000-0000-4000-8000-00000000FFFF", "/api/v1/workouts/nothing",
            "/api/v1/workouts/.gpx",
            "/api/v1/workouts/\(Self.uuid)?device=other", "/api/v1/workouts/0B6F0000-0000-4000-8000-000000000002.gpx",
            "/api/v1/workouts/0B6F0000-0000-4000-8000-000000000002.geojson", "/api/v1/nothing", "/api/v1/",
            "/api/v1/types/",
        ] {
            let answer = try api.ask(address)
            #expect(answer.status == 404 && answer.code == "not_found", "\(address)")
        }
        let lower = try api.ask("/api/v1/workouts/\(Self.uuid.lowercased())")
        #expect(lower.status == 200 && lower.text.contains(Self.uuid))
    }

    @Test func theDocumentIsServedToAnyone() throws {
        let answer = try Self.filled.get().ask("/openapi.json", token: nil)
        #expect(answer.status == 200 && answer.text == OpenAPIText.document)
    }
}
