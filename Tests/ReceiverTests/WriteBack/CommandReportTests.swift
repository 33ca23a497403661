import Foundation
import Receiver
import Samples
@testable import Storage
import Testing

private func command(
    _ id: String, _ state: CommandState = .waiting, sent: Int = 0, value: CommandValue? = .number(0.25, text: "0.250")
) -> CommandRow {
    CommandRow(
        id: id, endpoint: "phone", version: 1, op: .write, type: "dietary_water", value: value, unit: "L",
        start: Timestamp(microseconds: 0), end: nil, state: state, reason: state == .rejected ? "a \"reason\"" : nil,
        sent: sent, queuedAt: Timestamp(microseconds: 1), firstSentAt: nil, lastSentAt: nil, resultAt: nil,
        sampleUUID: nil, body: "{}")
}

@Test func commandsAsJSON() throws {
    let text = CommandReport.json([command("c_1"), command("c_2", .rejected, value: .name("a\nb"))])
    #expect(text.contains("\"value\": 0.250,"))
    let list = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
    #expect(list.count == 2 && list[1]["value"] as? String == "a\nb" && list[1]["reason"] as? String == "a \"reason\"")
    #expect(list[0]["start"] as? String == "1970-01-01T00:00:00Z" && list[0]["end"] is NSNull)
    #expect(CommandReport.json([]) == "[]\n")
}

@Test func warningsOfTheQueue() {
    func codes(_ commands: [CommandRow], isSigned: Bool = true) -> [String] {
        CommandReport.warnings(commands, endpoint: "phone", isSigned: isSigned).map(\.code)
    }
    #expect(codes([], isSigned: false) == [])
    #expect(codes([command("c_1", .applied, sent: 99)], isSigned: false) == [])
    #expect(codes([command("c_1", sent: 9)]) == [])
    #expect(codes([command("c_1", sent: 10)]) == ["no_result"])
    #expect(codes([command("c_1", sent: 11), command("c_2")], isSigned: false) == ["unsigned_commands", "no_result"])
    let warnings = CommandReport.warnings(
        [command("c_1", sent: 12), command("c_2", sent: 10), command("c_3")], endpoint: "phone", isSigned: false)
    #expect(warnings[0].message.hasPrefix("3 commands wait for phone, "))
    #expect(warnings[1].message.hasPrefix("Command c_1 and 1 more of phone went out 12 times without a result: "))
}

@Test func statusShowsWhatWaitsAndTheNewestOthers() throws {
    let old = command("old"), finished = (0..<150).map { command("f_\($0)", .applied) }
    let report = StatusReport(endpoints: [], commands: [old] + finished, warnings: [])
    let object = try JSONSerialization.jsonObject(with: Data(report.json().utf8)) as? [String: Any]
    let ids = try #require(object?["commands"] as? [[String: Any]]).map { $0["id"] as? String }
    #expect(object?["waiting"] as? Int == 1)
    #expect(ids.count == 101 && ids[0] == "old" && ids[1] == "f_50" && ids[100] == "f_149")
}
