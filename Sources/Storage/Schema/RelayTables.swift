/// Which push of Health Relay owns a day.
extension Tables {
    static let relay = [
        // day: of the phone's calendar, since 1970-01-01. exported_at: of the newest push that listed it, microseconds. keys: the
        // uuids of what it brought for the day, 16 bytes each. endpoint: the one it came to.
        """
        CREATE TABLE relay_day (
          device INTEGER NOT NULL, day INTEGER NOT NULL, exported_at INTEGER NOT NULL, keys BLOB NOT NULL,
          endpoint INTEGER NOT NULL, PRIMARY KEY (device, day)) STRICT, WITHOUT ROWID
        """
    ]
}
