/// A file of the dashboard. Its text stays in the program's file until somebody asks for it.
package struct DashboardAsset: Sendable {
    package let path: String
    let contentType: String
    /// As `entityTag` makes it.
    let tag: String
    private let text: StaticString

    init(path: String, contentType: String, tag: String, text: StaticString) {
        self.path = path
        self.contentType = contentType
        self.tag = tag
        self.text = text
    }

    package var bytes: [UInt8] { text.withUTF8Buffer { unsafe Array($0) } }
}

extension DashboardAssets {
    /// Paths are compared as bytes: no decoding, no case folding, no dots.
    static func asset(at path: [UInt8]) -> DashboardAsset? { all.first { $0.path.utf8.elementsEqual(path) } }
}
