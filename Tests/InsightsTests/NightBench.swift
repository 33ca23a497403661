import Dispatch
import Foundation
import Samples
import Storage
import TestSupport
import Wire

@testable import Insights

/// A store that tests of nights and workouts fill as the senders do.
final class NightBench {
    let folder: TemporaryFolder
    private let store: Store
    private var requests = 0

    init() throws {
        folder = try TemporaryFolder()
        store = try Store.open(directory: folder.path("data"))
    }

    deinit { store.close() }

    struct Refused: Error { var fault: String }

    @discardableResult
    func write(
        _ batch: SampleBatch, person: String = "me", device: String = "d_1", dialect: Dialect = .native,
        endpoint: String = "phone", at received: Int64 = 1_791_961_500_000_000
    ) throws -> StoreOutcome {
        final class Slot: @unchecked Sendable { var result: Result<StoreOutcome, StoreFault>? }
        let slot = Slot(), done = DispatchSemaphore(value: 0)
        store.submit(
            Submission(
                receivedAt: Timestamp(microseconds: received), endpoint: endpoint, person: person,
                device: Array(device.utf8), deliveryID: nil, kind: .data, dialect: dialect, bodyBytes: 100, status: 204,
                content: .batch(batch))
        ) { result in
            slot.result = result
            done.signal()
        }
        guard done.wait(timeout: .now() + 60) == .success, let result = slot.result else {
            throw Refused(fault: "no reply")
        }
        switch result {
        case .success(let outcome): return outcome
        case .failure(let fault): throw Refused(fault: "\(fault)")
        }
    }

    /// Native samples, each as its JSON; `uuid` and `type` go first.
    func native(
        _ samples: [String], person: String = "me", device: String = "d_1", endpoint: String = "phone",
        at received: Int64 = 1_791_961_500_000_000
    ) throws {
        let body = #"{"v":1,"type":"sync","device":"\#(device)","samples":[\#(samples.joined(separator: ","))]}"#
        let decoded = try NativeDecoder.decode(PaddedBytes(Array(body.utf8)))
        try write(decoded.batch, person: person, device: device, endpoint: endpoint, at: received)
    }

    func healthAutoExport(_ data: String, person: String = "me") throws {
        _ = try HealthAutoExportDecoder.decode(
            PaddedBytes(Array(#"{"data":\#(data)}"#.utf8)), context: DecodeContext()
        ) { batch in _ = try write(batch, person: person, device: "hae", dialect: .hae) }
    }

    func puls(_ lines: [String], header: String, person: String = "me") throws {
        let body = ([header] + lines).joined(separator: "\n") + "\n"
        let decoded = try PulsDecoder.decode(PaddedBytes(Array(body.utf8)), context: DecodeContext())
        try write(decoded.batch, person: person, device: "PulsHealth", dialect: .puls)
    }

    func model(zone: ZoneRules = .utc, order: [SourceName] = [], person: String = "me") throws -> ReadModel {
        try ReadModel(
            ReadModel.Setup(
                directory: folder.path("data"), catalog: .builtIn,
                persons: [Person(name: person, zoneName: "Test", zone: zone)], sourceOrder: [person: order]))
    }

    /// A uuid that counts.
    static func uuid(_ number: Int) -> String {
        let digits = String(number, radix: 16, uppercase: true)
        return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    }

    /// One stage of sleep; times as RFC 3339.
    static func sleep(
        _ number: Int, _ value: String, _ start: String?, _ end: String?, app: String? = "com.apple.health",
        device: String? = "Apple Watch"
    ) -> String {
        var members = [#""uuid":"\#(uuid(number))","type":"sleep_analysis","value":"\#(value)""#]
        if let start { members.append(#""start":"\#(start)""#) }
        if let end { members.append(#""end":"\#(end)""#) }
        let source = [("app", app), ("device", device)].compactMap { name, text in text.map { #""\#(name)":"\#($0)""# }
        }
        if !source.isEmpty { members.append(#""source":{\#(source.joined(separator: ","))}"#) }
        return "{" + members.joined(separator: ",") + "}"
    }
}

/// Of RFC 3339.
func moment(_ text: String) -> Timestamp {
    Timestamp.parse(Array(text.utf8).span)?.timestamp ?? .none
}

/// Central Europe's clock, with the rule that it has had since 1996.
let europe: ZoneRules = {
    // A zone file of version 2 without changes: the footer's rule alone.
    var bytes = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
    let counts: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1]
    let type: [UInt8] = [0, 0, 0x0E, 0x10, 0, 0, 0]
    bytes += counts + type
    bytes += Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15) + counts + type
    bytes += Array("\nCET-1CEST,M3.5.0,M10.5.0/3\n".utf8)
    do { return try ZoneRules(parsing: bytes) } catch { fatalError("the test's own zone can't be read: \(error)") }
}()
