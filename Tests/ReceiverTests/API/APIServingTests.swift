import Foundation
import Glibc
import Receiver
import Samples
import Signing
import Storage
import Synchronization
import TestSupport
import Testing
import Transport
import Wire

/// The API's port beside the one that takes deliveries, and answers that go on.
struct APIServingTests {
    private typealias Client = Receiver.LoopbackClient

    /// Counts up; its cursor is the number of the last event.
    private final class Source: Sendable {
        let count = Atomic<Int>(0)
        let padding: String
        init(padding: String = "") { self.padding = padding }

        func page(_ cursor: String?) throws -> EventPage {
            let count = count.load(ordering: .relaxed)
            guard let cursor else { return EventPage(events: [], next: "\(count)", more: false) }
            guard let start = Int(cursor), (0...count).contains(start) else { throw APIProblem.cursorExpired }
            let end = min(count, start + 100)
            return EventPage(
                events: (start..<end).map {
                    EventPage.Event(cursor: "\($0 + 1)", json: Array("{\"n\":\($0 + 1)\(padding)}".utf8))
                }, next: "\(end)", more: end < count)
        }

        var routes: [APIRoute] {
            [
                APIRoute(.get, "/t/events", parameters: [.optional("since")], formats: [.json, .eventStream]) {
                    request in
                    guard request.format == .eventStream else { return .text("{}") }
                    return try request.events { [self] _, cursor in try page(cursor) }
                }
            ]
        }
    }

    private static let accept = "Accept: text/event-stream"

    private func text(of client: TestSupport.LoopbackClient, until end: String) throws -> String {
        let end = Array(end.utf8)
        let bytes = try client.receive { bytes in
            bytes.count >= end.count && bytes.suffix(end.count).elementsEqual(end)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func daysAreWorkedOutBeforeAnybodyAsks() throws {
        let api = try TestAPI()
        _ = try api.server.post(api.server.delivery())
        let file = "\(api.server.folder.path)/insights.db"
        let end = ContinuousClock.now + .seconds(20)
        while access(file, F_OK) != 0 && ContinuousClock.now < end {
            api.server.server.sweep()
            usleep(10_000)
        }
        #expect(access(file, F_OK) == 0)
    }

    @Test func eventsComeAsTheyAreCommittedAndGoOnFromTheLastId() throws {
        let source = Source()
        let api = try TestAPI(routes: source.routes)
        source.count.store(3, ordering: .relaxed)
        let client = try api.open("/t/events", headers: [Self.accept])
        let head = try text(of: client, until: "retry: 3000\nid: 3\n\n")
        #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n") && head.contains("Content-Type: text/event-stream\r\n"))
        #expect(!head.contains("Content-Length") && head.contains("Connection: close\r\n"))
        #expect(head.contains("Content-Security-Policy: "))
        source.count.store(5, ordering: .relaxed)
        _ = try api.server.post(api.server.delivery())  // a commit wakes the feeder
        let news = try text(of: client, until: "{\"n\":5}\n\n")
        #expect(news == "id: 4\nevent: change\ndata: {\"n\":4}\n\nid: 5\nevent: change\ndata: {\"n\":5}\n\n")
        client.close()
        let again = try api.open("/t/events?since=1", headers: [Self.accept, "Last-Event-ID: 3"])
        let rest = try text(of: again, until: "{\"n\":5}\n\n")
        #expect(
            rest.hasSuffix(
                "retry: 3000\nid: 4\nevent: change\ndata: {\"n\":4}\n\nid: 5\nevent: change\ndata: {\"n\":5}\n\n"))
        // A cursor that leads nowhere is said before there is a stream.
        for headers in [["Last-Event-ID: 99"], ["Last-Event-ID: x"]] {
            #expect(try api.ask("/t/events", headers: [Self.accept] + headers).status == 410)
        }
        #expect(try api.ask("/t/events", method: "HEAD", headers: [Self.accept]).status == 200)
        #expect(try api.ask("/t/events").text == "{}")
    }

    @Test func aSilentStreamHasAHeartbeat() throws {
        let api = try TestAPI(routes: Source().routes)
        let client = try api.open("/t/events", headers: [Self.accept])
        _ = try text(of: client, until: "id: 0\n\n")
        let received = Mutex("")
        api.server.clock.advance(seconds: 15)
        api.server.server.sweep()
        received.withLock { $0 = (try? text(of: client, until: "\n\n")) ?? "" }
        #expect(received.withLock { $0 } == ": still here\n\n")
    }

    @Test func moreThanASocketTakesArrivesWholeAndInOrder() throws {
        let source = Source(padding: ",\"p\":\"" + String(repeating: "x", count: 1_000) + "\"")
        let api = try TestAPI(routes: source.routes)
        source.count.store(3_000, ordering: .relaxed)
        let client = try api.open("/t/events?since=0", headers: [Self.accept])
        let text = try text(of: client, until: "id: 3000\nevent: change\ndata: {\"n\":3000\(source.padding)}\n\n")
        let ids = text.split(separator: "\n").filter { $0.hasPrefix("id: ") }.compactMap { Int($0.dropFirst(4)) }
        #expect(ids == Array(1...3_000))
    }

    @Test func aReaderThatStandsStillIsClosedAndCostsLittle() throws {
        let source = Source(padding: ",\"p\":\"" + String(repeating: "x", count: 1_000) + "\"")
        let api = try TestAPI(routes: source.routes)
        source.count.store(20_000, ordering: .relaxed)
        let client = try api.open("/t/events?since=0", headers: [Self.accept])
        // It has taken its head and reads no more: what waits is bounded, and after a minute it goes.
        _ = try client.receive()
        let reader = try api.open("/t/events", headers: [Self.accept])
        _ = try text(of: reader, until: "id: 20000\n\n")
        #expect(api.server.server.apiConnectionCount == 2)
        let isGone = api.server.eventually {
            api.server.clock.advance(seconds: 61)
            return api.server.server.apiConnectionCount == 1
        }
        #expect(isGone)
        let rest = try client.receiveAll()
        #expect(rest.count < 4 << 20)
        let last = String(decoding: rest, as: UTF8.self).split(separator: "\n").last { $0.hasPrefix("id: ") }
        let cursor = try #require(last.flatMap { Int($0.dropFirst(4)) })
        #expect(cursor < 20_000)
    }

    @Test func aStreamEndsWithItsTokenAndWithTheServer() throws {
        let api = try TestAPI(routes: Source().routes)
        let soon = try api.open("/t/events", token: "soon", headers: [Self.accept])
        let other = try api.open("/t/events", headers: [Self.accept])
        for client in [soon, other] { _ = try text(of: client, until: "id: 0\n\n") }
        api.server.clock.advance(seconds: 100)
        api.server.server.sweep()
        _ = try soon.receiveAll()
        soon.close()
        #expect(api.server.eventually { api.server.server.apiConnectionCount <= 1 })
        api.server.stop()
        _ = try other.receiveAll()
    }

    @Test func thereIsABoundOnStreams() throws {
        let api = try TestAPI(routes: Source().routes)
        var clients: [TestSupport.LoopbackClient] = []
        for _ in 0..<32 {
            clients.append(try api.open("/t/events", headers: [Self.accept]))
            _ = try text(of: clients[clients.count - 1], until: "id: 0\n\n")
        }
        let late = try api.ask("/t/events", headers: [Self.accept])
        #expect(late.status == 503 && late.code == "too_many_streams" && late.field("retry-after") == "30")
        clients.removeFirst().close()
        #expect(
            try api.server.eventually {
                let client = try api.open("/t/events", headers: [Self.accept])
                defer { client.close() }
                return try client.receive { $0.contains(UInt8(ascii: "\n")) }.starts(with: "HTTP/1.1 200".utf8)
            })
    }

    @Test func whatAStreamsClientSaysIsDropped() throws {
        let source = Source()
        let api = try TestAPI(routes: source.routes)
        let client = try api.open("/t/events", headers: [Self.accept])
        _ = try text(of: client, until: "id: 0\n\n")
        try client.send("GET /session HTTP/1.1\r\nHost: a\r\n\r\n")
        source.count.store(1, ordering: .relaxed)
        _ = try api.server.post(api.server.delivery())
        #expect(try text(of: client, until: "\n\n") == "id: 1\nevent: change\ndata: {\"n\":1}\n\n")
        client.closeWrite()
        #expect(api.server.eventually { api.server.server.apiConnectionCount == 0 })
    }

    @Test func theStoresChangesAreStreamedToWhoMaySeeThem() throws {
        let api = try TestAPI(persons: ["kim"])
        let mine = try api.open("/api/v1/changes", headers: [Self.accept])
        let ofKim = try api.open("/api/v1/changes", token: "other", headers: [Self.accept])
        let ofSteps = try api.open("/api/v1/changes", token: "stepper", headers: [Self.accept])
        for client in [mine, ofKim, ofSteps] {
            #expect(try text(of: client, until: "\n\n").hasPrefix("HTTP/1.1 200 OK\r\n"))
        }
        _ = try api.server.post(api.server.delivery())
        let event = try text(of: mine, until: "\n\n")
        #expect(event.hasPrefix("id: ") && event.contains("\nevent: change\ndata: {\"op\":\"insert\""))
        #expect(event.contains("heart_rate"))
        // The others learn where to go on from, and nothing else.
        for client in [ofKim, ofSteps] {
            let lines = try text(of: client, until: "\n\n").split(separator: "\n")
            #expect(lines.count == 1 && lines[0].hasPrefix("id: "))
        }
        let cursor = try #require(event.split(separator: "\n").first?.dropFirst(4))
        mine.close()
        let body = TestServer.body([TestServer.sample(2)])
        _ = try api.server.post(api.server.delivery(body, id: "second"))
        let again = try api.open("/api/v1/changes", headers: [Self.accept, "Last-Event-ID: \(cursor)"])
        let rest = try text(of: again, until: "\n\n")
        #expect(rest.contains("-000000000002") && !rest.contains("-000000000001"))
        #expect(try api.ask("/api/v1/changes", headers: [Self.accept, "Last-Event-ID: x"]).status == 400)
    }

    // MARK: Beside the deliveries

    @Test func slowAndManyQuestionsHoldUpNoDelivery() throws {
        let gate = Mutex(false)
        let slow = APIRoute(.get, "/t/slow") { _ in
            while !gate.withLock({ $0 }) { usleep(1_000) }
            return .text("done")
        }
        let api = try TestAPI(routes: [slow] + APIRoutes.all)
        var clients: [Client] = []
        for index in 0..<240 {
            let client = try Client(port: api.port, timeoutSeconds: 30)
            // A third wait for the readers, a third never end their heads, a third say nothing.
            switch index % 3 {
            case 0: try client.send(TestAPI.request("GET", "/t/slow", token: "reader", headers: [], body: nil))
            case 1: try client.send(Array("GET /session HTTP/1.1\r\nHost:".utf8))
            default: break
            }
            clients.append(client)
        }
        let started = ServerClock.system.monotonicMicroseconds()
        for number in 0..<20 {
            let body = TestServer.body([TestServer.sample(number)])
            #expect(try api.server.post(api.server.delivery(body, id: "d-\(number)")).status == 204)
        }
        #expect(ServerClock.system.monotonicMicroseconds() - started < 10_000_000)
        #expect(api.server.server.connectionCount <= 20)
        gate.withLock { $0 = true }
        #expect(try clients[0].receive().text == "done")
        clients = []
        #expect(try api.ask("/session").status == 200)
    }

    @Test func pastTheLimitTheOldestIdleConnectionGoes() throws {
        let api = try TestAPI()
        var clients: [Client] = []
        for _ in 0..<300 { clients.append(try Client(port: api.port, timeoutSeconds: 30)) }
        #expect(try api.ask("/session").status == 200)
        #expect(api.server.server.apiConnectionCount <= 257)
        #expect(try api.server.post(api.server.delivery()).status == 204)
    }

    @Test func answersThatNobodyReadsAreBounded() throws {
        let large = APIRoute(.get, "/t/large") { _ in .bytes([UInt8](repeating: 0x20, count: 12 << 20)) }
        let api = try TestAPI(routes: [large] + APIRoutes.all)
        var clients: [TestSupport.LoopbackClient] = []
        for _ in 0..<12 { clients.append(try api.open("/t/large")) }
        // Five of them fit; the others are told to come back.
        var statuses: [String] = []
        for client in clients {
            let head = try client.receive { $0.count >= 12 }
            statuses.append(String(decoding: head[9..<12], as: UTF8.self))
        }
        #expect(statuses.filter { $0 == "200" }.count == 5 && statuses.filter { $0 == "503" }.count == 7)
        for client in clients { client.close() }
        #expect(
            try api.server.eventually {
                let client = try api.open("/t/large")
                defer { client.close() }
                return try client.receive { $0.count >= 12 }.starts(with: "HTTP/1.1 200".utf8)
            })
    }

    @Test func manyQuestionsOnOneConnectionAreNotSlowed() throws {
        let api = try TestAPI()
        let client = try Client(port: api.port, timeoutSeconds: 30)
        for _ in 0..<200 {
            try client.send(
                TestAPI.request("GET", "/session", token: "reader", headers: ["If-None-Match: *"], body: nil))
            #expect(try client.receive().status == 304)
        }
    }

    @Test func withoutBeingAskedForATakenAddressIsNoReasonToStop() throws {
        let first = try TestAPI()
        func start(isRequired: Bool) throws -> TestServer {
            try TestServer { directory, endpoints in
                var configuration = Configuration()
                configuration.endpoints = endpoints
                return Server.API(
                    address: SocketAddress(host: "127.0.0.1", port: first.port)!, isRequired: isRequired,
                    settings: APIContext.Settings(configuration, directory: directory, catalog: .builtIn))
            }
        }
        let second = try start(isRequired: false)
        #expect(second.server.apiAddress == nil)
        #expect(try second.post(second.delivery()).status == 204)
        second.stop()
        #expect(second.logText.contains("no API and no dashboard: port \(first.port) is taken"))
        #expect(throws: ServerError.self) { _ = try start(isRequired: true) }
    }

    @Test func aTokenThatIsRemovedOrAddedCountsWithinASecond() throws {
        let server = try TestServer(followsConfiguration: true) { directory, endpoints in
            var configuration = Configuration()
            configuration.endpoints = endpoints
            configuration.api.tokens = TestAPI.tokens
            return Server.API(
                address: SocketAddress(host: "127.0.0.1", port: 0)!, isRequired: true,
                settings: APIContext.Settings(configuration, directory: directory, catalog: .builtIn),
                routes: Source().routes + APIRoutes.all)
        }
        let port = try #require(server.server.apiAddress).port
        func status(_ token: String) throws -> Int {
            let client = try Client(port: port)
            try client.send(TestAPI.request("GET", "/session", token: token, headers: [], body: nil))
            return try client.receive().status
        }
        let stream = try TestSupport.LoopbackClient(port: port)
        try stream.send(TestAPI.request("GET", "/t/events", token: "reader", headers: [Self.accept], body: nil))
        _ = try text(of: stream, until: "id: 0\n\n")
        #expect(try status("reader") == 200 && status("fresh") == 401)
        var configuration = Configuration()
        configuration.endpoints["phone"] = TestServer.endpoint()
        configuration.api.tokens = [TestAPI.token("fresh")]
        try ConfigurationFile(directory: server.folder.path).create(configuration)
        #expect(try server.eventually { try status("fresh") == 200 })
        #expect(try status("reader") == 401 || status("reader") == 429)
        _ = try stream.receiveAll()  // ends with its token
        // A file that can't be used changes nothing.
        try "{".write(toFile: server.folder.path + "/receiver.json", atomically: false, encoding: .utf8)
        server.server.reload()
        #expect(server.eventually { server.logText.contains("can't be used") })
        #expect(try status("fresh") == 200)
    }
}
