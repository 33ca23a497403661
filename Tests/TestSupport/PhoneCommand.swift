import Foundation

/// A command that keeps every rule of the guide's section 10 about its members.
package struct PhoneCommand: Equatable, Sendable {
    package var id: String
    package var version: Int
    package var isWrite: Bool
    package var type: String
    /// Of a quantity.
    package var number: Double?
    package var unit: String?
    /// Of a category.
    package var valueName: String?
    package var start: String?
    package var end: String?

    /// nil when a member is missing, wrong, or not one of a command's.
    init?(_ object: [String: Any]) {
        guard let id = object["command_id"] as? String, id.wholeMatch(of: /[A-Za-z0-9_.:-]{1,64}/) != nil,
            let version = object["version"] as? Int, version >= 1, let type = object["type"] as? String,
            type.wholeMatch(of: /[a-z][a-z0-9_]{1,63}/) != nil, let op = object["op"] as? String
        else { return nil }
        (self.id, self.version, self.type, isWrite) = (id, version, type, op == "write")
        let members = Set(object.keys).subtracting(["command_id", "version", "op", "type"])
        guard isWrite else {
            guard op == "delete", members.isEmpty else { return nil }
            return
        }
        guard let start = object["start"] as? String, let end = object["end"] as? String,
            let first = try? Date(start, strategy: .iso8601), let last = try? Date(end, strategy: .iso8601),
            first <= last
        else { return nil }
        (self.start, self.end) = (start, end)
        if let name = object["value"] as? String {
            guard members == ["value", "start", "end"] else { return nil }
            valueName = name
        } else {
            guard let number = object["value"] as? Double, let unit = object["unit"] as? String,
                members == ["value", "unit", "start", "end"]
            else { return nil }
            (self.number, self.unit) = (number, unit)
        }
    }
}

/// What the app tells of a version.
package struct PhoneResult: Equatable, Sendable {
    package var id: String
    package var version: Int
    /// nil: applied.
    package var reason: String?

    package init(id: String, version: Int, reason: String? = nil) {
        self.id = id
        self.version = version
        self.reason = reason
    }

    var object: [String: any Sendable] {
        var object: [String: any Sendable] = [
            "command_id": id, "version": version, "status": reason == nil ? "applied" : "rejected",
        ]
        if let reason { object["reason"] = reason }
        return object
    }
}

/// A server in the app's settings, as its setup link makes it.
package struct ServerEntry: Equatable, Sendable {
    package var name: String
    package var host: String
    package var port: UInt16
    package var path: String
    package var isEncrypted: Bool
    package var token: String?
    package var secret: String?
    /// The app's own name for this server.
    package var destination = "wh_hmf4Hk2wv-D-TUbXkl-UCA"

    /// - Throws: for what section 9 of the guide calls invalid, and for auth other than `bearer` and `none`.
    init(link: String) throws {
        guard let parts = URLComponents(string: link),
            ["syncky", "syncky-dev", "syncky-staging"].contains(parts.scheme),
            parts.host == "webhook", parts.path.isEmpty, parts.fragment == nil, let items = parts.queryItems
        else { throw PhoneError.badLink(link) }
        var values: [String: String] = [:]
        for item in items {
            guard
                ["v", "name", "url", "format", "auth", "header", "user", "token", "hmac", "types"].contains(item.name),
                values.updateValue(item.value ?? "", forKey: item.name) == nil
            else { throw PhoneError.badLink(link) }
        }
        guard values["v"] == "1", let name = values["name"], values["format"] == "native",
            let url = values["url"].flatMap({ URLComponents(string: $0) }), let host = url.host, let port = url.port,
            let auth = values["auth"],
            auth == "bearer" && values["token"] != nil || auth == "none" && values["token"] == nil
        else { throw PhoneError.badLink(link) }
        self.name = name
        self.host = "\(host):\(port)"
        self.port = UInt16(clamping: port)
        path = url.path
        isEncrypted = url.scheme == "https"
        token = values["token"]
        secret = values["hmac"]
    }
}
