package struct StoreOptions: Sendable { package init() {} }
package enum StoreCondition: Equatable, Sendable { case ok; package var sentence: String { "" } }
package final class Store: Sendable {
    package static func open(directory: String, options: StoreOptions) throws -> Store { Store() }
    package func submit(_ s: Submission, reply: @escaping @Sendable (Result<StoreOutcome, StoreFault>) -> Void) { reply(.success(StoreOutcome())) }
    package var condition: StoreCondition { .ok }
    package func probe() -> StoreCondition { .ok }
    package func close() {}
}
package enum SQLValue: Sendable { case null, integer(Int64), real(Double), text(String), blob([UInt8]) }
package struct StoreReader { package static func open(directory: String) throws -> StoreReader { StoreReader() }
    package func rows(_ sql: String) throws -> [[String: SQLValue]] { [] } }
package enum ServeLockError: Error { case x; package var description: String { "" } }
package final class ServeLock: Sendable { package init(directory: String) throws(ServeLockError) {}; package func release() {} }
package struct StoreError: Error { package enum Reason { case damaged, newer }; package var reason: Reason }
