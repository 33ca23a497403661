import Samples
import Signing
import Wire

/// What a person sees who opens an endpoint in a browser: which app it is for and what to set there.
///
/// It stands on its own, without a script, and holds no secret and nothing that was stored: anyone may open it. Whatever
/// comes from outside of this file is escaped.
enum SetupPage {
    static let style = """
        :root{color-scheme:light dark;--paper:#fbfaf8;--ink:#1d1c1a;--soft:#6a6660;--line:#e3dfd8;--card:#fff;--mark:#b3261e}
        @media(prefers-color-scheme:dark){:root{--paper:#171615;--ink:#f0ede8;--soft:#a8a29a;--line:#37342f;--card:#201f1d;\
        --mark:#f2857d}}
        *{box-sizing:border-box}
        body{margin:0;background:var(--paper);color:var(--ink);font:1.0625rem/1.55 system-ui,sans-serif}
        main{max-width:38rem;margin:0 auto;padding:3rem 1.25rem 4rem}
        p{margin:0 0 1rem}
        .eyebrow{margin:0 0 .5rem;color:var(--mark);font-size:.8125rem;font-weight:600;letter-spacing:.06em;text-transform:uppercase}
        h1{margin:0 0 1rem;font-size:1.875rem;line-height:1.2;letter-spacing:-.01em}
        dl{margin:1.5rem 0;border:1px solid var(--line);border-radius:.75rem;background:var(--card);overflow:hidden}
        dl div{padding:.875rem 1.125rem}
        dl div+div{border-top:1px solid var(--line)}
        dt{color:var(--soft);font-size:.8125rem}
        dd{margin:.125rem 0 0}
        code{font:.9375rem/1.5 ui-monospace,monospace;overflow-wrap:anywhere}
        var{font-style:italic;color:var(--mark)}
        ul{margin:0 0 1rem;padding-left:1.25rem}
        li{margin:0 0 .375rem}
        footer{margin-top:2.5rem;padding-top:1rem;border-top:1px solid var(--line);color:var(--soft);font-size:.875rem}
        """

    static func response(to query: SenderQuery) -> Response {
        let nonce = SystemRandom.token()
        return Response(
            status: 200,
            fields: [
                ("Content-Type", "text/html; charset=utf-8"),
                // Loads, runs and sends nothing; this one style alone counts. Source: CSP Level 3.
                (
                    "Content-Security-Policy",
                    "default-src 'none'; style-src 'nonce-\(nonce)'; base-uri 'none'; form-action 'none'; "
                        + "frame-ancestors 'none'"
                ), ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
                ("Cache-Control", "no-store"),
            ], body: Array(html(query.endpoint, host: query.host, nonce: nonce).utf8))
    }

    /// - Parameters:
    ///   - host: the Host field, as it came.
    ///   - nonce: letters and digits that nobody can foresee.
    static func html(_ endpoint: Endpoint, host: [UInt8], nonce: String) -> String {
        let name = endpoint.name
        guard let guide = SetupGuide.of(endpoint) else {
            return page(
                title: "This address takes signed requests", nonce,
                """
                <p>It is paired with Syncky on a phone, by a link. Other apps can't sign what they send, so they need an address
                of their own: on the server, <code>server add NAME --format \(escaped(endpoint.format.rawValue)) --no-sign</code>.</p>
                """)
        }
        var rows = [row("URL", address(of: name, host))]
        var secret = "<p>This address asks for no token: whoever knows it can send to it.</p>"
        if let header = SetupGuide.headerPlace(of: endpoint) {
            rows.append(row("Header", "<code>\(escaped(header.before))<var>\(header.secret)</var></code>"))
            secret = """
                <p>The \(header.secret) is not on this page, since anyone may open it. Whoever runs the server finds it there
                with <code>server link \(escaped(name))</code>.</p>
                """
        }
        rows += guide.settings.map { row($0.name, escaped($0.value)) }
        return page(
            title: guide.app, nonce,
            """
            <p>\(escaped(guide.task)):</p>
            <dl>
            \(rows.joined(separator: "\n"))
            </dl>
            \(secret)
            <ul>
            \(guide.notes.map { "<li>\(escaped($0))</li>" }.joined(separator: "\n"))
            </ul>
            """)
    }

    private static func page(title: String, _ nonce: String, _ content: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="robots" content="noindex">
        <title>\(escaped(title)) · Syncky Receiver</title>
        <style nonce="\(nonce)">
        \(style)
        </style>
        </head>
        <body>
        <main>
        <p class="eyebrow">Syncky Receiver</p>
        <h1>\(escaped(title))</h1>
        \(content)
        <footer>Nothing is wrong here: apps send their data to this address, and a browser shows this page.</footer>
        </main>
        </body>
        </html>

        """
    }

    private static func row(_ name: String, _ value: String) -> String {
        "<div><dt>\(escaped(name))</dt><dd>\(value)</dd></div>"
    }

    /// The URL as far as it is known here: behind a proxy only the browser knows its beginning.
    private static func address(of name: String, _ host: [UInt8]) -> String {
        let path = "/hook/\(escaped(name))"
        guard 1...255 ~= host.count, host.allSatisfy(isHostByte) else {
            return "<code>\(path)</code> on this server: the address that your browser shows"
        }
        let place = escaped(String(decoding: host, as: UTF8.self))
        return "<code>\(place)\(path)</code>, begun with http:// or https:// as in your browser"
    }

    /// Letters, digits and what an address and its port have beside them.
    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"),
            UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"):
            true
        default: false
        }
    }

    /// For text and for values of attributes in quotes.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

extension SenderCall {
    /// GET on the endpoint itself.
    static let setupPage = SenderCall(method: "GET", path: "", work: .open { SetupPage.response(to: $0) })
}
