import Glibc
import Transport

/// Writes a file that only this user can read, whole or not at all; a file of that name is replaced.
///
/// Not through a link that is there, and nothing but a file is replaced: as root, `/dev/stdout` would be.
func writePrivateFile(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
    var status = stat()
    if unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
        throw CommandFailure(.cannotCreate, "\(path) is there, and it is not a file.")
    }
    let temporary = "\(path).\(getpid()).new"
    let rawValue = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard rawValue >= 0 else { throw CommandFailure(.cannotCreate, "\(path) can't be made: \(Errno.current).") }
    let file = FileDescriptor(adopting: rawValue)
    do throws(Errno) {
        var written = 0
        while written < bytes.count { written += try file.write(bytes.span.extracting(written...)) ?? 0 }
        guard fsync(rawValue) == 0, unsafe rename(temporary, path) == 0 else { throw Errno.current }
    } catch {
        _ = unsafe unlink(temporary)
        throw CommandFailure(.inputOutput, "\(path) can't be written: \(error).")
    }
}
