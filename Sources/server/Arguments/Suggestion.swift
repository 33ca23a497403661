/// The end of a sentence: `; did you mean WORD?` for a word that is close to one of `candidates`, else a full stop.
func suggestion(for word: String, among candidates: [String]) -> String {
    guard word.utf8.count <= 40 else { return "." }
    let distances = candidates.map { (word: $0, distance: editDistance(word, $0)) }
    guard let best = distances.min(by: { $0.distance < $1.distance }),
        best.distance <= max(1, best.word.utf8.drop(while: { $0 == UInt8(ascii: "-") }).count / 3)
    else { return "." }
    return "; did you mean \(best.word)?"
}

/// How many bytes must be put in, left out, changed or swapped with their neighbour to make one word of the other.
func editDistance(_ first: String, _ second: String) -> Int {
    let a = Array(first.utf8), b = Array(second.utf8)
    var older: [Int] = []
    var previous = Array(0...b.count)
    for i in a.indices {
        var row = [i + 1]
        for j in b.indices {
            var best = min(row[j] + 1, previous[j + 1] + 1, previous[j] + (a[i] == b[j] ? 0 : 1))
            if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, older[j - 1] + 1) }
            row.append(best)
        }
        older = previous
        previous = row
    }
    return previous[b.count]
}
