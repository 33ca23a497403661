import Signing

/// What needs no server: signatures, and the setup link of a case.
extension VectorReplay {
    package static func run(_ vector: SignatureCase) -> Outcome {
        guard let body = exactBytes(text: vector.body, base64: vector.bodyBase64) else {
            return Outcome(name: vector.name, differences: ["its body_base64 is not base64"])
        }
        let verdict = verifySignature(
            timestamps: vector.timestamp.map { Array($0.utf8)[...] },
            signatures: vector.signature.map { Array($0.utf8)[...] }, body: body.span,
            credentials: EndpointCredentials(
                scheme: .none, secrets: [RotatingSecret(secret: Secret(text: vector.secret))]),
            nowSeconds: vector.clock)
        var differences: [String] = []
        if verdict.word != vector.expected {
            differences.append("the verdict should be \(vector.expected) and is \(verdict.word)")
        }
        if case .clock(let seconds) = verdict, let expected = vector.differenceSeconds, seconds != expected {
            differences.append("the difference should be \(expected) seconds and is \(seconds)")
        }
        return Outcome(name: vector.name, differences: differences)
    }

    package static func run(_ reply: SignedReply) -> Outcome {
        let signature = replySignature(
            secret: Secret(text: reply.secret), delivery: reply.delivery, timeSeconds: reply.t,
            body: Array(reply.body.utf8))
        let differences = signature == reply.signature ? [] : ["the signature should be \(signature)"]
        return Outcome(name: reply.name, differences: differences)
    }
}

extension VectorCase {
    /// What is not as the case says among the texts that it holds: its link, signatures of replies and of results.
    func differencesOfTexts() throws(SetupFault) -> [String] {
        var differences: [String] = []
        if let link, try setupLink() != link { differences.append("link should be \(try setupLink())") }
        let secret = Secret(text: self.secret ?? "")
        for (index, reply) in (replies ?? []).enumerated() {
            let signature = replySignature(
                secret: secret, delivery: reply.delivery, timeSeconds: reply.time, body: Array(reply.body.utf8))
            if signature != reply.signature { differences.append("reply \(index): signature should be \(signature)") }
        }
        for (index, result) in (results ?? []).enumerated() {
            let signature = requestSignature(secret: secret, timestamp: "\(result.time)", body: Array(result.body.utf8))
            if signature != result.signature { differences.append("result \(index): signature should be \(signature)") }
        }
        return differences
    }

    private func setupLink() throws(SetupFault) -> String {
        let scheme = urlScheme ?? SetupLink.Scheme.syncky.rawValue
        guard let scheme = SetupLink.Scheme(rawValue: scheme) else { throw SetupFault("There is no scheme \(scheme).") }
        let token = self.auth.token ?? ""
        let auth: SetupLink.Auth =
            switch self.auth.scheme {
            case "bearer": .bearer(token: token)
            case "basic": .basic(user: self.auth.user ?? "", password: token)
            case "header": .header(name: self.auth.header ?? "", value: token)
            default: .none
            }
        return try SetupLink(
            scheme: scheme, name: label, url: PhoneURL(parsing: url), format: format ?? "native", auth: auth,
            hmac: secret, types: types ?? []
        ).encoded()
    }
}

extension PhoneURL {
    /// - Parameter text: a whole URL.
    init(parsing text: String) throws(SetupFault) {
        let isHTTPS = text.hasPrefix("https://")
        guard isHTTPS || text.hasPrefix("http://") else { throw SetupFault("A URL starts with http:// or https://.") }
        let rest = text.dropFirst(isHTTPS ? 8 : 7)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let host = authority.hasPrefix("[") ? authority.prefix { $0 != "]" } + "]" : authority.prefix { $0 != ":" }
        let port = authority.dropFirst(host.count).dropFirst()
        try self.init(
            isHTTPS: isHTTPS, host: String(host), port: port.isEmpty ? (isHTTPS ? 443 : 80) : Int(port) ?? 0,
            path: String(rest.dropFirst(authority.count)))
    }
}

extension SignatureVerdict {
    /// As vectors call it.
    fileprivate var word: String {
        switch self {
        case .unsigned: "unsigned"
        case .accepted: "accepted"
        case .missing: "missing"
        case .malformed: "malformed"
        case .clock: "clock"
        case .mismatch: "mismatch"
        }
    }
}
