import Foundation
import Receiver
import Samples
import Storage
import TestSupport
import Testing
import Transport

/// Bodies past what memory is to have: on disk while they arrive, gone when they are answered.
struct LargeBodyTests {
    private static let limits: Limits = {
        var limits = Limits()
        limits.spoolPastBytes = 65_536
        limits.maximumLargeBodyBytes = 6_000_000
        return limits
    }()

    private func makeServer(_ limits: Limits = LargeBodyTests.limits, ioThreads: Int = 2) throws -> TestServer {
        try TestServer(limits: limits, isSigned: false, format: .hae, ioThreads: ioThreads)
    }

    /// One step count a second, about 80 bytes each.
    static func body(points: Int, padding: Int = 0) -> [UInt8] {
        let points = (0..<points).map { index in
            let second = 100 + index % 60, minute = 100 + index / 60 % 60, hour = 100 + index / 3_600
            let time = [hour, minute, second].map { String($0).dropFirst() }.joined(separator: ":")
            return #"{"date":"2026-10-14 \#(time) +0200","qty":\#(index % 90 + 1),"source":"Phone"}"#
        }
        return Array(
            (HealthAutoExportServingTests.body(points.joined(separator: ",\n")) + String(repeating: " ", count: padding))
                .utf8)
    }

    private func request(_ body: [UInt8], framing: String? = nil) -> [UInt8] {
        HealthAutoExportServingTests.request(body, framing: framing)
    }

    private func expectEmpty(_ server: TestServer) {
        #expect(server.eventually { server.server.spooledBodies == 0 && server.server.bodyMemoryBytes == 0 })
        let names = try? FileManager.default.contentsOfDirectory(atPath: server.folder.path + "/spool")
        #expect((names ?? []).isEmpty)
    }

    private func chunked(_ body: [UInt8], bytes: Int) -> [UInt8] {
        var coded: [UInt8] = []
        for start in stride(from: 0, to: body.count, by: bytes) {
            let piece = body[start..<min(body.count, start + bytes)]
            coded += Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Array("\r\n".utf8)
        }
        return coded + Array("0\r\n\r\n".utf8)
    }

    @Test func aLargeBodyIsStoredWholeHoweverItIsFramed() throws {
        let body = Self.body(points: 4_000)
        for chunkBytes in [nil, 10_000, 300_001] as [Int?] {
            let server = try makeServer()
            let sent =
                chunkBytes.map { request(chunked(body, bytes: $0), framing: "Transfer-Encoding: chunked") }
                ?? request(body)
            let answer = try server.post(sent)
            #expect(answer.status == 200)
            #expect(String(decoding: answer.body, as: UTF8.self).contains(#""stored":4000,"#))
            #expect(try server.storedCount() == 4_000)
            expectEmpty(server)
        }
    }

    @Test func aLargeBodyIsGivenUpWhereTheServerStops() throws {
        let server = try makeServer()
        server.server.giveUpLargeBodies()
        let answer = try server.post(request(Self.body(points: 4_000)))
        #expect(answer.status == 503)
        #expect(try server.storedCount() == 0)
        expectEmpty(server)
        // Small ones are stored at once, and still are.
        #expect(try server.post(request(Self.body(points: 3))).status == 200)
    }

    @Test func aFaultAtTheEndOfALargeBodyStoresNothingAndLeavesItsRow() throws {
        let server = try makeServer()
        let answer = try server.post(request(Array(Self.body(points: 4_000).dropLast(1))))
        #expect(answer.status == 400 && answer.errorCode == "json_invalid")
        #expect(try server.storedCount() == 0)
        let rows = try StoreReader(directory: server.folder.path).rows("SELECT status, code FROM deliveries")
        #expect(rows.count == 1 && rows[0]["status"] == .integer(400) && rows[0]["code"] == .text("json_invalid"))
        expectEmpty(server)
        #expect(try server.post(request(Self.body(points: 5))).status == 200)
    }

    @Test func theLimitOfALargeBody() throws {
        let server = try makeServer()
        let small = Self.body(points: 1)
        #expect(
            try server.post(request(small + [UInt8](repeating: 0x20, count: 6_000_000 - small.count))).status == 200)
        let tooLong = try server.post(request([], framing: "Content-Length: 6000001"))
        #expect(tooLong.status == 413 && tooLong.errorCode == "body_too_large")
        let client = try server.connect()
        try client.send(
            request(small, framing: "Transfer-Encoding: chunked").dropLast(small.count) + Array("5B8D81\r\n".utf8))
        #expect(try client.receive().status == 413)
        expectEmpty(server)
    }

    @Test func otherDialectsKeepTheirLimit() throws {
        var limits = Self.limits
        limits.maximumBodyBytes = 1_000_000
        let server = try makeServer(limits)
        let headers = [
            "Authorization: Bearer \(TestServer.token)", "X-Syncky-Format: native", "X-Syncky-Delivery: d-1",
        ]
        let long = HealthAutoExportServingTests.request([], headers: headers, framing: "Content-Length: 1000001")
        #expect(try server.post(long).status == 413)
        let body = Array((TestServer.body() + String(repeating: " ", count: 900_000)).utf8)
        #expect(try server.post(HealthAutoExportServingTests.request(body, headers: headers)).status == 204)
    }

    @Test func aConnectionCutInTheMiddleLeavesNothing() throws {
        let server = try makeServer()
        let sent = request(Self.body(points: 4_000))
        do {
            let client = try server.connect()
            try client.send(Array(sent.prefix(200_000)))
            #expect(server.eventually { server.server.spooledBodies == 1 })
            #expect(server.server.bodyMemoryBytes < 400_000, "the file's part is not in memory")
        }
        expectEmpty(server)
        #expect(try server.storedCount() == 0)
    }

    @Test func theBodysTimeGrowsWithWhatWasSpooled() throws {
        let server = try makeServer(ioThreads: 1)
        let body = Self.body(points: 10, padding: 1_300_000)
        let sent = request(body)
        let client = try server.connect()
        try client.send(Array(sent.prefix(1_200_000)))
        #expect(server.eventually { server.server.spooledBodies == 1 })
        // Nine seconds more for 1.2 MB: 30 have passed, and it is still waited for. All of it must be read by then, a turn
        // of 256 KiB at a time; each answer to another connection of the same thread lets it have one more.
        for _ in 0..<16 { #expect(try server.exchange("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n").status == 200) }
        server.clock.advance(seconds: 34)
        server.server.sweep()
        #expect(try server.exchange("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n").status == 200)
        #expect(server.server.spooledBodies == 1)
        server.clock.advance(seconds: 10)
        server.server.sweep()
        #expect(try client.receive().status == 408)
        expectEmpty(server)
    }

    @Test func aSignedLargeBodyIsVerifiedBeforeItIsRead() throws {
        let server = try TestServer(limits: Self.limits, format: .hae)
        let body = String(decoding: Self.body(points: 4_000), as: UTF8.self)
        func deliver(_ body: String, _ headers: [String], as sent: String) throws -> ClientResponse {
            var request = server.delivery(body)
            let end = request.count - body.utf8.count
            request.replaceSubrange(end..., with: Array(sent.utf8))
            let text = String(decoding: request.prefix(end), as: UTF8.self)
                .replacingOccurrences(of: "X-Syncky-Format: native", with: "X-Syncky-Format: hae")
            return try server.post(Array(text.utf8) + request[end...])
        }
        let forged = String(body.dropLast(2)) + "] "
        #expect(try deliver(body, [], as: forged).status == 401)
        #expect(try server.storedCount() == 0)
        #expect(try deliver(body, [], as: body).status == 204)
        #expect(try server.storedCount() == 4_000)
        expectEmpty(server)
    }

    @Test func largeCompressedAndUploadedBodies() throws {
        let server = try makeServer()
        let body = Self.body(points: 4_000)
        let token = "Authorization: Bearer \(TestServer.token)"
        let compressed = HealthAutoExportServingTests.request(gzip(body), headers: [token, "Content-Encoding: gzip"])
        #expect(try server.post(compressed).status == 200)
        #expect(try server.storedCount() == 4_000)
        let form = Array("--XX\r\nContent-Type: application/json\r\n\r\n".utf8) + body + Array("\r\n--XX--\r\n".utf8)
        let uploaded = HealthAutoExportServingTests.request(form, type: "multipart/form-data; boundary=XX")
        let answer = try server.post(uploaded)
        #expect(answer.status == 200 && String(decoding: answer.body, as: UTF8.self).contains(#""repeated":4000"#))
        expectEmpty(server)
    }

    @Test func tooManyLargeBodiesAtOnceAre503() throws {
        let server = try makeServer()
        let sent = request(Self.body(points: 4_000))
        var held: [Receiver.LoopbackClient] = []
        for count in 1...16 {
            held.append(try server.connect())
            try held[count - 1].send(Array(sent.prefix(200_000)))
            // Six megabytes four times over: 24 in steps of four.
            if count <= 5 { #expect(server.eventually { server.server.spooledBodies == count }) }
        }
        let refused = try held.dropFirst(5).first?.receive()
        #expect(refused?.status == 503 && refused?.field("retry-after") != nil && refused?.errorCode == "overloaded")
        held = []
        expectEmpty(server)
        #expect(try server.post(sent).status == 200)
    }

    @Test func aFullDiskIs503AndLeavesNothing() throws {
        var options = StoreOptions()
        options.minimumFreeBytes = 1 << 60
        let server = try TestServer(limits: Self.limits, isSigned: false, format: .hae, storeOptions: options)
        let answer = try server.post(request(Self.body(points: 4_000)))
        #expect(answer.status == 503 && answer.errorCode == "storage_unavailable")
        #expect(answer.field("retry-after") != nil)
        expectEmpty(server)
        #expect(try server.storedCount() == 0)
        #expect(try server.post(request(Self.body(points: 5))).status == 200, "what fits in memory needs no file")
    }
}
