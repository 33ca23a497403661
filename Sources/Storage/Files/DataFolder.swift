import Glibc

/// The folder that holds `health.db` and its companions: names, owner-only modes, durable creation.
package struct DataFolder: Sendable {
    /// Absolute and without symbolic links, since SQLite is told to follow none.
    package let path: String

    package var database: String { "\(path)/health.db" }
    var turnstile: String { "\(path)/turnstile" }
    var serveLock: String { "\(path)/serve.lock" }
    /// Exists while a server has the database open: found at a start, it tells of an unclean stop.
    var openMarker: String { "\(path)/unclean" }

    /// Makes the folder and what is missing above it, owner-only.
    ///
    /// A folder that exists keeps its mode, unless it is ours, empty or already in use by this program: then group and
    /// others lose their access. (`--data /tmp` must not lock everyone out of `/tmp`.)
    package static func prepare(_ directory: String) throws(StoreError) -> DataFolder {
        try make(directory)
        let folder = try DataFolder(existing: directory)
        var status = stat()
        guard unsafe lstat(folder.path, &status) == 0 else { throw StoreError(file: "data folder", systemError: errno) }
        if status.st_uid == geteuid() && status.st_mode & 0o077 != 0 && folder.isOurs {
            unsafe _ = chmod(folder.path, 0o700)
        }
        return folder
    }

    /// A folder that is there already.
    package init(existing directory: String) throws(StoreError) {
        guard let resolved = unsafe realpath(directory, nil) else {
            throw errno == ENOENT ? StoreError(.missing) : StoreError(file: "data folder", systemError: errno)
        }
        defer { unsafe free(resolved) }
        path = unsafe String(cString: resolved)
    }

    private static func make(_ directory: String) throws(StoreError) {
        if unsafe mkdir(directory, 0o700) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let slash = directory.lastIndex(of: "/"), slash != directory.startIndex else {
            throw StoreError(file: "data folder", systemError: errno)
        }
        try make(String(directory[..<slash]))
        if unsafe mkdir(directory, 0o700) != 0 && errno != EEXIST {
            throw StoreError(file: "data folder", systemError: errno)
        }
    }

    private var isOurs: Bool {
        if unsafe access(database, F_OK) == 0 || access("\(path)/receiver.json", F_OK) == 0 { return true }
        guard let listing = unsafe opendir(path) else { return false }
        defer { unsafe _ = closedir(listing) }
        var entries = 0
        while unsafe readdir(listing) != nil { entries += 1 }
        return entries <= 2  // "." and ".."
    }

    /// Makes `health.db` as an empty file of mode 0600, durably, unless it is there.
    ///
    /// SQLite gives its `-wal` and `-shm` the mode of the file, so all three are owner-only from their first byte.
    func createDatabase() throws(StoreError) {
        let descriptor = unsafe open(database, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        if descriptor < 0 {
            if errno == EEXIST { return }  // not opened here: closing it would drop SQLite's locks of this process
            throw StoreError(file: "health.db", systemError: errno)
        }
        giveToOwnerOfFolder(descriptor, path: database)
        let synced = fsync(descriptor), number = errno
        _ = close(descriptor)
        if synced != 0 { throw StoreError(file: "health.db", systemError: number) }
        try sync()
    }

    /// Makes the folder's entries durable.
    func sync() throws(StoreError) {
        let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StoreError(file: "data folder", systemError: errno) }
        defer { _ = close(descriptor) }
        if fsync(descriptor) != 0 { throw StoreError(file: "data folder", systemError: errno) }
    }

    // MARK: The marker of an unclean stop

    /// - Returns: true when the marker was there already: the last server did not close the database.
    func placeOpenMarker() throws(StoreError) -> Bool {
        let descriptor = unsafe open(openMarker, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        if descriptor < 0 {
            if errno == EEXIST { return true }
            throw StoreError(file: "unclean", systemError: errno)
        }
        giveToOwnerOfFolder(descriptor, path: openMarker)
        _ = close(descriptor)
        try sync()
        return false
    }

    func removeOpenMarker() { unsafe _ = unlink(openMarker) }

    // MARK: Looking without touching

    /// Which file the path names now: device and inode; nil when there is none.
    func databaseIdentity() -> (device: UInt64, inode: UInt64)? {
        var status = stat()
        guard unsafe lstat(database, &status) == 0 else { return nil }
        return (UInt64(status.st_dev), UInt64(status.st_ino))
    }

    /// Whether the database could be written as far as modes and mounts tell, and bytes free to this user.
    func space() -> (isWritable: Bool, freeBytes: UInt64) {
        var info = statvfs()
        guard unsafe statvfs(path, &info) == 0 else { return (false, 0) }
        let isWritable = unsafe info.f_flag & UInt(ST_RDONLY) == 0 && access(database, W_OK) == 0
        let (bytes, isHuge) = UInt64(info.f_bavail).multipliedReportingOverflow(by: UInt64(info.f_frsize))
        return (isWritable, isHuge ? .max : bytes)
    }
}
