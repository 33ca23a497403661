package import Samples
import Wire

/// One request of the invented phone.
package struct DemoDelivery: Sendable {
    package var receivedAt: Timestamp
    package var id: String
    /// Native JSON.
    package var body: [UInt8]
    /// How many samples are in it.
    package var samples: Int
}

/// A year of one person with a phone and a watch, request by request in the order of time.
///
/// Samples come out as a phone would send them: some minutes or hours after they were measured, what the watch has
/// measured without its phone in one go when they meet again.
package struct DemoYear {
    /// As the body names it; no phone has this one.
    package static let device = "d_demo_invented_person_"
    package static let destination = "wh_demo_invented_server"
    /// Longest body, below the million bytes that a phone's may have.
    private static let maximumBodyBytes = 900_000

    /// A sample that was measured and not sent yet.
    struct Waiting {
        /// From when on the phone has it.
        var at: Int64
        var json: [UInt8]
        var ring: Ring?
    }

    /// What a sample adds to the rings of its day.
    struct Ring {
        /// Days since 1970-01-01.
        var day: Int
        var energy = 0.0
        /// Of a sample that midnight cuts.
        var nextDayEnergy = 0.0
        var minutes = 0
        var hours = 0
    }

    struct RingSums {
        var energy = 0.0
        var minutes = 0
        var hours = 0
    }

    let settings: DemoSettings
    let seasons: DemoSeasons
    let until: Int64
    private let firstDay: Int
    private let home: Place
    private let away: Place
    /// Of what was returned so far; of everything at the end.
    package internal(set) var truth = DemoTruth()
    var text = SampleText()
    private var waiting: [Waiting] = []
    private var deletions: [(at: Int64, uuid: [UInt8], type: String)] = []
    private var rings: [Int: RingSums] = [:]
    private var outbox: [DemoDelivery] = []
    private var index = 0
    private var isFinished = false

    package init(_ settings: DemoSettings) {
        self.settings = settings
        seasons = DemoSeasons(days: settings.days)
        home = Place(zone: settings.home, latitude: 52.4733, longitude: 13.4034)
        away = Place(zone: settings.away, latitude: 40.7812, longitude: -73.9665)
        until = settings.until.microseconds / 1_000_000
        // The last moment belongs to the last day.
        firstDay = home.day(of: until - 1) - settings.days + 1
    }

    /// When the data begins: local midnight of the first day.
    package var begin: Timestamp {
        Timestamp(microseconds: home.time(day: firstDay, second: 0) * 1_000_000)
    }

    /// nil at the end.
    package mutating func next() -> DemoDelivery? {
        while outbox.isEmpty {
            if index < settings.days {
                makeDay()
            } else if !isFinished {
                isFinished = true
                finish()
            } else {
                return nil
            }
        }
        return outbox.removeFirst()
    }

    private func plan(_ index: Int) -> DayPlan {
        DayPlan(
            index: index, day: firstDay + index, place: seasons.away.contains(index) ? away : home,
            settings: settings, seasons: seasons)
    }

    // MARK: Days

    /// From one morning to the next.
    private mutating func makeDay() {
        let plan = plan(index), next = self.plan(index + 1)
        var window = DayWindow(plan, until: next.wake, seed: settings.seed)
        text.offsetMinutes =
            settings.writesOffsets && plan.isAway ? Int(plan.place.offsetSeconds(at: plan.wake) / 60) : 0
        if index == 0 { addCharacteristics(at: plan.wake) }
        addMovement(&window)
        addNight(&window)
        addWorkouts(&window)
        addPulse(&window)
        addDaily(&window)
        if plan.hasPhone { deliver(&window) }
        index += 1
    }

    // MARK: What was measured

    /// - Parameter at: from when on the phone has it; what ends after the last moment was never measured.
    mutating func add(
        _ json: [UInt8], _ type: String, end: Int64, at: Int64, ring: Ring? = nil
    ) {
        guard end <= until else { return }
        waiting.append(Waiting(at: at, json: json, ring: ring))
        truth.samples[type, default: 0] += 1
    }

    /// A wrong entry, taken back a little later.
    mutating func addMistake(_ json: [UInt8], _ type: String, uuid: [UInt8], at: Int64, deletedAt: Int64) {
        guard deletedAt <= until else { return }
        waiting.append(Waiting(at: at, json: json))
        deletions.append((deletedAt, uuid, type))
    }

    mutating func add(reading type: String, _ value: Double, _ start: Int64, _ end: Int64) {
        guard end <= until else { return }
        truth.readings[type, default: []].append(DemoTruth.Reading(start: start, end: end, value: value))
    }

    mutating func add(flow type: String, _ start: Int64, _ seconds: Int64, _ amount: Double) {
        truth.flows[type, default: []].append(DemoTruth.Flow(start: start, seconds: seconds, amount: amount))
    }

    // MARK: Requests

    /// When the phone finds time to send, from the morning to the next.
    private mutating func deliver(_ window: inout DayWindow) {
        var time = window.start + Int64(window.random.int(120...900))
        while time < window.end && time < until {
            send(at: time, &window.random)
            let isNight = time > window.plan.bed
            time += Int64(window.random.int(isNight ? 7_000...13_000 : 1_900...6_400))
        }
    }

    /// All that was measured, at the last moment.
    private mutating func finish() {
        for place in waiting.indices { waiting[place].at = min(waiting[place].at, until) }
        var random = DemoRandom(seed: settings.seed, day: -1, stream: 9)
        send(at: until, &random)
    }

    private mutating func send(at time: Int64, _ random: inout DemoRandom) {
        var samples: [[UInt8]] = [], later: [Waiting] = []
        var days: Set<Int> = []
        for entry in waiting {
            guard entry.at <= time else {
                later.append(entry)
                continue
            }
            samples.append(entry.json)
            guard let ring = entry.ring else { continue }
            days.insert(ring.day)
            rings[ring.day, default: RingSums()].energy += ring.energy
            rings[ring.day, default: RingSums()].minutes += ring.minutes
            rings[ring.day, default: RingSums()].hours += ring.hours
            if ring.nextDayEnergy > 0 {
                days.insert(ring.day + 1)
                rings[ring.day + 1, default: RingSums()].energy += ring.nextDayEnergy
            }
        }
        let deleted = deletions.filter { $0.at <= time }
        guard !samples.isEmpty || !deleted.isEmpty else { return }
        waiting = later
        deletions.removeAll { $0.at <= time }
        for day in days.sorted() { samples.append(summary(of: day)) }
        pack(samples, deleted.map { (uuid: $0.uuid, type: $0.type) }, at: time, &random)
    }

    private mutating func summary(of day: Int) -> [UInt8] {
        let sums = rings[day] ?? RingSums()
        let goal = Double(day - firstDay) < Double(settings.days) * 0.5 ? 500 : 560
        var members = Array(",\"date\":\"".utf8), key = Array("activity_summary:".utf8)
        let date = CivilDate(daysSince1970: Int32(day))
        text.append(date: date, to: &members)
        text.append(date: date, to: &key)
        members += "\",\"active_energy_burned_kcal\":".utf8
        members.append(number: sums.energy)
        members +=
            """
            ,"active_energy_burned_goal_kcal":\(goal),"apple_exercise_time_min":\(sums.minutes),\
            "apple_exercise_time_goal_min":30,"apple_stand_hours":\(sums.hours),"apple_stand_hours_goal":12
            """.utf8
        truth.samples["activity_summary"] = rings.count
        return text.timeless(String(decoding: key, as: UTF8.self), "activity_summary", members: members)
    }

    /// Makes requests of one delivery.
    private mutating func pack(
        _ samples: [[UInt8]], _ deleted: [(uuid: [UInt8], type: String)], at time: Int64, _ random: inout DemoRandom
    ) {
        var bodies: [(text: [UInt8], count: Int)] = [([], 0)]
        for sample in samples {
            if bodies[bodies.count - 1].text.count + sample.count > Self.maximumBodyBytes { bodies.append(([], 0)) }
            if bodies[bodies.count - 1].count > 0 { bodies[bodies.count - 1].text.append(UInt8(ascii: ",")) }
            bodies[bodies.count - 1].text += sample
            bodies[bodies.count - 1].count += 1
        }
        let id = String(decoding: random.uuid(), as: UTF8.self).lowercased()
        for (index, part) in bodies.enumerated() {
            let isLast = index + 1 == bodies.count
            var body = Array(#"{"v":1,"type":"sync","device":"\#(Self.device)","samples":["#.utf8)
            body += part.text
            body += #"],"deleted":["#.utf8
            for (place, sample) in deleted.enumerated() where isLast {
                if place > 0 { body.append(UInt8(ascii: ",")) }
                body += #"{"uuid":"\#(String(decoding: sample.uuid, as: UTF8.self))","type":"\#(sample.type)"}"#.utf8
            }
            body +=
                #"],"acks":[],"more":\#(!isLast),"delivery":{"destination":"\#(Self.destination)","id":"\#(id)","#.utf8
            body += #""index":\#(index),"count":\#(bodies.count),"sent_at":""#.utf8
            SampleText().append(time: time, to: &body)
            body += #""}}"#.utf8
            let received = (time + Int64(index)) * 1_000_000 + Int64(random.int(100_000...900_000))
            outbox.append(
                DemoDelivery(
                    receivedAt: Timestamp(microseconds: min(received, until * 1_000_000 + Int64(index))), id: id,
                    body: body, samples: part.count))
        }
    }
}
