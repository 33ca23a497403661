import Storage
import Wire

/// A sender's question. It reads the disk, so it runs on a thread for that.
struct QueryRequest: PendingRequest {
    let query: SenderQuery
    let sender: Sender
    let answering: @Sendable (SenderQuery) throws -> Response
    let workers: WorkerPool
    /// Whether it came with the endpoint's token.
    let isDelivery: Bool
    let log: @Sendable (_ status: Int, _ code: String?) -> Void

    func finish(body: PaddedBytes, answer: @escaping @Sendable (Answer) -> Void) {
        workers.run {
            do {
                let response = try answering(query)
                log(response.status, nil)
                answer(Answer(response))
            } catch {
                let refusal =
                    error as? Refusal
                    ?? Refusal(
                        status: 503, code: "storage_unavailable",
                        message: "The data could not be read; ask again later.",
                        fields: [("Retry-After", "30")])
                log(refusal.status, refusal.code)
                answer(Answer(sender.refusal(refusal)))
            }
        }
    }

    func refuse(_ fault: HTTPFault) -> Answer {
        log(fault.status, fault.code)
        return Answer(sender.refusal(Refusal(fault)), closes: true)
    }
}
