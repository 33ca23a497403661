package import Samples
import Storage
import Wire

/// The users of PulsHealth. Source: specs/puls-v1, section 2.5.
package enum PulsUser {
    /// Whom the app means when it names nobody, and whom it names unless it is told another.
    package static let standard = UUIDBits(high: 0x5EA4_D000_0000_4000, low: 0x8000_0000_0000_0001)
    /// What samples are scoped to within a person: an install's id changes, and the samples stay the same.
    /// No endpoint is called so, and no other sender may call a device so.
    package static let device = Array("PulsHealth".utf8)

    /// The dataset of a request: the endpoint's person for the user that it is bound to, and where it is bound to none
    /// for the standard one; any other user is a person of its own.
    static func scope(_ fields: Fields, _ endpoint: Endpoint) throws(Refusal) -> SenderScope {
        let own = endpoint.boundUser.flatMap { UUIDBits(text: $0.utf8) }
        var scope = SenderScope(person: endpoint.person, device: device)
        let values = fields.values("x-user-id").filter { !$0.isEmpty }
        if let value = values.first {
            guard let user = UUIDBits(text: value), values.allSatisfy({ UUIDBits(text: $0) == user }) else {
                throw Refusal(status: 400, code: "user_invalid", message: "X-User-ID is not a UUID")
            }
            if let own, user != own {
                throw Refusal(status: 403, code: "user_other", message: "this token belongs to another user")
            }
            if user != own ?? standard { scope.person = "\(endpoint.person)/\(user.text)" }
        }
        let trigger = fields.values("x-wake-trigger").first { !$0.isEmpty }.map(Array.init)
        var wake = PulsWake(trigger: trigger)
        for value in fields.values("x-wake-id") where !value.isEmpty {
            wake.id = UUIDBits(text: value)
            // Judged behind the body, where a wrong version is told.
            if wake.id == nil {
                scope.bodyFault = DecodeFault(code: "wake_invalid", message: "X-Wake-ID is not a UUID")
            }
        }
        scope.wake = wake
        return scope
    }
}

extension UUIDBits {
    /// 36 characters, in either case; nil for any other text.
    package init?(text: some Collection<UInt8>) {
        guard case .uuid(let high, let low)? = SampleKey.uuid(parsing: Array(text).span) else { return nil }
        self.init(high: high, low: low)
    }

    /// 36 characters in lower case.
    package var text: String {
        var text: [UInt8] = []
        appendText(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends 36 characters.
    ///
    /// - Parameter letter: the first of the digits past 9.
    func appendText(to bytes: inout [UInt8], letter: Unicode.Scalar = "a") {
        for place in 0..<16 {
            if place == 4 || place == 6 || place == 8 || place == 10 { bytes.append(UInt8(ascii: "-")) }
            appendByte(place, to: &bytes, letter: letter)
        }
    }

    /// 32 digits in lower case.
    var digits: String {
        var text: [UInt8] = []
        for place in 0..<16 { appendByte(place, to: &text) }
        return String(decoding: text, as: UTF8.self)
    }

    private func appendByte(_ place: Int, to bytes: inout [UInt8], letter: Unicode.Scalar = "a") {
        let byte = UInt8(truncatingIfNeeded: (place < 8 ? high : low) >> UInt64(56 - 8 * (place & 7)))
        let past = UInt8(ascii: letter) - 10
        let (first, second) = (byte >> 4, byte & 15)
        bytes.append(first < 10 ? UInt8(ascii: "0") + first : past + first)
        bytes.append(second < 10 ? UInt8(ascii: "0") + second : past + second)
    }
}
