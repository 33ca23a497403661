/// How long a stretch of time one sample of Health Auto Export stands for. Raw values are part of names: never change one.
package enum Grain: UInt8, CaseIterable, Sendable {
    case raw = 0
    case second = 1
    case minute = 2
    case hour = 3
    case day = 4
    case week = 5
    case month = 6
    case year = 7

    /// As `rest` and files have it.
    package var name: StaticString {
        switch self {
        case .raw: "raw"
        case .second: "second"
        case .minute: "minute"
        case .hour: "hour"
        case .day: "day"
        case .week: "week"
        case .month: "month"
        case .year: "year"
        }
    }
}

/// How a sample meets what is stored under its key.
///
/// A dialect whose samples have no uuid names a *slot* instead: metric, grain and time. Several samples may share a slot
/// (five foods of one minute), so their key is the slot's, their `part` is 0, and the store numbers them.
package enum MergeRule: UInt8, CaseIterable, Sendable {
    /// The key is the sample's own: the newest content wins.
    case replace
    /// The members of a slot in one request take the place of those that are stored.
    case slot
    /// A slot whose number is a sum: as `slot`, but of a bucket that the window may have cut the larger sum stays.
    case slotSum
    /// A slot whose number is a mean: as `slot`, but of a bucket that the window may have cut see specs, section 9.
    case slotMean
    /// A slot of Min, Avg and Max: as `slot`, but of a bucket that the window may have cut Min and Max widen.
    case slotRange
    /// One night's sleep in one record; `value` is the sleep's length. Meets stored nights that it overlaps.
    case night
    /// One stage of a night. Stored segments of the same source inside the span of the request's segments go.
    case sleepSegment
    /// A workout: members are merged by field. Its key is the sender's `id`, or start and end where it has none.
    case workout

    /// As files have it.
    package var name: StaticString {
        switch self {
        case .replace: "replace"
        case .slot: "slot"
        case .slotSum: "slot_sum"
        case .slotMean: "slot_mean"
        case .slotRange: "slot_range"
        case .night: "night"
        case .sleepSegment: "sleep_segment"
        case .workout: "workout"
        }
    }
}

/// What is known of a whole request whose samples share slots.
package struct MergeWindow: Sendable, Equatable {
    /// The sender's window may begin or end inside of a bucket (its period is Since Last Sync or Realtime).
    package var cutsBuckets: Bool
    /// Every sample is one of Apple Health's, sent at least once and never as a new sum: members are only ever added.
    package var isPerSample: Bool
    /// One for all requests of a delivery, UTF-8; nil where each request stands alone.
    package var session: [UInt8]?
    /// A hash of the body where requests have a session: the same bytes again in one are a repeat, under whatever id.
    package var bodyHash: Int64?

    package init(cutsBuckets: Bool, isPerSample: Bool, session: [UInt8]?, bodyHash: Int64? = nil) {
        self.cutsBuckets = cutsBuckets
        self.isPerSample = isPerSample
        self.session = session
        self.bodyHash = bodyHash
    }
}

/// A point, metric or section that was left out.
package struct SkippedRecord: Sendable {
    /// Longest raw text that is kept, in bytes.
    package static let maximumRawBytes = 64 << 10

    /// Where it stood, such as `data.metrics[3].data[17]`, in the batch's arena.
    package var path: ArenaRange
    /// Stable word, in snake case: `date_invalid`, `value_missing`, …
    package var code: StaticString
    /// Its own bytes, cut at `maximumRawBytes`, in the batch's arena.
    package var raw: ArenaRange

    package init(path: ArenaRange, code: StaticString, raw: ArenaRange) {
        self.path = path
        self.code = code
        self.raw = raw
    }
}
