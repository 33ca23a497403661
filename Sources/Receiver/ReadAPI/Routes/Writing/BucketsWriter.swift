import Insights
import Samples

/// `/buckets`.
enum BucketsWriter {
    static func json(_ series: BucketSeries, of person: Person) -> [UInt8] {
        JSONOut.text(reservingBytes: 256 + series.buckets.count * 160) { out in
            out.member("person", series.query.person)
            out.member("type", series.query.type)
            out.member("zone", series.zoneName)
            out.member("unit", series.unit)
            out.member("aggregation", word: series.aggregation?.rawValue)
            out.member("by", word: series.query.size.rawValue)
            out.member("merge", word: series.query.rule.rawValue)
            out.member("unconverted", count: series.unconverted)
            out.array("buckets", of: series.buckets) { out, bucket in
                out.object { append(bucket, series.query, person.zone, to: &$0) }
            }
        }
    }

    private static func append(_ bucket: Bucket, _ query: BucketQuery, _ zone: ZoneRules, to out: inout JSONOut) {
        let clock = WallClock(zone, offsetMinutes: bucket.offsetMinutes, at: bucket.start)
        out.member("start", bucket.start, offsetMinutes: bucket.offsetMinutes)
        out.member("end", bucket.end, offsetMinutes: clock.offsetMinutes(at: bucket.end))
        out.member("samples", count: bucket.samples)
        switch bucket.figures {
        case .sum(let sum): out.member("sum", sum)
        case .discrete(let minimum, let mean, let maximum, let last):
            out.member("min", minimum)
            out.member("mean", mean)
            out.member("max", maximum)
            out.member("last", last)
        case .duration(let seconds): out.member("seconds", seconds)
        }
        guard query.withSources else { return }
        out.array("sources", of: bucket.sources) { out, share in
            out.object {
                $0.member("app", share.source.app)
                $0.member("device", share.source.device)
                $0.member("value", share.value)
                $0.member("counted", share.counted)
                $0.member("samples", count: share.samples)
            }
        }
    }

    /// One line a bucket, in columns for all figures: of one series only some have any.
    static func csv(_ series: BucketSeries, of person: Person) -> [UInt8] {
        var out = CSVOut(
            header: "start,end,samples,sum,min,mean,max,last,seconds,unit",
            reservingBytes: 64 + series.buckets.count * 96)
        for bucket in series.buckets {
            let clock = WallClock(person.zone, offsetMinutes: bucket.offsetMinutes, at: bucket.start)
            out.field(bucket.start, offsetMinutes: bucket.offsetMinutes)
            out.field(bucket.end, offsetMinutes: clock.offsetMinutes(at: bucket.end))
            out.field(count: bucket.samples)
            var figures: [Double?] = [nil, nil, nil, nil, nil, nil]
            switch bucket.figures {
            case .sum(let sum): figures[0] = sum
            case .discrete(let minimum, let mean, let maximum, let last):
                figures.replaceSubrange(1...4, with: [minimum, mean, maximum, last])
            case .duration(let seconds): figures[5] = seconds
            }
            for figure in figures { out.field(figure) }
            out.field(series.unit)
            out.endLine()
        }
        return out.bytes
    }
}
