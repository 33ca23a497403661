import CSQLite
import Glibc
package import Samples

/// Why the database could not be opened, read or written.
///
/// Carries no health value, no text that a peer chose and no C type. `sentence` is for the log of the owner.
package struct StoreError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Reason: Equatable, Sendable {
        case full, locked, readOnly, damaged
        /// The uuid index was damaged and is made anew from the samples.
        case rebuilding
        /// Schema numbers: the file's and the newest that this program knows.
        case tooNew(found: Int, known: Int)
        /// The file is a database of something else.
        case foreign
        /// There is no database in the folder.
        case missing
        case failed
        /// The body that was decoded while it was stored is not right; the store is as good as before.
        case refused(DecodeFault)
        /// The server stops before all of a large body is stored; the store is as good as before.
        case givenUp
    }

    package var reason: Reason
    /// SQLite's extended result code; 0 when SQLite was not asked.
    package var code: Int32
    /// SQLite's or the system's own words; names no bound value.
    package var detail: String

    package init(_ reason: Reason, code: Int32 = 0, detail: String = "") {
        self.reason = reason
        self.code = code
        self.detail = detail
    }

    /// - Parameter systemError: the `errno` behind an I/O error, 0 when unknown: a quota reaches SQLite as one.
    init(code: Int32, systemError: Int32 = 0, detail: String) {
        let reason: Reason =
            switch code & 0xFF {
            case SQLITE_FULL: .full
            case SQLITE_IOERR where systemError == ENOSPC || systemError == EDQUOT: .full
            case SQLITE_IOERR where systemError == EROFS: .readOnly
            case SQLITE_BUSY, SQLITE_LOCKED: .locked
            case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM: .readOnly
            case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
            default: .failed
            }
        self.init(reason, code: code, detail: detail)
    }

    /// A failed call on one of the folder's own files.
    init(file: String, systemError: Int32) {
        let reason: Reason =
            switch systemError {
            case ENOSPC, EDQUOT: .full
            case EROFS, EACCES, EPERM, ELOOP, ENOTDIR, EISDIR: .readOnly
            default: .failed
            }
        self.init(reason, detail: "\(file): \(systemMessage(systemError))")
    }

    /// A row was refused; the connection is as good as before.
    var isOfOneRow: Bool { [SQLITE_TOOBIG, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_RANGE].contains(code & 0xFF) }

    /// The disk could not write, read or sync.
    var isOfDisk: Bool { code & 0xFF == SQLITE_IOERR }

    /// What the writer's callers are told.
    package var fault: StoreFault {
        switch reason {
        case .full: .full
        case .locked: .locked
        case .readOnly, .missing: .readOnly
        case .damaged: .damaged
        case .rebuilding: .rebuilding
        case .tooNew, .foreign, .failed: .failed(code: code)
        case .refused(let fault): .refused(fault)
        case .givenUp: .closed
        }
    }

    /// One sentence that says what to do.
    package var sentence: String {
        switch reason {
        case .tooNew(let found, let known):
            "health.db has schema \(found), and this program knows schemas up to \(known): "
                + "run the newer program that made it"
        case .foreign: "health.db was not made by this program: choose another data folder"
        case .missing:
            "there is no health.db in the data folder: put it back, or start `server serve`, which makes a new one"
        case .full, .locked, .readOnly, .damaged, .rebuilding, .failed, .refused, .givenUp:
            detail.isEmpty ? fault.sentence : "\(fault.sentence) (\(detail))"
        }
    }

    package var description: String { sentence }
}

extension StoreFault {
    /// One sentence for the owner's log that says what to do. No peer input, no health value.
    package var sentence: String {
        switch self {
        case .overloaded: "more requests wait for the disk than fit in memory: the phone comes back by itself"
        case .full: "no space is left on the disk: free some there, receiving goes on by itself"
        case .locked:
            "another process holds health.db: end what has a transaction open on it, receiving goes on by itself"
        case .readOnly:
            "health.db can't be opened for writing: check that the data folder exists, belongs to the server's user and "
                + "is not on a read-only file system; receiving goes on by itself"
        case .damaged:
            "health.db is damaged and nothing more is written to it: stop the server, restore a backup or run "
                + "`sqlite3 health.db .recover`, then start it again"
        case .rebuilding:
            "the uuid index of health.db is made anew from the samples, of which none is lost: receiving goes on by itself"
        case .failed(let code):
            "health.db fails with SQLite code \(code): see sqlite.org/rescode.html and the system's log"
        case .closed: "the server is stopping"
        case .refused(let fault): fault.message
        }
    }
}

/// The system's words for an error number.
func systemMessage(_ number: Int32) -> String {
    guard let text = unsafe strerror(number) else { return "error \(number)" }
    return unsafe String(cString: text)
}
