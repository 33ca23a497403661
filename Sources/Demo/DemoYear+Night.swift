extension DemoYear {
    /// The night after the day, and the nap within it.
    mutating func addNight(_ window: inout DayWindow) {
        if let nap = window.plan.nap { addNap(nap, &window) }
        let night = window.night
        guard night.upperBound <= until else { return }
        var found = DemoTruth.Night(start: night.lowerBound, end: night.upperBound, isNap: false, stages: [])
        if window.isWatchOn(night) {
            let asleep = night.lowerBound + Int64(window.random.int(10...50)) * 30
            found.stages = stages(asleep..<night.upperBound, &window.random)
            for stage in found.stages { add(stage, &window) }
            addBreath(found.stages, &window)
        }
        // The phone's alarm knows when it was put away; without the watch that is all there is.
        if window.plan.hasPhone && (window.random.chance(0.85) || found.stages.isEmpty) {
            found.inBed = night
            add(
                text.category(
                    window.random.uuid(), "sleep_analysis", "in_bed", night.lowerBound, night.upperBound, .phone),
                "sleep_analysis", end: night.upperBound, at: night.upperBound + 60)
        }
        if let first = found.stages.first, let last = found.stages.last {
            (found.start, found.end) = (first.start, last.end)
        }
        if !found.stages.isEmpty || found.inBed != nil { truth.nights.append(found) }
    }

    private mutating func add(_ stage: DemoTruth.Stage, _ window: inout DayWindow) {
        // The watch tells of a night when it is over.
        let at = window.night.upperBound + 240
        add(
            text.category(window.random.uuid(), "sleep_analysis", stage.name, stage.start, stage.end, .watch),
            "sleep_analysis", end: stage.end, at: stage.end < window.night.lowerBound ? stage.end + 600 : at)
    }

    private mutating func addNap(_ nap: Range<Int64>, _ window: inout DayWindow) {
        guard nap.upperBound <= until, window.isWatchOn(nap) else { return }
        let middle = nap.lowerBound + Int64(nap.count / 60 * 30 * 2 / 3)
        let stages = [
            DemoTruth.Stage(name: "asleep_core", start: nap.lowerBound, end: middle),
            DemoTruth.Stage(name: "asleep_rem", start: middle, end: nap.upperBound),
        ]
        for stage in stages { add(stage, &window) }
        truth.nights.append(
            DemoTruth.Night(start: nap.lowerBound, end: nap.upperBound, isNap: true, stages: stages))
    }

    /// Cycles of an hour and a half, deep sleep in the first ones, dreams in the last, in steps of 30 seconds.
    private func stages(_ range: Range<Int64>, _ random: inout DemoRandom) -> [DemoTruth.Stage] {
        var stages: [DemoTruth.Stage] = []
        var next = range.lowerBound
        func add(_ name: String, _ halfMinutes: Int) {
            let end = min(range.upperBound, next + Int64(halfMinutes) * 30)
            guard end > next else { return }
            if stages.last?.name == name {
                stages[stages.count - 1].end = end
            } else {
                stages.append(DemoTruth.Stage(name: name, start: next, end: end))
            }
            next = end
        }
        var cycle = 0
        while next < range.upperBound {
            add("asleep_core", random.int(24...60))
            if random.chance(0.35) { add("awake", random.int(2...9)) }
            add("asleep_deep", max(0, random.int(30...66) - cycle * 18))
            add("asleep_core", random.int(20...50))
            if random.chance(0.25) { add("awake", random.int(2...14)) }
            add("asleep_rem", min(76, random.int(10...26) + cycle * 14))
            cycle += 1
        }
        // Nobody is asleep when they get up.
        if let last = stages.last, last.name == "awake" { stages.removeLast() }
        return stages
    }

    /// What is measured only while asleep.
    private mutating func addBreath(_ stages: [DemoTruth.Stage], _ window: inout DayWindow) {
        guard let first = stages.first, let last = stages.last else { return }
        let at = last.end + 300
        var time = first.start + 600
        while time + 900 < last.end {
            let end = time + 900
            let rate = Double(window.random.around(29, 2)) / 2
            add(
                text.quantity(window.random.uuid(), "respiratory_rate", rate, "count/min", time, end, .watch),
                "respiratory_rate", end: end, at: at)
            add(reading: "respiratory_rate", rate, time, end)
            time = end + Int64(window.random.int(0...600))
        }
        let temperature = 34.5 + Double(window.random.int(-6...6)) / 16 + (window.plan.isIll ? 1.25 : 0)
        add(
            text.quantity(
                window.random.uuid(), "apple_sleeping_wrist_temperature", temperature, "degC", first.start, last.end,
                .watch),
            "apple_sleeping_wrist_temperature", end: last.end, at: at)
        add(reading: "apple_sleeping_wrist_temperature", temperature, first.start, last.end)
    }
}
