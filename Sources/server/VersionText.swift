import Receiver
import Storage
import Transport

/// What `--version` prints: this program, and the libraries that the system updates beneath it.
func versionText() -> String {
    """
    syncky-receiver \(Version.number)
    OpenSSL \(HostState.openSSLVersion)
    SQLite \(SQLiteLibrary.version)
    Swift \(swiftVersion)

    """
}

#if compiler(>=6.4)
    private let swiftVersion = "6.4 or later"
#else
    private let swiftVersion = "6.3"
#endif
