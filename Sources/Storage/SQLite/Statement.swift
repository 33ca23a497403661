import CSQLite
import Glibc

/// A prepared statement that is kept, with its connection. Parameters count from 1, columns from 0.
///
/// Borrowed bytes are only looked at by `step`: whoever steps has bound every parameter anew.
/// A failing `bind` (a value past the length limit) is remembered and thrown by the next `step`, so that a row's binds
/// read as one list.
@safe package final class Statement {
    private let handle: OpaquePointer
    private let connection: Connection
    private var bindCode = SQLITE_OK

    @unsafe init(adopting handle: OpaquePointer, of connection: Connection) {
        unsafe self.handle = handle
        self.connection = connection
    }

    deinit { unsafe _ = sqlite3_finalize(handle) }

    // MARK: Parameters

    package func bind(_ index: Int32, _ value: Int64) { note(unsafe sqlite3_bind_int64(handle, index, value)) }
    package func bind(_ index: Int32, _ value: Int) { bind(index, Int64(value)) }
    package func bindNull(_ index: Int32) { note(unsafe sqlite3_bind_null(handle, index)) }

    package func bind(_ index: Int32, _ value: Int64?) {
        if let value { bind(index, value) } else { bindNull(index) }
    }

    package func bind(_ index: Int32, _ value: Double?) {
        if let value { note(unsafe sqlite3_bind_double(handle, index, value)) } else { bindNull(index) }
    }

    /// Binds a copy as TEXT.
    package func bind(_ index: Int32, text: String?) {
        guard var text else { return bindNull(index) }
        text.withUTF8 { bytes in
            unsafe bindBytes(index, bytes, asText: true, lifetime: csqlite_transient())
        }
    }

    /// Binds a copy as TEXT.
    package func bind(_ index: Int32, text: [UInt8]) {
        unsafe text.withUnsafeBufferPointer { bytes in
            unsafe bindBytes(index, bytes, asText: true, lifetime: csqlite_transient())
        }
    }

    /// Binds a copy as a BLOB.
    package func bind(_ index: Int32, blob: [UInt8]) {
        unsafe blob.withUnsafeBufferPointer { bytes in
            unsafe bindBytes(index, bytes, asText: false, lifetime: csqlite_transient())
        }
    }

    /// Binds as TEXT without a copy: the bytes must stay where they are until the statement is reset.
    @unsafe func bind(_ index: Int32, borrowedText bytes: UnsafeBufferPointer<UInt8>) {
        unsafe bindBytes(index, bytes, asText: true, lifetime: nil)
    }

    /// Binds as a BLOB without a copy: the bytes must stay where they are until the statement is reset.
    @unsafe func bind(_ index: Int32, borrowedBlob bytes: UnsafeBufferPointer<UInt8>) {
        unsafe bindBytes(index, bytes, asText: false, lifetime: nil)
    }

    @unsafe private func bindBytes(
        _ index: Int32, _ bytes: UnsafeBufferPointer<UInt8>, asText: Bool, lifetime: sqlite3_destructor_type?
    ) {
        // A null pointer would bind NULL, and an empty array may have one.
        guard let base = bytes.baseAddress, !bytes.isEmpty else {
            let code =
                asText
                ? unsafe sqlite3_bind_text(handle, index, "", 0, csqlite_transient())
                : unsafe sqlite3_bind_zeroblob(handle, index, 0)
            return note(code)
        }
        let count = UInt64(bytes.count)
        if asText {
            let text = unsafe UnsafeRawPointer(base).assumingMemoryBound(to: CChar.self)
            note(unsafe sqlite3_bind_text64(handle, index, text, count, lifetime, UInt8(SQLITE_UTF8)))
        } else {
            note(unsafe sqlite3_bind_blob64(handle, index, base, count, lifetime))
        }
    }

    private func note(_ code: Int32) {
        if code != SQLITE_OK && bindCode == SQLITE_OK { bindCode = code }
    }

    // MARK: Running

    /// - Returns: true when there is a row to read; after false or an error the statement is reset.
    package func step() throws(StoreError) -> Bool {
        if bindCode != SQLITE_OK {
            let code = bindCode
            reset()
            throw connection.failure(code)
        }
        let code = unsafe sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        // Read before the reset, which keeps the code but may replace the words.
        let error = code == SQLITE_DONE ? nil : connection.failure(code)
        reset()
        if let error { throw error }
        return false
    }

    /// Runs to the end, ignoring rows.
    package func run() throws(StoreError) {
        while try step() {}
    }

    /// Ends the run, so that the statement holds no lock and new values can be bound.
    package func reset() {
        unsafe _ = sqlite3_reset(handle)
        bindCode = SQLITE_OK
    }

    /// Instructions of SQLite's machine since the statement was prepared: what a query cost, whatever the clock says.
    var machineSteps: Int { unsafe Int(sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_VM_STEP, 0)) }

    // MARK: Columns of the row that `step` found

    var columns: Int32 { unsafe sqlite3_column_count(handle) }
    package func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(handle, column) == SQLITE_NULL }
    package func isBlob(_ column: Int32) -> Bool { unsafe sqlite3_column_type(handle, column) == SQLITE_BLOB }
    package func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }
    package func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }
    package func double(_ column: Int32) -> Double? {
        isNull(column) ? nil : unsafe sqlite3_column_double(handle, column)
    }

    /// The column's name as the query gives it.
    package func name(_ column: Int32) -> String {
        unsafe sqlite3_column_name(handle, column).map { unsafe String(cString: $0) } ?? ""
    }

    package func value(_ column: Int32) -> SQLValue {
        switch unsafe sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: .integer(integer(column))
        case SQLITE_FLOAT: .real(unsafe sqlite3_column_double(handle, column))
        case SQLITE_TEXT: .text(text(column) ?? "")
        case SQLITE_BLOB: .blob(bytes(column))
        default: .null
        }
    }

    /// Nil for NULL; bytes that are not UTF-8 are replaced.
    package func text(_ column: Int32) -> String? {
        isNull(column) ? nil : String(decoding: bytes(column), as: UTF8.self)
    }

    /// A copy of a TEXT's or BLOB's bytes; empty for NULL.
    package func bytes(_ column: Int32) -> [UInt8] {
        // Pointer first, then length: the order that sqlite3_column_bytes documents as safe.
        let base = unsafe sqlite3_column_blob(handle, column)
        let count = unsafe Int(sqlite3_column_bytes(handle, column))
        return unsafe Array(UnsafeRawBufferPointer(start: base, count: base == nil ? 0 : count))
    }

    /// Appends a TEXT's or BLOB's bytes; nothing for NULL.
    package func append(_ column: Int32, to bytes: inout [UInt8]) {
        let base = unsafe sqlite3_column_blob(handle, column)
        let count = unsafe Int(sqlite3_column_bytes(handle, column))
        if unsafe base != nil {
            unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(start: base, count: count))
        }
    }

    /// A BLOB of 16 bytes as two big-endian halves; nil for anything else.
    package func uuid(_ column: Int32) -> (high: UInt64, low: UInt64)? {
        guard isBlob(column), let base = unsafe sqlite3_column_blob(handle, column),
            unsafe sqlite3_column_bytes(handle, column) == 16
        else { return nil }
        return unsafe (
            UInt64(bigEndian: base.loadUnaligned(as: UInt64.self)),
            UInt64(bigEndian: base.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        )
    }

    /// Whether the column holds exactly these bytes; an empty buffer equals NULL.
    @unsafe func holds(_ column: Int32, _ other: UnsafeBufferPointer<UInt8>) -> Bool {
        let base = unsafe sqlite3_column_blob(handle, column)
        let count = unsafe Int(sqlite3_column_bytes(handle, column))
        guard let base = unsafe base, let otherBase = other.baseAddress else {
            return count == 0 && other.isEmpty
        }
        return unsafe count == other.count && memcmp(base, otherBase, count) == 0
    }
}
