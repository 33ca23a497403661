import Samples
import Testing

@testable import Storage

/// Sections 5 and 6 of the contract, on the store alone.
@Suite struct PulsStoreTests {
    let harness: PulsHarness
    init() throws { harness = try PulsHarness() }

    static let a = Sent.uuid(0xA), b = Sent.uuid(0xB), workout = Sent.uuid(0xC0)

    private func values() throws -> [String] {
        try harness.rows("SELECT uuid || ' ' || type || ' ' || value FROM samples ORDER BY uuid")
    }

    // MARK: Samples

    @Test func theFirstOfAUUIDStays() throws {
        #expect(harness.send(PulsSent(1, [Sent(key: Self.a, start: 1, value: 60)])) == "1/0/0 0/0 0/0")
        // Other value, time, type: the same sample.
        for (id, sent) in [
            Sent(key: Self.a, start: 1, value: 61), Sent(key: Self.a, start: 2, value: 60),
            Sent(key: Self.a, type: "steps", start: 1, value: 60), Sent(key: Self.a.lowercased(), start: 9, value: 9),
        ].enumerated() {
            #expect(harness.send(PulsSent(10 + id, [sent])) == "0/1/0 0/0 0/0")
        }
        #expect(try values() == ["\(Self.a) heart_rate 60.0"])
        #expect(
            try harness.rows("SELECT stored, changed, repeated FROM deliveries ORDER BY id LIMIT 2") == [
                "1|0|0", "0|0|1",
            ])
    }

    @Test func theFirstOfAUUIDInABatchStays() throws {
        let lines = [
            Sent(key: Self.a, start: 1, value: 60), Sent(key: Self.a, start: 1, value: 99),
            Sent(key: Self.b, start: 1, value: 1), Sent(key: Self.a, type: "steps", start: 7, value: 3),
        ]
        #expect(harness.send(PulsSent(1, lines)) == "2/2/0 0/0 0/0")
        #expect(try values() == ["\(Self.a) heart_rate 60.0", "\(Self.b) heart_rate 1.0"])
    }

    @Test func aKnownBatchChangesNothing() throws {
        let first = PulsSent(
            1, [Sent(key: Self.a, start: 1, value: 60)], rows: [PulsSent.ring("1970-01-01", 0, "\"move_kcal\":1")],
            points: [.init(workout: Self.workout, time: 1)], buckets: [.init(value: 1)])
        #expect(harness.send(first) == "1/0/0 1/0 1/1")
        let tables = ["samples", "route_points", "aggregates", "puls_batch"]
        let before = try tables.map { try harness.rows("SELECT * FROM \($0)") }
        let again = PulsSent(
            1, [Sent(key: Self.b, start: 1, value: 60), Sent(key: Self.a, start: 1)], deleting: [Self.a],
            rows: [PulsSent.ring("1970-01-01", 0)], points: [.init(workout: Self.workout, time: 2)],
            buckets: [.init(value: nil)])
        #expect(harness.send(again, at: 9_000_000) == "0/2/0 0/0 0/0")
        #expect(try tables.map { try harness.rows("SELECT * FROM \($0)") } == before)
        #expect(try harness.rows("SELECT repeated FROM deliveries ORDER BY id DESC LIMIT 1") == ["2"])
        // Another user's batch may have the same id.
        #expect(harness.send(again, person: "me/u") == "2/0/1 1/0 1/1")
    }

    @Test func anEmptyBatchIsRecorded() throws {
        #expect(harness.send(PulsSent(1)) == "0/0/0 0/0 0/0")
        #expect(
            try harness.rows(
                """
                SELECT hex(batch), (SELECT text FROM text WHERE id = label), exported_at, received_at, hex(wake),
                  wake_trigger FROM puls_batch
                """) == [
                    "000000000000000B0000000000000001|HKQuantityTypeIdentifierHeartRate|5|1000000|"
                        + "00000000000000010000000000000002|observer"
                ])
    }

    @Test func aLongLabelIsCutAtACharacter() throws {
        var sent = PulsSent(1)
        sent.label = String(repeating: "ä", count: 200) + "x"
        harness.send(sent)
        let label = try harness.queries().labelCounts()[0].label
        #expect(label.count == 256 && String(decoding: label, as: UTF8.self) == String(repeating: "ä", count: 128))
    }

    // MARK: Rings and profile

    @Test func aDayIsReplacedAsAWhole() throws {
        let ring = { PulsSent.ring("2024-06-10", 19_884, $0) }
        #expect(harness.send(PulsSent(1, rows: [ring("\"move_kcal\":1,\"stand_hours\":9")])) == "0/0/0 0/0 0/1")
        #expect(harness.send(PulsSent(2, rows: [ring("\"move_kcal\":2")])) == "0/0/0 0/0 0/1")
        #expect(try harness.rows("SELECT rest FROM sample") == ["\"move_kcal\":2"])
        // The last line of a day wins and counts once.
        #expect(harness.send(PulsSent(3, rows: [ring("\"a\":1"), ring("\"a\":2")])) == "0/0/0 0/0 0/1")
        #expect(try harness.rows("SELECT rest FROM sample") == ["\"a\":2"])
    }

    @Test func theProfileCountsNowhere() throws {
        let profile = { Sent(key: "profile", type: "profile", kind: .other, rest: $0) }
        #expect(harness.send(PulsSent(1, rows: [profile("\"name\":\"A\"")])) == "0/0/0 0/0 0/0")
        #expect(harness.send(PulsSent(2, rows: [profile("")])) == "0/0/0 0/0 0/0")
        #expect(try harness.rows("SELECT uuid, rest FROM sample") == ["profile|-"])
    }

    // MARK: Points

    @Test func theFirstPointOfAMomentStays() throws {
        let point = { PulsSent.Point(workout: Self.workout, time: $0, value: $1, context: "{\"source\":\"x\"}") }
        #expect(harness.send(PulsSent(1, points: [point(1, 10), point(2, 20), point(1, 99)])) == "0/0/0 2/0 0/0")
        #expect(harness.send(PulsSent(2, points: [point(2, 99), point(3, 30)])) == "0/0/0 1/0 0/0")
        #expect(
            try harness.rows(
                """
                SELECT device, person, workout_uuid, time, time_us, latitude, longitude, altitude_m, speed_m_s, context,
                  endpoint FROM route_points ORDER BY time_us
                """) == [
                    "puls|me|\(Self.workout)|1970-01-01T00:00:00.000001Z|1|10.0|2.0|31.5|-|{\"source\":\"x\"}|phone",
                    "puls|me|\(Self.workout)|1970-01-01T00:00:00.000002Z|2|20.0|2.0|31.5|-|{\"source\":\"x\"}|phone",
                    "puls|me|\(Self.workout)|1970-01-01T00:00:00.000003Z|3|30.0|2.0|31.5|-|{\"source\":\"x\"}|phone",
                ])
    }

    @Test func curvesAreKeptByType() throws {
        let point = { PulsSent.Point(workout: Self.workout, time: $0, value: $1, type: $2) }
        #expect(
            harness.send(PulsSent(1, points: [point(1, 140, "heart_rate"), point(1, 250, "power")])) == "0/0/0 0/2 0/0")
        #expect(harness.send(PulsSent(2, points: [point(1, 9, "power"), point(2, 9, "power")])) == "0/0/0 0/1 0/0")
        #expect(
            try harness.rows("SELECT type, time_us, value, unit FROM workout_points ORDER BY type, time_us") == [
                "heart_rate|1|140.0|-", "power|1|250.0|-", "power|2|9.0|-",
            ])
        // No series of samples is made for them.
        #expect(try harness.rows("SELECT count(*) FROM series") == ["0"])
    }

    // MARK: Aggregates

    @Test func theLastOfABucketStays() throws {
        #expect(
            harness.send(PulsSent(1, buckets: [.init(value: 1, contexts: "\"start\":{}")])) == "0/0/0 0/0 1/0")
        #expect(harness.send(PulsSent(2, buckets: [.init(end: 7, value: nil)]), at: 2_000_000) == "0/0/0 0/0 1/0")
        let columns = "type, function, interval_value, interval_unit, device_filter, start_us, end_us, value, unit"
        #expect(
            try harness.rows("SELECT \(columns), contexts, received_at FROM aggregates") == [
                "steps|sum|1|day|all|0|7|-|count|-|1970-01-01T00:00:02Z"
            ])
        #expect(harness.send(PulsSent(3, buckets: [.init(value: 1), .init(value: 2)])) == "0/0/0 0/0 1/0")
        #expect(try harness.rows("SELECT value FROM aggregates") == ["2.0"])
    }

    @Test func eachMemberOfABucketsKeyCounts() throws {
        let buckets: [PulsSent.Bucket] = [
            .init(), .init(type: "distance"), .init(function: "max"), .init(interval: (2, "day")),
            .init(interval: (1, "week")), .init(filter: "watch"), .init(start: 1),
        ]
        #expect(harness.send(PulsSent(1, buckets: buckets)) == "0/0/0 0/0 7/0")
        #expect(harness.send(PulsSent(2, buckets: buckets)) == "0/0/0 0/0 7/0")
        #expect(try harness.rows("SELECT count(*) FROM aggregates") == ["7"])
    }

    // MARK: Deletions

    @Test func deletionsComeLastAndTakePointsAlong() throws {
        let points: [PulsSent.Point] = [
            .init(workout: Self.workout, time: 1), .init(workout: Self.workout, time: 1, type: "power"),
            .init(workout: Self.b, time: 1),
        ]
        let line = Sent(key: Self.workout, type: "workout", kind: .workout, start: 1, value: 5)
        #expect(
            harness.send(PulsSent(1, [line], deleting: [Self.workout.lowercased()], points: points)) == "1/0/1 2/1 0/0")
        #expect(try harness.rows("SELECT workout_uuid FROM route_points") == [Self.b])
        #expect(try harness.rows("SELECT count(*) FROM workout_points") == ["0"])
        #expect(try harness.rows("SELECT device, uuid, type, parts FROM deletions") == ["puls|\(Self.workout)|noted|1"])
        // It doesn't block what comes later, and a repeat of both counts as the first time.
        #expect(harness.send(PulsSent(2, [line], deleting: [Self.workout])) == "1/0/1 0/0 0/0")
        #expect(harness.send(PulsSent(3, [line])) == "1/0/0 0/0 0/0")
        // Without the workout's own row its points go as well.
        #expect(harness.send(PulsSent(4, deleting: [Self.b, Self.b, Self.a])) == "0/0/0 0/0 0/0")
        #expect(try harness.rows("SELECT count(*) FROM route_points") == ["0"])
        #expect(harness.send(PulsSent(5, deleting: [Self.workout, Self.workout])) == "0/0/1 0/0 0/0")
    }

    @Test func anothersSamplesAreNotDeleted() throws {
        let line = Sent(key: Self.a, start: 1, value: 1)
        harness.send(PulsSent(1, [line]))
        harness.send(PulsSent(1, [line], points: [.init(workout: Self.b, time: 1)]), person: "me/u")
        _ = harness.store.write(Submission(SampleBatch([line])))
        #expect(harness.send(PulsSent(2, deleting: [Self.a, Self.b])) == "0/0/1 0/0 0/0")
        #expect(try harness.rows("SELECT person, device FROM samples ORDER BY person") == ["me|d_1", "me/u|puls"])
        #expect(try harness.rows("SELECT count(*) FROM route_points") == ["1"])
    }

    @Test func deletionsUseTheKeysOfTheTables() throws {
        harness.send(PulsSent(1))
        let connection = try Connection(
            path: DataFolder(existing: harness.folder.path).database, access: .readOnly, busyMilliseconds: 5_000)
        for sql in PulsRows.deletions + [PulsQueries.samplesInRange, PulsQueries.countInRange] {
            let plan = try rows(connection, "EXPLAIN QUERY PLAN \(sql)").joined()
            #expect(plan.contains("USING PRIMARY KEY") && !plan.contains("SCAN") && !plan.contains("TEMP"), "\(plan)")
        }
    }

    @Test func aThousandDeletionsAmongManySamples() throws {
        let lines = (0..<20_000).map { Sent(key: Sent.uuid($0), start: Int64($0) * 1_000_000, value: 1) }
        #expect(harness.send(PulsSent(1, lines)) == "20000/0/0 0/0 0/0")
        let gone = (0..<1_000).map { Sent.uuid($0 * 20) }
        #expect(harness.send(PulsSent(2, deleting: gone)) == "0/0/1000 0/0 0/0")
        #expect(harness.send(PulsSent(3, lines)) == "1000/19000/0 0/0 0/0")
    }

    // MARK: Rows of other dialects in a device of that name

    private func native(_ samples: [Sent], deleting: [String] = []) -> String {
        Store.text(harness.store.write(Submission(SampleBatch(samples, deleting: deleting), device: "puls")))
    }

    @Test(arguments: [(1, 60.0), (1, 61.0), (7, 60.0)])
    func aNativeRowOfTheSameUUIDGivesItsPlace(start: Int64, value: Double) throws {
        #expect(native([Sent(key: Self.a, start: 1, value: 60)]) == "1/0/0/0")
        #expect(try harness.months().isEmpty)
        let line = Sent(key: Self.a, start: start, value: value)
        #expect(harness.send(PulsSent(1, [line])) == "1/0/0 0/0 0/0")
        #expect(harness.send(PulsSent(2, [line])) == "0/1/0 0/0 0/0")
        #expect(try harness.rows("SELECT dialect, start_us, value FROM samples") == ["puls|\(start)|\(value)"])
        #expect(try harness.months().count == 1)
        #expect(try harness.rows("SELECT samples FROM endpoint_count") == ["1"])
        // And the other way round: one row, and the app's next comparison brings it back.
        #expect(native([Sent(key: Self.a, start: 1, value: 80)]) == "0/1/0/0")
        #expect(try harness.months().isEmpty)
        #expect(harness.send(PulsSent(3, deleting: [Self.a])) == "0/0/0 0/0 0/0")
        #expect(harness.send(PulsSent(4, [line])) == "1/0/0 0/0 0/0")
        #expect(try harness.rows("SELECT count(*) FROM samples") == ["1"])
    }

    @Test func nativeRowsStayOutOfEveryAnswer() throws {
        _ = native([Sent(key: Self.a, start: 1, value: 60), PulsSent.ring("1970-01-01", 0)])
        harness.send(PulsSent(1, [Sent(key: Self.b, start: 2, value: 60)]))
        #expect(try harness.months() == ["0 1 4000-800000000000000b"])
        let counts = try harness.queries().typeCounts()
        #expect(counts.map { String(decoding: $0.type, as: UTF8.self) } == ["heart_rate"] && counts[0].rows == 1)
        #expect(harness.send(PulsSent(2, deleting: [Self.a])) == "0/0/0 0/0 0/0")
        #expect(try harness.rows("SELECT uuid FROM samples WHERE dialect = 'native' AND kind = 'quantity'") == [Self.a])
    }

    // MARK: One transaction

    @Test func slicesAreOneBatch() throws {
        let slices = [
            PulsSent(1, [Sent(key: Self.a, start: 1, value: 1)], deleting: [Self.b]),
            PulsSent(1, [Sent(key: Self.a, start: 2, value: 2), Sent(key: Self.b, start: 1, value: 1)]),
            PulsSent(
                1, rows: [PulsSent.ring("1970-01-01", 0, "\"a\":1")], points: [.init(workout: Self.b, time: 1)],
                buckets: [.init(value: 1)]),
            PulsSent(
                1, rows: [PulsSent.ring("1970-01-01", 0, "\"a\":2")], points: [.init(workout: Self.workout, time: 1)],
                buckets: [.init(value: 2)]),
        ]
        #expect(harness.stream(slices) == "2/1/1 2/0 1/1")
        #expect(try harness.rows("SELECT uuid FROM samples ORDER BY uuid") == [Self.a, "activity_summary:1970-01-01"])
        #expect(try harness.rows("SELECT workout_uuid FROM route_points") == [Self.workout])
        #expect(try harness.rows("SELECT value FROM aggregates") == ["2.0"])
        #expect(harness.stream(slices) == "0/3/0 0/0 0/0")
    }

    @Test func ofARefusedBatchNothingStays() throws {
        let sent = PulsSent(
            1, [Sent(key: Self.a, start: 1, value: 1)], rows: [PulsSent.ring("1970-01-01", 0)],
            points: [.init(workout: Self.b, time: 1, context: "{}")], buckets: [.init(value: 1)])
        let fault = DecodeFault(code: "line_missing", message: "There is a line too few.")
        #expect(harness.stream([sent], fault: fault).hasPrefix("refused"))
        for table in ["sample", "route_point", "aggregate", "puls_batch", "deletion", "text"] {
            #expect(try harness.rows("SELECT count(*) FROM \(table)") == ["0"], "\(table)")
        }
        // Its id was not used up, and what was remembered of it is forgotten.
        #expect(harness.send(sent) == "1/0/0 1/0 1/1")
        #expect(try harness.rows("SELECT context FROM route_points") == ["{}"])
    }

    @Test func aStoppedServerKnowsWhatItStored() throws {
        harness.send(PulsSent(1, [Sent(key: Self.a, start: 1, value: 1)]))
        harness.store.close()
        let store = try Store.open(directory: harness.folder.path)
        let again = harness.submission(
            .batch(PulsSent(1, [Sent(key: Self.a, start: 1)]).batch), person: "me", endpoint: "phone", at: 1)
        #expect(try store.write(again).get().puls?.duplicates == 1)
        let other = harness.submission(
            .batch(PulsSent(2, [Sent(key: Self.a, start: 9)]).batch), person: "me", endpoint: "phone", at: 1)
        #expect(try store.write(other).get().puls?.duplicates == 1)
    }

    // MARK: Purge, backup

    @Test func aPurgeTakesWhatTheEndpointStored() throws {
        func sent(_ id: Int, _ workout: String) -> PulsSent {
            PulsSent(
                id, [Sent(key: Sent.uuid(id), start: 1, value: 1)],
                points: (0..<1_500).map { .init(workout: workout, time: $0) }
                    + (0..<3).map { .init(workout: workout, time: $0, type: "power") },
                buckets: [.init(start: Int64(id), value: 1)])
        }
        harness.send(sent(1, Self.workout))
        harness.send(sent(2, Self.b), endpoint: "other")
        harness.send(PulsSent(3, points: [.init(workout: Self.a, time: 1)]), person: "me/u")
        harness.store.close()
        let outcome = try Purge.run(directory: harness.folder.path, endpoint: "phone")
        #expect(outcome.points == 1_504 && outcome.aggregates == 1 && outcome.batches == 2 && outcome.samples == 1)
        for (view, count) in [("route_points", "1500"), ("workout_points", "3"), ("aggregates", "1"), ("samples", "1")]
        {
            #expect(try harness.rows("SELECT count(*) FROM \(view)") == [count])
            #expect(try harness.rows("SELECT DISTINCT endpoint FROM \(view)") == ["other"])
        }
        #expect(try harness.rows("SELECT count(*) FROM puls_batch") == ["1"])
    }

    @Test func aCopyWithoutSettingsTellsTheEndpointsPerson() throws {
        harness.send(PulsSent(1, [Sent(key: Self.a, start: 1)]), person: "me/0b7c2d11-5a3e-4f60-9a41-6d2f8e7c9b01")
        harness.store.close()
        let target = TestFolder()
        let restore = try Restore(of: harness.folder.database, into: target.path) { _ in true }
        #expect(restore.summary.endpoints.map { "\($0.name) \($0.person) \($0.dialect ?? "")" } == ["phone me puls"])
        try restore.finish()
        for name in ["me", "a/b", "/0b7c2d11-5a3e-4f60-9a41-6d2f8e7c9b01", "me/0b7c2d11-5a3e-4f60-9a41-6d2f8e7c9b0x"] {
            #expect(Restore.owner(name) == name)
        }
    }

    @Test func aBackupHasAllOfIt() throws {
        harness.send(
            PulsSent(
                1, [Sent(key: Self.a, start: 1, value: 1)],
                points: [.init(workout: Self.b, time: 1), .init(workout: Self.b, time: 1, type: "power")],
                buckets: [.init(value: 1)]))
        let target = TestFolder(), file = "\(harness.folder.path)/copy"
        let note = BackupNote(madeAt: "2026-10-14T07:05:00Z", program: "1", hasSecrets: false, configuration: nil)
        _ = try Backup.make(of: harness.folder.path, at: file, note: note) { _ in true }
        try Restore(of: file, into: target.path) { _ in true }.finish()
        for table in ["route_points", "workout_points", "aggregates", "puls_batch", "samples"] {
            let before = try harness.rows("SELECT * FROM \(table)")
            #expect(before.count == 1)
            #expect(try StorageTests.rows(target, "SELECT * FROM \(table)") == before)
        }
    }
}
