/// One thing that was looked at before the phone finds out.
package struct CheckLine: Equatable, Sendable {
    package enum Verdict: String, Sendable {
        case ok = "OK"
        /// Works, but not in every case.
        case warn = "WARN"
        /// The phone can't send until it is mended.
        case fail = "FAIL"
    }

    package let verdict: Verdict
    /// A word or two: what was looked at.
    package let subject: String
    /// What was found, and what to do about it. Holds no secret.
    package let text: String

    package init(_ verdict: Verdict, _ subject: String, _ text: String) {
        self.verdict = verdict
        self.subject = subject
        self.text = text
    }

    /// Such as `WARN  clock       nothing keeps it right`.
    package var description: String {
        let verdict = self.verdict.rawValue
        return pad(verdict, to: 6) + pad(subject, to: 13) + text
    }
}

/// `text` with spaces behind it up to `width`, one at least.
private func pad(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
}
