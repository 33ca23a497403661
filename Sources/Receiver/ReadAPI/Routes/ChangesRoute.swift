import Insights
import Samples
import Storage

/// `/changes`: what a copy elsewhere has to follow, page by page or as events.
extension ReadRoutes {
    static let changes = APIRoute(
        .get, "/api/v1/changes",
        parameters: [.optional("person"), .optional("since"), .optional("limit"), .optional("types")],
        formats: [.json, .csv, .eventStream]
    ) { request in
        let filter = ChangeFilter(person: try request.person().name, types: try request.types() ?? [])
        let limit = try request.limit()
        if request.format == .eventStream {
            return try request.events { (lease, since) in
                // Whoever reads slowly holds no more than this.
                try ChangePage(lease, since: since, ChangeLimits(changes: min(limit, 256)), filter).events()
            }
        }
        let page = try ChangePage(request.lease, since: request.text("since"), ChangeLimits(changes: limit), filter)
        let bytes = request.format == .csv ? try page.csv() : try page.json()
        return .bytes(bytes, fields: request.link(toNext: page.next, parameter: "since"))
    }
}

/// Some changes, and where the next ones are.
private struct ChangePage {
    private let changes: [Change]
    let next: String
    let more: Bool
    private let texts: StoredTexts

    /// - Parameter since: nil for the end of what there is, where a copy begins.
    init(_ lease: ReadingLease, since: String?, _ limits: ChangeLimits, _ filter: ChangeFilter) throws {
        guard let reader = try lease.storeReader() else { throw APIProblem.storageUnavailable }
        let feed = try ChangeFeed(reader)
        texts = try StoredTexts(reader.connection)
        guard let since else {
            (changes, next, more) = ([], try feed.current().text, false)
            return
        }
        guard let cursor = ChangeCursor(since) else {
            throw APIProblem.invalid("since", "The parameter since takes what an answer before said as next.")
        }
        guard
            case .changes(let changes, let next, let more) = try feed.read(
                since: cursor, limits: limits, filter: filter)
        else { throw APIProblem.cursorExpired }
        (self.changes, self.next, self.more) = (changes, next.text, more)
    }

    func json() throws(StoreError) -> [UInt8] {
        var out = JSONOut(reservingBytes: 128 + changes.count * 512), writer = ChangeWriter()
        out.beginObject()
        try out.array("changes", of: changes) { (out, change) throws(StoreError) in
            try writer.append(change, texts, to: &out)
        }
        out.member("next", word: next)
        out.member("more", more)
        out.endObject()
        return out.finished()
    }

    func csv() throws(StoreError) -> [UInt8] {
        var out = CSVOut(header: ChangeWriter.header, reservingBytes: 256 + changes.count * 256)
        for change in changes { try ChangeWriter.append(change, texts, to: &out) }
        return out.bytes
    }

    func events() throws(StoreError) -> EventPage {
        var writer = ChangeWriter(), events: [EventPage.Event] = [], bytes = 0
        for change in changes {
            // Texts of a change have a bound each, but many of the longest are more than a stream lets wait.
            if bytes > EventStream.roomBytes, let last = events.last {
                return EventPage(events: events, next: last.cursor, more: true)
            }
            var out = JSONOut()
            try writer.append(change, texts, to: &out)
            events.append(EventPage.Event(cursor: change.cursor.text, json: out.bytes))
            bytes += out.bytes.count
        }
        return EventPage(events: events, next: next, more: more)
    }
}
