/// Eight copies of a byte in a word.
@inline(__always)
func eightTimes(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }

/// Has the top bit of each byte of `word` set that is zero.
///
/// Bytes above the first one found may be set too much, since subtractions borrow; the first (lowest) is right, also when
/// the results for several words are joined with `|`.
@inline(__always)
func zeroBytes(_ word: UInt64) -> UInt64 { (word &- eightTimes(1)) & ~word & eightTimes(0x80) }

extension Span where Element == UInt8 {
    /// The offset of the first byte that is no part of UTF-8 (RFC 3629); nil when all are.
    package func firstNonUTF8() -> Int? {
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: self)
            return nil
        } catch {
            return error.byteOffsets.lowerBound
        }
    }
}
