import Glibc
import Wire

/// A whole file as padded bytes, without a copy: mapped over zeros, so that there are some behind its end.
///
/// `@safe`: the map is given out through `PaddedBytes` alone, which keeps this object. `@unchecked Sendable`: nobody writes to it.
@safe final class MappedFile: PaddedBytesOwner, @unchecked Sendable {
    private let map: UnsafeMutableRawPointer
    private let length: Int

    /// - Throws: `.unreadable` when the system has no room for the map.
    static func bytes(of file: ImportFile) throws(ImportFault) -> PaddedBytes {
        let owner = try MappedFile(file)
        return unsafe PaddedBytes(
            unsafeBase: UnsafePointer(owner.map.assumingMemoryBound(to: UInt8.self)), count: file.count, owner: owner)
    }

    private init(_ file: ImportFile) throws(ImportFault) {
        let page = Int(getpagesize())
        // A page of zeros behind the file's last one, which the system fills up with zeros itself.
        length = (file.count + page - 1) / page * page + page
        let fault = ImportFault(kind: .unreadable, message: "\(file.path) can't be mapped into memory.")
        guard let zeros = unsafe mmap(nil, length, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            unsafe zeros != MAP_FAILED
        else { throw fault }
        unsafe map = zeros
        if file.count == 0 { return }
        guard unsafe mmap(zeros, file.count, PROT_READ, MAP_PRIVATE | MAP_FIXED, file.descriptor, 0) != MAP_FAILED
        else {
            throw fault
        }
    }

    deinit { unsafe _ = munmap(map, length) }

    func discard(before offset: Int) {
        let end = offset & ~(Int(getpagesize()) - 1)
        if end > 0 { unsafe _ = madvise(map, end, MADV_DONTNEED) }
    }
}
