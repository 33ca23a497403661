package import Insights
package import Storage
import Synchronization

/// Open databases for the reader threads: each is with one thread at a time, and is kept for the next one.
final class ReadingPool: Sendable {
    /// One thread's connections, each opened when it is first asked for.
    ///
    /// `@unchecked Sendable`: whoever has taken it out of the pool is the only one that has it.
    final class Reading: @unchecked Sendable {
        let setup: ReadModel.Setup
        let generation: Int
        var model: ReadModel?
        var reader: StoreReader?

        init(setup: ReadModel.Setup, generation: Int) {
            self.setup = setup
            self.generation = generation
        }
    }

    private struct State {
        var free: [Reading] = []
        var isClosed = false
    }

    /// As many as there are reader threads, and the feeder.
    private static let maximumFree = 4

    private let state = Mutex(State())
    private let isStopping = Atomic(false)

    /// Has questions that take long end soon, with `.givenUp`.
    func giveUp() { isStopping.store(true, ordering: .relaxed) }

    fileprivate var goesOn: Bool { !isStopping.load(ordering: .relaxed) }

    /// - Parameter generation: of the settings; what was opened for earlier ones is closed.
    func lease(_ setup: ReadModel.Setup, generation: Int) -> ReadingLease {
        let free = state.withLock { state in
            state.free.removeAll { $0.generation != generation }
            return state.free.popLast()
        }
        return ReadingLease(free ?? Reading(setup: setup, generation: generation), self)
    }

    fileprivate func giveBack(_ reading: Reading) {
        state.withLock { state in
            if !state.isClosed && state.free.count < Self.maximumFree { state.free.append(reading) }
        }
    }

    /// Closes what is free now, and the rest when it comes back.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.free = []
        }
    }
}

/// A database on loan to one thread.
package final class ReadingLease {
    fileprivate let reading: ReadingPool.Reading
    private let pool: ReadingPool
    private var hasEnded = false

    fileprivate init(_ reading: ReadingPool.Reading, _ pool: ReadingPool) {
        self.reading = reading
        self.pool = pool
    }

    /// Gives it back. After a fault it is closed instead: a question that broke off may have left a statement running,
    /// which would hold the write-ahead log.
    func end(isSound: Bool) {
        if isSound && !hasEnded { pool.giveBack(reading) }
        hasEnded = true
    }

    /// - Returns: nil when nothing was ever stored.
    package func readModel() throws(StoreError) -> ReadModel? {
        if let model = reading.model { return model }
        do throws(StoreError) {
            let model = try ReadModel(reading.setup)
            model.goesOn = { [pool] in pool.goesOn }
            reading.model = model
        } catch {
            guard error.reason == .missing else { throw error }
        }
        return reading.model
    }

    /// - Returns: nil when nothing was ever stored.
    package func storeReader() throws(StoreError) -> StoreReader? {
        if let reader = reading.reader { return reader }
        do throws(StoreError) { reading.reader = try StoreReader(directory: reading.setup.directory) } catch {
            guard error.reason == .missing else { throw error }
        }
        return reading.reader
    }

    /// Of the settings that it was made for.
    var generation: Int { reading.generation }

    /// Another number whenever any connection but this one has committed.
    func dataVersion() throws(StoreError) -> Int64? {
        guard let reader = try storeReader() else { return nil }
        let statement = try reader.connection.prepare("PRAGMA data_version")
        return try statement.step() ? statement.integer(0) : nil
    }

    /// Everybody who ever had a sample stored, by name.
    func storedPersons() throws(StoreError) -> [String] {
        guard let reader = try storeReader() else { return [] }
        let statement = try reader.connection.prepare("SELECT name FROM person ORDER BY name")
        var names: [String] = []
        while try statement.step() { names.append(statement.text(0) ?? "") }
        return names
    }
}
