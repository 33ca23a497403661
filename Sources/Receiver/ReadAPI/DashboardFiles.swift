/// The dashboard's files by their path, with their tags: made once.
struct DashboardFiles: Sendable {
    struct File: Sendable {
        let contentType: String
        let bytes: [UInt8]
        let tag: String
    }

    private let files: [[UInt8]: File]

    init(_ assets: [(path: String, contentType: String, bytes: [UInt8])] = DashboardAssets.all) {
        var files: [[UInt8]: File] = [:]
        for asset in assets {
            files[Array(asset.path.utf8)] = File(
                contentType: asset.contentType, bytes: asset.bytes, tag: entityTag(of: asset.bytes))
        }
        self.files = files
    }

    /// Paths are compared as bytes: no decoding, no case folding, no dots.
    func file(at path: [UInt8]) -> File? { files[path] }
}
