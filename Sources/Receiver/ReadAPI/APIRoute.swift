/// One address of the API, as data: the router, `openapi.json` and the tests read the same table.
package struct APIRoute: Sendable {
    package enum Method: String, CaseIterable, Sendable { case get = "GET", post = "POST", delete = "DELETE" }

    /// Who may use it.
    package enum Access: Equatable, Sendable {
        /// Anyone: it tells nothing of what is stored.
        case open
        /// A token of any scope.
        case read
        /// A token of scope `write`.
        case write
    }

    /// A parameter of the query.
    package struct Parameter: Equatable, Sendable {
        package var name: String
        package var isRequired: Bool

        package static func required(_ name: String) -> Parameter { Parameter(name: name, isRequired: true) }
        package static func optional(_ name: String) -> Parameter { Parameter(name: name, isRequired: false) }
    }

    /// GET includes HEAD.
    package var method: Method
    /// Such as `/api/v1/workouts/{uuid}.gpx`: a part in braces is one part of the address, with what is behind the braces
    /// at its end. Of several that fit, the first of the table counts.
    package var path: String
    package var access: Access
    package var parameters: [Parameter]
    /// What `Accept` can choose, the first without it.
    package var formats: [APIFormat]
    /// Whether a body is read; bytes of it at most `APIService.maximumBodyBytes`.
    package var takesBody: Bool
    /// Called on a reader thread, where it may wait for the disk. What it throws and is no `APIProblem` is a 503, or for a
    /// `StoreError` of a damaged database too.
    package var answer: @Sendable (APIRequest) throws -> APIAnswer

    package init(
        _ method: Method = .get, _ path: String, access: Access = .read, parameters: [Parameter] = [],
        formats: [APIFormat] = [.json, .csv], takesBody: Bool = false,
        answer: @escaping @Sendable (APIRequest) throws -> APIAnswer
    ) {
        self.method = method
        self.path = path
        self.access = access
        self.parameters = parameters
        self.formats = formats
        self.takesBody = takesBody
        self.answer = answer
    }

    /// What stands in the place of `path`'s braces, decoded; nil when the address is another one.
    func captures(of address: [ArraySlice<UInt8>]) -> [String: String]? {
        let pattern = path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard pattern.count == address.count else { return nil }
        var captures: [String: String] = [:]
        for (expected, part) in zip(pattern, address) {
            guard expected.first == UInt8(ascii: "{"), let end = expected.firstIndex(of: UInt8(ascii: "}")) else {
                guard expected.elementsEqual(part) else { return nil }
                continue
            }
            let suffix = expected[expected.index(after: end)...]
            guard part.count > suffix.count, part.suffix(suffix.count).elementsEqual(suffix),
                let value = APIQuery.decoded(part.dropLast(suffix.count), plusIsBlank: false)
            else { return nil }
            captures[String(decoding: expected[..<end].dropFirst(), as: UTF8.self)] = value
        }
        return captures
    }
}

/// The table of all addresses below `/api/` and beside it; the dashboard's files are in `DashboardAssets`.
package enum APIRoutes {
    package static let all: [APIRoute] = own + ReadRoutes.all

    /// What isn't about stored samples.
    static let own: [APIRoute] = SessionRoutes.all + StatusRoute.all + CommandRoutes.all + MetricsRoute.all
}
