/// Commands for the phone and their results.
extension Tables {
    static let commands: [String] = []
}

extension Views {
    static let commandViews: [String] = []
}
