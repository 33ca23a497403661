extension DemoYear {
    /// Beats a minute at full rest: it falls as the person gets fitter.
    private func restingPulse(_ plan: DayPlan) -> Int {
        63 - Int((plan.progress * 8).rounded()) + (plan.isIll ? 10 : 0) + (plan.index * 7 % 5) - 2
    }

    /// Heart rate by day and night, and what is worked out from it.
    mutating func addPulse(_ window: inout DayWindow) {
        let resting = restingPulse(window.plan)
        if settings.hasHeartRate {
            addHeartRate(resting, &window)
            for workout in window.plan.workouts where !workout.isOfPhone { addHeartRate(of: workout, &window) }
        }
        addOxygen(&window)
        addVariability(&window)
        let evening = window.plan.bed - 2_400
        guard window.isWatchOn(evening..<evening + 1), window.plan.hasWatch else { return }
        addDiscrete("resting_heart_rate", Double(resting), "count/min", evening, &window)
        addDiscrete(
            "walking_heart_rate_average", Double(resting + window.random.int(36...44)), "count/min", evening, &window)
    }

    private mutating func addDiscrete(
        _ type: String, _ value: Double, _ unit: String, _ time: Int64, _ window: inout DayWindow,
        _ source: SampleText.Source = .watch
    ) {
        let at = source == .watch ? time + window.lag() : time + 5
        add(text.quantity(window.random.uuid(), type, value, unit, time, time, source), type, end: time, at: at)
        add(reading: type, value, time, time)
    }

    /// Every five minutes or so, but within workouts.
    private mutating func addHeartRate(_ resting: Int, _ window: inout DayWindow) {
        var time = window.start + Int64(window.random.int(0...200))
        while time < window.end {
            defer { time += Int64(window.random.int(200...420)) }
            if !window.isWatchOn(time..<time + 1) { continue }
            if window.plan.workouts.contains(where: { $0.start <= time && time < $0.end }) { continue }
            let value: Int
            if let motion = window.plan.motions.last(where: { $0.start <= time + 20 && time < $0.end + 120 }) {
                value = window.random.around(motion.pulse, 4)
            } else if window.night.contains(time) {
                value = window.random.around(resting - 6, 3)
            } else {
                value = window.random.around(resting + 12, 5)
            }
            addDiscrete("heart_rate", Double(value), "count/min", time, &window)
        }
    }

    /// Every five seconds.
    private mutating func addHeartRate(of workout: PlannedWorkout, _ window: inout DayWindow) {
        var time = workout.start, place = 0, wave = 0
        while time < workout.end && time <= until {
            while place + 1 < workout.motions.count && workout.motions[place].end <= time { place += 1 }
            let pulse = workout.motions[place].pulse
            let warmth = min(1, Double(time - workout.start) / 260)
            wave = max(-5, min(5, wave + window.random.int(-1...1)))
            let isPaused = time < workout.motions[place].start
            let value = Int((86 + Double(pulse - 86) * warmth).rounded()) + wave - (isPaused ? 18 : 0)
            add(
                text.quantity(window.random.uuid(), "heart_rate", Double(value), "count/min", time, time, .watch),
                "heart_rate", end: time, at: workout.end + 120)
            add(reading: "heart_rate", Double(value), time, time)
            time += 5
        }
    }

    private mutating func addOxygen(_ window: inout DayWindow) {
        var time = window.start + 3_000
        while time < window.end {
            let isNight = window.night.contains(time)
            if window.isWatchOn(time..<time + 1) {
                let value = Double(window.random.int(isNight ? 94...98 : 95...99)) / 100
                addDiscrete("oxygen_saturation", value, "%", time, &window)
            }
            time += Int64(window.random.int(isNight ? 2_400...4_200 : 8_000...14_000))
        }
    }

    private mutating func addVariability(_ window: inout DayWindow) {
        var time = window.start + Int64(window.random.int(600...4_000))
        while time < window.end {
            if window.isWatchOn(time..<time + 60) {
                let middle = 38 + Int(window.plan.progress * 12) - (window.plan.isIll ? 14 : 0)
                let isNight = window.night.contains(time)
                let value = max(120, window.random.around(middle * 10 + (isNight ? 90 : 0), 70))
                addDiscrete("heart_rate_variability_sdnn", Double(value) / 10, "ms", time, &window)
            }
            time += Int64(window.random.int(9_000...18_000))
        }
    }

    // MARK: Once a day or less

    /// Weight, and what follows a run.
    mutating func addDaily(_ window: inout DayWindow) {
        let plan = window.plan
        if !plan.isAway && window.random.chance(0.62) {
            let time = window.start + Int64(window.random.int(240...900))
            // From 84 kg down, with a hump where the person was ill and away.
            let trend = 84.2 - plan.progress * 5.4 + (plan.progress > 0.76 && plan.progress < 0.86 ? 1.2 : 0)
            let tenths = Int((trend * 10).rounded()) + window.random.around(0, 4)
            addDiscrete("body_mass", Double(tenths) / 10, "kg", time, &window, .scale)
            let fat = 226 - Int(plan.progress * 34) + window.random.int(-4...4)
            addDiscrete("body_fat_percentage", Double(fat) / 1_000, "%", time, &window, .scale)
        }
        if plan.index % 97 == 41 {
            // Typed with two digits swapped, and deleted an hour later.
            let time = window.start + 5_000, uuid = window.random.uuid()
            addMistake(
                text.quantity(uuid, "body_mass", 48.3, "kg", time, time, .typed), "body_mass", uuid: uuid,
                at: time + 10, deletedAt: time + 3_600)
        }
        for workout in plan.workouts where workout.activity == "running" && !workout.isOfPhone {
            let tenths = 384 + Int(plan.progress * 52) + window.random.int(-3...3)
            addDiscrete("vo2_max", Double(tenths) / 10, "ml/(kg*min)", workout.end, &window)
        }
    }

    mutating func addCharacteristics(at time: Int64) {
        for (name, value) in [
            ("biological_sex", "female"), ("blood_type", "o_positive"), ("date_of_birth", "1988-05-17"),
        ] {
            add(
                text.timeless(
                    "characteristic:\(name)", "characteristic",
                    members: Array(",\"name\":\"\(name)\",\"value\":\"\(value)\"".utf8)),
                "characteristic", end: time, at: time)
        }
    }
}
