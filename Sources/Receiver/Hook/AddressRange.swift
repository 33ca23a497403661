package import Transport

/// A range of addresses in CIDR notation: `10.0.0.0/8`, `::1/128`, or one address alone.
package struct AddressRange: Equatable, Sendable {
    private let network: UInt128
    private let mask: UInt128

    /// nil when `text` is no address literal with a fitting prefix length.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let address = SocketAddress(host: String(parts[0]), port: 0) else { return nil }
        let width = address.isIPv4 ? 32 : 128
        var length = width
        if parts.count == 2 {
            guard parts[1].utf8.count <= 3, parts[1].utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
                let given = Int(parts[1]), given <= width
            else { return nil }
            length = given
        }
        let hostBits = UInt128(width - length)
        mask = hostBits == 128 ? 0 : UInt128.max << hostBits
        network = address.bits & mask
    }

    package func contains(_ address: SocketAddress) -> Bool { address.bits & mask == network }
}
