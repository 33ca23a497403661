import Samples
import Testing
import Wire

/// A body and an `X-Syncky-Format` that don't fit together are refused with a sentence that says so.
struct ForeignBodyTests {
    static let bodies: [(dialect: Dialect, text: String)] = [
        (.native, #"{"v":1,"type":"sync","device":"d_a","samples":[],"deleted":[],"acks":[],"more":false}"#),
        (.hae, #"{"data":{"metrics":[],"workouts":[]}}"#),
        (.csv, "type,uuid,start,end,value,unit,value_name,source,device,user_entered\r\n"),
        (.influx, "steps,unit=count value=7 1791961260000000000\n"),
    ]

    private func decode(_ text: String, as dialect: Dialect) throws(DecodeFault) {
        let body = PaddedBytes(Array(text.utf8))
        switch dialect {
        case .native: _ = try NativeDecoder.decode(body)
        case .hae:
            let context = DecodeContext(automation: Automation(isSyncky: true))
            _ = try HealthAutoExportDecoder.decode(body, context: context)
        case .csv: _ = try CSVDecoder.decode(body, context: DecodeContext())
        case .influx: _ = try LineProtocolDecoder.decode(body, context: DecodeContext())
        case .puls, .relay, .steps, .apple: Issue.record("Syncky sends no \(dialect)")
        }
    }

    @Test(
        arguments: [
            (Dialect.native, " X-Syncky-Format says that the body is Syncky's own JSON."),
            (.hae, " X-Syncky-Format says that the body is Health Auto Export JSON."),
            (.csv, " X-Syncky-Format says that the body is CSV."),
            (.influx, " X-Syncky-Format says that the body is line protocol."),
        ])
    func saysWhatTheFormatIs(dialect: Dialect, hint: String) {
        var others = Self.bodies.filter { $0.dialect != dialect }.map(\.text)
        // Line protocol's Check connection request is empty.
        if dialect != .influx { others += ["", "\n"] }
        if dialect == .native { others += ["[]", #"{"v":1,"type":"results","results":[]}"#, "{"] }
        for text in others {
            let fault = #expect(throws: DecodeFault.self, "\(text)") { try decode(text, as: dialect) }
            #expect(fault?.message.hasSuffix(hint) == true, "\(text): \(fault?.message ?? "")")
        }
    }

    @Test("a fault inside a body of the right format is not blamed on the format")
    func ownFaults() {
        let header = Self.bodies[2].text
        let bodies: [(Dialect, String)] = [
            (.native, #"{"v":1,"type":"sync","device":"d_a","samples":[{"uuid":"k"}]}"#),
            (.hae, #"{"metrics":7}"#), (.hae, #"{"data":{"metrics":[{"name":"#),
            (.native, #"{"samples":[{"uuid":""}],"v":1,"type":"sync"}"#),
            (.native, #"{"v":1,"type":"sync","samples":[]}"#), (.csv, header + "steps\r\n"),
            (.csv, header + "steps,k,,,1,count,,,,,\r\n"), (.influx, Self.bodies[3].text + "steps value= 1\n"),
        ]
        for (dialect, text) in bodies {
            let fault = #expect(throws: DecodeFault.self, "\(text)") { try decode(text, as: dialect) }
            #expect(fault?.message.contains("X-Syncky-Format") == false, "\(text): \(fault?.message ?? "")")
        }
    }
}
