import Foundation
import Receiver
import TestSupport
import Testing

/// `receiver.json` beside a server that runs.
struct FollowedConfigurationTests {
    private static func configuration(_ names: [String]) -> Configuration {
        var configuration = Configuration()
        for name in names {
            var endpoint = TestServer.endpoint()
            endpoint.name = name
            configuration.endpoints[name] = endpoint
        }
        return configuration
    }

    /// A server that was started on `receiver.json` with the endpoint phone, which `change` then changes before it starts.
    private func makeServer(_ change: @escaping (ConfigurationFile) throws -> Void = { _ in }) throws -> TestServer {
        try TestServer(
            followsConfiguration: true,
            prepared: PreparedConfiguration { directory in
                let file = ConfigurationFile(directory: directory)
                try file.create(Self.configuration(["phone"]))
                let asRead = file.fingerprint()
                try change(file)
                return asRead
            })
    }

    private func isKnown(_ name: String, _ server: TestServer) throws -> Bool {
        try server.exchange("POST /hook/\(name) HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n").status == 401
    }

    /// Opening the store can take long: what was removed meanwhile is not served.
    @Test func aChangeDuringTheStartCounts() throws {
        let server = try makeServer { file in try file.update { $0 = Self.configuration(["other"]) } }
        #expect(try server.eventually { try isKnown("other", server) && !isKnown("phone", server) })
    }

    /// What can't be read is tried again each time, and told once.
    @Test func aReadingThatFailsIsTriedAgain() throws {
        let server = try makeServer()
        let path = server.folder.path + "/receiver.json"
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(server.eventually { server.logText.contains("receiver.json can't be used") })
        for _ in 0..<5 {
            server.clock.advance(seconds: 2)
            server.server.sweep()
        }
        #expect(try isKnown("phone", server))
        try FileManager.default.removeItem(atPath: path)
        try ConfigurationFile(directory: server.folder.path).create(Self.configuration(["other"]))
        #expect(try server.eventually { try isKnown("other", server) && !isKnown("phone", server) })
        #expect(server.logText.components(separatedBy: "receiver.json can't be used").count == 2)
    }
}
