import Samples

/// A batch's interned texts as numbers of the dictionaries: looked up once a batch, not once a sample.
struct BatchIDs {
    private var texts: [Int64]
    private var series: [Int64]
    private var sources: [Int64]

    init(_ batch: SampleBatch, device: Int64, _ dictionaries: Dictionaries) throws(StoreError) {
        texts = Array(repeating: 0, count: batch.texts.count)
        series = []
        sources = []
        // Only texts that a row will name: a deletion's type is not one of them.
        func number(_ index: BatchIndex) throws(StoreError) -> Int64 {
            if index < 0 { return 0 }
            if texts[Int(index)] == 0 { texts[Int(index)] = try dictionaries.text(batch.text(index).span) }
            return texts[Int(index)]
        }
        if batch.samples.isEmpty { return }
        series = Array(repeating: 0, count: batch.series.count)
        for pair in batch.sources {
            sources.append(try dictionaries.source(app: try number(pair.app), device: try number(pair.device)))
        }
        for record in batch.samples {
            if record.valueName >= 0 { _ = try number(record.valueName) }
            // Those of samples alone: a batch may have others, of aggregates.
            let index = Int(record.series)
            if series[index] != 0 { continue }
            let pair = batch.series[index]
            series[index] = try dictionaries.series(
                device: device, type: try number(pair.type), unit: try number(pair.unit))
        }
    }

    func place(of record: SampleRecord) -> SamplePlace {
        SamplePlace(series: series[Int(record.series)], start: record.start.microseconds)
    }

    func series(_ index: BatchIndex) -> Int64 { series[Int(index)] }
    func text(_ index: BatchIndex) -> Int64? { index < 0 ? nil : texts[Int(index)] }
    func source(_ index: BatchIndex) -> Int64? { index < 0 ? nil : sources[Int(index)] }
}
