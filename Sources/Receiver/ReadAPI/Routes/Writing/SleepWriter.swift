import Insights
import Samples

/// `/sleep`.
enum SleepWriter {
    static func json(_ nights: [SleepSession], of person: Person) -> [UInt8] {
        JSONOut.text { out in
            out.array("nights", of: nights) { out, night in
                out.object { append(night, person.zone, to: &$0) }
            }
        }
    }

    private static func append(_ night: SleepSession, _ zone: ZoneRules, to out: inout JSONOut) {
        let clock = WallClock(zone, offsetMinutes: night.offsetMinutes, at: night.end)
        out.member("date", night.date)
        out.member("nap", night.isNap)
        out.member("start", night.start, offsetMinutes: clock.offsetMinutes(at: night.start))
        out.member("end", night.end, offsetMinutes: night.offsetMinutes)
        out.member("source", night.source)
        out.member("asleep_s", night.secondsAsleep)
        out.member("awake_s", night.seconds(.awake))
        out.member("in_bed_s", night.secondsInBed)
        out.object("stages") {
            for stage in SleepStage.allCases { $0.member(stage.name, night.seconds(stage)) }
        }
        out.array("segments", of: night.segments) { out, segment in
            out.object {
                $0.member("stage", word: segment.stage.rawValue)
                $0.member("start", segment.start, offsetMinutes: clock.offsetMinutes(at: segment.start))
                $0.member("end", segment.end, offsetMinutes: clock.offsetMinutes(at: segment.end))
            }
        }
    }

    static func csv(_ nights: [SleepSession], of person: Person) -> [UInt8] {
        let stages = SleepStage.allCases.map { ",stages." + $0.rawValue }.joined()
        var out = CSVOut(
            header: "date,nap,start,end,source.app,source.device,asleep_s,awake_s,in_bed_s" + stages)
        for night in nights {
            let clock = WallClock(person.zone, offsetMinutes: night.offsetMinutes, at: night.end)
            out.field(night.date)
            out.field(night.isNap)
            out.field(night.start, offsetMinutes: clock.offsetMinutes(at: night.start))
            out.field(night.end, offsetMinutes: night.offsetMinutes)
            out.fields(night.source)
            out.field(night.secondsAsleep)
            out.field(night.seconds(.awake))
            out.field(night.secondsInBed)
            for stage in SleepStage.allCases { out.field(night.seconds(stage)) }
            out.endLine()
        }
        return out.bytes
    }
}

extension SleepSession {
    /// From the first segment to the last one's end.
    fileprivate var secondsInBed: Double {
        guard let first = segments.first, let last = segments.last else { return 0 }
        let (length, isOver) = last.end.microseconds.subtractingReportingOverflow(first.start.microseconds)
        return isOver ? 0 : Double(length) / 1e6
    }
}

extension SleepStage {
    /// `rawValue` as a member's name.
    fileprivate var name: StaticString {
        switch self {
        case .rem: "asleep_rem"
        case .deep: "asleep_deep"
        case .core: "asleep_core"
        case .asleep: "asleep_unspecified"
        case .awake: "awake"
        case .inBed: "in_bed"
        }
    }
}
