import Samples
import Testing

@testable import Insights

@Test func sleepSessionAddsUpItsStages() {
    func segment(_ stage: SleepStage, _ start: Int64, _ end: Int64) -> SleepSegment {
        SleepSegment(
            stage: stage, start: Timestamp(microseconds: start * 1_000_000),
            end: Timestamp(microseconds: end * 1_000_000))
    }
    let segments = [segment(.core, 0, 60), segment(.awake, 60, 70), segment(.rem, 70, 100), segment(.core, 100, 130)]
    let session = SleepSession(
        date: CivilDate(year: 2026, month: 10, day: 14), start: segments[0].start, end: segments[3].end,
        offsetMinutes: 120, isNap: false, source: SourceName(app: nil, device: nil), segments: segments)
    #expect(session.seconds(.core) == 90)
    #expect(session.seconds(.awake) == 10)
    #expect(session.secondsAsleep == 120)
}
