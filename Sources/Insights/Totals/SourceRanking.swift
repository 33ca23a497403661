import Samples
import Storage

/// The order in which a person's sources count.
///
/// First those that the person has put in order. Then watches, then iPhones, then the rest; within each by amount of data and
/// name. Amounts are compared by how many binary digits they have, so that the order of two sources that go along
/// with each other doesn't change with each sample.
struct SourceRanking: Equatable {
    struct Entry: Equatable {
        /// A row of `source`, 0 for none.
        var id: Int64
        var rank: SourceRank
    }

    let entries: [Entry]
    /// By row of `source`.
    let ranks: [Int64: Int]

    init(_ counts: [(id: Int64, source: SourceName, samples: Int)], order: [SourceName]) {
        struct Place {
            var set: Int
            var isFirst: Bool
            var sourceClass: SourceClass
            var digits: Int
            var name: [UInt8]
            var entry: Entry
        }
        var places = counts.map { count in
            let set = order.firstIndex(of: count.source)
            let sourceClass = SourceClass(count.source)
            return Place(
                set: set ?? .max, isFirst: set != nil, sourceClass: sourceClass,
                digits: Int.bitWidth - count.samples.leadingZeroBitCount,
                name: Array((count.source.app ?? "").utf8) + [0] + Array((count.source.device ?? "").utf8),
                entry: Entry(
                    id: count.id,
                    rank: SourceRank(
                        source: count.source, sourceClass: sourceClass, samples: count.samples, isSet: set != nil)))
        }
        places.sort { left, right in
            if left.set != right.set { return left.set < right.set }
            if left.sourceClass != right.sourceClass { return left.sourceClass < right.sourceClass }
            if left.digits != right.digits { return left.digits > right.digits }
            if left.name != right.name { return left.name.lexicographicallyPrecedes(right.name) }
            return left.entry.id < right.entry.id
        }
        entries = places.map(\.entry)
        ranks = Dictionary(uniqueKeysWithValues: entries.indices.map { (places[$0].entry.id, $0) })
    }
}

extension SourceClass {
    /// By the names of device and app: a watch when either has `watch` in it, in any case, else a phone when either has `iphone`.
    package init(_ source: SourceName) {
        func names(_ word: String) -> Bool {
            [source.device, source.app].contains { name in
                guard let name else { return false }
                let bytes = Array(name.utf8), word = Array(word.utf8)
                return bytes.indices.contains { start in
                    bytes.count - start >= word.count
                        && word.indices.allSatisfy { bytes[start + $0] | 0x20 == word[$0] }
                }
            }
        }
        self = names("watch") ? .watch : names("iphone") ? .phone : .other
    }
}
