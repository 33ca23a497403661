import Foundation
import TestSupport
import Testing

/// Debian's libfaketime: a process that loads it sees a clock that stands still. The program has no switch for that.
private let clockLibrary: String? = {
    let folders = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib")) ?? []
    return (folders.map { "/usr/lib/\($0)/faketime" } + ["/usr/lib/faketime", "/usr/lib64/faketime"])
        .map { $0 + "/libfaketimeMT.so.1" }.first { FileManager.default.fileExists(atPath: $0) }
}()

private struct Exchanges: Decodable {
    struct Message: Decodable {
        var delivery: String
        var time: Int64
        var body: String
        var signature: String
    }
    struct Case: Decodable {
        var name: String
        var replies: [Message]
        var results: [Message]
        /// nil: the endpoint takes unsigned requests.
        var secret: String?
        var auth: [String: String]
    }
    var cases: [Case]

    static func named(_ name: String) throws -> Case {
        let all = try JSONDecoder().decode(
            Exchanges.self, from: RepositoryRoot.contents(of: "test-vectors/webhook-exchanges.json"))
        return try #require(all.cases.first { $0.name == name })
    }
}

/// The replies that the guide's section 10 prints, signatures included, from the real program at the guide's clock.
@Test(
    "the guide's replies and their signatures, byte for byte",
    .enabled(if: clockLibrary != nil, "libfaketime is not installed: apt-get install libfaketime, or scripts/test.sh"))
func repliesAtTheGuidesClock() throws {
    let writes = try Exchanges.named("writes_and_results"), removal = try Exchanges.named("delete")
    let reply = try #require(writes.replies.first), second = try #require(removal.replies.first)
    let folder = try TestSupport.TemporaryFolder()
    let data = folder.path("data")
    func environment(at seconds: Int64) throws -> [String: String] {
        let time = Date(timeIntervalSince1970: Double(seconds)).ISO8601Format(
            .iso8601(timeZone: .gmt, dateTimeSeparator: .space))
        return [
            "SYNCKY_DATA": data, "TZ": "UTC", "LD_PRELOAD": try #require(clockLibrary), "NO_FAKE_STAT": "1",
            "FAKETIME": String(time.prefix(19)), "FAKETIME_DONT_FAKE_MONOTONIC": "1", "DONT_FAKE_MONOTONIC": "1",
        ]
    }
    func run(_ words: String..., input: String? = nil) throws -> String {
        let result = try spawn(words, input: input, environment: environment(at: reply.time))
        #expect(result.status == 0, "\(words): \(result.errors)")
        return result.output
    }

    _ = try run(
        "init", "every-kind", "--token", "-", "--hmac", "-",
        input: "\(try #require(writes.auth["token"]))\n\(try #require(writes.secret))\n")
    for words in [["dietary_water", "0.25", "L"], ["apple_exercise_time", "30", "min"]] {
        _ = try run("write", words[0], words[1], words[2], "--at", "2026-10-14T07:00:00Z")
    }
    var clock = reply.time
    var server = try ServingProcess(data: data, log: folder.path("log"), environment: environment(at: clock))
    let link = try run("link", "--host", "127.0.0.1", "--port", "\(server.port)")
    let phone = try SimulatedPhone(link: String(link.dropLast()), now: { clock })
    phone.log(type: "steps", value: 412, unit: "count")
    let first = try phone.deliver(id: reply.delivery)
    #expect(first.status == 200 && first.body == Array(reply.body.utf8))
    #expect(first.fields["x-syncky-signature"] == reply.signature)
    #expect(first.fields["content-type"] == "application/json")

    // The results as they are printed.
    let results = try #require(writes.results.first)
    clock = results.time
    #expect(phone.signature(of: Array(results.body.utf8)) == results.signature)
    #expect(try phone.post(body: Array(results.body.utf8), id: results.delivery, format: nil).status == 204)
    #expect(try run("status").contains("Commands: 0 waiting, 1 applied, 1 rejected\n"))

    _ = try run("delete", "c_1")
    #expect(server.stop() == 0)
    clock = second.time
    server = try ServingProcess(data: data, log: folder.path("log"), environment: environment(at: clock))
    phone.move(to: server.port)
    let last = try phone.deliver(id: second.delivery)
    #expect(last.status == 200 && last.body == Array(second.body.utf8))
    #expect(last.fields["x-syncky-signature"] == second.signature)
    #expect(server.stop() == 0)
}
