import Samples
import Storage
import Wire

extension Sender {
    /// Apps that send daily step counts. Source: specs, daily-steps.
    static let steps = Sender(calls: [
        SenderCall(
            method: "POST", path: "/v1/trainee/health/days",
            work: .delivery { outcome, _ in .json(status: 200, Array("{\"days\":\(outcome.updated)}\n".utf8)) }),
        SenderCall(
            method: "GET", path: "/v1/trainee/health/summary",
            work: .query { try .json(status: 200, $0.stepsSummary()) }),
        .setupPage,
    ])
}

/// The days that a summary is asked for, both included.
struct StepsRange: Equatable {
    static let maximumDays = 366
    static let usualDays = 30
    /// 0000-01-01: no earlier date can be written.
    private static let firstDay = CivilDate(year: 0, month: 1, day: 1).daysSince1970

    /// In days since 1970-01-01.
    var from, to: Int

    /// - Parameters:
    ///   - query: as `SenderQuery` has it.
    ///   - today: on the endpoint's clock, in days since 1970-01-01.
    /// - Throws: for a date that is none, or a range that is none or too long.
    init(_ query: SenderQuery, today: Int) throws(Refusal) {
        let from = try Self.day("from", query), to = try Self.day("to", query)
        self.to = to ?? today
        self.from = from ?? max(Self.firstDay, self.to - (Self.usualDays - 1))
        guard self.from <= self.to else {
            let message = to == nil ? "`from` is after today." : "`from` is after `to`."
            throw Refusal(status: 400, code: "range_invalid", message: message, path: "from")
        }
        guard self.to - self.from < Self.maximumDays else {
            throw Refusal(
                status: 400, code: "range_too_long", message: "A summary has \(Self.maximumDays) days at most.",
                path: "from")
        }
    }

    /// Nil when the query doesn't name it.
    private static func day(_ name: String, _ query: SenderQuery) throws(Refusal) -> Int? {
        // What isn't UTF-8 is there, and no date.
        let named = query.query.split(separator: UInt8(ascii: "&")).count {
            $0.prefix { $0 != UInt8(ascii: "=") }.elementsEqual(name.utf8)
        }
        let values = query.values(name)
        if named == 0 && values.isEmpty { return nil }
        let bytes = Array((values.first ?? "").utf8)
        guard named <= 1, values.count == 1, let date = CivilDate.parse(bytes.span) else {
            throw Refusal(
                status: 400, code: "date_invalid", message: "`\(name)` is not one day as YYYY-MM-DD.", path: name)
        }
        return date.daysSince1970
    }
}

extension SenderQuery {
    /// Of the endpoint's clock, in days since 1970-01-01.
    var today: Int {
        let time = Timestamp(microseconds: nowSeconds.multipliedReportingOverflow(by: 1_000_000).partialValue)
        let local = nowSeconds + Int64(zone.offsetSeconds(at: time))
        return Int(local >= 0 ? local / 86_400 : (local - 86_399) / 86_400)
    }

    /// `{"range":{"from":"…","to":"…"},"days":[{"date":"…","steps":0}]}`, days without data left out.
    fileprivate func stepsSummary() throws -> [UInt8] {
        let range = try StepsRange(self, today: today)
        let from = CivilDate(daysSince1970: Int32(clamping: range.from))
        let to = CivilDate(daysSince1970: Int32(clamping: range.to))
        let days = try StoreReader(directory: directory).stepTotals(
            person: scope.person, device: scope.device ?? Array(endpoint.name.utf8), from: from, to: to)
        let entries = days.map { "{\"date\":\"\($0.date.text)\",\"steps\":\($0.steps)}" }
        let text =
            "{\"range\":{\"from\":\"\(from.text)\",\"to\":\"\(to.text)\"},\"days\":[\(entries.joined(separator: ","))]}\n"
        return Array(text.utf8)
    }
}
