/// Schema 2: commands for the phone, and what Health Auto Export's senders need.
extension Tables {
    static let version2 = commands + merging
}

extension Views {
    static let version2 = commandViews + mergingViews
}
