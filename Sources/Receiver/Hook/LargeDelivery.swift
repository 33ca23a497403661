import Samples
import Storage
import Wire

extension HookRequest {
    /// What the store's queue counts for a large body: what one slice of it takes in memory.
    private static let sliceBytes = 4 << 20
    /// Records in a slice.
    private static let sliceRecords = 8_000

    /// Has the writer thread decode a body that is in a file, slice by slice, in the transaction that stores it.
    ///
    /// The file goes before the sender is answered: who sends the next at once finds room for it.
    func storeLarge(
        _ body: PaddedBytes, _ delivery: DeliveryHeaders, bodyBytes: Int,
        _ answer: @escaping @Sendable (Answer, _ isStored: Bool) -> Void
    ) {
        let held = HeldBody(body)
        let context = decodeContext(delivery), fault = scope.bodyFault
        let stream = SampleStream(bytes: Self.sliceBytes) { sink in
            guard let body = held.bytes else { return }  // the store asks before it replies, and only then is it gone
            try delivery.dialect.decode(body, context, sliceRecords: Self.sliceRecords) { (slice) throws(StoreError) in
                if service.givesUpLargeBodies { throw StoreError(.givenUp) }
                try sink(slice)
            }
            if let fault { throw fault }
        }
        submit(.stream(stream), isTest: false, device: nil, delivery, bodyBytes: bodyBytes, sampleCount: nil) {
            held.release()
            answer($0, $1)
        }
    }
}
