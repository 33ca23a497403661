import Foundation
import TestSupport
import Testing

@Test func everyVectorFileIsReadByATest() throws {
    let tests = try files(under: "Tests", withExtension: "swift").map { try String(contentsOf: $0, encoding: .utf8) }
    let vectors = try files(under: "test-vectors", withExtension: "json")
    #expect(!vectors.isEmpty)
    let folder = RepositoryRoot.url.appending(path: "test-vectors").path(percentEncoded: false) + "/"
    for vector in vectors {
        let name = vector.path(percentEncoded: false).replacing(folder, with: "")
        #expect(tests.contains { $0.contains("\(name)\"") }, "no test loads \(name)")
    }
}

private func files(under folder: String, withExtension ext: String) throws -> [URL] {
    let root = RepositoryRoot.url.appending(path: folder)
    let found = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
    return found.compactMap { $0 as? URL }.filter { $0.pathExtension == ext }
}
