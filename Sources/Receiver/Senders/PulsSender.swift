import Samples
import Storage
import Wire

extension Sender {
    /// PulsHealth. Source: specs/puls-v1.
    static let puls = Sender(
        calls: [
            SenderCall(method: "POST", path: "/v1/batches", work: .delivery { outcome, _ in .puls(outcome) }),
            SenderCall(method: "GET", path: "/v1/capabilities", work: .query { _ in .pulsCapabilities }),
            SenderCall(method: "GET", path: "/v1/stats", work: .query(PulsQuestions.stats)),
            SenderCall(method: "GET", path: "/v1/digest", work: .query(PulsQuestions.digest)),
            SenderCall(method: "GET", path: "/v1/uuids", work: .query(PulsQuestions.uuids)),
            SenderCall(method: "GET", path: "/healthz", work: .open(PulsQuestions.health)), .setupPage,
        ],
        sendsLargeBodies: true, sendsGzip: true, scope: PulsUser.scope, checkDelivery: checkPulsVersion,
        refusal: { .puls($0.withTimeoutAsBusy) })

    /// Absent and empty stand for version 1.
    private static func checkPulsVersion(_ fields: Fields) throws(Refusal) {
        for value in fields.values("x-puls-protocol") where !value.isEmpty {
            guard Int(String(decoding: value, as: UTF8.self)) == 1 else {
                throw Refusal(
                    status: 400, code: PulsAnswer.versionUnsupported, message: "unsupported protocol version")
            }
        }
    }
}

/// What the contract spells out of answers.
enum PulsAnswer {
    /// The decoder's word, and that of a head with another version.
    static let versionUnsupported = "version_unsupported"
    /// The app knows it by these words.
    static let versionBody = #"{"error":"unsupported protocol version","supportedVersions":[1]}"#
    /// What is stored and not only taken.
    static let features = [
        "batches", "stats", "digest", "uuids", "aggregates", "activitySummaries", "routes", "series", "profile",
    ]
}

extension Response {
    /// The seven counts. Source: specs/puls-v1, section 6.
    static func puls(_ outcome: StoreOutcome) -> Response {
        let counts = outcome.puls ?? PulsOutcome()
        let text =
            "{\"accepted\":\(counts.accepted),\"deleted\":\(counts.deleted),\"duplicates\":\(counts.duplicates),"
            + "\"routePoints\":\(counts.routePoints),\"seriesPoints\":\(counts.seriesPoints),"
            + "\"aggregateSamples\":\(counts.aggregates),\"activitySummaries\":\(counts.activitySummaries)}"
        return .json(status: 200, Array(text.utf8))
    }

    static var pulsCapabilities: Response {
        let features = PulsAnswer.features.map { "\"\($0)\"" }.joined(separator: ",")
        let text =
            "{\"protocolVersions\":[1],\"features\":[\(features)],\"server\":\"Syncky Receiver\","
            + "\"version\":\"\(Version.number)\"}"
        return .json(status: 200, Array(text.utf8))
    }

    /// `{"error":"…"}`. The contract knows no 415.
    static func puls(_ refusal: Refusal) -> Response {
        if refusal.code == PulsAnswer.versionUnsupported {
            return .json(status: 400, Array(PulsAnswer.versionBody.utf8))
        }
        let text =
            switch refusal.code {
            case "unauthorized": "unauthorized"
            case "too_many_failures": "too many failed authentications"
            default: refusal.sentence
            }
        // RFC 9110 section 15.5.2 wants a challenge.
        let challenge = refusal.status == 401 ? [(name: "WWW-Authenticate", value: "Bearer")] : []
        return Response(
            status: refusal.status == 415 ? 400 : refusal.status,
            fields: [("Content-Type", "application/json")] + challenge + refusal.fields,
            body: Array("{\"error\":\(LogValue.quoted(text))}".utf8))
    }
}
