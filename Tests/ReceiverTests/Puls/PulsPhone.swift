import Foundation
import Receiver
import TestSupport
import Testing

/// Speaks as PulsHealth does to the endpoint `phone` of a server, or to another.
struct PulsPhone {
    static let standardUser = "5ea4d000-0000-4000-8000-000000000001"

    let server: TestServer
    var endpoint = "phone"
    var user: String? = standardUser

    /// A request whose `headers` come over the app's own; nil takes one away.
    func exchange(
        _ method: String, _ path: String, headers: [String: String?] = [:], body: [UInt8]? = nil
    ) throws -> ClientResponse {
        var fields: [String: String?] = [
            "Host": "receiver.local", "Authorization": "Bearer \(TestServer.token)", "X-Puls-Protocol": "1",
            "X-User-ID": user,
        ]
        if let body {
            fields["Content-Type"] = "application/x-ndjson"
            fields["Content-Length"] = "\(body.count)"
        }
        fields.merge(headers) { $1 }
        let lines = fields.compactMap { name, value in value.map { "\(name): \($0)" } }.sorted()
        let head = (["\(method) /hook/\(endpoint)\(path) HTTP/1.1"] + lines).joined(separator: "\r\n") + "\r\n\r\n"
        let client = try server.connect()
        try client.send(Array(head.utf8) + (body ?? []))
        return try client.receive(isHead: method == "HEAD")
    }

    func get(_ path: String) throws -> Any {
        let answer = try exchange("GET", path)
        #expect(answer.status == 200, "\(path): \(String(decoding: answer.body, as: UTF8.self))")
        return try Self.json(answer)
    }

    func upload(
        _ lines: [String], headers: [String: String?] = [:], isGzip: Bool = true
    ) throws -> ClientResponse {
        let text = Array(lines.map { $0 + "\n" }.joined().utf8)
        let coding: [String: String?] = ["Content-Encoding": isGzip ? "gzip" : nil]
        return try exchange(
            "POST", "/v1/batches", headers: coding.merging(headers) { $1 }, body: isGzip ? gzip(text) : text)
    }

    /// Uploads and returns the counts that are not 0.
    func counts(_ lines: [String]) throws -> [String: Int] {
        let answer = try upload(lines)
        let counts = try #require(try Self.json(answer) as? [String: Int])
        #expect(answer.status == 200 && counts.count == 7)
        return counts.filter { $0.value != 0 }
    }

    static func json(_ answer: ClientResponse) throws -> Any {
        #expect(answer.field("content-type") == "application/json")
        return try JSONSerialization.jsonObject(with: Data(answer.body), options: .fragmentsAllowed)
    }

    // MARK: Batches

    static let heartRate = "HKQuantityTypeIdentifierHeartRate"

    static func uuid(_ number: Int) -> String {
        let digits = String(number, radix: 16, uppercase: true)
        return "7E57\(String(repeating: "0", count: 4))-0000-4000-8000-"
            + String(repeating: "0", count: 12 - digits.count) + digits
    }

    static func header(_ batch: Int, _ counts: String, type: String = heartRate, reason: String = "manual") -> String {
        #"{"schemaVersion":1,"batchID":"\#(uuid(0xBA_0000 + batch))","deviceID":"d","type":"\#(type)","reason":"\#(reason)","#
            + #""exportedAt":1754000000000.5,\#(counts)}"#
    }

    static func sample(_ uuid: String, start: Double, value: Double = 60) -> String {
        #"{"uuid":"\#(uuid)","type":"\#(heartRate)","kind":"quantity","start":\#(start),"end":\#(start),"value":\#(value),"unit":"count/min"}"#
    }

    static func deletion(_ uuid: String) -> String { #"{"deleted":{"uuid":"\#(uuid)","type":"\#(heartRate)"}}"# }

    static func batch(_ number: Int, samples: [String], deletions: [String] = []) -> [String] {
        [header(number, #""sampleCount":\#(samples.count),"deletionCount":\#(deletions.count)"#)] + samples + deletions
    }
}
