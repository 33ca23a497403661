import Foundation
import Signing
import Testing

struct TokenCase: Sendable, CustomTestStringConvertible {
    var scheme: AuthScheme, authorization: [String], header: [String] = [], isAccepted: Bool
    var testDescription: String { "\(scheme) \(authorization) \(header)" }
}

private func basic(_ pair: String) -> String { Data(pair.utf8).base64EncodedString() }

private let tokenCases: [TokenCase] = {
    func bearer(_ values: [String], _ isAccepted: Bool) -> TokenCase {
        TokenCase(scheme: .bearer, authorization: values, isAccepted: isAccepted)
    }
    func asBasic(_ values: [String], _ isAccepted: Bool) -> TokenCase {
        TokenCase(scheme: .basic(user: "jo"), authorization: values, isAccepted: isAccepted)
    }
    func asHeader(_ values: [String], _ isAccepted: Bool, authorization: [String] = []) -> TokenCase {
        TokenCase(
            scheme: .header(name: "x-api-key"), authorization: authorization, header: values, isAccepted: isAccepted)
    }
    let right = basic("jo:tok-New")
    return [
        bearer(["Bearer tok-New"], true), bearer(["bearer tok-New"], true), bearer(["BEARER tok-New"], true),
        bearer(["Bearer tok-old"], true), bearer(["Bearer tok-ended"], false),
        bearer([], false), bearer([""], false), bearer(["Bearer"], false), bearer(["Bearer "], false),
        bearer(["tok-New"], false), bearer(["Bearer  tok-New"], false), bearer(["Bearer tok-New "], false),
        bearer([" Bearer tok-New"], false), bearer(["Bearer\ttok-New"], false), bearer(["Bearertok-New"], false),
        bearer(["Bearer tok-new"], false), bearer(["Bearer tok-Ne"], false), bearer(["Bearer tok-New1"], false),
        bearer(["Bearer tok-New\0"], false), bearer(["Bearer \"tok-New\""], false),
        bearer(["Bearer tok-New", "Bearer tok-New"], false), bearer(["Bearer tok-New", "Bearer wrong"], false),
        bearer(["Bearer tok-New, Bearer tok-New"], false), bearer(["Token tok-New"], false),
        bearer(["Basic \(right)"], false), bearer(["Bearer \(right)"], false), bearer(["Bearer=tok-New"], false),

        asBasic(["Basic \(right)"], true), asBasic(["bAsIc \(right)"], true),
        asBasic(["Basic \(basic("jo:tok-old"))"], true), asBasic(["Basic \(basic("jo:tok-ended"))"], false),
        asBasic(["Basic \(basic("Jo:tok-New"))"], false), asBasic(["Basic \(basic(":tok-New"))"], false),
        asBasic(["Basic \(basic("jo:"))"], false), asBasic(["Basic \(basic("jo"))"], false),
        asBasic(["Basic \(basic("tok-New"))"], false), asBasic(["Basic \(basic("jo:tok-New\n"))"], false),
        asBasic(["Basic \(basic("jo:x:tok-New"))"], false), asBasic(["Basic \(basic("jo:tok-New:"))"], false),
        asBasic(["Basic jo:tok-New"], false), asBasic(["Basic"], false), asBasic(["Basic "], false),
        asBasic(["Basic \(right)="], false), asBasic(["Basic =\(right)"], false),
        asBasic(["Basic \(right.dropLast())"], false), asBasic(["Basic  \(right)"], false),
        asBasic(["Basic \(right) "], false), asBasic(["Basic \(right.prefix(4)) \(right.dropFirst(4))"], false),
        asBasic(["Basic \(right)", "Basic \(right)"], false), asBasic(["Bearer tok-New"], false), asBasic([], false),

        asHeader(["tok-New"], true), asHeader(["tok-old"], true), asHeader(["tok-ended"], false),
        asHeader(["tok-New"], true, authorization: ["Bearer wrong"]),
        asHeader([], false), asHeader([""], false), asHeader(["tok-New", "tok-New"], false),
        asHeader(["tok-New,tok-New"], false), asHeader(["TOK-NEW"], false), asHeader(["Bearer tok-New"], false),
        asHeader([], false, authorization: ["Bearer tok-New"]),

        TokenCase(scheme: .none, authorization: [], isAccepted: true),
        TokenCase(scheme: .none, authorization: ["Bearer wrong", "x"], header: ["y", "z"], isAccepted: true),
    ]
}()

@Test(arguments: tokenCases)
func token(_ testCase: TokenCase) {
    let credentials = EndpointCredentials(
        scheme: testCase.scheme,
        tokens: [
            RotatingSecret(secret: Secret(text: "tok-New")),
            RotatingSecret(secret: Secret(text: "tok-ended"), untilSeconds: 999),
            RotatingSecret(secret: Secret(text: "tok-old"), untilSeconds: 1000),
        ])
    #expect(
        credentials.acceptsToken(
            authorization: slices(testCase.authorization), header: slices(testCase.header), nowSeconds: 1000)
            == testCase.isAccepted)
}

@Suite struct CredentialRules {
    @Test func withoutATokenNothingIsRight() {
        for scheme in [AuthScheme.bearer, .basic(user: "jo"), .header(name: "x-api-key")] {
            let credentials = EndpointCredentials(scheme: scheme)
            for value in ["", "Bearer ", "Bearer", "Basic ", "Basic \(basic("jo:"))"] {
                #expect(
                    !credentials.acceptsToken(
                        authorization: slices([value]), header: slices([value]), nowSeconds: 0))
            }
        }
    }

    @Test func bytesNotText() {
        // One composed, one decomposed: equal as Strings, not as tokens.
        let credentials = EndpointCredentials(
            scheme: .bearer, tokens: [RotatingSecret(secret: Secret(text: "caf\u{E9}"))])
        for (token, isAccepted) in [("caf\u{E9}", true), ("cafe\u{301}", false)] {
            #expect(
                credentials.acceptsToken(authorization: slices(["Bearer " + token]), header: [], nowSeconds: 0)
                    == isAccepted)
        }
        let invalid: [UInt8] = Array("Bearer caf".utf8) + [0xE9]
        #expect(!credentials.acceptsToken(authorization: [invalid[...]], header: [], nowSeconds: 0))
    }

    @Test func basicCutAnywhere() {
        let credentials = EndpointCredentials(
            scheme: .basic(user: "jo"), tokens: [RotatingSecret(secret: Secret(text: "p\u{E4}ss:word"))])
        let whole = Array("Basic \(basic("jo:p\u{E4}ss:word"))".utf8)
        #expect(credentials.acceptsToken(authorization: [whole[...]], header: [], nowSeconds: 0))
        for cut in whole.indices {
            #expect(!credentials.acceptsToken(authorization: [whole[..<cut]], header: [], nowSeconds: 0))
        }
    }

    @Test func rotation() {
        var tokens = [RotatingSecret(secret: Secret(text: "a"))]
        tokens.rotate(to: Secret(text: "b"), graceSeconds: 100, nowSeconds: 1000)
        tokens.rotate(to: Secret(text: "c"), graceSeconds: 500, nowSeconds: 1050)
        #expect(tokens.map(\.secret) == [Secret(text: "c"), Secret(text: "b"), Secret(text: "a")])
        #expect(tokens.map(\.untilSeconds) == [nil, 1550, 1100])
        tokens.rotate(to: Secret(text: "d"), graceSeconds: 500, nowSeconds: 1101)
        #expect(tokens.map(\.secret) == [Secret(text: "d"), Secret(text: "c"), Secret(text: "b")])
        tokens.rotate(to: Secret(text: "b"), graceSeconds: 10, nowSeconds: 1102)
        #expect(tokens.map(\.secret) == [Secret(text: "b"), Secret(text: "d"), Secret(text: "c")])
        #expect(tokens.map(\.untilSeconds) == [nil, 1112, 1112])
        tokens.rotate(to: Secret(text: "e"), graceSeconds: 0, nowSeconds: 1103)
        #expect(tokens == [RotatingSecret(secret: Secret(text: "e"))])
    }
}
