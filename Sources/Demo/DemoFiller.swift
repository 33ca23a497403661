import Samples
import Storage
import Threads
import Wire

/// Hands requests to a store, a few at a time.
struct DemoFiller {
    /// Requests that wait in the store's queue: past that the next one is made later.
    private static let maximumWaiting = 200

    private struct State {
        var waiting = 0
        var summary = DemoStore.Summary()
        var failure: StoreError?
    }

    let store: Store
    private let state = Monitor(State())

    init(store: Store) { self.store = store }

    var summary: DemoStore.Summary { state.read { $0.summary } }
    var failure: StoreError? { state.read { $0.failure } }

    /// - Parameter hasReply: whether commands wait for it.
    func submit(_ delivery: DemoDelivery, hasReply: Bool = false) {
        var submission = Submission(
            receivedAt: delivery.receivedAt, endpoint: DemoStore.endpoint, person: DemoStore.person,
            deliveryID: delivery.id, kind: .data, dialect: .native, bodyBytes: delivery.body.count,
            status: hasReply ? 200 : 204,
            commands: CommandRequest(maximumBytes: 65_536, destination: Array(DemoYear.destination.utf8)))
        do throws(DecodeFault) {
            let body = try NativeDecoder.decode(PaddedBytes(delivery.body))
            submission.device = body.device ?? []
            submission.content = .batch(body.batch)
        } catch {
            return note(StoreError(.refused(error)))
        }
        submit(submission)
    }

    func submit(_ submission: Submission) {
        _ = state.wait(milliseconds: 600_000) { $0.waiting < Self.maximumWaiting ? true : nil }
        state.withLock { $0.waiting += 1 }
        store.submit(submission) { [state] result in
            state.withLock { state in
                state.waiting -= 1
                switch result {
                case .success(let outcome):
                    state.summary.samples += outcome.stored - outcome.deleted
                    state.summary.deliveries += 1
                case .failure(let fault):
                    state.failure = state.failure ?? StoreError(.failed, detail: fault.sentence)
                }
            }
        }
    }

    private func note(_ error: StoreError) { state.withLock { $0.failure = $0.failure ?? error } }

    /// Until all that was handed over is stored.
    func wait() throws(StoreError) {
        _ = state.wait(milliseconds: 600_000) { $0.waiting == 0 ? true : nil }
        if let failure { throw failure }
    }

    func submitRefusals(_ refusals: [DemoCommands.Refusal]) {
        for refusal in refusals {
            submit(
                Submission(
                    receivedAt: refusal.at, endpoint: DemoStore.endpoint, person: DemoStore.person, kind: .data,
                    dialect: .native, bodyBytes: refusal.bodyBytes, status: 400, code: refusal.code))
        }
    }

    /// What the phone says of a command, some seconds after it got it; and the sample that it wrote.
    func finish(_ step: DemoCommands.Step, at time: Timestamp) {
        let later = Timestamp(microseconds: time.microseconds + 3_000_000)
        let result = CommandResult(
            id: step.id, version: 1, isApplied: step.reason == nil, reason: step.reason,
            json: step.resultJSON)
        submit(
            Submission(
                receivedAt: later, endpoint: DemoStore.endpoint, person: DemoStore.person, kind: .results,
                bodyBytes: step.resultJSON.count + 40, status: 204, content: .results([result])))
        guard let body = step.echo(at: later) else { return }
        submit(
            DemoDelivery(
                receivedAt: Timestamp(microseconds: later.microseconds + 2_000_000), id: step.deliveryID, body: body,
                samples: 1))
    }
}
