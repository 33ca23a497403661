import Receiver
import Storage
import TestSupport
import Testing

@testable import server

/// `status`, `health` and `check` ask the server that runs on the folder, wherever a flag has put it.
@Test func theServedAddressComesBeforeTheSettings() throws {
    let folder = try TestSupport.TemporaryFolder()
    let data = try DataFolder.prepare(folder.path("data"))
    var settings = Configuration()
    settings.port = 8787
    #expect(settings.asServed(folder: data.path) == settings)
    do {
        let lock = try ServeLock(data)
        #expect(settings.asServed(folder: data.path) == settings, "it has not told yet")
        lock.publish(host: "127.0.0.1", port: 9000)
        let served = settings.asServed(folder: data.path)
        #expect(served.bind == "127.0.0.1" && served.port == 9000)
        #expect(ServeLock.holder(of: data) != nil)
        withExtendedLifetime(lock) {}
    }
    #expect(settings.asServed(folder: data.path) == settings, "nobody serves any more")
}
