import CSQLite
import Glibc

/// Has the frames of one COMMIT go to the write-ahead log in one write.
///
/// SQLite writes each frame in two pieces, a header of 24 bytes and the page: 25 system calls for the dozen pages of a
/// small delivery. Between `begin` and `end` pieces that lie side by side are gathered and written as one.
///
/// What others see of a transaction doesn't change. They look for frames only up to the count in the wal-index, and with
/// `synchronous=FULL` SQLite syncs the log behind the last frame and before it raises that count. What waits is written before
/// each sync, and before each read, size or cut of the file. A COMMIT that fails may leave frames that were not written:
/// they were never to be found. Without `FULL` there is no such sync: then nothing may be gathered.
/// Source: sqlite.org/walformat.html, sqlite.org/pragma.html#pragma_synchronous.
///
/// Only the log is opened here; everything else is SQLite's own layer, whose structure this is a copy of.
@unsafe enum LogFile {
    /// Past it a write goes out. 31 frames: more of them in one write gain nothing.
    private static let bufferBytes = 128 << 10

    /// What `Connection` opens with; nil, which means SQLite's own layer, where this one could not be made.
    static let layerName: String? = unsafe register()

    private nonisolated(unsafe) static let name = unsafe strdup("joined-log")
    /// SQLite's own. Not a static value: Swift 6.3 gives an imported struct with padding 4 bytes too few there.
    private nonisolated(unsafe) static let original = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    /// Never freed: SQLite keeps both for the life of the process.
    private nonisolated(unsafe) static let layer = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    private nonisolated(unsafe) static let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(
        capacity: 1)

    private static func register() -> String? {
        guard let system = unsafe sqlite3_vfs_find(nil), unsafe system.pointee.xOpen != nil, let name = unsafe name
        else { return nil }
        unsafe original.initialize(to: system.pointee)
        unsafe methods.initialize(to: makeMethods())
        unsafe layer.initialize(to: original.pointee)
        unsafe layer.pointee.pNext = nil
        unsafe layer.pointee.zName = UnsafePointer(name)
        unsafe layer.pointee.szOsFile = Int32(MemoryLayout<csqlite_log_file>.stride) + original.pointee.szOsFile
        unsafe layer.pointee.xOpen = { layer, path, file, flags, opened in
            guard let layer = unsafe layer, let file = unsafe file, let open = unsafe LogFile.original.pointee.xOpen
            else {
                return SQLITE_CANTOPEN
            }
            if flags & SQLITE_OPEN_WAL == 0 { return unsafe open(layer, path, file, flags, opened) }
            return unsafe file.withMemoryRebound(to: csqlite_log_file.self, capacity: 1) { log in
                let inner = unsafe UnsafeMutableRawPointer(log + 1).assumingMemoryBound(to: sqlite3_file.self)
                unsafe log.initialize(to: csqlite_log_file())
                unsafe log.pointee.inner = inner
                let code = unsafe open(layer, path, inner, flags, opened)
                if unsafe inner.pointee.pMethods != nil {
                    unsafe log.pointee.base.pMethods = UnsafePointer(LogFile.methods)
                }
                return code
            }
        }
        return unsafe sqlite3_vfs_register(layer, 0) == SQLITE_OK ? String(cString: name) : nil
    }

    // MARK: A commit

    /// Begins to gather what is written to the log of `database`.
    ///
    /// - Returns: what `end` takes; nil when there is nothing to gather.
    static func begin(_ database: OpaquePointer) -> UnsafeMutablePointer<csqlite_log_file>? {
        var found: UnsafeMutablePointer<sqlite3_file>?
        guard unsafe sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &found) == SQLITE_OK,
            let file = unsafe found, unsafe file.pointee.pMethods == UnsafePointer(methods)
        else { return nil }
        let log = unsafe state(file)
        if unsafe log.pointee.buffer == nil {
            unsafe log.pointee.buffer = malloc(bufferBytes)?.assumingMemoryBound(to: UInt8.self)
            if unsafe log.pointee.buffer == nil { return nil }
        }
        unsafe log.pointee.joins = 1
        return unsafe log
    }

    /// After COMMIT, which has written all that counts. What is left is of one that failed, and must not be written: the
    /// lock is gone, and the place another process's.
    static func end(_ log: UnsafeMutablePointer<csqlite_log_file>) {
        unsafe log.pointee.joins = 0
        unsafe log.pointee.count = 0
    }

    /// Whether nothing waits.
    static func isWritten(_ log: UnsafeMutablePointer<csqlite_log_file>) -> Bool { unsafe log.pointee.count == 0 }

    // MARK: Writes

    private static func state(_ file: UnsafeMutablePointer<sqlite3_file>) -> UnsafeMutablePointer<csqlite_log_file> {
        unsafe UnsafeMutableRawPointer(file).assumingMemoryBound(to: csqlite_log_file.self)
    }

    private static func write(
        _ log: UnsafeMutablePointer<csqlite_log_file>, _ bytes: UnsafeRawPointer, _ count: Int32, at offset: Int64
    ) -> Int32 {
        guard unsafe log.pointee.joins != 0 && count > 0 && count <= bufferBytes, let buffer = unsafe log.pointee.buffer
        else { return unsafe through(log, bytes, count, at: offset) }
        let isBehind = unsafe log.pointee.start + Int64(log.pointee.count) == offset
        if unsafe !isBehind || Int(log.pointee.count + count) > bufferBytes {
            let code = unsafe flush(log)
            if code != SQLITE_OK { return code }
        }
        if unsafe log.pointee.count == 0 { unsafe log.pointee.start = offset }
        unsafe memcpy(buffer + Int(log.pointee.count), bytes, Int(count))
        unsafe log.pointee.count += count
        return SQLITE_OK
    }

    /// - Returns: SQLite's code. What could not be written stays, and is tried again before anything else is done.
    private static func flush(_ log: UnsafeMutablePointer<csqlite_log_file>) -> Int32 {
        let count = unsafe log.pointee.count
        if count == 0 { return SQLITE_OK }
        guard let buffer = unsafe log.pointee.buffer else { return csqlite_io_error_write() }
        let code = unsafe through(log, buffer, count, at: log.pointee.start)
        if code == SQLITE_OK { unsafe log.pointee.count = 0 }
        return code
    }

    private static func through(
        _ log: UnsafeMutablePointer<csqlite_log_file>, _ bytes: UnsafeRawPointer, _ count: Int32, at offset: Int64
    ) -> Int32 {
        let inner = unsafe log.pointee.inner
        guard let write = unsafe inner?.pointee.pMethods.pointee.xWrite else { return csqlite_io_error_write() }
        return unsafe write(inner, bytes, count, offset)
    }

    /// Writes what waits, then asks SQLite's own layer.
    private static func settled(
        _ file: UnsafeMutablePointer<sqlite3_file>?,
        _ body: (sqlite3_io_methods, UnsafeMutablePointer<sqlite3_file>) -> Int32?
    ) -> Int32 {
        guard let file = unsafe file else { return SQLITE_MISUSE }
        let code = unsafe flush(state(file))
        return code == SQLITE_OK ? unsafe asked(file, body) : code
    }

    /// Asks SQLite's own layer.
    private static func asked(
        _ file: UnsafeMutablePointer<sqlite3_file>?,
        _ body: (sqlite3_io_methods, UnsafeMutablePointer<sqlite3_file>) -> Int32?
    ) -> Int32 {
        guard let file = unsafe file, let inner = unsafe state(file).pointee.inner,
            let methods = unsafe inner.pointee.pMethods
        else { return SQLITE_MISUSE }
        return unsafe body(methods.pointee, inner) ?? SQLITE_MISUSE
    }

    private static func makeMethods() -> sqlite3_io_methods {
        var methods = sqlite3_io_methods()
        // The first version has all that is asked of a log: shared memory and maps are the database file's.
        methods.iVersion = 1
        unsafe methods.xClose = { file in
            guard let file = unsafe file else { return SQLITE_MISUSE }
            let log = unsafe LogFile.state(file)
            unsafe free(log.pointee.buffer)
            unsafe log.pointee.buffer = nil
            unsafe log.pointee.count = 0
            let inner = unsafe log.pointee.inner
            return unsafe inner?.pointee.pMethods.pointee.xClose?(inner) ?? SQLITE_MISUSE
        }
        unsafe methods.xRead = { file, bytes, count, offset in
            unsafe LogFile.settled(file) { unsafe $0.xRead?($1, bytes, count, offset) }
        }
        unsafe methods.xWrite = { file, bytes, count, offset in
            guard let file = unsafe file, let bytes = unsafe bytes else { return SQLITE_MISUSE }
            return unsafe LogFile.write(LogFile.state(file), bytes, count, at: offset)
        }
        unsafe methods.xTruncate = { file, size in unsafe LogFile.settled(file) { unsafe $0.xTruncate?($1, size) } }
        unsafe methods.xSync = { file, flags in unsafe LogFile.settled(file) { unsafe $0.xSync?($1, flags) } }
        unsafe methods.xFileSize = { file, size in unsafe LogFile.settled(file) { unsafe $0.xFileSize?($1, size) } }
        unsafe methods.xLock = { file, level in unsafe LogFile.asked(file) { unsafe $0.xLock?($1, level) } }
        unsafe methods.xUnlock = { file, level in unsafe LogFile.asked(file) { unsafe $0.xUnlock?($1, level) } }
        unsafe methods.xCheckReservedLock = { file, held in
            unsafe LogFile.asked(file) { unsafe $0.xCheckReservedLock?($1, held) }
        }
        unsafe methods.xFileControl = { file, operation, argument in
            unsafe LogFile.asked(file) { unsafe $0.xFileControl?($1, operation, argument) }
        }
        unsafe methods.xSectorSize = { file in unsafe LogFile.asked(file) { unsafe $0.xSectorSize?($1) } }
        unsafe methods.xDeviceCharacteristics = { file in
            unsafe LogFile.asked(file) { unsafe $0.xDeviceCharacteristics?($1) }
        }
        return methods
    }
}
