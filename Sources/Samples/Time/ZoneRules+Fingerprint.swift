extension ZoneRules {
    /// Equal for equal rules, and as good as never for others: for whoever keeps what was worked out by them.
    package var fingerprint: UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325  // FNV-1a, a word a step
        func add(_ number: Int64) { hash = (hash ^ UInt64(bitPattern: number)) &* 0x100_0000_01B3 }
        add(Int64(firstOffset))
        for change in changes {
            add(change.at)
            add(Int64(change.offset))
        }
        for byte in footer.map({ String(describing: $0) })?.utf8 ?? "".utf8 { add(Int64(byte)) }
        return hash
    }
}
