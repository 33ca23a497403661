import Glibc
package import Samples
package import Storage

/// Fills a store with an invented year, on the way that a phone's requests take: decoder, queue, transactions.
package enum DemoStore {
    package struct Summary: Sendable {
        /// Rows that are there in the end.
        package var samples = 0
        package var deliveries = 0
        package var truth = DemoTruth()
    }

    /// Of the endpoint that the data comes through, and whom it is about.
    package static let endpoint = "phone"
    package static let person = "me"

    /// What a folder has.
    package enum Contents: Sendable {
        /// No database, or one that nothing was ever stored in.
        case nothing
        /// An invented year alone: it may be made anew.
        case demo
        /// Somebody's data.
        case data
    }

    package static func contents(of directory: String) throws(StoreError) -> Contents {
        let reader: StoreReader
        do throws(StoreError) { reader = try StoreReader(directory: directory) } catch {
            if error.reason == .missing { return .nothing }
            throw error
        }
        let statement = try reader.connection.prepare("SELECT count(*), ifnull(sum(name <> ?1), 0) FROM device")
        statement.bind(1, text: DemoYear.device)
        guard try statement.step() else { return .data }
        return statement.integer(0) == 0 ? .nothing : statement.integer(1) == 0 ? .demo : .data
    }

    /// Takes away what an earlier `fill` made. No server may run, nor may anybody else have the files open.
    package static func clear(_ directory: String) {
        for name in ["health.db", "insights.db"] {
            for end in ["", "-wal", "-shm"] { unsafe _ = unlink("\(directory)/\(name)\(end)") }
        }
    }

    /// - Parameter hasCommands: what was written back, refused and is waiting is there, too. What comes back of it as
    ///   samples is not in `truth`.
    /// - Parameter progress: told up to which moment it is done, and asked whether to go on.
    /// - Throws: `.givenUp` when `progress` says no; what the store says.
    package static func fill(
        directory: String, _ settings: DemoSettings, hasCommands: Bool = true, options: StoreOptions = StoreOptions(),
        progress: (_ time: Timestamp) -> Bool = { _ in true }
    ) throws(StoreError) -> Summary {
        var options = options
        let until = settings.until
        options.now = { until }
        let store = try Store.open(directory: directory, options: options)
        defer { store.close() }
        var year = DemoYear(settings), filler = DemoFiller(store: store)
        var commands = DemoCommands(until: until)
        while let delivery = year.next() {
            let time = delivery.receivedAt
            let queued = hasCommands ? try commands.queue(before: time, directory, filler) : []
            filler.submit(delivery, hasReply: !queued.isEmpty)
            for step in queued { filler.finish(step, at: time) }
            if hasCommands { filler.submitRefusals(commands.refusals(before: time)) }
            if let failure = filler.failure { throw failure }
            if !progress(time) { throw StoreError(.givenUp) }
        }
        if hasCommands { try commands.queueLast(directory, filler) }
        try filler.wait()
        var summary = filler.summary
        summary.truth = year.truth
        return summary
    }
}
