import COpenSSL
import Foundation

/// The sending app as far as a server can tell: it takes a setup link, signs requests, reads replies by the rules of the
/// guide's section 10, applies each version of a command once, sends results, and its own writes come back as samples.
package final class SimulatedPhone {
    /// What the app makes of a reply.
    package enum Reading: Equatable {
        /// An empty body, or not a data request.
        case nothing
        case commands([PhoneCommand])
        /// `reply_ignored:` and this word.
        case ignored(String)
    }

    package struct Answer {
        package var status: Int
        package var fields: [String: String]
        package var body: [UInt8]
        package var reading: Reading
        /// The request's.
        package var deliveryID: String

        package init(
            status: Int, fields: [String: String], body: [UInt8], reading: Reading = .nothing, deliveryID: String
        ) {
            self.status = status
            self.fields = fields
            self.body = body
            self.reading = reading
            self.deliveryID = deliveryID
        }
    }

    package private(set) var entry: ServerEntry
    /// The phone's clock, in seconds since 1970-01-01T00:00:00Z.
    package var now: () -> Int64
    /// The switch in the app.
    package var acceptsWrites = true
    /// Types that Apple Health takes from no app.
    package var refusedTypes: Set<String> = ["apple_exercise_time"]
    /// The highest version that it knows of each command, and its result.
    package private(set) var known: [String: (version: Int, result: PhoneResult)] = [:]
    /// What is in Health because of commands, by command id.
    package private(set) var records: [String: PhoneCommand] = [:]
    /// How many times it wrote or removed something.
    package private(set) var applications = 0
    /// Results that no request has taken yet: rejections first, as the app decides them at once.
    package private(set) var results: [PhoneResult] = []
    /// New in Health since the last delivery that was answered with 2xx: own writes, and what `log` put there.
    package private(set) var samples: [[String: any Sendable]] = []
    private var deletions: [[String: any Sendable]] = []
    private var uuids: [String: String] = [:]
    private var count = 0

    package init(link: String, now: @escaping () -> Int64 = { Int64(Date().timeIntervalSince1970) }) throws {
        entry = try ServerEntry(link: link)
        self.now = now
    }

    /// The server listens elsewhere now.
    package func move(to port: UInt16) {
        entry.host = entry.host.replacing(":\(entry.port)", with: ":\(port)")
        entry.port = port
    }

    /// Somebody puts a value into the Health app.
    package func log(type: String, value: Double, unit: String) {
        add(type: type, value: value, unit: unit, start: time(), end: time())
    }

    // MARK: Requests

    package func checkConnection() throws -> Answer {
        let id = newID()
        return try post(body: message(samples: [], deleted: [], delivery: id, isTest: true), id: id, format: "native")
    }

    /// Sends what is new; when nothing is, the app makes no request, so nor may a test.
    ///
    /// - Parameter losingReply: the answer is lost on its way: the app reads nothing and sends everything again.
    package func deliver(id: String? = nil, losingReply: Bool = false) throws -> Answer {
        guard !samples.isEmpty || !deletions.isEmpty else { throw PhoneError.nothingToSend }
        let id = id ?? newID()
        let body = try message(samples: samples, deleted: deletions, delivery: id, isTest: false)
        var answer = try post(body: body, id: id, format: "native")
        guard !losingReply, answer.status / 100 == 2 else { return answer }
        samples = []
        deletions = []
        answer.reading = read(answer)
        if case .commands(let commands) = answer.reading { for command in commands { handle(command) } }
        return answer
    }

    /// Posts the results that wait; those that a server didn't take stay.
    ///
    /// - Parameter limit: how many go into one request.
    package func sendResults(atMost limit: Int = .max) throws -> Answer {
        let sent = results.prefix(limit)
        guard !sent.isEmpty else { throw PhoneError.nothingToSend }
        let answer = try post(
            body: json(["v": 1, "type": "results", "results": sent.map(\.object)]), id: newID(), format: nil)
        if answer.status / 100 == 2 { results.removeFirst(sent.count) }
        return answer
    }

    private func message(
        samples: [[String: any Sendable]], deleted: [[String: any Sendable]], delivery id: String, isTest: Bool
    ) throws -> [UInt8] {
        var delivery: [String: any Sendable] = [
            "destination": entry.destination, "id": id, "index": 0, "count": 1, "sent_at": time(),
        ]
        if isTest { delivery["test"] = true }
        return try json([
            "v": 1, "type": "sync", "device": "d_zsOZnTQUz_juWFVljuOOBQ", "samples": samples, "deleted": deleted,
            "acks": [String](), "more": false, "delivery": delivery,
        ])
    }

    /// The value of a request's `X-Syncky-Signature`; nil when signing is off.
    package func signature(of body: [UInt8]) -> String? {
        entry.secret.map { "v1=\(hmac($0, Array("\(now()).".utf8) + body))" }
    }

    /// - Parameter format: nil for results.
    package func post(body: [UInt8], id: String, format: String?) throws -> Answer {
        let seconds = now()
        var fields = [
            "Host: \(entry.host)", "Content-Type: application/json", "User-Agent: Syncky/1.0",
            format.map { "X-Syncky-Format: \($0)" } ?? "X-Syncky-Kind: results", "X-Syncky-Delivery: \(id)",
            "X-Syncky-Destination: \(entry.destination)", "X-Syncky-Timestamp: \(seconds)",
            "Content-Length: \(body.count)", "Connection: close",
        ]
        if let signature = signature(of: body) { fields.append("X-Syncky-Signature: \(signature)") }
        if let token = entry.token { fields.append("Authorization: Bearer \(token)") }
        let client = try LoopbackClient(port: entry.port)
        try client.send("POST \(entry.path) HTTP/1.1\r\n\(fields.joined(separator: "\r\n"))\r\n\r\n")
        try client.send(body)
        return try Answer(raw: client.receiveAll(), deliveryID: id)
    }

    // MARK: Replies

    /// Reads the reply to a data request as the guide's section 10 says.
    package func read(_ answer: Answer) -> Reading {
        guard acceptsWrites, !answer.body.isEmpty else { return .nothing }
        guard answer.body.count <= 65_536 else { return .ignored("too_large") }
        guard answer.fields["content-type"] == "application/json" else { return .ignored("not_json") }
        if !entry.isEncrypted {
            guard let signature = answer.fields["x-syncky-signature"], let secret = entry.secret else {
                return .ignored("unsigned")
            }
            let parts = signature.split(separator: ",", omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].hasPrefix("t="), let seconds = Int64(parts[0].dropFirst(2)),
                abs(seconds - now()) <= 300,
                parts[1] == "v1=\(hmac(secret, Array("\(answer.deliveryID).\(seconds).".utf8) + answer.body))"
            else { return .ignored("bad_signature") }
        }
        guard let json = try? JSONSerialization.jsonObject(with: Data(answer.body)) else { return .ignored("not_json") }
        guard let object = json as? [String: Any], Set(object.keys) == ["v", "type", "commands"],
            object["v"] as? Int == 1, object["type"] as? String == "commands",
            let list = object["commands"] as? [[String: Any]]
        else { return .ignored("not_commands") }
        let commands = list.compactMap(PhoneCommand.init)
        return commands.count == list.count && !commands.isEmpty ? .commands(commands) : .ignored("not_commands")
    }

    private func handle(_ command: PhoneCommand) {
        if let last = known[command.id], command.version <= last.version {
            results.append(last.result)
            return
        }
        var result = PhoneResult(id: command.id, version: command.version, reason: nil)
        if refusedTypes.contains(command.type) {
            result.reason = "type_not_allowed"
            results.insert(result, at: 0)
        } else {
            apply(command)
            results.append(result)
        }
        known[command.id] = (command.version, result)
    }

    private func apply(_ command: PhoneCommand) {
        applications += 1
        if records.removeValue(forKey: command.id) != nil, let uuid = uuids.removeValue(forKey: command.id) {
            deletions.append(["uuid": uuid, "type": command.type])
        }
        guard command.isWrite else { return }
        records[command.id] = command
        uuids[command.id] = add(
            type: command.type, value: command.number, unit: command.unit, start: command.start, end: command.end)
    }

    @discardableResult
    private func add(type: String, value: Double?, unit: String?, start: String?, end: String?) -> String {
        let uuid = UUID().uuidString
        samples.append([
            "uuid": uuid, "type": type, "value": value ?? 0, "unit": unit ?? "", "start": start ?? time(),
            "end": end ?? time(), "source": ["app": "app.syncky", "device": "iPhone"],
        ])
        return uuid
    }

    private func time() -> String { Date(timeIntervalSince1970: Double(now())).ISO8601Format() }

    private func newID() -> String {
        count += 1
        let digits = String(count, radix: 16)
        return "01a13940-0000-7000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    }

    private func json(_ object: [String: Any]) throws -> [UInt8] {
        Array(try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes]))
    }
}

package enum PhoneError: Error { case nothingToSend, badLink(String), badAnswer }

/// Reckoned apart from the code under test. 64 lowercase hex digits.
private func hmac(_ secret: String, _ message: [UInt8]) -> String {
    var digest = [UInt8](repeating: 0, count: 32)
    var length: UInt32 = 0
    HMAC(EVP_sha256(), secret, CInt(secret.utf8.count), message, message.count, &digest, &length)
    return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

extension SimulatedPhone.Answer {
    init(raw: [UInt8], deliveryID: String) throws {
        let text = String(decoding: raw, as: UTF8.self)
        guard let end = text.range(of: "\r\n\r\n") else { throw PhoneError.badAnswer }
        let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
        guard let status = lines[0].split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw PhoneError.badAnswer
        }
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            fields[parts[0].lowercased()] = parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
        }
        let body = Array(text[end.upperBound...].utf8)
        guard fields["content-length"].map({ Int($0) == body.count }) ?? (status == 204) else {
            throw PhoneError.badAnswer
        }
        self.init(status: status, fields: fields, body: body, reading: .nothing, deliveryID: deliveryID)
    }
}
