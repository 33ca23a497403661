/// Which activity summary holds a day of a device: one row a day, whatever uuid it comes under.
final class SummaryDays {
    private let findStatement, setStatement, forgetStatement, otherDaysStatement: Statement

    init(_ connection: Connection) throws(StoreError) {
        findStatement = try connection.prepare("SELECT uuid, part FROM summary_day WHERE device = ?1 AND day = ?2")
        setStatement = try connection.prepare(
            "INSERT OR REPLACE INTO summary_day (device, day, uuid, part) VALUES (?1, ?2, ?3, ?4)")
        forgetStatement = try connection.prepare(
            "DELETE FROM summary_day WHERE device = ?1 AND uuid = ?2 AND part = ?3")
        otherDaysStatement = try connection.prepare(
            "DELETE FROM summary_day WHERE device = ?1 AND uuid = ?2 AND part = ?3 AND day <> ?4")
    }

    struct Holder {
        var isUUID: Bool
        var bytes: [UInt8]
        var part: Int64
    }

    func holder(device: Int64, day: Int64) throws(StoreError) -> Holder? {
        findStatement.bind(1, device)
        findStatement.bind(2, day)
        guard try findStatement.step() else { return nil }
        defer { findStatement.reset() }
        return Holder(
            isUUID: findStatement.isBlob(0), bytes: findStatement.bytes(0), part: findStatement.integer(1))
    }

    /// Gives the day to a key, and takes any other day from it.
    func set(device: Int64, day: Int64, _ key: BoundKey, part: Int64) throws(StoreError) {
        setStatement.bind(1, device)
        setStatement.bind(2, day)
        key.bind(setStatement, 3)
        setStatement.bind(4, part)
        try setStatement.run()
        otherDaysStatement.bind(1, device)
        key.bind(otherDaysStatement, 2)
        otherDaysStatement.bind(3, part)
        otherDaysStatement.bind(4, day)
        try otherDaysStatement.run()
    }

    /// The key's row is gone, or no summary any more.
    func forget(device: Int64, _ key: BoundKey, part: Int64) throws(StoreError) {
        forgetStatement.bind(1, device)
        key.bind(forgetStatement, 2)
        forgetStatement.bind(3, part)
        try forgetStatement.run()
    }
}
