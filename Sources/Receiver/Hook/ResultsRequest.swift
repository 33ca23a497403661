import Samples
import Storage
import Wire

/// What the headers of a request with `X-Syncky-Kind` say. Source: the guide's section 10.
struct ResultsHeaders {
    let id: String

    /// Whether a request is of this kind, or tries to be.
    static func areNamed(in fields: Fields) -> Bool { !fields.values("x-syncky-kind").isEmpty }

    init(_ fields: Fields) throws(DecodeFault) {
        guard fields.values("x-syncky-format").isEmpty else {
            throw DecodeFault(
                code: "kind_and_format", message: "A request has X-Syncky-Format or X-Syncky-Kind, not both.")
        }
        let kinds = fields.values("x-syncky-kind")
        guard kinds.count == 1, let kind = kinds.first, kind.elementsEqual("results".utf8) else {
            throw DecodeFault(code: "kind_unknown", message: "X-Syncky-Kind must be results.")
        }
        guard let id = DeliveryHeaders.deliveryID(fields) else {
            throw DecodeFault(
                code: "delivery_invalid",
                message: "X-Syncky-Delivery must be there once, as 1 to 64 letters, digits or hyphens.")
        }
        self.id = id
    }
}

extension HookRequest {
    /// Takes what became of commands into the store; answered 204, never with commands.
    func takeResults(
        _ body: PaddedBytes, _ answer: @escaping @Sendable (Answer, _ isStored: Bool) -> Void
    ) throws(DecodeFault) {
        let headers = try ResultsHeaders(fields)
        let results = try ResultsDecoder.decode(
            body,
            limits: JSONLimits(
                maximumDepth: limits.maximumJSONDepth, maximumNumberBytes: limits.maximumNumberCharacters))
        let bodyBytes = body.count
        let submission = Submission(
            receivedAt: service.clock.timestamp, endpoint: endpoint.name, person: endpoint.person,
            deliveryID: headers.id, kind: .results, bodyBytes: bodyBytes, status: 204, content: .results(results))
        service.store.submit(submission) { result in
            switch result {
            case .success(let outcome):
                let counts = outcome.results
                log(
                    status: 204, code: nil, bodyBytes: bodyBytes,
                    more: [
                        ("kind", "results"), ("applied", .int(counts.applied)), ("rejected", .int(counts.rejected)),
                        ("late", .int(counts.late)), ("repeated", .int(counts.repeated)),
                        ("unknown", .int(counts.unknown)),
                    ])
                answer(Answer(.empty), true)
            case .failure(let fault):
                log(
                    status: 503, code: "storage_unavailable", bodyBytes: bodyBytes, more: [("kind", "results")])
                answer(Answer(storeRefusal(fault)), false)
            }
        }
    }
}
