import CLinux
import Glibc
import Signing
import Synchronization
import Transport
import Wire

/// Where large bodies go while they arrive: files in `DIR/spool` that no name leads to.
///
/// What may wait there is bounded, in files and in bytes, and the disk keeps room for the database: past either the
/// sender is told to come back. A file without a name is gone when its last user is, also after a crash.
package final class Spool: Sendable {
    /// Bodies of one sender come one after the other: this many is more phones than a household has.
    static let maximumFiles = 16
    /// Space is asked for in steps, so that the disk's figures are not read for every piece.
    private static let stepBytes = 4 << 20
    /// Room that is there however small the limit of a body: space is taken by the step.
    static let minimumBytes = 4 * stepBytes

    private struct Use {
        var files = 0
        var bytes = 0
    }

    /// The part of a body that is kept in memory; a file is begun past it.
    let pastBytes: Int
    private let folder: String
    private let maximumBytes: Int
    private let minimumFreeBytes: UInt64
    private let use = Mutex(Use())

    /// - Parameters:
    ///   - directory: the data folder; `spool` in it is made when it is needed.
    ///   - maximumBytes: of all files together.
    ///   - minimumFreeBytes: what the disk must keep beside them.
    package init(directory: String, pastBytes: Int, maximumBytes: Int, minimumFreeBytes: UInt64) {
        folder = "\(directory)/spool"
        self.pastBytes = pastBytes
        self.maximumBytes = maximumBytes
        self.minimumFreeBytes = minimumFreeBytes
        removeLeftovers()
    }

    /// Of all files together, in use now: what is set aside for them, in steps.
    package var usedBytes: Int { use.withLock { $0.bytes } }
    package var fileCount: Int { use.withLock { $0.files } }

    /// A new file, empty, that goes when its last reference does.
    func makeFile() throws(SpoolFault) -> SpoolFile {
        let isFree = use.withLock { use in
            guard use.files < Self.maximumFiles else { return false }
            use.files += 1
            return true
        }
        guard isFree else { throw .busy }
        let lease = SpoolLease(self)  // from here on its end counts the file out
        return SpoolFile(try openFile(), lease)
    }

    /// Sets `bytes` more aside.
    ///
    /// - Returns: how many were set aside, at least `bytes`.
    fileprivate func take(_ bytes: Int) throws(SpoolFault) -> Int {
        let step = max(bytes, Self.stepBytes)
        let isFree = use.withLock { use in
            guard use.bytes + step <= maximumBytes else { return false }
            use.bytes += step
            return true
        }
        guard isFree else { throw .busy }
        var info = statvfs()
        let free: UInt64 =
            unsafe statvfs(folder, &info) == 0
            ? UInt64(info.f_bavail).multipliedReportingOverflow(by: UInt64(info.f_frsize)).partialValue : .max
        guard free >= minimumFreeBytes + UInt64(step) else {
            use.withLock { $0.bytes -= step }
            throw .full
        }
        return step
    }

    fileprivate func giveBack(bytes: Int) {
        use.withLock { use in
            use.files -= 1
            use.bytes -= bytes
        }
    }

    // MARK: Files

    private func openFile() throws(SpoolFault) -> FileDescriptor {
        for attempt in 0..<2 {
            let descriptor = unsafe linux_open_unnamed_file(folder)
            if descriptor >= 0 { return FileDescriptor(adopting: descriptor) }
            let error = Errno.current
            if error.rawValue == ENOENT && attempt == 0 {
                if unsafe mkdir(folder, 0o700) != 0 && errno != EEXIST { throw SpoolFault(.current) }
                continue
            }
            guard [EOPNOTSUPP, EISDIR, EINVAL, ENOENT].contains(error.rawValue) else { throw SpoolFault(error) }
            break
        }
        // Not every file system has files without a name, such as NFS: the name goes right after it was made.
        let path = "\(folder)/\(SystemRandom.token())"
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SpoolFault(.current) }
        unsafe _ = unlink(path)
        return FileDescriptor(adopting: descriptor)
    }

    /// A file that was named for a moment, and whose process ended in that moment.
    private func removeLeftovers() {
        guard let listing = unsafe opendir(folder) else { return }
        defer { unsafe _ = closedir(listing) }
        while let entry = unsafe readdir(listing) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            // Only what `openFile` may have made: 43 characters of base64url.
            if name.utf8.count == 43 { unsafe _ = unlink("\(folder)/\(name)") }
        }
    }
}

/// Why a body could not be put into a file. None of it is the sender's fault.
enum SpoolFault: Error, Equatable {
    /// As many bodies wait as may.
    case busy
    /// No space on the disk.
    case full
    case failed(Errno)

    init(_ error: Errno) {
        self = [ENOSPC, EDQUOT, EFBIG].contains(error.rawValue) ? .full : .failed(error)
    }

    /// What the sender is told; with a status of 503 the answer says when to come back.
    var fault: HTTPFault {
        self == .busy
            ? HTTPFault(
                status: 503, code: "overloaded", message: "Too much is being received at once; try again soon.")
            : HTTPFault(
                status: 503, code: "storage_unavailable",
                message: "The data could not be stored; send it again later.")
    }
}

/// One file's share of what may be spooled, given back with the last reference.
private final class SpoolLease: Sendable {
    private let spool: Spool
    private let taken = Atomic<Int>(0)

    init(_ spool: Spool) { self.spool = spool }

    deinit { spool.giveBack(bytes: taken.load(ordering: .relaxed)) }

    /// Sees to it that `bytes` are set aside in all. Called by one thread at a time.
    func reach(_ bytes: Int) throws(SpoolFault) {
        let missing = bytes - taken.load(ordering: .relaxed)
        if missing > 0 { taken.add(try spool.take(missing), ordering: .relaxed) }
    }
}

/// A large body on its way into a file. Used by one thread at a time.
///
/// An I/O thread writes to it in pieces of at most `ConnectionDriver.bytesPerTurn`. That goes into the page cache and
/// takes as long as copying; only when the disk can't keep up with the network for long does the kernel make the thread
/// wait a little. Handing each piece to another thread would cost more than it spares.
final class SpoolFile {
    private let descriptor: FileDescriptor
    private let lease: SpoolLease
    private(set) var count = 0

    fileprivate init(_ descriptor: consuming FileDescriptor, _ lease: SpoolLease) {
        self.descriptor = descriptor
        self.lease = lease
    }

    func append(_ bytes: Span<UInt8>) throws(SpoolFault) {
        try lease.reach(count + bytes.count + PaddedBytes.paddingBytes)
        try write(bytes)
        count += bytes.count
    }

    private func write(_ bytes: Span<UInt8>) throws(SpoolFault) {
        var offset = 0
        while offset < bytes.count {
            do throws(Errno) {
                guard let count = try descriptor.write(bytes.extracting(offset..<bytes.count)), count > 0 else {
                    throw Errno(rawValue: ENOSPC)
                }
                offset += count
            } catch { throw SpoolFault(error) }
        }
    }

    /// Pads the file and maps it. Nothing may be appended afterwards.
    ///
    /// The padding is written before, so that all that a scanner may look at is inside of the file: a page behind its end
    /// would be a SIGBUS.
    func map() throws(SpoolFault) -> PaddedBytes {
        let padding = [UInt8](repeating: 0, count: PaddedBytes.paddingBytes)
        try write(padding.span)
        let owner = try MappedSpool(descriptor.rawValue, bytes: count + padding.count, lease)
        return unsafe PaddedBytes(unsafeBase: owner.base, count: count, owner: owner)
    }
}

/// A whole large body, read in place.
///
/// Nobody can shorten the file under the map: it has no name, and its descriptor is this process's alone and is closed
/// behind the body. `@unchecked Sendable`: the bytes are only read, and `discarded` is atomic. `@safe`: the map lasts as
/// long as this object, and `PaddedBytes` keeps that.
@safe private final class MappedSpool: PaddedBytesOwner, @unchecked Sendable {
    let base: UnsafePointer<UInt8>
    private let map: UnsafeMutableRawPointer
    private let bytes: Int
    private let lease: SpoolLease
    /// What was given back last reaches to here; a reader that begins again starts from the front.
    private let discarded = Atomic<Int>(0)

    init(_ descriptor: CInt, bytes: Int, _ lease: SpoolLease) throws(SpoolFault) {
        guard let map = unsafe mmap(nil, bytes, PROT_READ, MAP_SHARED, descriptor, 0), unsafe map != MAP_FAILED else {
            throw SpoolFault(.current)
        }
        unsafe _ = madvise(map, bytes, MADV_SEQUENTIAL)
        unsafe self.map = map
        unsafe base = UnsafePointer(map.assumingMemoryBound(to: UInt8.self))
        self.bytes = bytes
        self.lease = lease
    }

    deinit { unsafe _ = munmap(map, bytes) }

    /// Takes pages out of this process's memory. They are the file's, which has them still.
    func discard(before offset: Int) {
        let end = offset & ~(Int(getpagesize()) - 1)
        var start = discarded.load(ordering: .relaxed)
        if start > end { start = 0 }
        guard end - start >= Self.discardBytes else { return }
        unsafe _ = madvise(map + start, end - start, MADV_DONTNEED)
        discarded.store(end, ordering: .relaxed)
    }

    /// At least so much at a time, since each is a call of the system.
    private static let discardBytes = 256 << 10
}
