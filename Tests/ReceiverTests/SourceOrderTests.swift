import Insights
import Samples
import Testing

@testable import Receiver

/// `receiver.json` with this as its member `sources`.
private func parsed(_ sources: String) throws -> Configuration {
    try Configuration(parsing: Array(#"{"schema":1,"sources":\#(sources)}"#.utf8))
}

@Test func sourceOrderIsReadAndWrittenAgain() throws {
    let text = """
        {"me":[{"app":"com.apple.health","device":"Apple Watch"},{"device":"iPhone"},{"app":"com.example.gym"}],\
        "Zoë":[{"device":"Uhr/2"}],"none":[]}
        """
    let configuration = try parsed(text)
    #expect(
        configuration.sources.persons == [
            "me": [
                SourceName(app: "com.apple.health", device: "Apple Watch"), SourceName(app: nil, device: "iPhone"),
                SourceName(app: "com.example.gym", device: nil),
            ], "Zoë": [SourceName(app: nil, device: "Uhr/2")],
        ])
    let again = try Configuration(parsing: Array(configuration.text().utf8))
    #expect(again == configuration)
    let setup = configuration.readSetup(directory: "/nowhere", catalog: .builtIn)
    #expect(setup.sourceOrder == configuration.sources.persons)
}

@Test func receiverJSONHasNoSourcesUntilTheyAreSet() throws {
    #expect(!Configuration().text().contains("sources"))
    #expect(try parsed("null") == Configuration())
    #expect(try parsed("{}") == Configuration())
}

@Test(
    arguments: [
        (#"[]"#, "sources must be an object"), (#"{"me":{}}"#, "sources.me must be an array"),
        (#"{"me":null}"#, "sources.me must be an array"),
        (#"{"":[]}"#, "each name in sources must be 1 to 64 characters without control characters"),
        (#"{"me":["iPhone"]}"#, "sources.me[0] must be an object"),
        (#"{"me":[{}]}"#, "sources.me[0] must have an app or a device"),
        (#"{"me":[{"app":null,"device":null}]}"#, "sources.me[0] must have an app or a device"),
        (#"{"me":[{"app":1}]}"#, "sources.me[0].app must be a text in quotes"),
        (#"{"me":[{"app":""}]}"#, "sources.me[0] must hold texts of 1 to 1024 bytes"),
        (#"{"me":[{"app":"a"},{"app":"a\u0000"}]}"#, "sources.me[1] must hold texts of 1 to 1024 bytes"),
        (#"{"me":[{"app":"a"},{"app":"a"}]}"#, "sources.me[1] must not be there twice"),
        (#"{"me":[{"app":"a","name":"b"}]}"#, "sources.me[0] has no member called name"),
        (#"{"me":[],"me":[]}"#, nil),
    ] as [(String, String?)])
func sourceOrderIsRefused(text: String, message: String?) throws {
    let error = #expect(throws: ConfigurationError.self) { try parsed(text) }
    if let message { #expect(error?.message == message) }
}

@Test func sourceOrderHasABound() throws {
    func list(_ count: Int) -> String {
        #"{"me":[\#((0..<count).map { #"{"app":"a\#($0)"}"# }.joined(separator: ","))]}"#
    }
    #expect(try parsed(list(256)).sources.persons["me"]?.count == 256)
    #expect(throws: ConfigurationError.self) { try parsed(list(257)) }
    let long = String(repeating: "a", count: 1_024)
    #expect(try parsed(#"{"me":[{"app":"\#(long)"}]}"#).sources.persons["me"]?.count == 1)
    #expect(throws: ConfigurationError.self) { try parsed(#"{"me":[{"app":"\#(long)a"}]}"#) }
}
