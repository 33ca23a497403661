import Storage
import Wire

extension Response {
    /// What Health Auto Export's own server answers, with the counts beside it: `success` because all of the request is
    /// durable, what was left out counted in `skipped`.
    static func healthAutoExport(_ outcome: StoreOutcome, isTest: Bool) -> Response {
        let message =
            isTest
            ? "There was nothing to store."
            : "Stored \(outcome.stored), changed \(outcome.changed), known before \(outcome.repeated), "
                + "left out \(outcome.skipped)."
        let part = "{\"success\":true,\"message\":\"\(message)\"}"
        let text =
            "{\"metrics\":\(part),\"workouts\":\(part),\"stored\":\(outcome.stored),\"changed\":\(outcome.changed),"
            + "\"repeated\":\(outcome.repeated),\"skipped\":\(outcome.skipped)}\n"
        return .json(status: 200, Array(text.utf8))
    }
}

extension HTTPFault {
    /// A request of no bytes, where a body of the shape of Health Auto Export belongs.
    static let emptyBody = HTTPFault(
        status: 400, code: "body_empty",
        message: "The body is empty: set the automation's format to JSON and select the data to send.", offset: nil)
}

extension Sender {
    /// The Health Auto Export app itself, and those who write like it.
    static let healthAutoExport = Sender(
        calls: [
            SenderCall(method: "POST", path: "", work: .delivery { .healthAutoExport($0, isTest: $1) }), .setupPage,
        ],
        sendsLargeBodies: true, sendsGzip: true, checksMediaType: true, emptyBody: .emptyBody)
}
