extension Sender {
    /// Apps that send daily step counts. Source: specs/daily-steps.
    static let steps = Sender()
}
