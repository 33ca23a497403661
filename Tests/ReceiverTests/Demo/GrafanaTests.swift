import Demo
import Foundation
import Samples
import TestSupport
import Testing

@testable import Receiver

/// The dashboard over the API, asked of a server that took the invented phone's requests over HTTP.
@Suite struct GrafanaTests {
    /// 2026-10-14T07:00:00Z.
    private static let until: Int64 = 1_791_961_200

    private static func served() throws -> TestAPI {
        let api = try TestAPI()
        var settings = DemoSettings(
            days: 4, seed: 1, until: Timestamp(microseconds: until * 1_000_000),
            home: try TimeZoneName.rules(of: "Europe/Berlin"), away: .utc)
        settings.hasHeartRate = true
        var year = DemoYear(settings)
        while let delivery = year.next() {
            let answer = try api.server.post(api.server.delivery(String(decoding: delivery.body, as: UTF8.self)))
            guard answer.status == 204 else { throw CocoaError(.coderInvalidValue) }
        }
        return api
    }

    @Test func panelsOverTheAPIFindTheirMembers() throws {
        let api = try Self.served(), board = try GrafanaBoard("health-api")
        #expect(board.panels.count == 6 && Set(board.panels.map(\.id)).count == 6)
        for panel in board.panels {
            for target in panel.targets {
                let url = try #require(target.url.flatMap(URLComponents.init(string:)))
                #expect(url.host == "receiver" && url.port == 8_788)
                let query = (target.options?.params ?? []).map { parameter in
                    let value = parameter.value
                        .replacingOccurrences(of: "${__from:date:iso}", with: "2026-10-10T00:00:00.000Z")
                        .replacingOccurrences(of: "${__to:date:iso}", with: "2026-10-14T07:00:00.000Z")
                    return "\(parameter.key)=\(value)"
                }
                let address = query.isEmpty ? url.path : "\(url.path)?\(query.joined(separator: "&"))"
                let answer = try api.ask(address)
                #expect(answer.status == 200, "\(panel.title)")
                let object = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
                let list = try #require(object?[target.root ?? ""] as? [[String: Any]], "\(panel.title)")
                guard let first = list.first else {
                    // All came in one moment here, so that there is no rhythm to learn.
                    #expect(panel.title == "Rhythms")
                    continue
                }
                for column in target.columns ?? [] {
                    var value: Any? = first
                    for part in column.selector.split(separator: ".") {
                        value = (value as? [String: Any])?[String(part)]
                    }
                    #expect(value != nil && !(value is NSNull), "\(panel.title): \(column.selector)")
                }
            }
        }
    }

    @Test func boardsAndSourcesBelongTogether() throws {
        let folder = RepositoryRoot.url.appending(path: "examples/grafana")
        let sources = try String(
            contentsOf: folder.appending(path: "provisioning/datasources/syncky.yml"), encoding: .utf8)
        for (name, uid) in [("health-api", "syncky-api"), ("health-sql", "syncky-sql")] {
            let text = try String(contentsOf: folder.appending(path: "dashboards/\(name).json"), encoding: .utf8)
            #expect(sources.contains("uid: \(uid)\n") && text.contains("\"uid\": \"\(uid)\""))
        }
        // Grafana's variable in the one text and the other are the same query.
        for panel in try GrafanaBoard("health-sql").panels {
            for target in panel.targets { #expect(target.rawQueryText == target.queryText) }
        }
        // No token is in any file.
        for case let file as String in FileManager.default.enumerator(atPath: folder.path) ?? .init() {
            guard let text = try? String(contentsOf: folder.appending(path: file), encoding: .utf8) else { continue }
            #expect(!text.contains("sat_"), "\(file)")
        }
    }
}
