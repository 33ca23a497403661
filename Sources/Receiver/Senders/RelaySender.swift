extension Sender {
    /// Health Relay and Health Data Relay. Source: specs/relay.
    static let relay = Sender()
}
