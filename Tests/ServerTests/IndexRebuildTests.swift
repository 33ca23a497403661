import Foundation
import Testing

@testable import Storage
@testable import server

/// A uuid index that is made anew is no fault of the owner's, but one is told of it.
@Test func statusAndCheckTellThatTheIndexIsMadeAnew() throws {
    let harness = CommandHarness()
    harness.run("init")
    let store = try Store.open(directory: harness.data)
    store.close()
    #expect(!harness.run("status", "--json").output.contains("index_rebuilding"))
    do {
        let folder = try DataFolder(existing: harness.data)
        let connection = try Connection(path: folder.database, access: .readWrite, busyMilliseconds: 1_000)
        try connection.execute("INSERT INTO key_rebuild (id, reason) VALUES (1, 'a page is missing')")
    }
    let status = harness.run("status", "--json")
    #expect(status.status == .success && status.output.contains("\"index_rebuilding\""))
    #expect(harness.run("check").output.contains("WARN  database     the uuid index of health.db is made anew"))
}
