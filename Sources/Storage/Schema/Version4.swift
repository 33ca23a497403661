import Samples

/// Schema 4: what senders beside Syncky and Health Auto Export need.
extension Tables {
    static let version4 = puls + relay + imports
}

extension Views {
    static let version4 =
        [
            "DROP VIEW samples",
            samples(dialects: [.native, .hae, .csv, .influx, .puls, .relay, .steps, .apple]),
        ] + pulsViews
}
