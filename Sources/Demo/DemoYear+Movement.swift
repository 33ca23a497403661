import Samples

extension DemoYear {
    /// Steps, distances, energy, exercise and stand hours of a day.
    mutating func addMovement(_ window: inout DayWindow) {
        for motion in window.plan.motions where motion.end <= until { add(motion, &window) }
        addRest(&window)
        addGym(&window)
        addStandHours(&window)
    }

    // MARK: One motion

    /// What both devices have of a motion. Where the watch is on, its samples are what happened, and those of the phone
    /// are a little off; where it isn't, or where a sample of the phone is only partly beside the watch's, the phone is right.
    private mutating func add(_ motion: Motion, _ window: inout DayWindow) {
        let watch = (0..<motion.cells).map { cell in
            window.isWatchOn(motion.time(ofCell: cell)..<motion.time(ofCell: cell + 1))
        }
        let phone = (0..<motion.cells).map { motion.phone.contains($0) }
        for run in Self.runs(watch) {
            var cell = run.lowerBound
            for length in DayWindow.powersOfTwo(run.count, least: 1, most: 8) {
                addWatch(motion, cell..<cell + length, &window)
                cell += length
            }
            if motion.isBrisk {
                addExercise(motion.time(ofCell: run.lowerBound)..<motion.time(ofCell: run.upperBound), &window)
            }
        }
        for run in Self.runs(phone) {
            var cell = run.lowerBound
            for length in DayWindow.powersOfTwo(run.count, least: 1, most: 16) {
                let cells = cell..<cell + length
                addPhone(motion, cells, isSeenByWatch: watch[cells].allSatisfy { $0 }, &window)
                cell += length
            }
        }
        for run in Self.runs(zip(watch, phone).map { $0 || $1 }) { addTruth(motion, run) }
        addFlights(motion, watch: watch, phone: phone, &window)
    }

    /// The stretches of `true`.
    private static func runs(_ cells: [Bool]) -> [Range<Int>] {
        var found: [Range<Int>] = [], start: Int?
        for (index, isOn) in cells.enumerated() {
            if isOn, start == nil { start = index }
            if !isOn, let first = start {
                found.append(first..<index)
                start = nil
            }
        }
        if let start { found.append(start..<cells.count) }
        return found
    }

    private mutating func addTruth(_ motion: Motion, _ cells: Range<Int>) {
        let start = motion.time(ofCell: cells.lowerBound), count = Double(cells.count)
        let seconds = Int64(cells.count) * Motion.cellSeconds
        if motion.steps > 0 { add(flow: "steps", start, seconds, Double(motion.steps) * count) }
        if motion.metres > 0 { add(flow: motion.distanceType, start, seconds, Double(motion.metres) / 16 * count) }
    }

    private mutating func addWatch(_ motion: Motion, _ cells: Range<Int>, _ window: inout DayWindow) {
        let start = motion.time(ofCell: cells.lowerBound), end = motion.time(ofCell: cells.upperBound)
        let count = Double(cells.count), at = end + window.lag()
        func uuid() -> [UInt8] { window.random.uuid() }
        if motion.steps > 0 {
            add(
                text.quantity(uuid(), "steps", Double(motion.steps) * count, "count", start, end, .watch), "steps",
                end: end, at: at)
        }
        if motion.metres > 0 {
            let type = motion.distanceType
            add(
                text.quantity(uuid(), type, Double(motion.metres) / 16 * count, "m", start, end, .watch), type,
                end: end, at: at)
        }
        if motion.strokes > 0 {
            let strokes = Double(motion.strokes) * count
            add(
                text.quantity(uuid(), "swimming_stroke_count", strokes, "count", start, end, .watch),
                "swimming_stroke_count", end: end, at: at)
            add(flow: "swimming_stroke_count", start, end - start, strokes)
        }
        addEnergy(Double(motion.energy) / 256 * count, start, end, at: at, &window)
    }

    private mutating func addPhone(
        _ motion: Motion, _ cells: Range<Int>, isSeenByWatch: Bool, _ window: inout DayWindow
    ) {
        let start = motion.time(ofCell: cells.lowerBound), end = motion.time(ofCell: cells.upperBound)
        let count = Double(cells.count), at = end + 5
        var steps = Double(motion.steps) * count
        var metres = Double(motion.metres) / 16 * count
        if isSeenByWatch {
            let factor = 0.93 + window.random.unit() * 0.12
            steps = max(1, (steps * factor).rounded())
            metres = max(1, (metres * factor * 16).rounded() / 16)
        }
        if motion.steps > 0 {
            add(
                text.quantity(window.random.uuid(), "steps", steps, "count", start, end, .phone), "steps", end: end,
                at: at)
        }
        if motion.metres > 0 && motion.distanceType == "distance_walking_running" {
            add(
                text.quantity(window.random.uuid(), motion.distanceType, metres, "m", start, end, .phone),
                motion.distanceType, end: end, at: at)
        }
    }

    /// Stairs, in the first minute of a walk: both devices have the same ones.
    private mutating func addFlights(_ motion: Motion, watch: [Bool], phone: [Bool], _ window: inout DayWindow) {
        guard motion.flights > 0, motion.cells >= 4 else { return }
        let start = motion.start, end = start + 64, type = "flights_climbed"
        let sources: [(isOn: Bool, source: SampleText.Source)] = [
            (watch[..<4].allSatisfy { $0 }, .watch), (phone[..<4].allSatisfy { $0 }, .phone),
        ]
        for (isOn, source) in sources where isOn {
            add(
                text.quantity(window.random.uuid(), type, Double(motion.flights), "count", start, end, source), type,
                end: end, at: end + 30)
        }
        if sources.contains(where: \.isOn) { add(flow: type, start, 64, Double(motion.flights)) }
    }

    // MARK: Rings

    private mutating func addEnergy(
        _ amount: Double, _ start: Int64, _ end: Int64, at: Int64, _ window: inout DayWindow
    ) {
        guard end <= until else { return }
        let midnight = window.plan.place.midnight(after: start)
        var ring = Ring(day: window.plan.place.day(of: start), energy: amount)
        if midnight < end {
            ring.nextDayEnergy = amount * Double(end - midnight) / Double(end - start)
            ring.energy -= ring.nextDayEnergy
        }
        add(
            text.quantity(window.random.uuid(), "active_energy_burned", amount, "kcal", start, end, .watch),
            "active_energy_burned", end: end, at: at, ring: ring)
        add(flow: "active_energy_burned", start, end - start, amount)
    }

    /// One sample for each whole minute, so that no hour cuts one.
    private mutating func addExercise(_ range: Range<Int64>, _ window: inout DayWindow) {
        var minute = (range.lowerBound + 59) / 60 * 60
        while minute + 60 <= range.upperBound {
            add(
                text.quantity(window.random.uuid(), "apple_exercise_time", 1, "min", minute, minute + 60, .watch),
                "apple_exercise_time", end: minute + 60, at: minute + 60 + window.lag(),
                ring: Ring(day: window.plan.place.day(of: minute), minutes: 1))
            add(flow: "apple_exercise_time", minute, 60, 1)
            minute += 60
        }
    }

    /// The little energy of sitting and standing, between motions.
    private mutating func addRest(_ window: inout DayWindow) {
        let taken = (window.plan.motions.map { $0.start..<$0.end } + window.watchOff).sorted {
            $0.lowerBound < $1.lowerBound
        }
        let awake = window.start..<window.plan.bed
        for gap in DayWindow.gaps(in: awake, without: taken) {
            var start = gap.lowerBound
            for length in DayWindow.powersOfTwo(gap.count, least: 16, most: 1_024) {
                let end = start + Int64(length)
                let energy = Double(window.random.int(8...20)) / 4_096 * Double(length)
                addEnergy(energy, start, end, at: end + window.lag(), &window)
                start = end
            }
        }
    }

    /// A training that only an app knows of, while the watch is on its charger: it counts, and isn't in the rings.
    private mutating func addGym(_ window: inout DayWindow) {
        guard window.plan.index % 45 == 20, window.plan.hasWatch, let charging = window.plan.charging.first,
            charging.count > 800
        else { return }
        let start = charging.lowerBound + 120, end = start + 512
        guard end <= until else { return }
        add(
            text.quantity(window.random.uuid(), "active_energy_burned", 96, "kcal", start, end, .gym),
            "active_energy_burned", end: end, at: end + 60)
        add(flow: "active_energy_burned", start, 512, 96)
    }

    private mutating func addStandHours(_ window: inout DayWindow) {
        let offset = window.plan.place.offsetSeconds(at: window.start)
        var hour = (window.start + offset + 3_599) / 3_600 * 3_600 - offset
        while hour + 3_600 <= window.plan.bed {
            let range = hour..<hour + 3_600
            hour += 3_600
            guard range.upperBound <= until else { break }
            guard !window.watchOff.contains(where: { $0.clamped(to: range).count > 1_800 }) else { continue }
            let hasMoved = window.plan.motions.contains { ($0.start..<$0.end).clamped(to: range).count >= 64 }
            let stood = hasMoved || window.random.chance(0.3)
            if stood { truth.stoodHours.append(range.lowerBound) }
            let day = window.plan.place.day(of: range.lowerBound)
            add(
                text.category(
                    window.random.uuid(), "apple_stand_hour", stood ? "stood" : "idle", range.lowerBound,
                    range.upperBound, .watch),
                "apple_stand_hour", end: range.upperBound, at: range.upperBound + window.lag(),
                ring: Ring(day: day, hours: stood ? 1 : 0))
        }
    }
}
