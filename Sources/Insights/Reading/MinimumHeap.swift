/// Hands out the least of its elements.
struct MinimumHeap<Element: Comparable> {
    /// Each no greater than those at twice its place and one and two more.
    private var elements: [Element] = []

    var first: Element? { elements.first }

    mutating func insert(_ element: Element) {
        var index = elements.count
        elements.append(element)
        while index > 0, elements[index] < elements[(index - 1) / 2] {
            elements.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    mutating func removeFirst() -> Element? {
        guard let first = elements.first, let last = elements.popLast() else { return nil }
        if elements.isEmpty { return first }
        elements[0] = last
        var index = 0
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2] where child < elements.count {
                if elements[child] < elements[least] { least = child }
            }
            if least == index { return first }
            elements.swapAt(index, least)
            index = least
        }
    }
}
