import Foundation
import TestSupport
import Testing

/// The guide's section 11 against the real program, with a phone that reads replies as the app does.
@Suite struct WalkThroughTests {
    private let folder: TestSupport.TemporaryFolder
    private let data: String
    private var log: String { folder.path("serve.log") }

    init() throws {
        folder = try TestSupport.TemporaryFolder()
        data = folder.path("data")
    }

    @discardableResult
    private func run(_ words: String..., status: Int32 = 0) throws -> String {
        let result = try spawn(words, environment: ["SYNCKY_DATA": data, "TZ": "UTC"])
        #expect(result.status == status, "\(words): \(result.errors)")
        return result.output
    }

    private func serve(_ environment: [String: String] = [:]) throws -> ServingProcess {
        try ServingProcess(data: data, log: log, environment: environment)
    }

    private func states() throws -> [String] {
        let object = try JSONSerialization.jsonObject(with: Data(run("status", "--json").utf8))
        let report = try #require(object as? [String: Any])
        let commands = try #require(report["commands"] as? [[String: Any]])
        #expect(report["waiting"] as? Int == commands.count { $0["state"] as? String == "waiting" })
        return commands.map { command in
            [command["id"], command["version"], command["op"], command["state"], command["reason"]]
                .map { "\($0 ?? "")" }.joined(separator: " ").replacing(" <null>", with: "")
        }
    }

    private func phone(port: UInt16) throws -> SimulatedPhone {
        let link = try run("link", "--host", "127.0.0.1", "--port", "\(port)")
        return try SimulatedPhone(link: String(link.dropLast()))
    }

    private func count(_ reading: SimulatedPhone.Reading) -> Int? {
        if case .commands(let commands) = reading { commands.count } else { nil }
    }

    @Test("the walk-through of section 11")
    func walkThrough() throws {
        // 1 to 3: init, serve, link, Check connection.
        try run("init")
        let server = try serve()
        let phone = try phone(port: server.port)
        #expect(phone.entry.path == "/hook/phone" && phone.entry.secret?.isEmpty == false)
        let check = try phone.checkConnection()
        #expect(check.status == 204 && check.body.isEmpty)

        // 4: queue the two writes.
        let at = "2026-10-14T07:00:00Z"
        #expect(try run("write", "dietary_water", "0.25", "L", "--at", at) == "c_1\n")
        #expect(try run("write", "apple_exercise_time", "30", "min", "--at", at) == "c_2\n")
        #expect(try phone.checkConnection().body.isEmpty, "never in the reply to Check connection")

        // 5: the first delivery gets them.
        phone.log(type: "steps", value: 412, unit: "count")
        let first = try phone.deliver()
        #expect(first.status == 200 && count(first.reading) == 2)
        #expect(
            String(decoding: first.body, as: UTF8.self)
                == #"{"v":1,"type":"commands","commands":[{"command_id":"c_1","version":1,"op":"write","type":"dietary_water","value":0.25,"unit":"L","start":"2026-10-14T07:00:00Z","end":"2026-10-14T07:00:00Z"},{"command_id":"c_2","version":1,"op":"write","type":"apple_exercise_time","value":30,"unit":"min","start":"2026-10-14T07:00:00Z","end":"2026-10-14T07:00:00Z"}]}"#
        )
        #expect(phone.records.keys.sorted() == ["c_1"] && phone.applications == 1)
        #expect(try states() == ["c_1 1 write waiting", "c_2 1 write waiting"])

        // 6: results; two of them and none waiting.
        let results = try phone.sendResults()
        #expect(results.status == 204 && results.body.isEmpty)
        #expect(try states() == ["c_1 1 write applied", "c_2 1 write rejected type_not_allowed"])
        #expect(try run("status").contains("Commands: 0 waiting, 1 applied, 1 rejected\n"))

        // The app's own write comes back as a sample, linked to its command; no command goes out again.
        let echo = try phone.deliver()
        #expect(echo.status == 204 && echo.reading == .nothing)
        let listed = try JSONSerialization.jsonObject(with: Data(run("commands", "--json").utf8)) as? [[String: Any]]
        #expect((listed?[0]["sample"] as? String)?.count == 36 && listed?[1]["sample"] is NSNull)

        // 7: the delete, and its result.
        #expect(try run("delete", "c_1") == "c_1\n")
        phone.log(type: "dietary_water", value: 0.2, unit: "L")
        let removal = try phone.deliver()
        #expect(
            String(decoding: removal.body, as: UTF8.self)
                == #"{"v":1,"type":"commands","commands":[{"command_id":"c_1","version":2,"op":"delete","type":"dietary_water"}]}"#
        )
        #expect(phone.records.isEmpty && phone.applications == 2)
        #expect(phone.results == [PhoneResult(id: "c_1", version: 2)])
        #expect(try phone.sendResults().status == 204)
        #expect(try states() == ["c_2 1 write rejected type_not_allowed", "c_1 2 delete applied"])
        // The record that is gone is told as a deletion; then all is quiet.
        #expect(try phone.deliver().status == 204)
        let deletions = try JSONSerialization.jsonObject(with: Data(run("commands", "--json").utf8)) as? [[String: Any]]
        #expect(deletions?[1]["sample"] is NSNull)
        #expect(server.stop() == 0)
        let logged = try String(contentsOfFile: log, encoding: .utf8)
        let secrets = [phone.entry.secret, phone.entry.token].compactMap(\.self)
        #expect(secrets.count == 2 && !secrets.contains { logged.contains($0) } && !logged.contains("0.25"))
    }

    @Test("killed at any point of the walk-through, nothing is lost and nothing is applied twice")
    func killed() throws {
        try run("init")
        // Queued while no server runs.
        try run("write", "dietary_water", "0.25", "L", "--at", "2026-10-14T07:00:00Z")
        var server = try serve()
        let phone = try phone(port: server.port)
        func restart() throws {
            server.kill()
            server = try serve()
            phone.move(to: server.port)
        }
        // Queued, then killed before it went out.
        try run("write", "apple_exercise_time", "30", "min", "--at", "2026-10-14T07:00:00Z")
        try restart()
        // The reply is lost, then killed: the next one has both again, though the delivery is a repeat.
        phone.log(type: "steps", value: 412, unit: "count")
        #expect(try phone.deliver(losingReply: true).status == 200)
        try restart()
        #expect(count(try phone.deliver().reading) == 2)
        // Killed before the results came: the commands go out again and the phone tells the same results again.
        try restart()
        #expect(count(try phone.deliver().reading) == 2)
        #expect(phone.applications == 1 && phone.results.count == 4)
        #expect(try phone.sendResults(atMost: 1).status == 204)
        try restart()
        #expect(try states() == ["c_1 1 write waiting", "c_2 1 write rejected type_not_allowed"])
        while !phone.results.isEmpty { #expect(try phone.sendResults(atMost: 1).status == 204) }
        try restart()
        #expect(try states() == ["c_1 1 write applied", "c_2 1 write rejected type_not_allowed"])
        try run("delete", "c_1")
        try restart()
        phone.log(type: "steps", value: 10, unit: "count")
        #expect(try phone.deliver().status == 200)
        #expect(phone.records.isEmpty && phone.applications == 2)
        try restart()
        #expect(try phone.sendResults().status == 204)
        #expect(try states() == ["c_2 1 write rejected type_not_allowed", "c_1 2 delete applied"])
        #expect(server.stop() == 0)
    }

    @Test("a phone that doesn't accept writes leaves the commands waiting, and status says so after ten replies")
    func unread() throws {
        try run("init", "--no-sign")
        let server = try serve()
        let phone = try phone(port: server.port)
        try run("write", "dietary_water", "0.25", "L")
        for number in 1...10 {
            phone.log(type: "steps", value: Double(number), unit: "count")
            #expect(try phone.deliver().reading == .ignored("unsigned"))
        }
        let status = try run("status")
        #expect(status.contains("Commands: 1 waiting, 0 applied, 0 rejected\n"))
        #expect(status.contains("Warning: 1 command waits for phone, which has no signing secret: "))
        #expect(status.contains("Warning: Command c_1 of phone went out 10 times without a result: "))
        #expect(server.stop() == 0)
    }
}
