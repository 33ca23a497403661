/// What a route answers, before ETag, format and header fields.
package struct APIAnswer: Sendable {
    enum Content: Sendable {
        /// Of the form that was asked for; called once, on the same thread.
        case bytes(@Sendable (APIFormat) throws -> [UInt8])
        case stream(any AnswerStream)
    }

    var status: Int
    var content: Content
    /// Beside Content-Type, ETag and Cache-Control.
    var fields: [(name: String, value: String)]

    /// A 200 that is made in the form that the client chose. Each closure gives the whole body.
    package static func table(
        json: @escaping @Sendable () throws -> [UInt8], csv: @escaping @Sendable () throws -> [UInt8]
    ) -> APIAnswer {
        APIAnswer(status: 200, content: .bytes { try $0 == .csv ? csv() : json() }, fields: [])
    }

    /// A body in the only form that the route has.
    package static func bytes(
        _ bytes: [UInt8], status: Int = 200, fields: [(name: String, value: String)] = []
    ) -> APIAnswer {
        APIAnswer(status: status, content: .bytes { _ in bytes }, fields: fields)
    }

    package static func text(_ text: String, status: Int = 200) -> APIAnswer {
        .bytes(Array(text.utf8), status: status)
    }

    /// 204.
    package static func nothing(fields: [(name: String, value: String)] = []) -> APIAnswer {
        .bytes([], status: 204, fields: fields)
    }

    /// A 200 whose body goes on until somebody ends it.
    package static func stream(_ stream: any AnswerStream) -> APIAnswer {
        APIAnswer(status: 200, content: .stream(stream), fields: [])
    }
}
