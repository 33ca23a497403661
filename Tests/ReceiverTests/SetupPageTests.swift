import Foundation
import Samples
import Signing
import TestSupport
import Testing

@testable import Receiver

/// What a person sees who opens an endpoint in a browser.
struct SetupPageTests {
    private func get(
        _ format: Dialect, _ scheme: AuthScheme = .bearer, isSigned: Bool = false, method: String = "GET",
        host: String = "receiver.local:8787"
    ) throws -> ClientResponse {
        try TestServer(scheme: scheme, isSigned: isSigned, format: format).exchange(
            "\(method) /hook/phone HTTP/1.1\r\nHost: \(host)\r\n\r\n")
    }

    private func text(_ answer: ClientResponse) -> String { String(decoding: answer.body, as: UTF8.self) }

    @Test("It is one HTML page that loads and runs nothing", arguments: [Dialect.hae, .relay, .steps])
    func page(format: Dialect) throws {
        let answer = try get(format), page = text(answer)
        #expect(answer.status == 200 && answer.field("content-type") == "text/html; charset=utf-8")
        #expect(answer.field("x-content-type-options") == "nosniff" && answer.field("referrer-policy") == "no-referrer")
        #expect(answer.field("cache-control") == "no-store")
        let policy = try #require(answer.field("content-security-policy"))
        let nonce = try #require(policy.firstMatch(of: /style-src 'nonce-([A-Za-z0-9_-]{43})'/)?.1)
        #expect(policy.hasPrefix("default-src 'none'; ") && policy.contains("frame-ancestors 'none'"))
        #expect(page.contains("<style nonce=\"\(nonce)\">"))
        #expect(try text(get(format)).contains(nonce) == false, "each answer has its own")
        for loaded in ["<script", "src=", "href=", "url(", "@import", "<form", "style=", "onclick"] {
            #expect(!page.contains(loaded), "\(loaded)")
        }
        #expect(page.contains("prefers-color-scheme:dark") && page.contains("name=\"viewport\""))
    }

    @Test("It is well-formed", arguments: [Dialect.hae, .relay, .steps], [true, false])
    func wellFormed(format: Dialect, isSigned: Bool) throws {
        let page = try text(get(format, isSigned: isSigned))
        #expect(page.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">\n"))
        // Every element but `meta` is closed, in order.
        var open: [Substring] = []
        for tag in page.matches(of: /<(\/?)([a-z0-9]+)[^<>]*>/) where tag.2 != "meta" {
            if tag.1.isEmpty { open.append(tag.2) } else { #expect(open.popLast() == tag.2) }
        }
        #expect(open.isEmpty)
        for name in ["main", "h1", "title", "style"] { #expect(page.matches(of: try Regex("<\(name)[ >]")).count == 1) }
    }

    @Test("It says what to set, and nothing that is a secret")
    func settings() throws {
        let cases: [(AuthScheme, Dialect, String)] = [
            (.bearer, .hae, "Authorization: Bearer <var>token</var>"),
            (.bearer, .steps, "Authorization: Bearer <var>token</var>"),
            (.basic(user: "me"), .hae, "api-key: <var>password</var>"),
            (.basic(user: "me"), .relay, "Authorization: Basic <var>code</var>"),
            (.header(name: "x-k'ey"), .relay, "x-k&#39;ey: <var>value</var>"),
        ]
        for (scheme, format, header) in cases {
            let page = try text(get(format, scheme))
            #expect(page.contains("<code>receiver.local:8787/hook/phone</code>"))
            #expect(page.contains(header) && page.contains("server link phone"))
            #expect(!page.contains(TestServer.token) && !page.contains(TestServer.secret) && !page.contains("Phone<"))
        }
        let open = try text(get(.relay, AuthScheme.none))
        #expect(!open.contains("<var>") && open.contains("asks for no token"))
        #expect(try text(get(.steps)).contains("/v1/trainee/health/days"))
        #expect(try text(get(.hae)).contains("Metrics JSON v2"))
    }

    @Test("A Host that is no name of a machine is not on the page")
    func hostileHost() {
        let endpoint = TestServer.endpoint(isSigned: false, format: .hae)
        for host in [
            "<script>alert(1)</script>", "a\"b", "a b", "a&amp;b", "", "é", String(repeating: "a", count: 256), "a%3Cb",
            "a;b",
        ] {
            let page = SetupPage.html(endpoint, host: Array(host.utf8), nonce: "n")
            #expect(page.contains("<code>/hook/phone</code> on this server"), "\(host)")
            #expect(!page.contains("<script"))
        }
        for host in ["192.168.1.20:8787", "[fd00::1]:8787", "health.example.org", "my_server"] {
            #expect(
                SetupPage.html(endpoint, host: Array(host.utf8), nonce: "n").contains("<code>\(host)/hook/phone</code>")
            )
        }
    }

    @Test("Whatever stands in text or an attribute is escaped")
    func escapes() {
        #expect(
            SetupPage.escaped("<a href=\"x\" b='y'>&</a>")
                == "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;&lt;/a&gt;")
    }

    @Test("HEAD has the head alone")
    func head() throws {
        let server = try TestServer(isSigned: false, format: .steps)
        let client = try server.connect()
        try client.send(Array("HEAD /hook/phone HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
        let answer = try client.receive(isHead: true)
        #expect(
            answer.status == 200 && answer.body.isEmpty && answer.field("content-type") == "text/html; charset=utf-8")
    }

    @Test("An endpoint of Syncky's has no page, and neither has a path below one")
    func others() throws {
        for format in [Dialect.native, .csv, .influx] {
            let answer = try get(format)
            #expect(answer.status == 405 && answer.errorCode == "method_not_allowed")
        }
        let server = try TestServer(isSigned: false, format: .hae)
        #expect(try server.exchange("GET /hook/phone/ HTTP/1.1\r\nHost: a\r\n\r\n").status == 404)
        #expect(try server.exchange("GET /hook/other HTTP/1.1\r\nHost: a\r\n\r\n").status == 404)
        let syncky = try server.exchange("GET /hook/phone HTTP/1.1\r\nHost: a\r\nX-Syncky-Format: hae\r\n\r\n")
        #expect(syncky.status == 405, "Syncky never asks for it")
    }

    @Test("An endpoint that asks for signatures says what other apps need")
    func signed() throws {
        let page = try text(get(.relay, isSigned: true))
        #expect(page.contains("server add NAME --format relay --no-sign") && !page.contains("<dl>"))
    }
}
