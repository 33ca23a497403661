/// What a path leads to. Paths are compared as bytes: no decoding, no case folding, no trailing slash.
enum Route: Equatable {
    /// `below`: what follows the name, from its slash on; empty for the endpoint itself.
    case hook(name: String, below: [UInt8])
    case alive
    case ready
    /// No path at all: `OPTIONS *`, and CONNECT to somewhere else.
    case server
    case unknown

    init(path: [UInt8]) {
        let text = String(decoding: path, as: UTF8.self)
        switch text {
        case "/healthz": self = .alive
        case "/readyz": self = .ready
        case "*", "": self = .server
        default:
            guard text.utf8.starts(with: "/hook/".utf8) else {
                self = .unknown
                return
            }
            let rest = path.dropFirst("/hook/".utf8.count)
            let name = rest.prefix { $0 != UInt8(ascii: "/") }
            let isName = name.allSatisfy { byte in
                byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z")
                    || byte >= UInt8(ascii: "0")
                        && byte <= UInt8(ascii: "9")
                    || byte == UInt8(ascii: "-")
            }
            self =
                isName && (1...32).contains(name.count)
                ? .hook(name: String(decoding: name, as: UTF8.self), below: Array(rest.dropFirst(name.count)))
                : .unknown
        }
    }
}
