/// Sorting by numbers whose upper bits are as good as random, such as hashes and uuids: into buckets by those bits, then each
/// bucket, of a few elements, by itself. Right for any numbers, and as slow as sorting where they are not spread.
enum BucketSort {
    private static let elementsPerBucket = 4
    /// So few are sorted the fastest by putting each where it belongs.
    private static let mostInserted = 16
    private static let maximumBits = 16

    static func sorted<Element>(
        _ elements: some RandomAccessCollection<Element>, by number: (Element) -> UInt64,
        _ precedes: (Element, Element) -> Bool
    ) -> [Element] {
        guard elements.count > mostInserted else {
            var sorted = Array(elements)
            insert(&sorted, 0, sorted.count, precedes)
            return sorted
        }
        let buckets = elements.count / elementsPerBucket
        let bits = min(maximumBits, Int.bitWidth - buckets.leadingZeroBitCount - 1)
        let shift = UInt64(64 - bits)
        // Where each bucket begins, one place ahead, so that the scattering below leaves where each ends.
        var places = [Int](repeating: 0, count: 1 << bits + 1)
        for element in elements { places[Int(number(element) >> shift) + 1] += 1 }
        for bucket in 1..<places.count { places[bucket] += places[bucket - 1] }
        var sorted = Array(elements)
        for element in elements {
            let bucket = Int(number(element) >> shift)
            sorted[places[bucket]] = element
            places[bucket] += 1
        }
        var start = 0
        for end in places.dropLast() {
            if end - start > mostInserted {
                sorted[start..<end].sort(by: precedes)
            } else {
                insert(&sorted, start, end, precedes)
            }
            start = end
        }
        return sorted
    }

    private static func insert<Element>(
        _ elements: inout [Element], _ start: Int, _ end: Int, _ precedes: (Element, Element) -> Bool
    ) {
        for index in stride(from: start + 1, to: end, by: 1) {
            let element = elements[index]
            var place = index
            while place > start, precedes(element, elements[place - 1]) {
                elements[place] = elements[place - 1]
                place -= 1
            }
            if place != index { elements[place] = element }
        }
    }
}
