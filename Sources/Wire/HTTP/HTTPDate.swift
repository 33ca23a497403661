/// A date as HTTP writes it, such as `Sun, 06 Nov 1994 08:49:37 GMT`. Source: RFC 9110 section 5.6.7.
package func httpDate(unixSeconds: Int64) -> [UInt8] { [] }
