/// What samples without uuids of their own need: where a delivery belongs, and what was left out.
extension Tables {
    static let merging: [String] = []
}

extension Views {
    static let mergingViews: [String] = []
}
