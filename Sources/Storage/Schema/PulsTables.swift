/// What PulsHealth's batches need beside samples.
extension Tables {
    static let puls: [String] = []
}

extension Views {
    static let pulsViews: [String] = []
}
