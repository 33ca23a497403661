import Samples
import Signing
import Storage
import Wire

/// The answer to a data request: commands for the phone, when some wait. Source: the guide's sections 8 and 10.
extension HookRequest {
    /// What the store may put into the reply to this delivery.
    func commandRequest(_ delivery: DeliveryHeaders) -> CommandRequest {
        CommandRequest(maximumBytes: limits.maximumReplyBytes, destination: delivery.destination)
    }

    /// 204 when there are no commands; else the message, signed with the secret that the request was signed with.
    func reply(_ outcome: StoreOutcome, to delivery: DeliveryHeaders) -> Response {
        if outcome.commandsMessage.isEmpty { return .empty }
        var response = Response.json(status: 200, outcome.commandsMessage)
        if let secret = signatureCheck.matchedSecret, let id = delivery.id {
            response.fields.append(
                (
                    "X-Syncky-Signature",
                    replySignature(
                        secret: secret, delivery: id, timeSeconds: service.clock.wallSeconds,
                        body: outcome.commandsMessage)
                ))
        }
        return response
    }
}
