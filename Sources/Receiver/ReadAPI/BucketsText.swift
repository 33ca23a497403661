package import Insights

/// What `/buckets` answers, for others who print the same.
package enum BucketsText {
    package static func json(_ series: BucketSeries, of person: Person) -> [UInt8] {
        BucketsWriter.json(series, of: person)
    }

    package static func csv(_ series: BucketSeries, of person: Person) -> [UInt8] {
        BucketsWriter.csv(series, of: person)
    }
}
