import Testing

@testable import Wire

private let date = httpDate(unixSeconds: 784_111_777)

private func text(
    _ response: Response, isHead: Bool = false, keepAlive: Bool = true, minorVersion: Int = 1
) -> String {
    String(
        decoding: response.serialized(isHead: isHead, keepAlive: keepAlive, minorVersion: minorVersion, date: date),
        as: UTF8.self)
}

@Test func responsesOnTheWire() {
    let day = "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
    let json = Response.json(status: 200, Array("{}".utf8))
    #expect(
        text(json) == "HTTP/1.1 200 OK\r\n\(day)Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")
    #expect(
        text(json, isHead: true)
            == "HTTP/1.1 200 OK\r\n\(day)Content-Type: application/json\r\nContent-Length: 2\r\n\r\n")
    #expect(
        text(json, keepAlive: false, minorVersion: 0)
            == "HTTP/1.1 200 OK\r\n\(day)Content-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"
    )
    #expect(
        text(Response(status: 404), minorVersion: 0)
            == "HTTP/1.1 404 Not Found\r\n\(day)Content-Length: 0\r\nConnection: keep-alive\r\n\r\n")
    #expect(text(Response(status: 204, body: [1])) == "HTTP/1.1 204 No Content\r\n\(day)\r\n")
    #expect(
        text(Response(status: 204), keepAlive: false) == "HTTP/1.1 204 No Content\r\n\(day)Connection: close\r\n\r\n")
    #expect(text(Response(status: 304)) == "HTTP/1.1 304 Not Modified\r\n\(day)\r\n")
    #expect(text(Response(status: 299)) == "HTTP/1.1 299 \r\n\(day)Content-Length: 0\r\n\r\n")
    #expect(
        text(Response(status: 429, fields: [("Retry-After", "5"), ("X", "a\r\nSet-Cookie: b\0")]))
            == "HTTP/1.1 429 Too Many Requests\r\n\(day)Retry-After: 5\r\nX: a  Set-Cookie: b \r\nContent-Length: 0\r\n\r\n"
    )
    #expect(String(decoding: Response.continueBytes, as: UTF8.self) == "HTTP/1.1 100 Continue\r\n\r\n")
}

@Test(
    arguments: [
        (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),  // RFC 9110 section 5.6.7
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
        (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
        (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (951_868_800, "Wed, 01 Mar 2000 00:00:00 GMT"),
        (1_709_251_199, "Thu, 29 Feb 2024 23:59:59 GMT"),
        (1_735_689_599, "Tue, 31 Dec 2024 23:59:59 GMT"),
        (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
        (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
        (Int64.max, "Fri, 31 Dec 9999 23:59:59 GMT"),
        (-62_167_219_200, "Sat, 01 Jan 0000 00:00:00 GMT"),
        (Int64.min, "Sat, 01 Jan 0000 00:00:00 GMT"),
    ] as [(Int64, String)])
func dates(seconds: Int64, expected: String) {
    #expect(String(decoding: httpDate(unixSeconds: seconds), as: UTF8.self) == expected)
}
