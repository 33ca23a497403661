import Glibc
import Receiver
import Storage
import Transport

/// Standard output as the one file of an export.
struct StandardOutputSink: ExportSink {
    /// Nobody reads any more, or the disk behind it is full: who owns the stream says so.
    struct Closed: Error {}

    let context: CommandContext

    func startFile() {}

    func write(_ bytes: [UInt8]) throws {
        if !context.writeBytes(bytes) { throw Closed() }
    }
}

/// New files for an export: each is seen under its name when it is whole, and none replaces another.
///
/// Those that have their names go with this object unless `publish` was called: one open descriptor, however many they are.
final class ExportFiles: ExportSink {
    private let path: String
    private let isSplit: Bool
    private var file: PartialFile?
    private var open: FileDescriptor?
    private var published: [String] = []
    private var isDone = false

    /// - Parameter isSplit: has the files' names be numbered.
    init(path: String, isSplit: Bool) {
        self.path = path
        self.isSplit = isSplit
    }

    deinit { if !isDone { for path in published { unsafe _ = unlink(path) } } }

    func startFile() throws {
        try finishFile()
        let name = isSplit ? numbered(published.count + 1) : path
        let file: PartialFile
        do throws(PartialFile.Failure) { file = try PartialFile(name) } catch { throw failure(error, name) }
        let rawValue = unsafe Glibc.open(
            file.temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard rawValue >= 0 else { throw failure(.system(errno), name) }
        open = FileDescriptor(adopting: rawValue)
        self.file = file
    }

    func write(_ bytes: [UInt8]) throws {
        var written = 0
        do throws(Errno) {
            while written < bytes.count {
                written += try open?.write(bytes.span.extracting(written...)) ?? 0
            }
        } catch {
            throw failure(.system(error.rawValue), path)
        }
    }

    /// Gives the last file its name, too, and lets all stay.
    func publish() throws(CommandFailure) {
        try finishFile()
        isDone = true
    }

    private func finishFile() throws(CommandFailure) {
        open = nil
        guard let file else { return }
        do throws(PartialFile.Failure) { try file.publish() } catch { throw failure(error, file.path) }
        published.append(file.path)
        self.file = nil
    }

    /// `health.csv` becomes `health.0001.csv`: in order for a shell's `*`.
    private func numbered(_ number: Int) -> String {
        let digits = String(number)
        let text = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        guard let point = path[slash...].lastIndex(of: "."), point > slash, path[path.index(before: point)] != "/"
        else {
            return "\(path).\(text)"
        }
        return "\(path[..<point]).\(text)\(path[point...])"
    }
}

/// Why a new file can't be made, as a sentence and an exit status.
func failure(_ error: PartialFile.Failure, _ path: String) -> CommandFailure {
    switch error {
    case .exists: CommandFailure(.cannotCreate, "\(path) is there already and is not replaced.")
    case .system(let number):
        CommandFailure(
            number == ENOSPC || number == EIO || number == EDQUOT ? .inputOutput : .cannotCreate,
            "\(path) can't be written: \(Errno(rawValue: number)).")
    }
}
