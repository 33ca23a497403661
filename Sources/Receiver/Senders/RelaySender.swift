import Storage
import Wire

extension Sender {
    /// Health Relay and Health Data Relay. Source: specs, relay.
    static let relay = Sender(
        calls: [SenderCall(method: "POST", path: "", work: .delivery { .relay($0, isTest: $1) }), .setupPage],
        refusal: { .relay($0.withTimeoutAsBusy) })
}

extension Response {
    /// What became of a push, in a sentence for the app's log, with the counts beside it.
    static func relay(_ outcome: StoreOutcome, isTest: Bool) -> Response {
        var message =
            isTest
            ? "The test arrived. There was nothing to store."
            : "Stored \(outcome.stored), changed \(outcome.changed), removed \(outcome.deleted), "
                + "known before \(outcome.repeated)."
        if outcome.guarded > 0 {
            message += " Days left as a newer push has them: \(outcome.guarded)."
        }
        let text =
            "{\"message\":\(LogValue.quoted(message)),\"stored\":\(outcome.stored),\"changed\":\(outcome.changed),"
            + "\"removed\":\(outcome.deleted),\"repeated\":\(outcome.repeated),\"skipped\":\(outcome.skipped),"
            + "\"older_days\":\(outcome.guarded)}\n"
        return .json(status: 200, Array(text.utf8))
    }

    /// A refusal of ours with the sentence at the top as well, where these apps look for it.
    static func relay(_ refusal: Refusal) -> Response {
        var response = Response.error(refusal)
        response.body = Array("{\"message\":\(LogValue.quoted(refusal.sentence)),".utf8) + response.body.dropFirst()
        return response
    }
}
