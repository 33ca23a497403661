import Foundation
@testable import Receiver
import Signing
import TestSupport
import Testing

@Suite struct DashboardAssetTests {
    @Test func assetsAreWhatTheFilesGive() throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "python3", RepositoryRoot.url.appending(path: "scripts/make-dashboard.py").path(percentEncoded: false),
            "--check",
        ]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    @Test func everyFileIsAnAssetByteForByte() throws {
        let folder = RepositoryRoot.url.appending(path: "dashboard")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
        #expect(DashboardAssets.all.count == names.count + 1, "the catalog is the one that is no file")
        for name in names {
            let path = name == "index.html" ? "/" : "/\(name)"
            let asset = try #require(DashboardAssets.all.first { $0.path == path }, "\(name)")
            let bytes = try Data(contentsOf: folder.appending(path: name))
            #expect(Data(asset.bytes) == bytes, "\(name)")
            #expect(asset.tag == entityTag(of: asset.bytes), "\(name)")
        }
        #expect(Set(DashboardAssets.all.map(\.path)).count == DashboardAssets.all.count)
    }

    /// Each address in the page, its style and its modules is one of the assets: nothing comes from elsewhere.
    @Test func whatAnAssetLoadsIsAnAsset() throws {
        let paths = Set(DashboardAssets.all.map(\.path))
        for asset in DashboardAssets.all {
            let text = String(decoding: asset.bytes, as: UTF8.self)
            for match in text.matches(of: /(?:src|href)="(\/[^"]*)"|from "\.(\/[^"]*)"|import\("\.(\/[^"]*)"\)/) {
                let path = String(match.1 ?? match.2 ?? match.3 ?? "")
                #expect(paths.contains(path), "\(asset.path) loads \(path)")
            }
            let addresses = text.matches(of: /https?:\/\/[^\s"'`)]*/).map { String($0.0) }
            #expect(addresses.allSatisfy { $0 == "http://www.w3.org/2000/svg" }, "\(asset.path): \(addresses)")
            for word in [
                "innerHTML", "insertAdjacentHTML", "document.write", "eval(", "@import", "url(/", "url(h", "url(\"",
            ] {
                #expect(!text.contains(word), "\(asset.path) has \(word)")
            }
        }
    }
}
