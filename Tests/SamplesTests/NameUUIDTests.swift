import Samples
import Testing

struct NameUUIDTests {
    private static func key(_ parts: [String]) -> SampleKey {
        var name = NameUUID()
        for part in parts { name.add(part.utf8) }
        return name.key
    }

    /// Made with Python's `uuid.uuid5` over the namespace and the parts with their lengths in front.
    @Test func keepsItsValueForEver() {
        var name = NameUUID()
        name.add("steps".utf8)
        name.add(1_791_961_260)
        #expect(name.key == .uuid(high: 0xD957EBAB819250AE, low: 0xB5A37BDBFB59D09A))
        name.reset()
        name.add("steps".utf8)
        name.add(1_791_961_260)
        #expect(name.key == .uuid(high: 0xD957EBAB819250AE, low: 0xB5A37BDBFB59D09A))
    }

    @Test func partsAreNotJoined() {
        #expect(Self.key(["ab", "c"]) != Self.key(["a", "bc"]))
        #expect(Self.key(["", "a"]) != Self.key(["a", ""]))
    }

    @Test func isVersionFive() {
        guard case .uuid(let high, let low) = Self.key(["x"]) else { return #expect(Bool(false)) }
        #expect(high >> 12 & 0xF == 5)
        #expect(low >> 62 == 0b10)
    }
}
