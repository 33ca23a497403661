import Receiver
import Testing
import Transport

/// How a browser signs in, and what another site can't make it do.
struct APISessionTests {
    private let api: TestAPI
    init() throws { api = try TestAPI() }

    private func form(_ body: String) throws -> ClientResponse {
        try api.ask(
            "/session", method: "POST", token: nil, headers: ["Content-Type: application/x-www-form-urlencoded"],
            body: body)
    }

    @Test func strangersAtTheDoorLeaveNoLineEach() throws {
        let api = try TestAPI()
        for _ in 0..<20 {
            _ = try api.post(#"{"token":"sat_no"}"#, to: "/session", token: nil)
            _ = try api.post("{", to: "/session", token: nil)
            _ = try api.ask("/session", method: "DELETE", token: nil)
        }
        _ = try api.signIn()
        api.server.stop()
        let lines = api.server.logText.split(separator: "\n").filter { $0.contains("route=/session") }
        #expect(lines.count == 1 && lines[0].contains("status=204"), "\(lines)")
    }

    @Test func aTokenSignsABrowserIn() throws {
        let answer = try api.post(#"{"token":"\#(TestAPI.secret("writer"))"}"#, to: "/session", token: nil)
        #expect(answer.status == 204 && answer.body.isEmpty)
        let cookie = try #require(answer.field("set-cookie"))
        #expect(cookie.hasPrefix("syncky_session=writer.1794553500."))
        #expect(cookie.hasSuffix("; HttpOnly; SameSite=Strict; Path=/; Max-Age=2592000"))
        #expect(!cookie.contains(TestAPI.secret("writer")))
        #expect(try form("token=\(TestAPI.secret("writer"))").field("set-cookie") == cookie)
        let value = String(cookie.prefix { $0 != ";" })
        for field in ["Cookie: \(value)", "Cookie: a=b; \(value)", "cookie: a=b;\(value);c=d"] {
            let told = try api.ask("/session", token: nil, headers: [field])
            #expect(told.status == 200 && told.text.contains(#""name": "writer""#))
        }
    }

    @Test func aSessionEndsWithItsTokenAtTheLatest() throws {
        let answer = try api.post(#"{"token":"\#(TestAPI.secret("soon"))"}"#, to: "/session", token: nil)
        #expect(answer.field("set-cookie")?.hasSuffix("Max-Age=100") == true)
        let cookie = try api.signIn("soon"), long = try api.signIn("reader")
        api.server.clock.advance(seconds: 100)
        #expect(try api.ask("/session", token: nil, headers: ["Cookie: \(cookie)"]).status == 401)
        #expect(try api.ask("/session", token: nil, headers: ["Cookie: \(long)"]).status == 200)
        api.server.clock.advance(seconds: 30 * 86_400)
        #expect(try api.ask("/session", token: nil, headers: ["Cookie: \(long)"]).status == 401)
    }

    @Test func aChangedCookieIsNone() throws {
        let cookie = try api.signIn("reader")
        let bytes = Array(cookie.utf8)
        for index in "syncky_session=".utf8.count..<bytes.count {
            for other in [UInt8(ascii: "A"), UInt8(ascii: "9"), UInt8(ascii: ".")] where bytes[index] != other {
                var changed = bytes
                changed[index] = other
                let text = String(decoding: changed, as: UTF8.self)
                #expect(try api.ask("/session", token: nil, headers: ["Cookie: \(text)"]).status == 401, "\(index)")
            }
        }
        let parts = cookie.split(separator: ".")
        for text in [
            "syncky_session=", "syncky_session=..", "syncky_session=reader", "syncky_session=reader.1.",
            "syncky_session=writer.\(parts[1]).\(parts[2])", "syncky_session=reader.99999999999999999999.\(parts[2])",
            "\(cookie).", "\(cookie)=", "syncky_session=\"\(cookie.dropFirst(15))\"", "x\(cookie)",
            "syncky_session=reader.-1.\(parts[2])", "syncky_session=reader.0\(parts[1]).\(parts[2])=",
        ] {
            #expect(try api.ask("/session", token: nil, headers: ["Cookie: \(text)"]).status == 401, "\(text)")
        }
        // Another program on this machine may have set one of that name as well.
        let two = try api.ask("/session", token: nil, headers: ["Cookie: syncky_session=x; \(cookie)"])
        #expect(two.status == 200)
        // Of many nobody looks at all, and a wrong token is wrong beside a right cookie.
        let many = String(repeating: "syncky_session=x; ", count: 50)
        #expect(try api.ask("/session", token: nil, headers: ["Cookie: \(many)\(cookie)"]).status == 401)
        #expect(try api.ask("/session", token: "wrong", headers: ["Cookie: \(cookie)"]).status == 401)
    }

    @Test func aSessionIsTakenBack() throws {
        let answer = try api.ask("/session", method: "DELETE", token: nil)
        #expect(answer.status == 204)
        #expect(
            answer.field("set-cookie") == "syncky_session=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0")
    }

    @Test func whatSignsNobodyIn() throws {
        let cases: [(type: String?, body: String, status: Int)] = [
            ("application/json", #"{"token":"sat_wrong"}"#, 401), ("application/json", #"{"token":""}"#, 401),
            ("application/json", #"{"token":1}"#, 400), ("application/json", #"{"token":null}"#, 400),
            ("application/json", "{}", 400), ("application/json", "[]", 400), ("application/json", "", 400),
            ("application/json", #"{"token":"a","token":"a"}"#, 400),
            ("application/json", #"{"token":"a","more":1}"#, 400), ("application/json", "{\"token\":\"\u{1}\"}", 400),
            ("application/x-www-form-urlencoded", "token=sat_wrong", 401),
            ("application/x-www-form-urlencoded", "", 400), ("application/x-www-form-urlencoded", "token=%zz", 400),
            ("application/x-www-form-urlencoded", "token=a&token=a", 400),
            ("application/x-www-form-urlencoded", "tokens=a", 400), ("text/plain", #"{"token":"a"}"#, 415),
            (nil, #"{"token":"a"}"#, 415), ("multipart/form-data; boundary=a", "--a--", 415),
        ]
        for (type, body, status) in cases {
            api.server.clock.advance(seconds: 60)
            let answer = try api.ask(
                "/session", method: "POST", token: nil, headers: type.map { ["Content-Type: \($0)"] } ?? [], body: body)
            #expect(answer.status == status && answer.field("set-cookie") == nil, "\(type ?? "-") \(body)")
        }
    }

    /// Browsers send Sec-Fetch-Site over TLS and to loopback; then it decides, since a form of our page has Origin null.
    static let origins: [(headers: [String], withCookie: Int, signIn: Int)] = [
        (["Sec-Fetch-Site: same-origin"], 201, 204), (["Sec-Fetch-Site: same-origin", "Origin: null"], 201, 204),
        (["Sec-Fetch-Site: same-site", "Origin: http://api.local:8788"], 403, 403),
        (["Sec-Fetch-Site: cross-site"], 403, 403), (["Sec-Fetch-Site: none"], 403, 403),
        (["Sec-Fetch-Site: Same-Origin"], 403, 403),
        (["Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: same-origin"], 403, 403),
        (["Origin: http://api.local:8788"], 201, 204), (["Origin: HTTP://API.local:8788"], 201, 204),
        (["Origin: https://api.local:8788"], 403, 403), (["Origin: http://api.local"], 403, 403),
        (["Origin: http://api.local:8788.evil.example"], 403, 403), (["Origin: http://evil.example"], 403, 403),
        (["Origin: null"], 403, 403), (["Origin:"], 403, 403),
        (["Origin: http://api.local:8788", "Origin: http://api.local:8788"], 403, 403),
        (["Referer: http://api.local:8788/"], 403, 204), ([], 403, 204),
    ]

    @Test(arguments: origins.indices) func changesWithACookieComeFromOurOwnPage(index: Int) throws {
        let (headers, withCookie, signIn) = Self.origins[index]
        let cookie = try api.signIn()
        let wish = #"{"type":"body_mass","value":72.5,"unit":"kg"}"#
        let answer = try api.post(wish, token: nil, headers: headers + ["Cookie: \(cookie)"])
        #expect(answer.status == withCookie, "\(headers)")
        if withCookie == 403 { #expect(answer.code == "cross_origin") }
        let removal = try api.ask(
            "/api/v1/commands/c_1", method: "DELETE", token: nil, headers: headers + ["Cookie: \(cookie)"])
        #expect(removal.status == (withCookie == 403 ? 403 : 204))
        // Nobody else's page signs our user in, or out.
        let token = #"{"token":"\#(TestAPI.secret("reader"))"}"#
        #expect(try api.post(token, to: "/session", token: nil, headers: headers).status == signIn)
        #expect(try api.ask("/session", method: "DELETE", token: nil, headers: headers).status == signIn)
        // A token that a program sends is no browser's own doing; reading changes nothing.
        #expect(try api.post(wish, headers: headers).status == 201)
        #expect(try api.ask("/session", token: nil, headers: headers + ["Cookie: \(cookie)"]).status == 200)
    }

    @Test func behindAProxyWithTLSTheCookieIsSecure() throws {
        let api = try TestAPI(trustedProxies: [try #require(AddressRange("127.0.0.1"))])
        let body = #"{"token":"\#(TestAPI.secret("reader"))"}"#
        let proxied = ["X-Forwarded-Proto: https", "X-Forwarded-For: 10.0.0.7"]
        let answer = try api.post(
            body, to: "/session", token: nil, headers: proxied + ["Origin: https://api.local:8788"])
        #expect(answer.status == 204 && answer.field("set-cookie")?.hasSuffix("; Secure") == true)
        let plain = try api.post(body, to: "/session", token: nil, headers: proxied + ["Origin: http://api.local:8788"])
        #expect(plain.status == 403)
        // Anyone else's word on it isn't believed.
        let other = try self.api.post(body, to: "/session", token: nil, headers: proxied)
        #expect(other.field("set-cookie")?.hasSuffix("; Secure") == false)
    }
}
