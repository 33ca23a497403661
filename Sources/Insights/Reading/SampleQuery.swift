package import Samples

/// Which samples of one type of one person are read, and from where on.
package struct SampleQuery: Equatable, Sendable {
    package enum Order: String, CaseIterable, Sendable {
        case ascending = "asc"
        case descending = "desc"
    }

    package var person: String
    package var type: String
    /// Half open, of starts; nil bounds nothing. With a bound, samples without a start are left out; without one they
    /// come before all others.
    package var from: Timestamp?
    package var to: Timestamp?
    /// `descending` is `ascending` read backwards.
    package var order: Order
    package var device: String?
    package var source: SourceFilter?
    /// Only what follows it in the order.
    package var after: SamplePlace?
    /// At least 1.
    package var limit: Int

    package init(
        person: String, type: String, from: Timestamp? = nil, to: Timestamp? = nil, order: Order = .ascending,
        device: String? = nil, source: SourceFilter? = nil, after: SamplePlace? = nil, limit: Int
    ) {
        self.person = person
        self.type = type
        self.from = from
        self.to = to
        self.order = order
        self.device = device
        self.source = source
        self.after = after
        self.limit = limit
    }

    /// Starts, both ends included; nil for none.
    var starts: ClosedRange<Int64>? {
        let isBounded = from != nil || to != nil
        // Rows without a start have the lowest there is.
        let lowest = isBounded ? max(from?.microseconds ?? .min, .min + 1) : .min
        guard let to else { return lowest...Int64.max }
        guard to.microseconds > lowest else { return nil }
        return lowest...to.microseconds - 1
    }
}

/// What came of reading a page.
package enum SamplePageEnd: Equatable, Sendable {
    /// There is nothing more.
    case last
    /// There may be more behind this place. A page can end before it is full: no more rows are looked at for one than
    /// `SamplePages.maximumRows`.
    case more(SamplePlace)
    /// `after` is no place of this person's samples of this type and device.
    case foreignPlace
}
