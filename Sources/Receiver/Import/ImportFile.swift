import Glibc
package import Storage
import Signing

/// Why a file can't be imported, or not to its end.
package struct ImportFault: Error, Equatable, Sendable {
    package enum Kind: Sendable {
        /// The file can't be opened or read.
        case unreadable
        /// What it holds is nothing that is known, or is damaged.
        case data
        /// A signal came.
        case interrupted
    }

    package var kind: Kind
    /// A sentence with its full stop; no health value.
    package var message: String
}

/// A file that is read from any place, without a copy in memory.
package final class ImportFile {
    /// For messages: control characters, which would steer a terminal, are question marks.
    package let path: String
    package let count: Int
    let descriptor: Int32
    private static let digestBytes = 64 << 10

    /// - Throws: `.unreadable` for what can't be opened or is no file.
    package init(path: String) throws(ImportFault) {
        self.path = String(
            String.UnicodeScalarView(
                path.unicodeScalars.map { $0.value < 0x20 || 0x7F...0x9F ~= $0.value ? "?" : $0 }))
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw ImportFault(kind: .unreadable, message: "\(self.path) can't be opened: \(Self.words(errno)).")
        }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw ImportFault(kind: .unreadable, message: "\(self.path) is no file.")
        }
        count = Int(status.st_size)
        _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
    }

    deinit { close(descriptor) }

    private static func words(_ number: Int32) -> String {
        unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
    }

    /// Exactly `count` bytes from `offset` on.
    package func read(_ offset: Int, _ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe pread(
                    descriptor, buffer.baseAddress.unsafelyUnwrapped + filled, count - filled, off_t(offset + filled))
            }
            if got < 0 && errno == EINTR { continue }
            guard got > 0 else {
                throw ImportFault(
                    kind: .unreadable,
                    message: got == 0
                        ? "\(path) became shorter while it was read."
                        : "\(path) can't be read: \(Self.words(errno)).")
            }
            filled += got
        }
        return bytes
    }

    /// What it is known by when it comes again.
    package func identity() throws -> ImportedFile {
        let head = try read(0, min(count, Self.digestBytes))
        let tail = try read(max(0, count - Self.digestBytes), min(count, Self.digestBytes))
        let digest = Digest.sha256((head + tail).span)
        return ImportedFile(size: count, digest: (0..<32).map { digest[$0] })
    }
}
