extension JSONScanner {
    /// Reads the number that stands in `range` of the content, alone and with nothing around it.
    ///
    /// For texts that are no JSON but write numbers as JSON does; `position` is left at the range's end.
    ///
    /// - Throws: what `number` does; `.syntax` when the range holds anything else.
    package mutating func number(in range: Range<Int>) throws(JSONFault) -> JSONNumber {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        position = range.lowerBound
        let number: JSONNumber
        do throws(JSONFault) { number = try self.number() } catch {
            guard error.reason != .otherKind else { throw JSONFault(.syntax, offset: error.offset) }
            throw error
        }
        guard position == range.upperBound else { throw JSONFault(.syntax, offset: range.lowerBound) }
        return number
    }
}
