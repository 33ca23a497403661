import Receiver
import Synchronization
import Testing

/// Lines as they are written, in both formats.
struct LogTests {
    private final class Written: Sendable {
        let text = Mutex("")
    }

    private func written(_ format: Log.Format, _ log: (Log) -> Void) -> String {
        let written = Written()
        let clock = ServerClock(wallMicroseconds: { 1_791_961_500_042_999 }, monotonicMicroseconds: { 0 })
        let subject = Log(format: format, clock: clock) { text in written.text.withLock { $0 += text } }
        log(subject)
        subject.close()
        return written.text.withLock { $0 }
    }

    private func logAll(_ log: Log) {
        log.log(.info, "request", [("endpoint", "phone"), ("samples", -10), ("ms", .milliseconds(1.25))])
        log.log(.warning, "odd", [("plain", "a'b\\c"), ("empty", ""), ("spaced", "a b"), ("quoted", "\"")])
        log.log(.error, "worse", [("text", "a\nb\u{1F}\u{7F}é😀\\")])
    }

    @Test func linesOfText() {
        #expect(
            written(.text, logAll) == """
                2026-10-14T07:05:00.042Z request endpoint=phone samples=-10 ms=1.3
                2026-10-14T07:05:00.042Z warning: odd plain=a'b\\c empty="" spaced="a b" quoted="\\""
                2026-10-14T07:05:00.042Z error: worse text="a\\u000ab\\u001f\\u007f\\u00e9\\ud83d\\ude00\\\\"

                """)
    }

    @Test func linesOfJSON() {
        let start = #"{"time":"2026-10-14T07:05:00.042Z","level":"#
        #expect(
            written(.json, logAll)
                == [
                    start + #""info","message":"request","endpoint":"phone","samples":-10,"ms":1.3}"#,
                    start + #""warning","message":"odd","plain":"a'b\\c","empty":"","spaced":"a b","quoted":"\""}"#,
                    start + #""error","message":"worse","text":"a\u000ab\u001f\u007f\u00e9\ud83d\ude00\\"}"#,
                ].map { $0 + "\n" }.joined())
    }
}
