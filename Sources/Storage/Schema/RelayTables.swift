/// Which push of Health Relay owns a day.
extension Tables {
    static let relay: [String] = []
}
