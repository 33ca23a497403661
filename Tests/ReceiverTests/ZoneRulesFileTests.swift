import Foundation
import Receiver
import Samples
import TestSupport
import Testing

@Test func rulesOfAZoneByItsName() throws {
    let summer = Timestamp(microseconds: 1_791_961_500_000_000)
    #expect(try TimeZoneName.rules(of: "Europe/Berlin").offsetSeconds(at: summer) == 7_200)
    #expect(try TimeZoneName.rules(of: "UTC", database: "/nowhere") == .utc)
    for name in ["Europe/Atlantis", "../etc/passwd", "", "Europe"] {
        #expect(
            throws: ConfigurationError(.invalid, "the time zone \(name) is not known: no file of rules has its name")
        ) {
            try TimeZoneName.rules(of: name)
        }
    }
}

@Test func rulesInADamagedFile() throws {
    let folder = try TestSupport.TemporaryFolder()
    try Data("TZif2 and no more".utf8).write(to: URL(filePath: folder.path("Here")))
    #expect(
        throws: ConfigurationError(
            .invalid, "the rules of the time zone Here can't be read: \(folder.path("Here")) is damaged at byte 17")
    ) { try TimeZoneName.rules(of: "Here", database: String(folder.path("").dropLast())) }
}
