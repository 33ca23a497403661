import Testing

@testable import Receiver

@Suite struct BurstWatchTests {
    /// Looks at the budget one after the other, in MiB, and what each says.
    private static let bursts: [(looks: [Int], overs: [Bool])] = [
        ([0, 0], [false, false]),
        // Once a burst.
        ([9, 9, 9], [false, true, false]),
        // Not while more comes.
        ([5, 10, 15, 15], [false, false, false, true]),
        // Little by little it comes to as much.
        ([3, 3, 5, 5, 6, 6], [false, false, false, true, false, false]),
    ]

    @Test(arguments: bursts)
    func aBurstIsOver(looks: [Int], overs: [Bool]) {
        var watch = BurstWatch()
        #expect(looks.map { watch.isOver(takenBytes: $0 << 20) } == overs)
    }

    @Test func aBurstIsThisLargeAtLeast() {
        for (bytes, isOver) in [(BurstWatch.leastBytes, true), (BurstWatch.leastBytes - 1, false)] {
            var watch = BurstWatch()
            let first = watch.isOver(takenBytes: bytes), second = watch.isOver(takenBytes: bytes)
            #expect(!first && second == isOver)
        }
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
