import Testing

@testable import Receiver

@Suite struct BurstWatchTests {
    /// Looks at the budget one after the other, and what each says.
    @Test(arguments: [
        (looks: [0, 0], overs: [false, false]),
        (looks: [BurstWatch.leastBytes, BurstWatch.leastBytes], overs: [false, true]),
        (looks: [BurstWatch.leastBytes - 1, BurstWatch.leastBytes - 1], overs: [false, false]),
        // Once a burst.
        (looks: [9 << 20, 9 << 20, 9 << 20], overs: [false, true, false]),
        // Not while more comes.
        (looks: [5 << 20, 10 << 20, 15 << 20, 15 << 20], overs: [false, false, false, true]),
        // Little by little it comes to as much.
        (
            looks: [3 << 20, 3 << 20, 5 << 20, 5 << 20, 6 << 20, 6 << 20],
            overs: [false, false, false, true, false, false]
        ),
    ])
    func aBurstIsOver(looks: [Int], overs: [Bool]) {
        var watch = BurstWatch()
        #expect(looks.map { watch.isOver(takenBytes: $0) } == overs)
    }

    @Test func theBudgetCountsWhatWasTakenAndNothingElse() {
        let budget = MemoryBudget(limitBytes: 100)
        #expect(budget.take(60))
        #expect(!budget.take(60))
        budget.giveBack(60)
        #expect(budget.take(10))
        #expect(budget.takenBytes == 70 && budget.usedBytes == 10)
    }
}
