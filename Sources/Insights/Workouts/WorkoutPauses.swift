import Samples

/// The stretches of a workout in which it was paused, out of its events.
///
/// Events are objects of `type` and a time, in `events` of the workout or of PulsHealth's `workout`. `pause` and `motion_paused`
/// begin one each, `resume` and `motion_resumed` end the one of their sort, the workout's end does, too. Where no event
/// resumes those of a sort, a pause lasts as long as it says itself, else until the other sort's resume.
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
        events.sort { $0.time < $1.time }
        let resumes = [false, true].map { isOfMotion in
            events.filter { !$0.begins && $0.isOfMotion == isOfMotion }.map(\.time)
        }
        var next = [0, 0]
        var pauses: [(from: Int64, to: Int64)] = []
        for event in events where event.begins {
            let own = event.isOfMotion ? 1 : 0, other = 1 - own
            if resumes[own].isEmpty && (event.end != nil || resumes[other].isEmpty) {
                pauses.append((event.time, event.end ?? event.time))
                continue
            }
            let sort = resumes[own].isEmpty ? other : own
            while next[sort] < resumes[sort].count && resumes[sort][next[sort]] < event.time { next[sort] += 1 }
            let end = next[sort] < resumes[sort].count ? resumes[sort][next[sort]] : workout.endMicroseconds
            pauses.append((event.time, end))
        }
        var stretches: [Range<Int64>] = []
        for pause in pauses {
            let from = max(pause.from, workout.start, stretches.last?.upperBound ?? workout.start)
            let to = min(pause.to, workout.endMicroseconds)
            if from < to { stretches.append(from..<to) }
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
