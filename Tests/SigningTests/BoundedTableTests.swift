import Synchronization
import Testing

@testable import Signing

/// Any number of different signatures, made the way real ones are.
private func signature(_ number: Int) -> Signature {
    let secret = Secret(text: "k")
    let text = requestSignature(secret: secret, timestamp: "\(number)", body: [])
    let verdict = verifySignature(
        timestamps: slices(["\(number)"]), signatures: slices([text]), body: [UInt8]().span,
        credentials: EndpointCredentials(scheme: .none, secrets: [RotatingSecret(secret: secret)]),
        nowSeconds: Int64(number))
    guard case .accepted(let signature, _) = verdict else { preconditionFailure("\(verdict)") }
    return signature
}

@Suite struct UsedSignatureRules {
    @Test func keptFor600Seconds() {
        let used = UsedSignatures()
        #expect(!used.contains(signature(1), nowSeconds: 1000))
        used.remember(signature(1), nowSeconds: 1000)
        #expect(used.contains(signature(1), nowSeconds: 1000))
        #expect(!used.contains(signature(2), nowSeconds: 1000))
        #expect(used.contains(signature(1), nowSeconds: 1600))
        #expect(!used.contains(signature(1), nowSeconds: 1601))
    }

    @Test func ofSeveralAtOnceOneIsWorkedOn() {
        let used = UsedSignatures()
        let called = Atomic(0)
        func claim(_ number: Int) -> UsedSignatures.Claim {
            used.claim(signature(number), nowSeconds: 1000) { called.add(1, ordering: .relaxed) }
        }
        #expect(claim(1) == .granted)
        #expect(claim(1) == .waiting)
        #expect(claim(1) == .waiting)
        #expect(claim(2) == .granted)
        // Refused: whoever waited is called, and the first to claim again goes on.
        used.release(signature(1), isStored: false, nowSeconds: 1000)
        #expect(called.load(ordering: .relaxed) == 2)
        #expect(claim(1) == .granted)
        #expect(claim(1) == .waiting)
        used.release(signature(1), isStored: true, nowSeconds: 1000)
        #expect(called.load(ordering: .relaxed) == 3)
        #expect(claim(1) == .used)
        used.release(signature(2), isStored: true, nowSeconds: 1000)
        #expect(called.load(ordering: .relaxed) == 3)
        #expect(claim(2) == .used)
    }

    @Test func aRepeatDoesNotProlong() {
        let used = UsedSignatures()
        used.remember(signature(1), nowSeconds: 1000)
        used.remember(signature(1), nowSeconds: 1500)
        #expect(used.count == 1)
        #expect(!used.contains(signature(1), nowSeconds: 1601))
        used.remember(signature(1), nowSeconds: 1601)
        #expect(used.contains(signature(1), nowSeconds: 2201))
    }

    @Test func staysUsedWhenTheClockIsSetBack() {
        let used = UsedSignatures()
        used.remember(signature(1), nowSeconds: 5000)
        #expect(used.contains(signature(1), nowSeconds: 1400))
        used.remember(signature(2), nowSeconds: 1400)
        #expect(used.contains(signature(1), nowSeconds: 5000))
        #expect(!used.contains(signature(2), nowSeconds: 5000))
    }

    @Test func theOldestGoesWhenFull() {
        let used = UsedSignatures(maximum: 3)
        for number in 1...3 { used.remember(signature(number), nowSeconds: 100) }
        #expect(used.contains(signature(1), nowSeconds: 100))
        used.remember(signature(4), nowSeconds: 100)
        #expect((1...4).map { used.contains(signature($0), nowSeconds: 100) } == [false, true, true, true])
        #expect(used.count == 3)
    }

    @Test func staysBoundedAndSweeps() {
        let used = UsedSignatures(maximum: 2000)
        for number in 0..<7000 {
            used.remember(signature(number), nowSeconds: 0)
            #expect(used.count <= 2000)
        }
        #expect(used.contains(signature(5000), nowSeconds: 0) && !used.contains(signature(4999), nowSeconds: 0))
        used.remember(signature(7000), nowSeconds: 601)
        #expect(used.count == 1)
        #expect(used.contains(signature(7000), nowSeconds: 601))
    }
}

@Suite struct FailureLimiterRules {
    @Test func tenThenOneEverySixSeconds() {
        let limiter = FailureLimiter<UInt128>()
        for _ in 0..<10 { #expect(limiter.recordFailure(1, nowMilliseconds: 0) == nil) }
        #expect(limiter.recordFailure(1, nowMilliseconds: 0) == 6)
        #expect(limiter.recordFailure(1, nowMilliseconds: 1) == 6)
        #expect(limiter.recordFailure(1, nowMilliseconds: 1000) == 5)
        #expect(limiter.recordFailure(1, nowMilliseconds: 5_001) == 1)
        #expect(limiter.recordFailure(1, nowMilliseconds: 5_999) == 1)
        #expect(limiter.recordFailure(1, nowMilliseconds: 6_000) == nil)
        #expect(limiter.recordFailure(1, nowMilliseconds: 6_000) == 6)
        #expect(limiter.recordFailure(2, nowMilliseconds: 6_000) == nil)
        // A minute of silence fills it whole, and no more than whole.
        for _ in 0..<10 { #expect(limiter.recordFailure(1, nowMilliseconds: 9_000_000) == nil) }
        #expect(limiter.recordFailure(1, nowMilliseconds: 9_000_000) == 6)
    }

    @Test func waitingAsToldIsEnough() {
        let limiter = FailureLimiter<UInt128>(capacity: 3, refillsPerMinute: 7)
        var now: Int64 = 123
        for _ in 0..<3 { #expect(limiter.recordFailure(1, nowMilliseconds: now) == nil) }
        for _ in 0..<50 {
            guard let wait = limiter.recordFailure(1, nowMilliseconds: now) else {
                Issue.record("an empty bucket covered a failure")
                return
            }
            #expect(wait >= 1)
            now += Int64(wait) * 1000
            #expect(limiter.recordFailure(1, nowMilliseconds: now) == nil)
        }
    }

    @Test func aClockThatStandsOrStepsBackIsHarmless() {
        let limiter = FailureLimiter<UInt128>(capacity: 2, refillsPerMinute: 60)
        #expect(limiter.recordFailure(1, nowMilliseconds: 10_000) == nil)
        #expect(limiter.recordFailure(1, nowMilliseconds: 0) == 10)
        #expect(limiter.recordFailure(1, nowMilliseconds: 10_000) == nil)
        #expect(limiter.recordFailure(1, nowMilliseconds: 10_000) == 1)
    }

    @Test func bounded() {
        let limiter = FailureLimiter<UInt128>(maximum: 100)
        for key in 0..<5_000 {
            #expect(limiter.recordFailure(UInt128(key), nowMilliseconds: 0) == nil)
            #expect(limiter.count <= 100)
        }
        #expect(limiter.count == 100)
        let single = FailureLimiter<UInt128>(maximum: 1)
        for key in 0..<20 { #expect(single.recordFailure(UInt128(key), nowMilliseconds: 0) == nil) }
        #expect(single.count == 1)
    }

    /// A flood of senders with one failure each pushes out others like them before one that keeps guessing.
    @Test func theWorstIsForgottenLast() {
        let limiter = FailureLimiter<UInt128>(maximum: 100)
        for _ in 0..<10 { _ = limiter.recordFailure(7, nowMilliseconds: 0) }
        for key in 1000..<3000 { _ = limiter.recordFailure(UInt128(key), nowMilliseconds: 0) }
        #expect(limiter.recordFailure(7, nowMilliseconds: 0) == 6)
    }

    @Test func refilledOnesAreForgotten() {
        let limiter = FailureLimiter<UInt128>(maximum: 1000)
        for key in 0..<1000 { _ = limiter.recordFailure(UInt128(key), nowMilliseconds: 0) }
        #expect(limiter.count == 1000)
        // Each new sender sweeps two full buckets, and none that is still filling.
        for key in 0..<900 { _ = limiter.recordFailure(UInt128(10_000 + key), nowMilliseconds: 6_000) }
        #expect(limiter.count < 1000)
        for key in 0..<900 {
            for _ in 0..<9 { #expect(limiter.recordFailure(UInt128(10_000 + key), nowMilliseconds: 6_000) == nil) }
            #expect(limiter.recordFailure(UInt128(10_000 + key), nowMilliseconds: 6_000) == 6)
        }
    }
}
