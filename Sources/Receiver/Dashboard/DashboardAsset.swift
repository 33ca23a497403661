/// A file of the dashboard, which the program carries in itself.
package struct DashboardAsset: Sendable {
    /// The whole path of its address: `/`, `/app.js`.
    package var path: String
    package var contentType: String
    /// 32 hex digits of the SHA-256 of its bytes: an `ETag`.
    package var digest: String
    package var text: String

    package init(path: String, contentType: String, digest: String, text: String) {
        self.path = path
        self.contentType = contentType
        self.digest = digest
        self.text = text
    }

    /// What an answer with an asset must carry, so that a page can neither run nor fetch anything that isn't ours.
    package static let contentSecurityPolicy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; \
        form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'
        """
}
