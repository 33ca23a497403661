import Foundation
import TestSupport
import Testing

/// SECURITY.md can't say more than the tests show.
struct SecurityClaimsTests {
    private static func text(_ path: String) throws -> String {
        String(decoding: try RepositoryRoot.contents(of: path), as: UTF8.self)
    }

    /// Every Swift file of `Tests`, by its name without the ending.
    private static func testFiles() throws -> [String: String] {
        let root = RepositoryRoot.url.appending(path: "Tests")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".swift") }
        return try Dictionary(
            paths.map { path in
                let name = String(path.split(separator: "/").last?.dropLast(6) ?? "")
                return (name, try String(contentsOf: root.appending(path: path), encoding: .utf8))
            }, uniquingKeysWith: +)
    }

    /// What stands between two back quotes and has the shape `File/test`.
    private static func namedTests(in line: Substring) -> [(file: String, test: String)] {
        line.split(separator: "`", omittingEmptySubsequences: false).enumerated().compactMap { index, span in
            let parts = span.split(separator: "/", omittingEmptySubsequences: false)
            guard index % 2 == 1, parts.count == 2, parts[0].hasSuffix("Tests"), !parts[1].isEmpty else {
                return nil
            }
            return (String(parts[0]), String(parts[1]))
        }
    }

    @Test func everyClaimHasItsTests() throws {
        let files = try Self.testFiles()
        let page = try Self.text("SECURITY.md")
        var claims = 0
        for line in page.split(separator: "\n") {
            let named = Self.namedTests(in: line)
            // The first two lines of the table are its head.
            if line.hasPrefix("| "), !line.hasPrefix("| who | wants"), !line.hasPrefix("| ---") {
                claims += 1
                #expect(!named.isEmpty, "no test: \(line.prefix(60))")
            }
            for (file, test) in named {
                let source = try #require(files[file], "\(file).swift")
                #expect(source.contains("func \(test)("), "\(file)/\(test)")
            }
        }
        #expect(claims > 15)
    }

    @Test func noOutsidePackageAndStrictMemorySafety() throws {
        let package = try Self.text("Package.swift")
        #expect(!package.contains(".package("))
        let resolved = RepositoryRoot.url.appending(path: "Package.resolved").path
        #expect(!FileManager.default.fileExists(atPath: resolved))
        #expect(package.contains("audited = common + [.strictMemorySafety()]"))
        // Before those of the tests every target is of ours, and none is left out.
        let targets = try #require(package.components(separatedBy: "name: \"TestSupport\"").first)
            .replacing("executableTarget(", with: "target(").components(separatedBy: ".target(").dropFirst().dropLast()
        #expect(targets.count == 11)
        for target in targets { #expect(target.contains(/swiftSettings: audited[,)]/), "\(target.prefix(40))") }
    }
}
