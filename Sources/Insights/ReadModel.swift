package import Samples
package import Storage

/// Answers questions about stored samples. Used by one thread at a time; each call sees the newest commit.
package final class ReadModel {
    /// What the answers depend on beside the samples.
    package struct Setup: Sendable {
        /// The data folder.
        package var directory: String
        package var catalog: Catalog
        /// By name; whoever has samples without being here lives in UTC.
        package var persons: [Person]
        /// The sources that a person has put in order, the first counts first. Others follow as `SourceRanking` has them.
        package var sourceOrder: [String: [SourceName]]

        package init(
            directory: String, catalog: Catalog, persons: [Person], sourceOrder: [String: [SourceName]] = [:]
        ) {
            self.directory = directory
            self.catalog = catalog
            self.persons = persons
            self.sourceOrder = sourceOrder
        }
    }

    package let setup: Setup
    let store: StoreReader
    package let texts: StoredTexts
    /// Is asked while long questions are worked out; false makes them throw `.givenUp`.
    package var goesOn: () -> Bool = { true }
    /// False has everything worked out from the samples each time, and nothing kept.
    package var keepsRollups = true
    /// `DIR/insights.db` and its inode.
    var rollups: Rollups?
    var rollupIdentity: UInt64?
    /// How often days of another zone, unit or order went for ours.
    var setsTaken = 0
    /// Rows that are looked over in one step.
    var stepRows = 250_000
    /// Is told which days are worked out to be kept: for tests.
    var workedOut: (ClosedRange<Int>) -> Void = { _ in }

    /// - Throws: `.missing` when nothing was ever stored here, and others of `StoreReader`.
    package init(_ setup: Setup) throws(StoreError) {
        self.setup = setup
        store = try StoreReader(directory: setup.directory)
        texts = try StoredTexts(store.connection)
    }

    /// The person of that name, with the clock of its days.
    package func person(named name: String) -> Person {
        setup.persons.first { $0.name.utf8.elementsEqual(name.utf8) }
            ?? Person(name: name, zoneName: "UTC", zone: .utc)
    }
}
