import TestSupport
import Testing
import Wire

struct MultipartFormTests {
    private func boundary(_ type: String) -> String? {
        multipartBoundary(Array(type.utf8)[...]).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func theBoundaryIsAParameterOfContentType() {
        let longest = String(repeating: "b", count: 70)
        let cases: [(String, String?)] = [
            ("multipart/form-data; boundary=abc", "abc"), ("multipart/form-data;BOUNDARY=\"a b\"", "a b"),
            ("multipart/form-data; charset=utf-8 ; boundary=----WebKit7MA4", "----WebKit7MA4"),
            ("multipart/form-data; boundary=\(longest)", longest), ("multipart/form-data; boundary=\(longest)b", nil),
            ("multipart/form-data", nil), ("multipart/form-data; boundary=", nil),
            ("multipart/form-data; boundary=\"\"", nil), ("multipart/form-data; boundary=\"a \"", nil),
            ("multipart/form-data; boundary=a\u{1}", nil), ("multipart/form-data; boundary=a; boundary=b", nil),
            ("multipart/form-data; xboundary=a", nil),
        ]
        for (type, expected) in cases { #expect(boundary(type) == expected, "\(type)") }
    }

    private func contents(_ body: String, _ boundary: String = "XX") throws(MultipartFault) -> [String] {
        let bytes = Array(body.utf8)
        let ranges = try multipartContents(bytes.span, boundary: Array(boundary.utf8))
        return ranges.map { String(decoding: bytes[$0], as: UTF8.self) }
    }

    private static let form =
        "--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\none\r\n--XX\t \r\nContent-Type: text/plain\r\n\r\n"
        + "{\"x\":\"\r\n--X\"}\r\n\r\n--XX--\r\n"

    @Test func eachPartsContentIsFound() throws {
        #expect(try contents(Self.form) == ["one", "{\"x\":\"\r\n--X\"}\r\n"])
        #expect(try contents("--XX\r\n\r\n\r\n\r\n--XX--") == ["\r\n"], "no fields")
        #expect(try contents("--XX\r\n\r\n--XX--") == [""], "no fields and no content")
        #expect(try contents("--XX\r\nA: b\r\n\r\n\r\n--XX--") == [""])
        #expect(try contents("--XX--") == [])
    }

    @Test(arguments: [
        "", "x", "\r\n--XX--", "preamble\r\n--XX--", "--XX", "--XXY\r\nA: b\r\n\r\n1\r\n--XX--", "--XX\n\n1\n--XX--",
        "--XX\r\nA: b\r\n\r\n1\r\n--XX", "--XX\r\nA: b\r\n\r\n1--XX--", "--XX\r\nA: b\r\n\r\n1\r\n--XX-- ",
        "--XX\r\nA: b\r\n\r\n1\r\n--XX--\r\nepilogue", "--XX\r\nA: b\r\n", "--XX-",
    ])
    func otherShapesAreRefused(body: String) {
        #expect(throws: MultipartFault.self) { try contents(body) }
    }

    @Test func everyCutIsRefused() {
        let whole = Self.form.dropLast(1)  // "\r\n" as one Character
        for end in whole.indices.dropFirst(0) {
            #expect(throws: MultipartFault.self) { try contents(String(whole[..<end])) }
        }
    }

    @Test func partsAndFieldsAreBounded() throws {
        func form(_ count: Int) -> String {
            String(repeating: "--XX\r\nA: b\r\n\r\n1\r\n", count: count) + "--XX--\r\n"
        }
        #expect(try contents(form(16)).count == 16)
        #expect(throws: MultipartFault.self) { try contents(form(17)) }
        func fields(_ count: Int) -> String {
            "--XX\r\n" + String(repeating: "a", count: count) + "\r\n\r\n1\r\n--XX--"
        }
        #expect(try contents(fields((16 << 10) - 2)) == ["1"])
        #expect(throws: MultipartFault.self) { try contents(fields(16 << 10 + 1)) }
    }

    @Test func damageNeverTraps() {
        var generator = SeededGenerator(seed: 2046)
        let alphabet = Array("\r\n-X{}\" a:;".utf8)
        for _ in 0..<5_000 {
            let damaged = Array(Self.form.utf8).mutated(alphabet: alphabet, using: &generator)
            guard let ranges = try? multipartContents(damaged.span, boundary: Array("XX".utf8)) else { continue }
            for range in ranges { #expect(range.upperBound <= damaged.count) }
        }
    }
}
