import Dispatch
import Foundation
import Samples
import Storage
import Testing

@testable import server

/// `status` tells of an endpoint that was silent for longer than ever.
@Test func statusTellsWhatIsQuiet() throws {
    let harness = CommandHarness()
    harness.run("init")
    let store = try Store.open(directory: harness.data)
    defer { store.close() }
    let begin: Int64 = 1_791_900_000
    for number in 0..<9 {
        var batch = SampleBatch()
        let series = batch.series(type: batch.intern("steps".utf8), unit: batch.intern("count".utf8))
        batch.samples.append(
            SampleRecord(
                key: .uuid(high: 1, low: UInt64(number)), start: Timestamp(microseconds: 0),
                end: Timestamp(microseconds: 1),
                value: 1, series: series, source: -1, valueName: -1, part: 0, kind: .quantity, spelled: [], rest: .empty
            ))
        let done = DispatchSemaphore(value: 0)
        store.submit(
            Submission(
                receivedAt: Timestamp(microseconds: (begin + Int64(number) * 3_600) * 1_000_000), endpoint: "phone",
                person: "me", device: Array("d_1".utf8), kind: .data, dialect: .native, bodyBytes: 1, status: 204,
                content: .batch(batch))
        ) { _ in done.signal() }
        #expect(done.wait(timeout: .now() + 60) == .success)
    }
    let last = begin + 8 * 3_600
    #expect(!harness.run("status", "--json", seconds: last + 7 * 3_600).output.contains("quiet"))
    let sentence =
        "Endpoint phone has stored nothing new for 7 hours: the longest pause before was 60 minutes."
        + " Is the phone's automation still on?"
    let text = harness.run("status", seconds: last + 7 * 3_600 + 1)
    #expect(text.status == .success && text.output.contains("Warning: \(sentence)\n"))
    let json = try JSONSerialization.jsonObject(
        with: Data(harness.run("status", "--json", seconds: last + 7 * 3_600 + 1).output.utf8))
    let warnings = (json as? [String: Any])?["warnings"] as? [[String: String]]
    #expect(warnings?.contains { $0["code"] == "quiet" && $0["message"] == sentence } == true)
}
