import Samples
import TestSupport
import Testing

struct SampleBatchTests {
    /// Few are looked through one by one, many are found by a table: the answers are the same.
    @Test(arguments: [1, 15, 16, 17, 18, 40, 3_000])
    func whatIsInternedTwiceHasOneIndex(count: Int) {
        var generator = SeededGenerator(seed: UInt64(count))
        var batch = SampleBatch()
        var texts: [[UInt8]: Int32] = [:], series: [SampleBatch.Series: Int32] = [:]
        var sources: [SampleBatch.Source: Int32] = [:]
        for _ in 0..<count * 4 {
            let number = Int32.random(in: 0..<Int32(count), using: &generator)
            let text = Array(repeatElement(UInt8(ascii: "a"), count: Int(number % 20))) + Array("\(number)".utf8)
            let index = batch.intern(text)
            #expect(index == texts[text] ?? Int32(texts.count))
            texts[text] = index
            let pair = SampleBatch.Series(type: index, unit: Int32.random(in: -1...2, using: &generator))
            let place = batch.series(type: pair.type, unit: pair.unit)
            #expect(place == series[pair] ?? Int32(series.count))
            series[pair] = place
            let source = SampleBatch.Source(app: pair.unit, device: index)
            let origin = batch.source(app: source.app, device: source.device)
            #expect(origin == sources[source] ?? Int32(sources.count))
            sources[source] = origin
        }
        #expect(texts.allSatisfy { Array(batch.text($0.value)) == $0.key } && batch.texts.count == texts.count)
        #expect(series.allSatisfy { batch.series[Int($0.value)] == $0.key } && batch.series.count == series.count)
        #expect(sources.allSatisfy { batch.sources[Int($0.value)] == $0.key } && batch.sources.count == sources.count)
    }
}
