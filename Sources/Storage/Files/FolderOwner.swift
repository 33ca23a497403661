import Glibc

/// Gives a file that was just opened for making to whom its folder belongs, where root works in another user's folder.
///
/// `sudo server add` would else leave a `receiver.json` that the service's own user can't read. Best effort: who isn't root
/// owns what it makes anyway. One that holds something or has another name is left alone: the folder's owner could have linked a
/// file of root's here, to be given it.
///
/// - Parameter path: of the file.
package func giveToOwnerOfFolder(_ descriptor: CInt, path: String) {
    guard geteuid() == 0 else { return }
    let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    var status = stat(), own = stat()
    guard unsafe stat(folder, &status) == 0, unsafe fstat(descriptor, &own) == 0, own.st_mode & S_IFMT == S_IFREG,
        own.st_size == 0, own.st_nlink == 1, own.st_uid != status.st_uid || own.st_gid != status.st_gid
    else { return }
    _ = fchown(descriptor, status.st_uid, status.st_gid)
}
