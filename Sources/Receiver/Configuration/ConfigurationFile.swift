import Glibc

/// `DIR/receiver.json`, the one file that holds the secrets.
///
/// Readers see the old text or the new one, never a part: a change is written beside it, synced and renamed into place.
/// Commands that change it take turns through a lock file of its own, since the rename replaces the file itself.
package struct ConfigurationFile: Sendable {
    /// What tells one state of the file from the next, cheap enough to ask for twice a second.
    package struct Fingerprint: Equatable, Sendable {
        private let device: UInt64, inode: UInt64, seconds: Int, nanoseconds: Int, bytes: Int

        init(_ status: stat) {
            (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
            (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
            bytes = Int(status.st_size)
        }
    }

    package struct Loaded: Sendable {
        package var configuration: Configuration
        /// The configuration's own, and those about the file and its folder.
        package var warnings: [ConfigurationWarning]
        /// Of exactly what was read.
        package var fingerprint: Fingerprint
    }

    /// A thousand endpoints fit many times over.
    private static let maximumBytes = 4 << 20

    /// The data folder.
    package let directory: String
    package var path: String { "\(directory)/receiver.json" }

    package init(directory: String) { self.directory = directory }

    private var missing: ConfigurationError {
        ConfigurationError(.missing, "there is no \(path); run init first")
    }

    /// The file's state now; nil when there is none or it can't be looked at.
    package func fingerprint() -> Fingerprint? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? Fingerprint(status) : nil
    }

    package func load() throws(ConfigurationError) -> Loaded {
        let bytes: [UInt8], status: stat
        do throws(SystemError) {
            // Without O_NONBLOCK a pipe in its place would block us for ever.
            let file = try OpenFile(path, O_RDONLY | O_NONBLOCK)
            status = file.status
            bytes = file.isRegular ? try file.read(atMost: Self.maximumBytes + 1) : []
        } catch {
            if error.number == ENOENT { throw missing }
            throw ConfigurationError(.unreadable, "\(path) can't be read: \(error.words)")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw ConfigurationError(.unreadable, "\(path) is not a file")
        }
        guard bytes.count <= Self.maximumBytes else {
            throw ConfigurationError(.unreadable, "\(path) is larger than \(Self.maximumBytes) bytes")
        }
        do throws(ConfigurationError) {
            let configuration = try Configuration(parsing: bytes)
            return Loaded(
                configuration: configuration, warnings: configuration.warnings + accessWarnings(status),
                fingerprint: Fingerprint(status))
        } catch {
            throw ConfigurationError(error.kind, "\(path): \(error.message)")
        }
    }

    private func accessWarnings(_ file: stat) -> [ConfigurationWarning] {
        var warnings: [ConfigurationWarning] = []
        if file.st_mode & 0o077 != 0 {
            warnings.append(
                ConfigurationWarning(
                    code: "file_mode",
                    message: "Other users can open \(path), which holds secrets: run chmod 600 on it."))
        }
        var folder = stat()
        if unsafe stat(directory, &folder) == 0, folder.st_mode & 0o077 != 0 {
            warnings.append(
                ConfigurationWarning(
                    code: "folder_mode",
                    message: "Other users can open \(directory), which holds health data: run chmod 700 on it."))
        }
        return warnings
    }

    /// Makes the folder, owner-only, and those above it that are missing. One that exists is left as it is.
    package func makeDirectory() throws(ConfigurationError) {
        var made = directory.hasPrefix("/") ? "" : "."
        for part in directory.split(separator: "/") {
            made += "/\(part)"
            guard unsafe mkdir(made, 0o700) != 0, errno != EEXIST else { continue }
            let failure = SystemError(number: errno)
            throw ConfigurationError(.unwritable, "the folder \(made) can't be made: \(failure.words)")
        }
        var status = stat()
        guard unsafe stat(directory, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw ConfigurationError(.unwritable, "\(directory) is not a folder")
        }
    }

    /// Writes a first configuration, making the folder when there is none.
    ///
    /// - Throws: `.exists` when there is one already: it holds the secrets of phones that are paired.
    package func create(_ configuration: Configuration) throws(ConfigurationError) {
        try configuration.check()
        try makeDirectory()
        let lock = try takeLock()
        var status = stat()
        guard unsafe lstat(path, &status) != 0 else {
            throw ConfigurationError(.exists, "\(path) exists and is not overwritten")
        }
        try replace(with: configuration)
        withExtendedLifetime(lock) {}
    }

    /// Loads, changes and saves it while no other command can; nothing is saved when `change` throws or changes nothing.
    ///
    /// - Throws: `ConfigurationError`, `.busy` after ten seconds of another command's work; and what `change` throws.
    package func update<Result>(_ change: (inout Configuration) throws -> Result) throws -> Result {
        guard fingerprint() != nil else { throw missing }
        let lock = try takeLock()
        let loaded = try load().configuration
        var configuration = loaded
        let result = try change(&configuration)
        if configuration != loaded {
            try configuration.check()
            try replace(with: configuration)
        }
        withExtendedLifetime(lock) {}
        return result
    }

    private func takeLock() throws(ConfigurationError) -> OpenFile {
        let lockPath = "\(directory)/receiver.lock"
        do throws(SystemError) {
            let file = try OpenFile(lockPath, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
            for _ in 0..<5000 {
                if try file.tryLock() { return file }
                usleep(2_000)
            }
        } catch {
            throw ConfigurationError(.unwritable, "\(lockPath) can't be locked: \(error.words)")
        }
        throw ConfigurationError(.busy, "another command has been changing \(path) for ten seconds")
    }

    /// The caller holds the lock, so a temporary file that is there is one a crash left.
    private func replace(with configuration: Configuration) throws(ConfigurationError) {
        let temporary = "\(directory)/.receiver.json.new"
        unsafe unlink(temporary)
        do throws(SystemError) {
            do {
                let file = try OpenFile(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
                try file.write(Array(configuration.text().utf8))
                try file.synchronize()
            }
            guard unsafe rename(temporary, path) == 0 else { throw SystemError(number: errno) }
            do throws(SystemError) { try OpenFile(directory, O_RDONLY | O_DIRECTORY).synchronize() } catch {
                // Some network file systems know no fsync of a folder; the file has its place all the same.
                if error.number != EINVAL { throw error }
            }
        } catch {
            unsafe unlink(temporary)
            throw ConfigurationError(.unwritable, "\(path) can't be written: \(error.words)")
        }
    }
}
