#pragma once
#include <sqlite3.h>

/// `SQLITE_TRANSIENT` is a cast, which Swift does not import: SQLite copies the bytes before the call returns.
static inline sqlite3_destructor_type csqlite_transient(void) { return SQLITE_TRANSIENT; }

/// `sqlite3_db_config` is variadic, which Swift does not import: sets one on/off option.
static inline int csqlite_config_flag(sqlite3 *database, int option, int on) {
    return sqlite3_db_config(database, option, on, (int *)0);
}
