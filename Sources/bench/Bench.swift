import Glibc

/// Measures this build on this machine; see README.md beside this file.
@main
struct Bench {
    private static let help = """
        Usage: swift run -c release bench [decode] [store] [serve] [--rows N,N,…] [--json]
               bench --count DIALECT

        Measures what is named, or everything:
          decode   scanners and decoders alone, each dialect, and the memory that a body of 40 MB takes
          store    rows a second of a store that grows
          serve    deliveries through a real socket, plain and with TLS, until the answer
        Options:
          --rows N,N,…     sizes of the store in rows (200000,1000000)
          --json           one JSON array instead of tables
          --count DIALECT  decodes one fixed body once, for scripts/check-instructions.sh:
                           \(BodyDialect.allCases.map(\.rawValue).joined(separator: ", "))
        """

    static func main() throws {
        var words: Set<String> = [], sizes = StoreGrowth.defaultSizes, isJSON = false
        var arguments = CommandLine.arguments.dropFirst()
        while let argument = arguments.popFirst() {
            switch argument {
            case "decode", "store", "serve": words.insert(argument)
            case "--json": isJSON = true
            case "--help", "-h": return print(help)
            case "--rows":
                sizes = (arguments.popFirst() ?? "").split(separator: ",").compactMap { Int($0) }
                guard !sizes.isEmpty else { return refuse("--rows needs numbers") }
            case "--count":
                guard let dialect = arguments.popFirst().flatMap(BodyDialect.init) else {
                    return refuse("--count needs a dialect")
                }
                return try DecodeOnce.count(dialect)
            default: return refuse("unknown: \(argument)")
            }
        }
        var findings: [Finding] = []
        func report(_ word: String, _ sections: () throws -> [Section]) rethrows {
            guard words.isEmpty || words.contains(word) else { return }
            for section in try sections() {
                findings += section.findings
                if !isJSON { print(section.table.joined(separator: "\n"), terminator: "\n\n") }
                _ = fflush(nil)
            }
        }
        try report("decode") { [try PeakMemory.run(), try Decoding.run()] }
        try report("store") { try StoreGrowth.run(sizes: sizes) }
        try report("serve") { [try EndToEnd.run()] }
        if isJSON { print("[\(findings.map(\.json).joined(separator: ","))]") }
    }

    private static func refuse(_ sentence: String) {
        let text = "bench: \(sentence)\n\(help)\n"
        unsafe _ = write(STDERR_FILENO, text, text.utf8.count)
        exit(64)
    }
}
