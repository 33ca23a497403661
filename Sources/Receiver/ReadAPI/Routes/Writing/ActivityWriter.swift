import Insights
import Samples

/// `/activity`.
enum ActivityWriter {
    static func json(_ days: [ActivityDay]) -> [UInt8] {
        JSONOut.text(reservingBytes: 32 + days.count * 400) { out in
            out.array("days", of: days) { out, day in
                out.object {
                    $0.member("date", day.date)
                    $0.object("move") { append(day.move, to: &$0) }
                    $0.object("exercise") { append(day.exercise, to: &$0) }
                    $0.object("stand") { append(day.stand, to: &$0) }
                }
            }
        }
    }

    private static func append(_ ring: ActivityDay.Ring, to out: inout JSONOut) {
        out.member("phone", ring.phone)
        out.member("goal", ring.goal)
        out.member("computed", ring.computed)
        out.member("drift", ring.drift)
        out.name("explained_by")
        if let source = ring.explainedBy { out.value(source) } else { out.null() }
    }

    static func csv(_ days: [ActivityDay]) -> [UInt8] {
        let columns = ["phone", "goal", "computed", "drift", "explained_by.app", "explained_by.device"]
        let header = ["move", "exercise", "stand"].flatMap { ring in columns.map { "\(ring).\($0)" } }
        var out = CSVOut(header: "date," + header.joined(separator: ","))
        for day in days {
            out.field(day.date)
            for ring in [day.move, day.exercise, day.stand] {
                for number in [ring.phone, ring.goal, ring.computed, ring.drift] { out.field(number) }
                out.fields(ring.explainedBy)
            }
            out.endLine()
        }
        return out.bytes
    }
}
