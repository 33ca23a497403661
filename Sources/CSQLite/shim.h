#pragma once
#include <sqlite3.h>

/// `SQLITE_TRANSIENT` is a cast, which Swift does not import: SQLite copies the bytes before the call returns.
static inline sqlite3_destructor_type csqlite_transient(void) { return SQLITE_TRANSIENT; }

/// `sqlite3_db_config` is variadic, which Swift does not import: sets one on/off option.
static inline int csqlite_config_flag(sqlite3 *database, int option, int on) {
    return sqlite3_db_config(database, option, on, (int *)0);
}

/// `sqlite3_config` is variadic too: has SQLite count no memory, before its first use in the process.
static inline int csqlite_count_no_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

/// An extended code is an expression, which Swift does not import.
static inline int csqlite_io_error_write(void) { return SQLITE_IOERR_WRITE; }

/// An open write-ahead log (`LogFile.swift`). SQLite finds `base` at the front of it, which only C promises.
typedef struct csqlite_log_file {
    sqlite3_file base;
    /// The log as SQLite's own file system layer has it: lies behind this struct.
    sqlite3_file *inner;
    /// What is still to be written at `start`.
    unsigned char *buffer;
    sqlite3_int64 start;
    int count;
    /// Whether writes are gathered.
    int joins;
} csqlite_log_file;
