import Receiver
import Samples
import Signing
import Storage
import TestSupport
import Testing
import Transport

/// `serve --catalog DIR`.
@Test func aServedCatalogNumbersCategories() throws {
    let types = #"""
        {"v":1,"types":[{"name":"mood_of_the_cat","kind":"category","hk":"x","values":[{"name":"asleep","raw":7}]}],
        "activities":[],"characteristics":[]}
        """#
    let units = try Array(RepositoryRoot.contents(of: "schemas/units.json"))
    let folder = try Receiver.TemporaryFolder(), log = Log(format: .text) { _ in }
    let server = try Server(
        Server.Setup(
            directory: folder.path, address: try #require(SocketAddress(host: "127.0.0.1", port: 0)),
            settings: HookService.Settings(
                endpoints: ["phone": TestServer.endpoint(scheme: .none, isSigned: false)], limits: Limits(),
                catalog: try Catalog(types: Array(types.utf8), units: units)),
            ioThreads: 1, log: log, followsConfiguration: false))
    defer {
        server.stop()
        log.close()
    }
    // Neither a type nor a value must be known to be taken.
    let samples = [("mood_of_the_cat", "asleep"), ("mood_of_the_cat", "hunting"), ("mood_of_the_dog", "asleep")]
        .enumerated().map { index, sample in #"{"uuid":"k-\#(index)","type":"\#(sample.0)","value":"\#(sample.1)"}"# }
    let body = TestServer.body(samples)
    let head = [
        "POST /hook/phone HTTP/1.1", "Host: receiver.local", "Content-Type: application/json",
        "X-Syncky-Format: native", "X-Syncky-Delivery: cat-1", "Content-Length: \(body.utf8.count)",
    ]
    let client = try LoopbackClient(port: server.address.port)
    try client.send(Array((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8))
    #expect(try client.receive().status == 204)
    let rows = try StoreReader(directory: folder.path).rows("SELECT value FROM samples ORDER BY uuid")
    #expect(rows.map { $0["value"] } == [.real(7), .null, .null])
}
