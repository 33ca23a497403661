import Samples

/// The stretches of a workout in which it was paused, out of its events.
///
/// Events are objects of `type` and a time, in `events` of the workout or of PulsHealth's `workout`. `pause` and `motion_paused`
/// begin one each, `resume` and `motion_resumed` end the one of their sort, the workout's end does, too. Where no event
/// resumes, a pause lasts as long as it says itself.
struct WorkoutPauses {
    /// In order, without overlap; microseconds, half open.
    let stretches: [Range<Int64>]

    private struct Event {
        var begins: Bool
        /// The watch's own, as nobody moved; else the person's.
        var isOfMotion: Bool
        var time: Int64
        var end: Int64?
    }

    /// More than any watch makes.
    private static let maximumEvents = 10_000

    init(_ workout: StoredWorkout) {
        var events: [Event] = []
        for object in [workout.rest, workout.rest.object("workout")] {
            object?.forEachObject(in: "events") { event in
                guard events.count < Self.maximumEvents, let (begins, isOfMotion) = Self.kind(event) else { return }
                let times = ["start", "date", "time", "startDate"].lazy
                guard let time = times.compactMap({ event.time($0, offsetMinutes: workout.offset) }).first else {
                    return
                }
                let end = ["end", "endDate"].lazy.compactMap { event.time($0, offsetMinutes: workout.offset) }.first
                events.append(
                    Event(begins: begins, isOfMotion: isOfMotion, time: time.microseconds, end: end?.microseconds))
            }
        }
        let (start, end) = (workout.start, workout.endMicroseconds)
        var stretches: [Range<Int64>] = []
        func add(_ from: Int64, _ to: Int64) {
            let from = max(from, start, stretches.last?.upperBound ?? start), to = min(to, end)
            if from < to { stretches.append(from..<to) }
        }
        events.sort { $0.time < $1.time }
        if events.contains(where: { !$0.begins }) {
            // By the person, and by the watch: it goes on when neither is left.
            var isPaused = (byPerson: false, byMotion: false)
            var open: Int64?
            for event in events {
                if event.isOfMotion { isPaused.byMotion = event.begins } else { isPaused.byPerson = event.begins }
                if isPaused.byPerson || isPaused.byMotion {
                    if open == nil { open = event.time }
                } else if let from = open.take() {
                    add(from, event.time)
                }
            }
            if let open { add(open, end) }
        } else {
            for event in events { add(event.time, event.end ?? event.time) }
        }
        self.stretches = stretches
    }

    /// Whether it begins a pause or ends one, and of which sort; nil for other events.
    private static func kind(_ event: RestMembers) -> (begins: Bool, isOfMotion: Bool)? {
        if let text = event.text("type") {
            var word = text.lowercased().filter { $0 != "_" && $0 != " " && $0 != "-" }
            if word.hasPrefix("hkworkouteventtype") { word.removeFirst("hkworkouteventtype".count) }
            switch word {
            case "pause": return (true, false)
            case "resume": return (false, false)
            case "motionpaused": return (true, true)
            case "motionresumed": return (false, true)
            default: return nil
            }
        }
        switch event.number("type") {
        case 1: return (true, false)
        case 2: return (false, false)
        case 5: return (true, true)
        case 6: return (false, true)
        default: return nil
        }
    }
}
