import Signing
import TestSupport
import Testing

private let link =
    "syncky://webhook?v=1&name=phone&url=http%3A%2F%2F127.0.0.1%3A1%2Fhook%2Fphone&format=native&auth=bearer&token=t&hmac=s"

private let command =
    #"{"command_id":"c_1","version":1,"op":"write","type":"dietary_water","value":0.25,"unit":"L","start":"2026-10-14T07:00:00Z","end":"2026-10-14T07:00:00Z"}"#

private func message(_ commands: String) -> String { #"{"v":1,"type":"commands","commands":[\#(commands)]}"# }

/// What a phone at second 1,000 makes of a reply that was signed at `seconds`.
private func reading(
    _ body: String, seconds: Int64 = 1_000, type: String = "application/json", delivery: String = "d",
    link: String = link, change: (inout [String: String]) -> Void = { _ in }
) throws -> SimulatedPhone.Reading {
    let phone = try SimulatedPhone(link: link, now: { 1_000 })
    var fields = [
        "content-type": type,
        "x-syncky-signature": replySignature(
            secret: Secret(text: "s"), delivery: delivery, timeSeconds: seconds, body: Array(body.utf8)),
    ]
    change(&fields)
    return phone.read(.init(status: 200, fields: fields, body: Array(body.utf8), deliveryID: "d"))
}

/// The double is as strict as the app, or the walk-through would prove nothing.
@Suite struct SimulatedPhoneTests {
    @Test("a reply is read when it keeps every rule, and ignored for its reason when not")
    func replies() throws {
        guard case .commands(let commands) = try reading(message(command)) else { Issue.record("not read"); return }
        #expect(commands.map(\.id) == ["c_1"] && commands[0].number == 0.25 && commands[0].unit == "L")
        #expect(try reading("") == .nothing)
        for seconds: Int64 in [700, 1_300] {
            #expect(try reading(message(command), seconds: seconds) == .commands(commands))
        }
        for seconds: Int64 in [699, 1_301] {
            #expect(try reading(message(command), seconds: seconds) == .ignored("bad_signature"))
        }
        #expect(try reading(message(command), delivery: "e") == .ignored("bad_signature"))
        #expect(try reading(message(command)) { $0["x-syncky-signature"]! += "0" } == .ignored("bad_signature"))
        #expect(try reading(message(command)) { $0["x-syncky-signature"] = nil } == .ignored("unsigned"))
        let encrypted = link.replacing("http%3A", with: "https%3A")
        #expect(
            try reading(message(command), link: encrypted) { $0["x-syncky-signature"] = nil } == .commands(commands))
        #expect(try reading(message(command), type: "text/plain") == .ignored("not_json"))
        #expect(try reading(message(command) + "x") == .ignored("not_json"))
        let spaces = String(repeating: " ", count: 65_536 - message(command).utf8.count)
        #expect(try reading(message(command) + spaces) == .commands(commands))
        #expect(try reading(message(command) + spaces + " ") == .ignored("too_large"))
    }

    @Test(
        "a message that is not exactly a commands message is ignored whole",
        arguments: [
            #"{"v":2,"type":"commands","commands":[]}"#, #"{"v":1,"type":"commands","commands":[]}"#,
            #"{"v":1,"type":"command","commands":[\#(command)]}"#,
            #"{"v":1,"type":"commands","commands":[\#(command)],"more":false}"#,
            "[]", "{}", message(command.replacing("c_1", with: "c 1")), message(command.replacing(":1,", with: ":0,")),
            message(command.replacing("write", with: "put")), message(command.replacing("dietary", with: "Dietary")),
            message(command.replacing(#","unit":"L""#, with: "")), message(command.replacing("0.25", with: #""many""#)),
            message(command.replacing(#"end":"2026"#, with: #"end":"2025"#)),
            message(command.replacing("2026-10-14T07:00:00Z", with: "today")),
            message(command.replacing("}", with: #","note":1}"#)), message(command.replacing("write", with: "delete")),
            message("\(command),{}"),
        ])
    func otherMessages(body: String) throws { #expect(try reading(body) == .ignored("not_commands")) }
}
