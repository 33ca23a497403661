import Glibc

/// A new file that is seen under its name only when it is whole: made in an owner-only folder beside it, then moved.
///
/// The folder `.NAME.PROCESS.partial` goes with this object; one that a process left when it was killed goes when the
/// next file of that name is made. A file that is there is never replaced.
@safe package final class PartialFile {
    package enum Failure: Error, Equatable, Sendable {
        /// Something of that name is there.
        case exists
        /// The system's error number.
        case system(Int32)
    }

    /// Where the file will be: absolute, its folder without symbolic links.
    package let path: String
    /// Where it is meanwhile, in a folder of its own; nothing is there at first.
    package let temporaryPath: String
    private let parent: String
    private let folder: String
    /// Of `folder`; its lock says that this process lives, in whatever container it runs.
    private let lock: Int32

    /// - Parameter name: must end in a file's name, in a folder that exists.
    package init(_ name: String) throws(Failure) {
        let cut = name.lastIndex(of: "/")
        let fileName = cut.map { String(name[name.index(after: $0)...]) } ?? name
        let parentName = cut.map { $0 == name.startIndex ? "/" : String(name[..<$0]) } ?? "."
        guard !fileName.isEmpty, fileName != ".", fileName != ".." else { throw .system(EISDIR) }
        guard let resolved = unsafe realpath(parentName, nil) else { throw .system(errno) }
        defer { unsafe free(resolved) }
        parent = unsafe String(cString: resolved)
        let prefix = parent == "/" ? "/" : "\(parent)/"
        path = prefix + fileName
        folder = "\(prefix).\(fileName).\(getpid()).partial"
        temporaryPath = "\(folder)/file"
        var status = stat()
        if unsafe lstat(path, &status) == 0 { throw .exists }
        Self.removeLeftovers(of: fileName, in: prefix)
        if unsafe mkdir(folder, 0o700) != 0 { throw errno == EEXIST ? .exists : .system(errno) }
        lock = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            let number = errno
            if lock >= 0 { _ = close(lock) }
            unsafe _ = rmdir(folder)
            throw .system(number)
        }
    }

    deinit {
        Self.remove(folder)
        _ = close(lock)
    }

    /// Makes the file durable and gives it its name.
    package func publish() throws(Failure) {
        let descriptor = unsafe open(temporaryPath, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(errno) }
        let synced = fsync(descriptor), number = errno
        _ = close(descriptor)
        if synced != 0 { throw .system(number) }
        // A link, unlike a rename, never takes the place of what is there.
        if unsafe link(temporaryPath, path) != 0 {
            switch errno {
            case EEXIST: throw .exists
            case EPERM, ENOTSUP, ENOSYS, EMLINK: try rename()  // the file systems of memory sticks know no links
            default: throw .system(errno)
            }
        }
        let directory = unsafe open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw .system(errno) }
        defer { _ = close(directory) }
        // Some network file systems know no fsync of a folder.
        if fsync(directory) != 0 && errno != EINVAL { throw .system(errno) }
    }

    private func rename() throws(Failure) {
        var status = stat()
        if unsafe lstat(path, &status) == 0 { throw .exists }
        if unsafe Glibc.rename(temporaryPath, path) != 0 { throw .system(errno) }
    }

    // MARK: Folders

    /// Removes a folder of files.
    private static func remove(_ folder: String) {
        for name in names(in: folder) where name != "." && name != ".." { unsafe _ = unlink("\(folder)/\(name)") }
        unsafe _ = rmdir(folder)
    }

    private static func removeLeftovers(of fileName: String, in prefix: String) {
        for name in names(in: prefix) where name.hasPrefix(".\(fileName).") && name.hasSuffix(".partial") {
            let process = name.dropFirst(fileName.count + 2).dropLast(".partial".count)
            guard !process.isEmpty, process.allSatisfy({ ("0"..."9").contains($0) }) else { continue }
            let folder = prefix + name
            let lock = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard lock >= 0 else { continue }
            if flock(lock, LOCK_EX | LOCK_NB) == 0 { remove(folder) }
            _ = close(lock)
        }
    }

    private static func names(in folder: String) -> [String] {
        guard let listing = unsafe opendir(folder) else { return [] }
        defer { unsafe _ = closedir(listing) }
        var names: [String] = []
        while let entry = unsafe readdir(listing) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            names.append(name)
        }
        return names
    }
}
