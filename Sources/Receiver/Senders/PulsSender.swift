extension Sender {
    /// PulsHealth. Source: specs/puls-v1.
    static let puls = Sender(sendsLargeBodies: true, sendsGzip: true)
}
