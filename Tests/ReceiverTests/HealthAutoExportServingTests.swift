import Foundation
import Glibc
import Receiver
import Samples
import Signing
import Storage
import TestSupport
import Testing
import Transport

/// What real senders of the Health Auto Export shape send, at an endpoint made for them.
struct HealthAutoExportServingTests {
    static let point = #"{"date":"2026-10-14 09:01:00 +0200","qty":412,"source":"Phone"}"#
    static func body(_ points: String = point) -> String {
        #"{"data":{"metrics":[{"name":"step_count","units":"count","data":[\#(points)]}]}}"#
    }

    private static let bearer = "Authorization: Bearer \(TestServer.token)"

    static func request(
        _ body: [UInt8], path: String = "/hook/phone", type: String? = "application/json",
        headers: [String] = [bearer], framing: String? = nil
    ) -> [UInt8] {
        var head = ["POST \(path) HTTP/1.1", "Host: receiver.local", "User-Agent: Health%20Auto%20Export/1"]
        if let type { head.append("Content-Type: \(type)") }
        head += headers
        head.append(framing ?? "Content-Length: \(body.count)")
        return Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
    }

    static func request(_ body: String, type: String? = "application/json", headers: [String] = [bearer]) -> [UInt8] {
        request(Array(body.utf8), type: type, headers: headers)
    }

    private func server(
        _ scheme: AuthScheme = .bearer, isSigned: Bool = false, limits: Limits = Limits()
    ) throws -> TestServer {
        try TestServer(limits: limits, scheme: scheme, isSigned: isSigned, format: .hae)
    }

    private func deliveries(_ server: TestServer, _ columns: String) throws -> [[String: SQLValue]] {
        try StoreReader(directory: server.folder.path).rows("SELECT \(columns) FROM deliveries ORDER BY id")
    }

    // MARK: Answers (section 2.3)

    @Test func storedIs200WithCounts() throws {
        let server = try server()
        let answer = try server.post(Self.request(Self.body()))
        #expect(answer.status == 200 && answer.field("content-type") == "application/json")
        let text = String(decoding: answer.body, as: UTF8.self)
        let json = try #require(try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
        #expect((json["metrics"] as? [String: Any])?["success"] as? Bool == true)
        #expect((json["workouts"] as? [String: Any])?["message"] as? String != nil)
        #expect(text.hasSuffix(#","stored":1,"changed":0,"repeated":0,"skipped":0}"# + "\n"))
        #expect(try server.storedCount() == 1)
        let again = try server.post(Self.request(Self.body()))
        #expect(String(decoding: again.body, as: UTF8.self).contains(#""stored":0,"changed":0,"repeated":1"#))
        let rows = try deliveries(server, "dialect, status, delivery AS id")
        #expect(rows.count == 2 && rows[0]["status"] == .integer(200) && rows[0]["id"] == .null)
    }

    @Test func anEmptyBodyInThisShapeIs200() throws {
        let server = try server()
        let answer = try server.post(Self.request(#"{"data":{"metrics":[],"workouts":[]}}"#))
        #expect(answer.status == 200)
        #expect(try server.storedCount() == 0)
        #expect(try server.post(Self.request("{}", headers: [Self.bearer, "automation-name: Nightly"])).status == 200)
    }

    @Test func skippedPointsDontFailTheRest() throws {
        let server = try server()
        let answer = try server.post(Self.request(Self.body(#"{"date":"nonsense","qty":1},\#(Self.point)"#)))
        #expect(answer.status == 200)
        #expect(
            String(decoding: answer.body, as: UTF8.self).contains(#""stored":1,"changed":0,"repeated":0,"#))
    }

    @Test(arguments: [
        ("[]", "envelope_invalid"), ("{\"data\":{\"metrics\":[", "json_invalid"), (#"{"data":7}"#, "envelope_invalid"),
        ("{", "json_invalid"),
    ])
    func notJSONOrNoUsableObjectIs400(body: String, code: String) throws {
        let server = try server()
        let answer = try server.post(Self.request(body))
        #expect(answer.status == 400 && answer.errorCode == code)
        #expect(try deliveries(server, "code").first?["code"] == .text(code), "a refusal leaves its row")
    }

    @Test func noBytesAtAllAre400WithASentence() throws {
        let server = try server()
        for request in [Self.request(""), Self.request("", type: nil), Self.request(gzipped(""), headers: gzipHeaders)]
        {
            let answer = try server.post(request)
            #expect(answer.status == 400 && answer.errorCode == "body_empty")
        }
    }

    @Test func wrongMethodAndPathAreToldInASentence() throws {
        let server = try server()
        let get = try server.exchange("PUT /hook/phone HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(get.status == 405 && get.errorCode == "method_not_allowed")
        for path in ["/", "/hook/phone/", "/hook", "/api/data"] {
            #expect(try server.post(Self.request(Array(Self.body().utf8), path: path)).status == 404)
        }
    }

    // MARK: Credentials

    @Test func theTokenMayComeInAnyUsualField() throws {
        let schemes: [AuthScheme] = [.bearer, .header(name: "x-token"), .basic(user: "me")]
        for scheme in schemes {
            let server = try server(scheme)
            for field in ["api-key", "API-Key", "x-api-key", "X-API-KEY", "Authorization: Bearer"] {
                let header = field.contains(":") ? "\(field) \(TestServer.token)" : "\(field): \(TestServer.token)"
                #expect(try server.post(Self.request(Self.body(), headers: [header])).status == 200, "\(header)")
                let wrong = header.dropLast() + "x"
                let answer = try server.post(Self.request(Self.body(), headers: [String(wrong)]))
                #expect(answer.status == 401 && answer.errorCode == "unauthorized")
            }
            #expect(try server.post(Self.request(Self.body(), headers: [])).status == 401)
            let twice = ["api-key: \(TestServer.token)", "api-key: \(TestServer.token)"]
            #expect(
                try server.post(Self.request(Self.body(), headers: twice)).status == 401, "a field once, or not at all")
            #expect(try server.post(Self.request(Self.body(), headers: ["api-key: x", Self.bearer])).status == 200)
        }
        let custom = try server(.header(name: "x-token"))
        #expect(try custom.post(Self.request(Self.body(), headers: ["X-Token: \(TestServer.token)"])).status == 200)
        let basic = try server(.basic(user: "me"))
        let pair = Data("me:\(TestServer.token)".utf8).base64EncodedString()
        #expect(try basic.post(Self.request(Self.body(), headers: ["Authorization: Basic \(pair)"])).status == 200)
        #expect(try server(.none).post(Self.request(Self.body(), headers: [])).status == 200)
    }

    @Test func otherEndpointsLookWhereTheirSchemeSays() throws {
        let server = try TestServer(isSigned: false)
        let headers = ["api-key: \(TestServer.token)", "X-Syncky-Format: native", "X-Syncky-Delivery: d-1"]
        #expect(try server.post(Self.request(TestServer.body(), headers: headers)).status == 401)
        let answer = try server.post(Self.request(Self.body()))
        #expect(answer.status == 400 && answer.errorCode == "format_missing")
    }

    @Test func withoutASignatureTheAnswerSaysThatTheAppCantSign() throws {
        let server = try server(isSigned: true)
        let answer = try server.post(Self.request(Self.body()))
        #expect(answer.status == 401 && answer.errorCode == "signature")
        #expect(String(decoding: answer.body, as: UTF8.self).contains("--format hae --no-sign"))
    }

    // MARK: Syncky at the same endpoint

    @Test func synckySignsAndGets204() throws {
        let server = try server(isSigned: true)
        let body = Array(Self.body().utf8)
        let time = server.clock.wallSeconds
        let signature = requestSignature(secret: Secret(text: TestServer.secret), timestamp: "\(time)", body: body)
        let headers = [
            Self.bearer, "X-Syncky-Format: hae", "X-Syncky-Delivery: d-1", "X-Syncky-Timestamp: \(time)",
            "X-Syncky-Signature: \(signature)", "automation-period: Since Last Sync",
        ]
        let answer = try server.post(Self.request(body, headers: headers))
        #expect(answer.status == 204 && answer.body.isEmpty)
        #expect(try server.storedCount() == 1)
    }

    // MARK: Media types and wrappings (section 2.1)

    @Test func mediaTypes() throws {
        let server = try server()
        for type in [
            "application/json", "Application/JSON; charset=utf-8", "text/json", "text/plain; charset=utf-8", nil,
        ] {
            #expect(try server.post(Self.request("\n " + Self.body(), type: type)).status == 200, "\(type ?? "none")")
        }
        for (type, body) in [
            ("text/plain", "a,b\r\n1,2"), (nil, "[1]"), ("text/csv", Self.body()),
            ("application/octet-stream", Self.body()),
            ("multipart/mixed; boundary=a", Self.body()),
        ] as [(String?, String)] {
            let answer = try server.post(Self.request(body, type: type))
            #expect(answer.status == 415 && answer.errorCode == "media_unsupported", "\(type ?? "none")")
            #expect(String(decoding: answer.body, as: UTF8.self).contains("set the automation's format to JSON"))
        }
    }

    private func form(_ parts: [String]) -> [UInt8] {
        Array((parts.map { "--XX\r\nContent-Disposition: form-data\r\n\r\n\($0)\r\n" }.joined() + "--XX--\r\n").utf8)
    }

    @Test func aFormWithOnePartOfJSON() throws {
        let server = try server()
        let type = "multipart/form-data; boundary=XX"
        #expect(try server.post(Self.request(form([Self.body()]), type: type)).status == 200)
        #expect(try server.post(Self.request(form(["name", " " + Self.body(), "[]"]), type: type)).status == 200)
        #expect(try server.storedCount() == 1)
        for parts in [[Self.body(), Self.body()], ["a,b"], []] {
            #expect(try server.post(Self.request(form(parts), type: type)).errorCode == "media_unsupported")
        }
        for (body, type) in [(Array("no form".utf8), type), (form([Self.body()]), "multipart/form-data")] {
            let answer = try server.post(Self.request(body, type: type))
            #expect(answer.status == 400 && answer.errorCode == "multipart_invalid")
        }
    }

    private func gzipped(_ text: String) -> [UInt8] { gzip(Array(text.utf8)) }
    private var gzipHeaders: [String] { [Self.bearer, "Content-Encoding: gzip"] }

    @Test func compressedBodies() throws {
        let server = try server()
        #expect(try server.post(Self.request(gzipped(Self.body()), headers: gzipHeaders)).status == 200)
        #expect(try server.storedCount() == 1)
        let body = gzipped(Self.body())
        for (bytes, status) in [(Array(body.dropLast()), 400), (body + [0], 400), (Array(Self.body().utf8), 400)] {
            let answer = try server.post(Self.request(bytes, headers: gzipHeaders))
            #expect(answer.status == status && answer.errorCode == "encoding_invalid")
        }
        for coding in ["deflate", "br", "gzip, gzip"] {
            let answer = try server.post(Self.request(body, headers: [Self.bearer, "Content-Encoding: \(coding)"]))
            #expect(answer.status == 415 && answer.errorCode == "encoding_unsupported")
        }
        let twice = gzipHeaders + ["Content-Encoding: gzip"]
        #expect(try server.post(Self.request(body, headers: twice)).status == 415)
        let form = gzip(form([Self.body()]))
        #expect(
            try server.post(Self.request(form, type: "multipart/form-data; boundary=XX", headers: gzipHeaders)).status
                == 200)
        let native = try TestServer()
        #expect(
            try native.post(native.delivery(headers: ["Content-Encoding: gzip"])).errorCode == "encoding_unsupported")
    }

    @Test func aBombIs413AndLeavesNothing() throws {
        var limits = Limits()
        limits.maximumLargeBodyBytes = 4_000_000
        limits.spoolPastBytes = 65_536
        let server = try server(limits: limits)
        let fits = Self.body() + String(repeating: " ", count: 4_000_000 - Self.body().utf8.count)
        #expect(try server.post(Self.request(gzipped(fits), headers: gzipHeaders)).status == 200)
        let answer = try server.post(Self.request(gzipped(fits + " "), headers: gzipHeaders))
        #expect(answer.status == 413 && answer.errorCode == "body_too_large")
        #expect(server.eventually { server.server.spooledBodies == 0 && server.server.bodyMemoryBytes == 0 })
    }

    @Test func nothingOfTheHeadersOrTheBodyIsLogged() throws {
        let server = try server()
        let headers = [Self.bearer, "automation-name: Anna's phone", "automation-id: 0F1E", "session-id: s-77"]
        #expect(try server.post(Self.request(Self.body(), headers: headers)).status == 200)
        #expect(server.eventually { server.logText.contains("status=200") })
        for word in ["Anna", "0F1E", "s-77", "412", TestServer.token] {
            #expect(!server.logText.contains(word), "\(word)")
        }
    }
}
