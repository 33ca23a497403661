import Storage
import Wire

/// `GET /readyz`: asks the disk, so it runs on a worker.
struct ReadinessRequest: PendingRequest {
    let store: Store
    let workers: WorkerPool

    var isDelivery: Bool { false }

    func finish(body: PaddedBytes, answer: @escaping @Sendable (Answer) -> Void) {
        workers.run { [store] in
            let isReady = store.probe().state == .ok
            answer(
                Answer(
                    isReady
                        ? .text("ready\n")
                        : .error(
                            status: 503, code: "storage_unavailable", message: "Deliveries can't be stored now.",
                            fields: [("Retry-After", "30")])))
        }
    }

    func refuse(_ fault: HTTPFault) -> Answer { Answer(.error(fault), closes: true) }
}

extension Response {
    static func text(_ text: String) -> Response {
        Response(status: 200, fields: [("Content-Type", "text/plain; charset=utf-8")], body: Array(text.utf8))
    }
}
