import Samples
import Testing

@testable import Storage

/// Rules of the queue as the owner meets them.
@Suite struct CommandQueueTests {
    static let now = Timestamp(microseconds: 1_791_961_500_000_000)
    /// 2026-10-14T07:00:00Z, as the guide's commands have it.
    static let start = Timestamp(microseconds: 1_791_961_200_000_000)
    let folder = TestFolder()

    static func number(_ text: String, type: String = "dietary_water", unit: String = "L", id: String? = nil)
        -> CommandDraft
    {
        CommandDraft(
            id: id, type: type, value: .number(Double(text) ?? .nan, text: text), unit: unit, start: start)
    }

    func queue() throws -> CommandQueue { try CommandQueue(directory: folder.path) }

    @discardableResult
    func add(_ draft: CommandDraft, to endpoint: String = "phone") throws -> CommandRow {
        try queue().add(draft, endpoint: endpoint, now: Self.now)
    }

    func fault(_ body: () throws -> Void) -> CommandFault? {
        do { try body() } catch let fault as CommandFault { return fault } catch {}
        return nil
    }

    // MARK: Ids and versions

    @Test func idsAreCountedPerEndpoint() throws {
        let rows = try [add(Self.number("1")), add(Self.number("2")), add(Self.number("3"), to: "watch")]
        #expect(rows.map { "\($0.endpoint) \($0.id) \($0.version)" } == ["phone c_1 1", "phone c_2 1", "watch c_1 1"])
    }

    @Test func anIdGivenByHandIsNotCountedInto() throws {
        try add(Self.number("1", id: "c_2"))
        #expect(try [add(Self.number("1")).id, add(Self.number("1")).id] == ["c_1", "c_3"])
    }

    @Test func anExistingIdMakesTheNextVersionInANewPlace() throws {
        try add(Self.number("1"))
        try add(Self.number("2"))
        let again = try add(Self.number("0.5", id: "c_1"))
        #expect(again.version == 2 && again.sent == 0 && again.state == .waiting)
        let rows = try StoreReader(directory: folder.path).commands()
        #expect(rows.map { "\($0.id) \($0.version)" } == ["c_2 1", "c_1 2"])
        #expect(rows.last?.value == .number(0.5, text: "0.5"))
    }

    @Test func aVersionMayNotChangeTheType() throws {
        try add(Self.number("1"))
        #expect(fault { try add(Self.number("1", type: "body_mass", id: "c_1")) } == .otherType("dietary_water"))
        #expect(
            fault { try add(CommandDraft(id: "c_1", op: .delete, type: "body_mass")) } == .otherType("dietary_water"))
    }

    @Test func aDeleteIsTheNextVersionAndCarriesTheTypeAlone() throws {
        try add(Self.number("0.25"))
        let row = try queue().delete(id: "c_1", endpoint: "phone", now: Self.now)
        #expect(row.body == #"{"command_id":"c_1","version":2,"op":"delete","type":"dietary_water"}"#)
        #expect(row.value == nil && row.unit == nil && row.start == nil && row.end == nil)
    }

    @Test func aDeleteThatWaitsIsNotQueuedTwice() throws {
        try add(Self.number("0.25"))
        let first = try queue().delete(id: "c_1", endpoint: "phone", now: Self.now)
        #expect(try queue().delete(id: "c_1", endpoint: "phone", now: Self.now) == first)
        #expect(try add(Self.number("0.5", id: "c_1")).version == 3)
    }

    @Test func aDeleteOfAnUnknownIdIsRefused() throws {
        try add(Self.number("1"))
        #expect(fault { _ = try queue().delete(id: "c_1", endpoint: "watch", now: Self.now) } == .unknown)
        #expect(fault { try add(CommandDraft(op: .delete, type: "dietary_water")) } == .unknown)
    }

    @Test func idsAndVersionsSurviveAPurge() throws {
        try add(Self.number("1"))
        try add(Self.number("1", id: "water"))
        try add(Self.number("2", id: "water"))
        let outcome = try Purge.run(directory: folder.path, endpoint: "phone")
        #expect(outcome.commands == 2)
        #expect(try StoreReader(directory: folder.path).commands().isEmpty)
        #expect(try rows(folder, "SELECT count(*) FROM command") == ["0"])
        #expect(try add(Self.number("1")).id == "c_2")
        let again = try add(Self.number("1", id: "water"))
        #expect(again.version == 3)
        // Once more: what was spent before stays spent.
        _ = try Purge.run(directory: folder.path, endpoint: "phone")
        #expect(try add(Self.number("1", id: "water")).version == 4)
        #expect(try add(Self.number("1")).id == "c_3")
    }

    @Test func aRestoredBackupGoesOnHigher() throws {
        try add(Self.number("1"))
        try add(Self.number("1", id: "water"))
        try queue().skipAhead()
        #expect(try add(Self.number("1")).id == "c_1002")
        #expect(try add(Self.number("1", id: "water")).version == 1_002)
        #expect(try add(Self.number("1"), to: "new").id == "c_1001")
        #expect(try add(Self.number("1", id: "other")).version == 1_001)
        #expect(try queue().delete(id: "c_1", endpoint: "phone", now: Self.now).version == 1_002)
        try queue().skipAhead()
        #expect(try add(Self.number("1")).id == "c_2003")
        #expect(try add(Self.number("1", id: "water")).version == 2_003)
    }

    // MARK: Grammar

    static let refused: [(CommandDraft, CommandFault)] = [
        (number("1", id: ""), .idInvalid), (number("1", id: String(repeating: "a", count: 65)), .idInvalid),
        (number("1", id: "a b"), .idInvalid), (number("1", id: "ä"), .idInvalid), (number("1", id: "a/b"), .idInvalid),
        (number("1", type: "w"), .typeInvalid), (number("1", type: "Water"), .typeInvalid),
        (number("1", type: "1water"), .typeInvalid),
        (number("1", type: "a" + String(repeating: "b", count: 64)), .typeInvalid),
        (number("1", type: "wa-ter"), .typeInvalid),
        (CommandDraft(type: "dietary_water", unit: "L", start: start), .valueMissing),
        (number(".5"), .valueInvalid), (number("+5"), .valueInvalid), (number("05"), .valueInvalid),
        (number("5 "), .valueInvalid), (number(" 5"), .valueInvalid), (number(""), .valueInvalid),
        (number("-"), .valueInvalid), (number("1e400"), .valueInvalid), (number("nan"), .valueInvalid),
        (number("0x10"), .valueInvalid), (number("1,5"), .valueInvalid),
        (number("1." + String(repeating: "0", count: 63)), .valueInvalid),
        (CommandDraft(type: "ab", value: .number(1, text: "2"), unit: "L", start: start), .valueInvalid),
        (CommandDraft(type: "ab", value: .number(1, text: "1"), start: start), .unitMissing),
        (number("1", unit: ""), .unitInvalid), (number("1", unit: "m\nL"), .unitInvalid),
        (number("1", unit: String(repeating: "m", count: 65)), .unitInvalid),
        (CommandDraft(type: "ab", value: .name("mild"), unit: "L", start: start), .unitUnexpected),
        (CommandDraft(type: "ab", value: .name(""), start: start), .valueInvalid),
        (CommandDraft(type: "ab", value: .name("a\u{0}b"), start: start), .valueInvalid),
        (CommandDraft(type: "ab", value: .name(String(repeating: "a", count: 129)), start: start), .valueInvalid),
        (CommandDraft(type: "ab", value: .name("mild")), .startMissing),
        (
            CommandDraft(
                type: "ab", value: .name("mild"), start: start, end: Timestamp(microseconds: start.microseconds - 1)),
            .endBeforeStart
        ),
        (CommandDraft(type: "ab", value: .name("mild"), start: Timestamp.none), .timeInvalid),
        (
            CommandDraft(type: "ab", value: .name("mild"), start: start, end: Timestamp(microseconds: .max)),
            .timeInvalid
        ),
        (CommandDraft(id: "c_1", op: .delete, type: "ab", value: .name("x")), .valueUnexpected),
        (CommandDraft(id: "c_1", op: .delete, type: "ab", start: start), .valueUnexpected),
    ]

    @Test func aDraftOutsideTheGrammarIsRefused() throws {
        for (index, (draft, expected)) in Self.refused.enumerated() {
            #expect(fault { try add(draft) } == expected, "draft \(index)")
            #expect(!expected.sentence.isEmpty)
        }
        #expect(try StoreReader(directory: folder.path).commands().isEmpty)
    }

    @Test func whatTheGrammarAllowsIsQueuedAsTyped() throws {
        let id = String(repeating: "Az0_.:-9", count: 8), type = "a" + String(repeating: "z_9", count: 21)
        let long = "-1." + String(repeating: "0", count: 61)
        #expect(
            try add(Self.number("1e3", type: type, unit: "mL/min·\"kg\"", id: id)).body == """
                {"command_id":"\(id)","version":1,"op":"write","type":"\(type)","value":1e3,"unit":"mL/min·\\"kg\\"",\
                "start":"2026-10-14T07:00:00Z","end":"2026-10-14T07:00:00Z"}
                """)
        #expect(try add(Self.number(long)).value == .number(-1, text: long))
        #expect(try add(Self.number("-0")).body.contains(#""value":-0,"#))
        let named = try add(
            CommandDraft(
                type: "headache", value: .name("mild \"\\"), start: Timestamp(microseconds: -1),
                end: Timestamp(microseconds: 1_500_000)))
        #expect(
            named.body == #"{"command_id":"c_3","version":1,"op":"write","type":"headache","value":"mild \"\\","#
                + #""start":"1969-12-31T23:59:59.999999Z","end":"1970-01-01T00:00:01.5Z"}"#)
        #expect(named.value == .name("mild \"\\") && named.unit == nil)
    }

    // MARK: The view

    @Test func theViewHasTheDocumentedColumns() throws {
        try add(Self.number("0.25"))
        let row = try #require(try StoreReader(directory: folder.path).rows("SELECT * FROM commands").first)
        #expect(
            row == [
                "id": .text("c_1"), "endpoint": .text("phone"), "version": .integer(1), "op": .text("write"),
                "type": .text("dietary_water"), "value": .real(0.25), "value_name": .null, "unit": .text("L"),
                "start": .text("2026-10-14T07:00:00Z"), "end": .text("2026-10-14T07:00:00Z"),
                "state": .text("waiting"), "reason": .null, "sent": .integer(0),
                "queued_at": .text("2026-10-14T07:05:00Z"), "first_sent_at": .null, "last_sent_at": .null,
                "result_at": .null, "sample_device": .null, "sample_uuid": .null,
                "start_us": .integer(1_791_961_200_000_000), "end_us": .integer(1_791_961_200_000_000), "result": .null,
                "body": .text(
                    #"{"command_id":"c_1","version":1,"op":"write","type":"dietary_water","value":0.25,"unit":"L","#
                        + #""start":"2026-10-14T07:00:00Z","end":"2026-10-14T07:00:00Z"}"#),
            ])
    }

    @Test func aDatabaseOfSchema1GetsTheQueue() throws {
        let data = try DataFolder.prepare(folder.path)
        try data.createDatabase()
        do {
            let connection = try Connection(path: data.database, access: .readWrite, busyMilliseconds: 5_000)
            for statement in Tables.version1 + Views.version1 { try connection.execute(statement) }
            try connection.execute("PRAGMA application_id=\(Migrations.applicationID)")
            try connection.execute("PRAGMA user_version=1")
            try connection.execute("INSERT INTO endpoint (name) VALUES ('phone')")
        }
        #expect(try StoreReader(directory: folder.path).commands().isEmpty)
        #expect(try StoreReader(directory: folder.path).resultCounts(endpoint: "phone") == StoreReader.ResultCounts())
        #expect(try add(Self.number("1")).id == "c_1")
        #expect(try StoreReader(directory: folder.path).commands(endpoint: "phone").count == 1)
        #expect(try StoreReader(directory: folder.path).commands(endpoint: "watch").isEmpty)
    }
}
