import Receiver
import Samples
import Storage
import TestSupport
import Testing

/// `serve --catalog DIR`.
@Test func aServedCatalogNumbersCategories() throws {
    let types = #"""
        {"v":1,"types":[{"name":"mood_of_the_cat","kind":"category","hk":"x","values":[{"name":"asleep","raw":7}]}],
        "activities":[],"characteristics":[]}
        """#
    let units = try Array(RepositoryRoot.contents(of: "schemas/units.json"))
    let server = try TestServer(catalog: try Catalog(types: Array(types.utf8), units: units))
    // Neither a type nor a value must be known to be taken.
    let samples = [("mood_of_the_cat", "asleep"), ("mood_of_the_cat", "hunting"), ("mood_of_the_dog", "asleep")]
        .enumerated().map { index, sample in #"{"uuid":"k-\#(index)","type":"\#(sample.0)","value":"\#(sample.1)"}"# }
    #expect(try server.post(server.delivery(TestServer.body(samples))).status == 204)
    let rows = try StoreReader(directory: server.folder.path).rows("SELECT value FROM samples ORDER BY uuid")
    #expect(rows.map { $0["value"] } == [.real(7), .null, .null])
}
