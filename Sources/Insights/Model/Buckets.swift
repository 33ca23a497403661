package import Samples

/// How long a bucket is, by the person's clock. A day has 23 to 25 hours; a week begins on Monday (ISO 8601).
package enum BucketSize: String, CaseIterable, Sendable { case hour, day, week, month, year }

/// Which samples of a cumulative type count where several sources were there.
package enum SourceRule: String, CaseIterable, Sendable {
    /// Per moment the source of the highest priority that has data; the others fill its gaps. As the Health app does.
    case priority
    /// Of each day the one source with the highest sum. As several senders do.
    case highestSource = "highest-source"
}

package struct BucketQuery: Equatable, Sendable {
    package var person: String
    package var type: String
    /// Half open.
    package var from: Timestamp
    package var to: Timestamp
    package var size: BucketSize
    package var rule: SourceRule
    /// Whether each bucket says what each source has in it.
    package var withSources: Bool

    package init(
        person: String, type: String, from: Timestamp, to: Timestamp, size: BucketSize, rule: SourceRule = .priority,
        withSources: Bool = false
    ) {
        self.person = person
        self.type = type
        self.from = from
        self.to = to
        self.size = size
        self.rule = rule
        self.withSources = withSources
    }
}

/// Numbers of one stretch of a person's time. Stretches without data have none.
package struct Bucket: Equatable, Sendable {
    /// Half open; by the person's clock the begin and end of an hour, a day, ….
    package var start: Timestamp
    package var end: Timestamp
    /// Minutes east of UTC at `start`.
    package var offsetMinutes: Int16
    /// Samples that touch it and were looked at, those of sources that don't count too.
    package var samples: Int
    package var figures: Figures
    /// By priority; empty unless asked for.
    package var sources: [SourceShare]

    package init(
        start: Timestamp, end: Timestamp, offsetMinutes: Int16, samples: Int, figures: Figures,
        sources: [SourceShare] = []
    ) {
        self.start = start
        self.end = end
        self.offsetMinutes = offsetMinutes
        self.samples = samples
        self.figures = figures
        self.sources = sources
    }
}

package enum Figures: Equatable, Sendable {
    /// Of a cumulative type, in the series' unit.
    case sum(Double)
    /// Of a discrete type. The mean is weighted with time where samples have a duration.
    case discrete(minimum: Double, mean: Double, maximum: Double, last: Double)
    /// Of categories and other kinds: seconds of their union, over all sources.
    case duration(seconds: Double)
}

/// What one source has in a bucket.
package struct SourceShare: Equatable, Sendable {
    package var source: SourceName
    /// Of cumulative types: all it has, as if it were alone. Of discrete ones its mean.
    package var value: Double
    /// Of cumulative types: what of it counts.
    package var counted: Double
    package var samples: Int

    package init(source: SourceName, value: Double, counted: Double, samples: Int) {
        self.source = source
        self.value = value
        self.counted = counted
        self.samples = samples
    }
}

package struct BucketSeries: Equatable, Sendable {
    package var query: BucketQuery
    package var zoneName: String
    /// The catalog's for a known type, else that of most samples; nil when there is none. Samples in units that can't be
    /// converted to it are left out and counted.
    package var unit: String?
    package var unconverted: Int
    package var aggregation: CatalogType.Aggregation?
    /// In the order of time.
    package var buckets: [Bucket]

    package init(
        query: BucketQuery, zoneName: String, unit: String?, unconverted: Int, aggregation: CatalogType.Aggregation?,
        buckets: [Bucket]
    ) {
        self.query = query
        self.zoneName = zoneName
        self.unit = unit
        self.unconverted = unconverted
        self.aggregation = aggregation
        self.buckets = buckets
    }
}

/// A type that a person has samples of.
package struct TypeSummary: Equatable, Sendable {
    package var type: String
    package var kind: SampleKind
    /// As `BucketSeries.unit`.
    package var unit: String?
    package var aggregation: CatalogType.Aggregation?
    package var samples: Int
    /// The first and last start; nil for a type whose samples have none.
    package var first: Timestamp?
    package var last: Timestamp?

    package init(
        type: String, kind: SampleKind, unit: String?, aggregation: CatalogType.Aggregation?, samples: Int,
        first: Timestamp?, last: Timestamp?
    ) {
        self.type = type
        self.kind = kind
        self.unit = unit
        self.aggregation = aggregation
        self.samples = samples
        self.first = first
        self.last = last
    }
}

/// A source of a person and where it stands.
package struct SourceRank: Equatable, Sendable {
    package var source: SourceName
    package var sourceClass: SourceClass
    /// Of the type that was asked about, else of all.
    package var samples: Int
    /// Whether the person set its place; else it is the default's.
    package var isSet: Bool

    package init(source: SourceName, sourceClass: SourceClass, samples: Int, isSet: Bool) {
        self.source = source
        self.sourceClass = sourceClass
        self.samples = samples
        self.isSet = isSet
    }
}
