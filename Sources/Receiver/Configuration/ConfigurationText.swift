import Samples
import Signing

extension Configuration {
    /// Reads the text of `receiver.json` and checks every rule.
    ///
    /// Members that aren't known are refused: a typo in a limit's name must not pass for the default. A null counts as
    /// an absent member. What is absent from `limits`, and `bind` and `port`, has its default.
    package init(parsing bytes: [UInt8]) throws(ConfigurationError) {
        let tree: JSONTree
        do {
            tree = try JSONTreeParser.parse(bytes)
        } catch {
            throw ConfigurationError(.notJSON, "line \(error.line), column \(error.column): \(error.message)")
        }
        var members = try MemberReader(tree, path: "")
        let schema = try members.integer("schema", 1...Int.max)
        guard schema == Int(Self.schema) else {
            throw invalid("schema \(schema) is of a newer program; this one reads schema \(Self.schema)")
        }
        if let bind = try members.optionalText("bind") { self.bind = bind }
        if let port = try members.optionalInteger("port", 1...65_535) { self.port = port }
        if var limits = try members.optionalObject("limits") {
            for setting in Limits.settings {
                guard let value = try limits.optionalInteger(setting.key, setting.range) else { continue }
                self.limits[keyPath: setting.keyPath] = value
            }
            try limits.finish()
        }
        if let endpoints = try members.optionalObject("endpoints") {
            for (name, value) in endpoints.remaining {
                guard ConfigurationRules.isEndpointName(name) else {
                    throw invalid("each name in endpoints must be 1 to 32 of a-z, 0-9 and -")
                }
                self.endpoints[name] = try Endpoint(
                    name: name, members: try MemberReader(value, path: "endpoints.\(name)"))
            }
        }
        if let api = try members.optionalObject("api") { self.api = try APISettings(members: api) }
        if let sources = try members.optionalObject("sources") { self.sources = try SourceOrder(members: sources) }
        try members.finish()
        try check()
    }

    /// The text of `receiver.json`: members in a fixed order, endpoints by name, only the limits that were changed.
    package func text() -> String {
        let changed = Limits.settings.filter { limits[keyPath: $0.keyPath] != $0.defaultValue }
        var members: [JSONTree.Member] = [
            .init(name: "schema", value: .integer(Self.schema)),
            .init(name: "bind", value: .text(bind)),
            .init(name: "port", value: .integer(Int64(port))),
            .init(
                name: "limits",
                value: .object(
                    changed.map { .init(name: $0.key, value: .integer(Int64(limits[keyPath: $0.keyPath]))) })),
            .init(
                name: "endpoints",
                value: .object(
                    names.compactMap { name in endpoints[name].map { .init(name: name, value: $0.tree) } })),
        ]
        if api != APISettings() { members.append(.init(name: "api", value: api.tree)) }
        if sources != SourceOrder() { members.append(.init(name: "sources", value: sources.tree)) }
        return JSONTree.object(members).written()
    }
}

extension Endpoint {
    fileprivate init(name: String, members: MemberReader) throws(ConfigurationError) {
        var members = members
        self.name = name
        label = try members.text("label")
        person = try members.text("person")
        let auth = try members.text("auth")
        let user = try members.optionalText("user")
        headerName = try members.optionalText("header")
        let path = members.path
        switch auth {
        case "none": credentials = EndpointCredentials(scheme: .none)
        case "bearer": credentials = EndpointCredentials(scheme: .bearer)
        case "basic": credentials = EndpointCredentials(scheme: .basic(user: user ?? ""))
        case "header": credentials = EndpointCredentials(scheme: .header(name: (headerName ?? "").lowercased()))
        default: throw invalid("\(path).auth must be none, bearer, basic or header")
        }
        guard user == nil || auth == "basic" else { throw invalid("\(path).user is only for auth basic") }
        credentials.tokens = try members.rotatingSecrets("tokens")
        credentials.secrets = try members.rotatingSecrets("secrets")
        guard let format = Dialect(rawValue: try members.text("format")), Dialect.ofEndpoints.contains(format) else {
            let names = Dialect.ofEndpoints.map(\.rawValue).joined(separator: ", ")
            throw invalid("\(path).format must be one of \(names)")
        }
        self.format = format
        timeZone = try members.text("time_zone")
        boundUser = try members.optionalText("bind_user")?.lowercased()
        try members.finish()
    }

    fileprivate var tree: JSONTree {
        var members: [JSONTree.Member] = [
            .init(name: "label", value: .text(label)), .init(name: "person", value: .text(person)),
        ]
        switch credentials.scheme {
        case .none: members.append(.init(name: "auth", value: .text("none")))
        case .bearer: members.append(.init(name: "auth", value: .text("bearer")))
        case .basic(let user):
            members.append(.init(name: "auth", value: .text("basic")))
            members.append(.init(name: "user", value: .text(user)))
        case .header(let name):
            members.append(.init(name: "auth", value: .text("header")))
            members.append(.init(name: "header", value: .text(headerName ?? name)))
        }
        members += [
            .init(name: "tokens", value: .array(credentials.tokens.map(\.tree))),
            .init(name: "secrets", value: .array(credentials.secrets.map(\.tree))),
            .init(name: "format", value: .text(format.rawValue)), .init(name: "time_zone", value: .text(timeZone)),
        ]
        if let boundUser { members.append(.init(name: "bind_user", value: .text(boundUser))) }
        return .object(members)
    }
}

extension RotatingSecret {
    fileprivate var tree: JSONTree {
        // The rules let only UTF-8 in, so the empty text stands for nothing that could be saved.
        var members = [JSONTree.Member(name: "value", value: .text(secretText(secret) ?? ""))]
        if let untilSeconds { members.append(.init(name: "until", value: .integer(untilSeconds))) }
        return .object(members)
    }
}

extension MemberReader {
    fileprivate mutating func rotatingSecrets(_ name: String) throws(ConfigurationError) -> [RotatingSecret] {
        var secrets: [RotatingSecret] = []
        for (index, value) in try optionalArray(name).enumerated() {
            var members = try MemberReader(value, path: "\(path).\(name)[\(index)]")
            let secret = Secret(text: try members.text("value"))
            let until = try members.optionalInteger("until", 0...Int.max)
            secrets.append(RotatingSecret(secret: secret, untilSeconds: until.map(Int64.init)))
            try members.finish()
        }
        return secrets
    }
}
