import Foundation
import Samples
import Testing

@testable import Storage

/// Samples that came from our own commands.
@Suite struct EchoTests {
    let folder = TestFolder()
    let store: Store
    let queue: CommandQueue

    init() throws {
        store = try Store.open(directory: folder.path)
        queue = try CommandQueue(directory: folder.path)
    }

    static let start = CommandQueueTests.start.microseconds

    /// Queues, and has it go out.
    func send(_ draft: CommandDraft) throws {
        _ = try queue.add(draft, endpoint: "phone", now: CommandQueueTests.now)
        #expect(try store.message(.asking()).contains(draft.type))
    }

    /// What the phone would send of `dietary_water`, 0.25 L.
    static func water(
        _ number: Int = 1, type: String = "dietary_water", start: Int64? = start, end: Int64? = start,
        value: Double? = 0.25, name: String? = nil, unit: String? = "L", rest: String = ""
    ) -> Sent {
        Sent(
            key: Sent.uuid(number), type: type, kind: name == nil ? .quantity : .category, start: start, end: end,
            value: value, name: name, unit: unit, rest: rest)
    }

    /// `id` and the number in its sample's uuid, of each command.
    func links() throws -> [String] {
        try StoreReader(directory: folder.path).commands().map { row in
            "\(row.id) \(row.sampleUUID.flatMap { Int($0.suffix(12), radix: 16) }.map(String.init) ?? "-")"
        }
    }

    static let samples: [(Sent, isEcho: Bool)] = [
        (water(), true),
        (water(start: start + 999_999, end: start + 1), true),  // dialects that write whole seconds
        (water(value: 0.25 * (1 + 5e-7)), true),
        (water(end: nil), true),
        (water(start: start + 1_000_000), false), (water(start: start - 1), false), (water(start: nil), false),
        (water(end: start + 1_000_000), false),
        (water(value: 0.2501), false), (water(value: nil), false),
        (water(type: "dietary_wate"), false),
        (water(value: nil, name: "0.25", unit: nil), false),
        (water(unit: "unheard"), false),
        (water(value: 250, unit: "mL"), true), (water(value: 0.25, unit: "mL"), false),
        (water(value: 250, unit: "g"), false),
    ]

    @Test(arguments: samples.indices) func typeTimeAndValueIdentifyAnEcho(index: Int) throws {
        let (sample, isEcho) = Self.samples[index]
        try send(CommandQueueTests.number("0.25"))
        _ = store.write(.asking([sample]))
        #expect(try links() == [isEcho ? "c_1 1" : "c_1 -"])
    }

    @Test func aCategoryIsIdentifiedByItsName() throws {
        try send(CommandDraft(type: "headache", value: .name("mild"), start: CommandQueueTests.start))
        _ = store.write(.asking([Self.water(1, type: "headache", value: 2, name: "severe", unit: nil)]))
        #expect(try links() == ["c_1 -"])
        _ = store.write(.asking([Self.water(2, type: "headache", value: 2, name: "mild", unit: nil)]))
        #expect(try links() == ["c_1 2"])
    }

    @Test func aCategoryMayComeBackAsItsNumber() throws {
        let number = try #require(Catalog.builtIn.categoryValue(type: "headache".utf8, name: "mild".utf8))
        try send(CommandDraft(type: "headache", value: .name("mild"), start: CommandQueueTests.start))
        _ = store.write(.asking([Self.water(1, type: "headache", value: number + 1, unit: nil)]))
        #expect(try links() == ["c_1 -"])
        _ = store.write(.asking([Self.water(2, type: "headache", value: number, unit: nil)]))
        #expect(try links() == ["c_1 2"])
    }

    @Test func aUnitIsConvertedWithinTheTypesOwnFamily() throws {
        // 90 mg/dL of glucose, whose molar mass is its own.
        try send(
            CommandDraft(
                type: "blood_glucose", value: .number(90, text: "90"), unit: "mg/dL", start: CommandQueueTests.start))
        let type = try #require(Catalog.builtIn.type(named: "blood_glucose".utf8))
        let family = try #require(type.family.flatMap(Catalog.builtIn.family))
        let other = try #require(family.units.first { $0.name.hasPrefix("mmol") }).name
        let conversion = try #require(family.conversion(from: "mg/dL".utf8, to: other.utf8))
        let converted = conversion(90)
        #expect(converted != 90)
        _ = store.write(.asking([Self.water(1, type: "blood_glucose", value: converted, unit: other)]))
        #expect(try links() == ["c_1 1"])
    }

    @Test func theSyncIdentifierSaysWhose() throws {
        try send(CommandQueueTests.number("0.25"))
        func rest(_ identifier: String) -> String {
            #""metadata":{"other":"x","HKMetadataKeySyncIdentifier":"\#(identifier)","HKMetadataKeySyncVersion":1}"#
        }
        // Another server's command of the same id, with all else the same.
        _ = store.write(.asking([Self.water(1, rest: rest("syncky:wh_other:c_1"))], destination: "wh_ours"))
        _ = store.write(.asking([Self.water(2, rest: rest("syncky:wh_ours:c_7"))], destination: "wh_ours"))
        #expect(try links() == ["c_1 -"])
        // The user changed the value by hand: still what the command wrote.
        _ = store.write(.asking([Self.water(3, value: 9, rest: rest("syncky:wh_ours:c_1"))], destination: "wh_ours"))
        #expect(try links() == ["c_1 3"])
    }

    @Test func aSyncIdentifierIsFoundWhereverItStands() {
        func read(_ rest: String) -> String? {
            let bytes = Array(("x" + rest).utf8)
            return SyncIdentifier(in: bytes[1...]).map {
                String(decoding: $0.destination, as: UTF8.self) + " " + String(decoding: $0.command, as: UTF8.self)
            }
        }
        #expect(read(#""a":"syncky:wh_1:c:1""#) == "wh_1 c:1")
        #expect(read(#""a":"syncky:x","b":"syncky:wh_1:c_1""#) == "wh_1 c_1")
        #expect(read(#""a":"syncky:wh_1:c_1"#) == "wh_1 c_1")
        for none in ["", "\"", #""syncky:"#, #""syncky:""#, #""a":"xsyncky:wh:c""#, String(repeating: "\"", count: 99)]
        {
            #expect(read(none) == nil)
        }
        let whole = Array(#""a":{"b":["syncky:wh_1:c_1"]}"#.utf8)
        for cut in whole.indices { _ = SyncIdentifier(in: whole[..<cut]) }
    }

    @Test func onlyWhatWentOutComesBack() throws {
        _ = try queue.add(CommandQueueTests.number("0.25"), endpoint: "phone", now: CommandQueueTests.now)
        _ = store.write(Submission([Self.water(1)]))
        _ = store.write(.asking([Self.water(1)], endpoint: "watch"))
        #expect(try links() == ["c_1 -"])
        _ = try store.message(.asking())
        _ = try store.take([CommandResult(id: "c_1", version: 1, isApplied: false)])
        _ = store.write(.asking([Self.water(2)]))
        #expect(try links() == ["c_1 -"])
    }

    @Test func eachOfTwoLikeCommandsGetsItsOwnSample() throws {
        try send(CommandQueueTests.number("0.25"))
        try send(CommandQueueTests.number("0.25"))
        _ = store.write(.asking([Self.water(1), Self.water(2), Self.water(3)]))
        #expect(try links() == ["c_1 1", "c_2 2"])
        _ = store.write(.asking([Self.water(4), Self.water(1)]))
        #expect(try links() == ["c_1 1", "c_2 2"])
    }

    @Test func aRepeatOfASampleIsLinkedToo() throws {
        _ = store.write(.asking([Self.water(1)]))
        try send(CommandQueueTests.number("0.25"))
        _ = store.write(.asking([Self.water(1)]))
        #expect(try links() == ["c_1 1"])
    }

    @Test func aStreamsSlicesAreLinked() throws {
        try send(CommandQueueTests.number("0.25"))
        var submission = Submission.asking()
        submission.content = .stream(
            SampleStream(bytes: 10) { sink in
                try sink(SampleBatch([WriterTests.one(7)]))
                try sink(SampleBatch([Self.water(1)]))
            })
        _ = store.write(submission)
        #expect(try links() == ["c_1 1"])
    }

    @Test func aDeletedSampleIsNoLongerShown() throws {
        try send(CommandQueueTests.number("0.25"))
        _ = store.write(.asking([Self.water(1)]))
        let shown = try StoreReader(directory: folder.path).rows("SELECT sample_device, sample_uuid FROM commands")
        #expect(shown == [["sample_device": .text("d_1"), "sample_uuid": .text(Sent.uuid(1))]])
        _ = store.write(.asking(deleting: [Sent.uuid(1)]))
        #expect(try links() == ["c_1 -"])
        #expect(
            try StoreReader(directory: folder.path).rows("SELECT sample_device, sample_uuid FROM commands")
                == [["sample_device": .null, "sample_uuid": .null]])
    }

    @Test func aNewVersionIsLinkedToItsOwnSample() throws {
        try send(CommandQueueTests.number("0.25"))
        _ = store.write(.asking([Self.water(1)]))
        try send(CommandQueueTests.number("0.5", id: "c_1"))
        #expect(try links() == ["c_1 1"])
        _ = store.write(.asking([Self.water(2, value: 0.5)], deleting: [Sent.uuid(1)]))
        #expect(try links() == ["c_1 2"])
    }

    @Test func linksOutliveARestartAndAnUndoneTransaction() throws {
        try send(CommandQueueTests.number("0.25"))
        var submission = Submission.asking()
        submission.content = .stream(
            SampleStream(bytes: 10) { sink in
                try sink(SampleBatch([Self.water(1)]))
                throw DecodeFault(code: "x", message: "y")
            })
        #expect(store.write(submission) == .failure(.refused(DecodeFault(code: "x", message: "y"))))
        #expect(try links() == ["c_1 -"])
        store.close()
        let again = try Store.open(directory: folder.path)
        defer { again.close() }
        _ = again.write(.asking([Self.water(2)]))
        #expect(try links() == ["c_1 2"])
    }
}
