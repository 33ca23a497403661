extension ReadRoutes {
    /// What the API takes and answers, for machines: OpenAPI 3.1.
    static let document = APIRoute(.get, "/openapi.json", access: .open, formats: [.json]) { _ in
        .text(OpenAPIText.document)
    }
}
