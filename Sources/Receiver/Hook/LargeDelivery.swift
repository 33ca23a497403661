import Samples
import Storage
import Wire

extension HookRequest {
    /// What the store's queue counts for a large body: what its slices take in memory.
    private static let streamBytes = 3 * SlicesAhead.largeSliceBytes
    /// Records in a slice.
    private static let sliceRecords = 8_000

    /// Has a decoder thread read a body that is in a file, slice by slice, ahead of the one transaction that stores it.
    ///
    /// The store hears of it when the second slice is there: a body of one slice or none is a delivery like any other, and
    /// one that is refused until then never holds the writer thread.
    ///
    /// The file goes before a sender is told of success: who sends the next at once finds room for it.
    func storeLarge(
        _ body: PaddedBytes, _ delivery: DeliveryHeaders, bodyBytes: Int,
        _ answer: @escaping @Sendable (Answer, _ isStored: Bool) -> Void
    ) {
        let held = HeldBody(body)
        service.decoders.run { decode(held, delivery, bodyBytes: bodyBytes, answer) }
    }

    private func decode(
        _ held: HeldBody, _ delivery: DeliveryHeaders, bodyBytes: Int,
        _ answer: @escaping @Sendable (Answer, _ isStored: Bool) -> Void
    ) {
        let ahead = SlicesAhead()
        var newest: SampleBatch?, isSubmitted = false
        let end = Result {
            try read(held, delivery) { slice in
                let isLarge = slice.arenaBytes > SlicesAhead.largeSliceBytes
                if !isSubmitted && (newest != nil || isLarge) {
                    submit(ahead, delivery, bodyBytes: bodyBytes, answer)
                    isSubmitted = true
                }
                if let former = newest.take() { try ahead.put(former) }
                if isLarge { try ahead.put(slice) } else { newest = slice }
            }
            if let fault = scope.bodyFault { throw fault }
            if isSubmitted, let last = newest.take() { try ahead.put(last) }
        }
        held.release()
        if isSubmitted { return ahead.finish(end) }
        do {
            try end.get()
            let batch = newest ?? SampleBatch()
            submit(
                .batch(batch), isTest: false, device: nil, delivery, bodyBytes: bodyBytes,
                sampleCount: batch.samples.count, answer)
        } catch let fault as DecodeFault {
            refuse(fault, bodyBytes: bodyBytes, answer)
        } catch {
            giveUp(delivery, bodyBytes: bodyBytes, answer)
        }
    }

    /// - Parameter take: gets each slice; what it throws ends the reading.
    private func read(
        _ held: HeldBody, _ delivery: DeliveryHeaders, take: (SampleBatch) throws -> Void
    ) throws {
        guard let body = held.bytes else { return }
        try delivery.dialect.decode(body, decodeContext(delivery), sliceRecords: Self.sliceRecords) { slice in
            if service.givesUpLargeBodies || admission() != .admitted { throw StoreError(.givenUp) }
            try take(slice)
        }
    }

    private func submit(
        _ ahead: SlicesAhead, _ delivery: DeliveryHeaders, bodyBytes: Int,
        _ answer: @escaping @Sendable (Answer, _ isStored: Bool) -> Void
    ) {
        let stream = SampleStream(bytes: Self.streamBytes) { sink in try ahead.drain(sink) }
        submit(.stream(stream), isTest: false, device: nil, delivery, bodyBytes: bodyBytes, sampleCount: nil) {
            ahead.cancel()
            answer($0, $1)
        }
    }

    private func giveUp(
        _ delivery: DeliveryHeaders, bodyBytes: Int,
        _ answer: @escaping @Sendable (Answer, _ isStored: Bool) -> Void
    ) {
        if let refusal = refusalByNow(bodyBytes: bodyBytes) { return answer(refusal, false) }
        log(status: 503, code: "storage_unavailable", bodyBytes: bodyBytes, delivery: delivery)
        answer(Answer(storeRefusal(.closed)), false)
    }
}
