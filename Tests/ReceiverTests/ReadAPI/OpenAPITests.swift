import Foundation
import TestSupport
import Testing

@testable import Receiver

/// The document against the table of routes, both ways.
@Suite struct OpenAPITests {
    private static let document = OpenAPIDocument.shared

    @Test func theScriptMakesTheFiles() throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "python3", RepositoryRoot.url.appending(path: "scripts/make-openapi.py").path(percentEncoded: false),
            "--check",
        ]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    @Test func theServedTextIsTheFile() throws {
        #expect(Array(OpenAPIText.document.utf8) == Array(try RepositoryRoot.contents(of: "schemas/openapi.json")))
    }

    @Test func everyRouteIsInTheDocumentAndNoOther() {
        let written = Self.document.paths.flatMap { path, methods in methods.keys.map { "\($0.uppercased()) \(path)" } }
        let served = APIRoutes.all.map { "\($0.method.rawValue) \($0.path)" }
        #expect(Set(written) == Set(served) && served.count == written.count)
    }

    @Test(arguments: APIRoutes.all.map(RouteCase.init)) func parameters(of test: RouteCase) throws {
        let route = test.route
        let operation = try #require(Self.document.operation(route.method.rawValue, route.path))
        func written(_ place: String, _ isRequired: Bool) -> [String] {
            (operation["parameters"]?.elements ?? []).filter {
                $0["in"]?.text == place && $0["required"] == .bool(isRequired)
            }
            .compactMap { $0["name"]?.text }.sorted()
        }
        #expect(written("query", true) == route.parameters.filter(\.isRequired).map(\.name).sorted())
        #expect(written("query", false) == route.parameters.filter { !$0.isRequired }.map(\.name).sorted())
        let braces = route.path.matches(of: /\{(\w+)\}/).map { String($0.output.1) }
        #expect(written("path", true) == braces && written("path", false) == [])
        #expect((operation["requestBody"] != nil) == route.takesBody)
    }

    @Test(arguments: APIRoutes.all.map(RouteCase.init)) func scope(of test: RouteCase) throws {
        let operation = try #require(Self.document.operation(test.route.method.rawValue, test.route.path))
        let scope: String
        switch test.route.access {
        case .open:
            #expect(operation["security"] == .array([]))
            return
        case .read: scope = "read"
        case .write: scope = "write"
        }
        let scopes = JSONValue.array([.text(scope)])
        #expect(operation["security"] == .array([.object(["token": scopes]), .object(["session": scopes])]))
    }

    /// What the frame answers for any route of its kind is there, and what else is there is a code of the API.
    @Test(arguments: APIRoutes.all.map(RouteCase.init)) func answers(of test: RouteCase) throws {
        let route = test.route
        let operation = try #require(Self.document.operation(route.method.rawValue, route.path))
        let responses = try #require(operation["responses"]?.members)
        var codes: Set<String> = ["400", "406", "503"]
        if route.method == .get { codes.insert("304") } else { codes.formUnion(["403", "413"]) }
        if route.access != .open { codes.formUnion(["401", "403", "404", "429"]) }
        #expect(codes.isSubset(of: responses.keys))
        let success = responses.keys.filter { $0.hasPrefix("2") }
        #expect(success.count == 1)
        let more = Set(responses.keys).subtracting(codes).subtracting(success)
        #expect(more.isSubset(of: ["401", "409", "410", "415", "429"]))
        let content = success.first.flatMap { responses[$0]?["content"]?.members } ?? [:]
        #expect(Set(content.keys) == (success == ["204"] ? [] : Set(route.formats.map(\.mediaType))))
    }
}

/// A route by its name.
struct RouteCase: CustomTestStringConvertible, Sendable {
    let route: APIRoute
    var testDescription: String { "\(route.method.rawValue) \(route.path)" }

    init(_ route: APIRoute) { self.route = route }
}
