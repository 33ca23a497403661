import Wire

/// A body that isn't whole yet: in memory, and past the spool's bound in a file, with the newest bytes still in memory.
struct ArrivingBody {
    /// What is in memory: all of it, or what the file doesn't have yet. Bytes are appended here, then `settle` is called.
    var memory: [UInt8] = []
    /// Where it goes past the bound; nil when it stays in memory.
    private let spool: Spool?
    private var file: SpoolFile?

    init(spool: Spool? = nil) { self.spool = spool }

    /// Bytes so far.
    var count: Int { (file?.count ?? 0) + memory.count }
    var isInFile: Bool { file != nil }

    /// Moves what is in memory to the file when it is more than memory is to have.
    mutating func settle() throws(SpoolFault) {
        guard let spool, file != nil || memory.count > spool.pastBytes else { return }
        if file == nil { file = try spool.makeFile() }
        try file?.append(memory.span)
        memory.removeAll(keepingCapacity: true)
    }

    /// The whole body; this one is empty afterwards.
    mutating func take() throws(SpoolFault) -> PaddedBytes {
        guard let file else {
            var bytes: [UInt8] = []
            swap(&bytes, &memory)  // moved, not copied: the padding is added in place
            return PaddedBytes(bytes)
        }
        if !memory.isEmpty { try file.append(memory.span) }
        self.file = nil
        memory = []
        return try file.map()
    }
}
