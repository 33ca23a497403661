import Glibc
package import Samples
package import Transport

/// Checks of this machine: each decides about facts that it is given.
package enum MachineChecks {
    /// Under it nothing can be stored for long; the same number as in `check`'s help.
    package static let tightBytes = 1 << 30
    package static let fullBytes = 100 << 20

    /// - Parameter isSynchronized: nil when this process may not ask.
    package static func clock(now: Timestamp, isSynchronized: Bool?) -> CheckLine {
        let text = utcText(now)
        // Between the release of this program and 2100: a machine without a battery starts in 1970.
        guard (1_767_225_600_000_000...4_102_444_800_000_000).contains(now.microseconds) else {
            return CheckLine(
                .fail, "clock", "it says \(text), so every signature is refused; sudo timedatectl set-ntp true")
        }
        switch isSynchronized {
        case true: return CheckLine(.ok, "clock", "\(text), kept right by the system")
        case false:
            return CheckLine(
                .warn, "clock",
                "\(text), and nothing keeps it right; past 300 s signatures are refused: "
                    + "sudo timedatectl set-ntp true")
        case nil: return CheckLine(.ok, "clock", "\(text); whether something keeps it right can't be seen from here")
        }
    }

    /// The folder and the files in it that hold secrets or health data.
    package static func folder(_ path: String) -> [CheckLine] {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            let why = Errno.current
            let advice = why.rawValue == ENOENT ? "run server init" : "\(why)"
            return [CheckLine(.fail, "folder", "\(path) can't be reached: \(advice)")]
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            return [CheckLine(.fail, "folder", "\(path) is not a folder")]
        }
        guard unsafe access(path, R_OK | W_OK | X_OK) == 0 else {
            return [CheckLine(.fail, "folder", "\(path) can't be written by this user; it belongs to \(status.st_uid)")]
        }
        var lines: [CheckLine] = []
        if status.st_mode & 0o077 != 0 {
            lines.append(CheckLine(.warn, "folder", "other users can reach it: chmod 700 \(path)"))
        }
        for name in ["receiver.json", "health.db"] {
            let file = "\(path)/\(name)"
            if unsafe stat(file, &status) == 0, status.st_mode & 0o077 != 0 {
                lines.append(CheckLine(.warn, "folder", "other users can read \(name): chmod 600 \(file)"))
            }
        }
        return lines.isEmpty ? [CheckLine(.ok, "folder", "\(path), for this user alone")] : lines
    }

    /// - Parameter freeBytes: what this user may still write; nil when it can't be seen.
    package static func disk(freeBytes: Int?) -> CheckLine {
        guard let freeBytes else { return CheckLine(.warn, "disk", "its free space can't be seen") }
        let text = "\(freeBytes >> 20) MiB free"
        if freeBytes < fullBytes { return CheckLine(.fail, "disk", "\(text): make room, nothing can be stored soon") }
        if freeBytes < tightBytes { return CheckLine(.warn, "disk", "\(text): a year of data takes about 1 GiB") }
        return CheckLine(.ok, "disk", text)
    }

    /// What this user may still write where `path` is; nil when that can't be seen.
    package static func freeBytes(_ path: String) -> Int? {
        var status = statvfs()
        guard unsafe statvfs(path, &status) == 0 else { return nil }
        let (bytes, overflows) = Int(clamping: status.f_bavail)
            .multipliedReportingOverflow(by: Int(clamping: status.f_frsize))
        return overflows ? .max : bytes
    }

    /// Whether a phone can reach the address that is listened on.
    package static func bind(_ bind: String, interfaces: [InterfaceAddress]) -> CheckLine {
        let reachable = interfaces.map(\.address).filter { !$0.isLoopback }.map(\.host)
        guard let address = SocketAddress(host: bind, port: 0) else {
            return CheckLine(.fail, "address", "\(bind) is no address to listen on")
        }
        if address.isLoopback {
            return CheckLine(
                .warn, "address", "\(bind) is reached from this machine only; a phone needs a proxy here, or --bind ::")
        }
        let isAny = ["::", "0.0.0.0"].contains(address.host)
        if isAny, reachable.isEmpty {
            return CheckLine(.fail, "address", "this machine has no address besides its own loopback")
        }
        guard isAny || reachable.contains(address.host) else {
            return CheckLine(
                .fail, "address",
                "\(bind) is no address of this machine, which has "
                    + (reachable.isEmpty ? "none" : reachable.joined(separator: ", ")))
        }
        let hosts = isAny ? reachable.filter { !address.isIPv4 || parseIPv4($0) != nil } : [address.host]
        return CheckLine(.ok, "address", "listens on \(bind): " + hosts.joined(separator: ", "))
    }
}
