import Receiver
import Foundation
import TestSupport
import Testing

/// Each case of the vector files against a real server: answers, and what is stored in the end.
@Suite struct VectorReplayTests {
    static let files = ["webhook-requests.json", "webhook-exchanges.json", "series-parts.json"]
    static let cases: [VectorCase] = files.flatMap { name in
        (try? VectorReplay.load(RepositoryRoot.url.appending(path: "test-vectors/" + name).path).cases) ?? []
    }

    @Test(arguments: files) func everyFileHasCases(name: String) throws {
        #expect(try !VectorReplay.load(RepositoryRoot.url.appending(path: "test-vectors/" + name).path).cases.isEmpty)
    }

    @Test(arguments: cases) func replay(vector: VectorCase) throws {
        let folder = try Receiver.TemporaryFolder()
        let outcome = VectorReplay.run(vector, in: folder.path)
        #expect(outcome.differences == [])
    }
}

extension VectorCase: CustomTestStringConvertible {
    public var testDescription: String { name }
}
