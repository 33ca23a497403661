import Samples
import Testing

@testable import Storage

@Suite struct IdentityTests {
    let folder = TestFolder()

    @Test func newestContentOfAKeyWins() throws {
        let store = try Store.open(directory: folder.path)
        defer { store.close() }
        let first = Sent(key: Sent.uuid(1), start: 1_000_000, end: 2_000_000, value: 64, unit: "count/min", app: "a")
        var other = first
        other.value = 65
        var moved = other
        moved.start = 500_000
        var retyped = moved
        retyped.type = "pulse"
        let steps: [(String, [Sent], [String], String)] = [
            ("new", [first], [], "1/0/0/0"),
            ("repeat", [first], [], "0/0/1/0"),
            ("value", [other], [], "0/1/0/0"),
            ("start", [moved], [], "0/1/0/0"),
            ("type", [retyped], [], "0/1/0/0"),
            ("repeat of the last", [retyped], [], "0/0/1/0"),
            ("back", [first], [], "0/1/0/0"),
            ("twice in one body: the last wins", [other, first], [], "0/0/1/0"),
            (
                "twice in one body, new", [Sent(key: Sent.uuid(2), value: 1), Sent(key: Sent.uuid(2), value: 2)], [],
                "1/0/0/0"
            ),
            ("deleted", [], [Sent.uuid(1)], "0/0/0/1"),
            ("deleted again", [], [Sent.uuid(1)], "0/0/0/0"),
            ("never stored", [], [Sent.uuid(77), "x"], "0/0/0/0"),
            ("sent again", [first], [], "1/0/0/0"),
        ]
        for (name, samples, deleted, expected) in steps {
            #expect(store.outcome(samples, deleting: deleted) == expected, "\(name)")
            let keys = try rows(
                folder, "SELECT device, hex(uuid), part, series, start FROM sample_key ORDER BY 1, 2, 3")
            let placed = try rows(
                folder,
                "SELECT r.device, hex(uuid), part, series, start FROM sample JOIN series r ON r.id = series ORDER BY 1, 2, 3"
            )
            #expect(keys == placed, "\(name)")
        }
        #expect(
            try rows(folder, "SELECT uuid, type, value, start FROM samples ORDER BY uuid") == [
                "\(Sent.uuid(1))|heart_rate|64.0|1970-01-01T00:00:01Z", "\(Sent.uuid(2))|heart_rate|2.0|-",
            ])
        #expect(
            try rows(folder, "SELECT device, uuid, type, parts, person FROM deletions") == [
                "d_1|\(Sent.uuid(1))|heart_rate|1|me"
            ])
    }
}
