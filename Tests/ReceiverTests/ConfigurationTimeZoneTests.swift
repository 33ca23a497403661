import Foundation
import Testing

@testable import Receiver

@Suite struct ConfigurationTimeZoneRules {
    let folder = TemporaryFolder()
    var root: String { folder.root }

    init() throws {
        let files = FileManager.default
        for path in ["/usr/share/zoneinfo/Europe", "/usr/share/zoneinfo/America/Argentina", "/etc"] {
            try files.createDirectory(atPath: root + path, withIntermediateDirectories: true)
        }
        for name in ["Europe/Berlin", "America/Argentina/Salta", "Etc-GMT+1", "secret"] {
            try Data("TZif2".utf8).write(to: URL(filePath: "\(root)/usr/share/zoneinfo/\(name)"))
        }
        try Data("# not rules".utf8).write(to: URL(filePath: root + "/usr/share/zoneinfo/zone.tab"))
        try Data("# not rules".utf8).write(to: URL(filePath: root + "/usr/share/zoneinfo/tzdata"))
        try Data("TZif2".utf8).write(to: URL(filePath: root + "/usr/share/outside"))
    }

    @Test(arguments: [
        ("UTC", true), ("Europe/Berlin", true), ("America/Argentina/Salta", true), ("Etc-GMT+1", true),
        ("Europe/Paris", false), ("Europe", false), ("tzdata", false), ("zone.tab", false), ("", false), ("/", false),
        ("Europe/", false), ("/Europe/Berlin", false), ("Europe//Berlin", false), ("../outside", false),
        ("Europe/../secret", false), ("./secret", false), ("europe/berlin\n", false), ("Europe/Berlin\0", false),
        ("Europe/B\u{E9}rlin", false), ("CET-1CEST", false), (String(repeating: "a", count: 5000), false),
    ]) func exists(name: String, isThere: Bool) {
        #expect(TimeZoneName.exists(name, database: root + TimeZoneName.databasePath) == isThere)
    }

    @Test func system() throws {
        func found(_ timeZone: String?) -> String { TimeZoneName.system(timeZone: timeZone, root: root) }
        #expect(found(nil) == "UTC")
        #expect(found("Europe/Berlin") == "Europe/Berlin")
        #expect(found(":Europe/Berlin") == "Europe/Berlin")
        #expect(found(":/usr/share/zoneinfo/America/Argentina/Salta") == "America/Argentina/Salta")
        #expect(found("CET-1CEST") == "UTC")
        #expect(found("") == "UTC")

        try FileManager.default.createSymbolicLink(
            atPath: root + "/etc/localtime", withDestinationPath: "../usr/share/zoneinfo/Europe/Berlin")
        #expect(found(nil) == "Europe/Berlin")
        try Data("America/Argentina/Salta\n".utf8).write(to: URL(filePath: root + "/etc/timezone"))
        #expect(found(nil) == "America/Argentina/Salta")
        #expect(found("Europe/Berlin") == "Europe/Berlin")
        try Data([0xFF, 0x0A]).write(to: URL(filePath: root + "/etc/timezone"))
        #expect(found("Nowhere/Land") == "Europe/Berlin")
    }
}
