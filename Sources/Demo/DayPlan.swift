import Samples

/// The clock where the person is.
struct Place {
    var zone: ZoneRules
    var latitude: Double
    var longitude: Double

    /// - Parameter second: of the day's clock; past its end is the next day.
    func time(day: Int, second: Int) -> Int64 {
        let local = Int64(day) * 86_400 + Int64(second)
        return local - Int64(zone.offsetSeconds(atLocalSeconds: local))
    }

    func offsetSeconds(at time: Int64) -> Int64 {
        Int64(zone.offsetSeconds(at: Timestamp(microseconds: time * 1_000_000)))
    }

    /// Days since 1970-01-01, by this clock.
    func day(of time: Int64) -> Int { Int((time + offsetSeconds(at: time)) / 86_400) }

    /// When the clock shows the next midnight.
    func midnight(after time: Int64) -> Int64 { self.time(day: day(of: time) + 1, second: 0) }
}

/// Something that goes on at an even pace, in cells of 16 seconds.
///
/// Paces are whole numbers of small parts, so that a cell has whole steps, and so that any part of it that is cut at a
/// whole second is still exact in a `Double`.
struct Motion {
    static let cellSeconds: Int64 = 16

    var start: Int64
    var cells: Int
    /// Sixteenths of a step a second.
    var steps = 0
    /// 256ths of a metre a second.
    var metres = 0
    /// The type of those metres.
    var distanceType = "distance_walking_running"
    /// Sixteenths of a stroke a second.
    var strokes = 0
    /// 4,096ths of a kilocalorie a second.
    var energy = 0
    /// Beats a minute once the heart has settled.
    var pulse = 90
    /// Counts as exercise.
    var isBrisk = false
    /// The cells in which the phone is along.
    var phone = 0..<0
    var flights = 0

    var end: Int64 { start + Int64(cells) * Self.cellSeconds }

    func time(ofCell cell: Int) -> Int64 { start + Int64(cell) * Self.cellSeconds }
}

struct PlannedWorkout {
    var activity: String
    var isOutdoor: Bool
    /// Recorded by an app on the phone, as there is no watch.
    var isOfPhone = false
    /// In the order of time.
    var motions: [Motion]
    var start: Int64
    var end: Int64
}

/// What the person does from one morning to the night, and what they wear and carry.
struct DayPlan {
    let index: Int
    let place: Place
    let isAway: Bool
    let isIll: Bool
    let hasPhone: Bool
    let hasWatch: Bool
    /// 0 at the first day, 1 at the last: the person gets fitter.
    let progress: Double
    var wake: Int64 = 0
    var bed: Int64 = 0
    var wearsWatchAtNight = true
    /// When the watch is on its charger.
    var charging: [Range<Int64>] = []
    var nap: Range<Int64>?
    /// In the order of time; those of workouts too.
    private(set) var motions: [Motion] = []
    private(set) var workouts: [PlannedWorkout] = []

    private let day: Int
    private var random: DemoRandom
    private var weekday: Int { (day + 3) % 7 }  // 0 is Monday: 1970-01-01 was a Thursday

    /// - Parameter day: days since 1970-01-01.
    init(index: Int, day: Int, place: Place, settings: DemoSettings, seasons: DemoSeasons) {
        self.index = index
        self.day = day
        self.place = place
        isAway = seasons.away.contains(index)
        isIll = seasons.ill.contains(index)
        hasPhone = !seasons.withoutPhone.contains(index)
        hasWatch = !seasons.withoutWatch.contains(index)
        progress = settings.days < 2 ? 1 : Double(index) / Double(settings.days - 1)
        random = DemoRandom(seed: settings.seed, day: index, stream: 1)
        planHours(isLastAway: index == seasons.away.upperBound - 1)
        planWorkout()
        if !isIll { planWalks() }
        planErrands()
        motions.sort { $0.start < $1.start }
    }

    private func time(_ hour: Int, _ minute: Int = 0, _ second: Int = 0) -> Int64 {
        place.time(day: day, second: hour * 3_600 + minute * 60 + second)
    }

    private mutating func time(around hour: Int, _ minute: Int, width minutes: Int) -> Int64 {
        place.time(day: day, second: random.around(hour * 3_600 + minute * 60, minutes * 60))
    }

    private mutating func planHours(isLastAway: Bool) {
        let isWeekend = weekday >= 5, isLate = weekday == 4 || weekday == 5
        wake = isWeekend ? time(around: 8, 10, width: 25) : time(around: 6, 35, width: 10)
        bed = isLate ? time(around: 24, 40, width: 15) : time(around: 22, 45, width: 20)
        if isIll { bed = time(21, 30) }
        if isLastAway { bed = time(17, 15) }  // the night is spent on the plane home, and ends by the clock there
        wearsWatchAtNight = random.chance(0.94)
        let length = Int64(random.int(1_700...3_600))
        let charger = random.chance(0.6) ? wake + Int64(random.int(300...900)) : time(21, 5, random.int(0...599))
        if charger < bed - 1_200 { charging.append(charger..<min(charger + length, bed - 60)) }
        if isWeekend && !isAway && random.chance(0.22) {
            let start = time(14, 20, random.int(0...1_800))
            nap = start..<start + Int64(random.int(40...110)) * 30
        }
    }

    // MARK: Movement

    /// Puts it among the others where there is room.
    @discardableResult private mutating func place(_ motion: Motion) -> Bool {
        let isFree =
            motion.start >= wake + 64 && motion.end <= bed - 64
            && nap.map { motion.end < $0.lowerBound || motion.start > $0.upperBound } != false
            && motions.allSatisfy { motion.end + 32 <= $0.start || motion.start >= $0.end + 32 }
        if isFree { motions.append(motion) }
        return isFree
    }

    /// - Parameter withPhone: how likely the phone is along.
    private mutating func walk(_ start: Int64, cells: Int, brisk: Bool, withPhone: Double) {
        var motion = Motion(start: start, cells: cells)
        motion.steps = random.int(brisk ? 28...31 : 17...26)
        motion.metres = motion.steps * random.int(10...13)
        motion.energy = random.int(brisk ? 310...370 : 200...290)
        motion.pulse = random.int(brisk ? 103...116 : 88...101)
        motion.isBrisk = brisk && cells > 18
        if hasPhone && random.chance(withPhone) {
            // Picked up or put down on the way, at times.
            let first = cells > 12 ? random.int(0...cells / 4) * random.int(0...1) : 0
            let last = cells > 12 ? cells - random.int(0...cells / 4) * random.int(0...1) : cells
            motion.phone = first..<last
        }
        if random.chance(cells > 20 ? 0.4 : 0.1) { motion.flights = random.int(1...3) }
        place(motion)
    }

    private mutating func planWalks() {
        if isAway {
            for hour in [9, 11, 14, 16, 19] {
                walk(time(hour, random.int(0...40)), cells: random.int(90...170), brisk: true, withPhone: 0.95)
            }
        } else if weekday < 5 {
            walk(time(7, 48, random.int(0...400)), cells: random.int(38...46), brisk: true, withPhone: 0.95)
            walk(time(8, 25, random.int(0...240)), cells: random.int(18...26), brisk: true, withPhone: 0.95)
            walk(time(12, 20, random.int(0...900)), cells: random.int(30...70), brisk: true, withPhone: 0.6)
            walk(time(17, 5, random.int(0...240)), cells: random.int(18...26), brisk: true, withPhone: 0.95)
            walk(time(17, 31, random.int(0...120)), cells: random.int(38...46), brisk: true, withPhone: 0.95)
        } else {
            walk(time(11, 15, random.int(0...1_200)), cells: random.int(50...110), brisk: true, withPhone: 0.7)
            walk(time(15, 50, random.int(0...1_200)), cells: random.int(90...240), brisk: true, withPhone: 0.8)
        }
        // Home from friends, past midnight.
        if weekday == 5 {
            walk(time(23, 45, random.int(0...300)), cells: random.int(90...110), brisk: true, withPhone: 0.9)
        }
    }

    /// Within the home, the office, a shop: short, and the phone often lies on a table.
    private mutating func planErrands() {
        for hour in 6...23 {
            for _ in 0..<random.int(isIll ? 0...1 : 0...2) {
                let start = time(hour, 0, random.int(0...3_400))
                walk(start, cells: random.int(4...14), brisk: false, withPhone: 0.35)
            }
        }
    }

    // MARK: Workouts

    private mutating func planWorkout() {
        guard !isIll else { return }
        if isAway {
            if random.chance(0.4) { planRun(time(7, 30, random.int(0...600)), legs: random.int(4...6)) }
            return
        }
        if !hasWatch {
            if weekday == 1 || weekday == 5 { planRun(time(18, 2, random.int(0...600)), legs: 6) }
            return
        }
        switch weekday {
        case 0 where random.chance(0.6):
            plan("traditional_strength_training", time(18, 30), legs: random.int(6...9), isOutdoor: false) {
                _, random in
                Motion(start: 0, cells: 20, energy: random.int(300...380), pulse: random.int(108...124), isBrisk: true)
            }
        case 1 where random.chance(0.85): planRun(time(18, 5, random.int(0...900)), legs: random.int(5...8))
        case 2 where random.chance(0.5):
            plan("yoga", time(19, 30), legs: random.int(6...9), isOutdoor: false) { _, random in
                Motion(start: 0, cells: 20, energy: random.int(140...190), pulse: random.int(84...96), isBrisk: false)
            }
        case 3 where random.chance(0.75):
            plan("swimming", time(18, 45, random.int(0...600)), legs: random.int(5...8), isOutdoor: false) {
                _, random in
                Motion(
                    start: 0, cells: 20, metres: random.int(200...240), distanceType: "distance_swimming",
                    strokes: random.int(8...10), energy: random.int(560...640), pulse: random.int(128...140),
                    isBrisk: true)
            }
        case 5 where random.chance(0.8): planRun(time(9, 40, random.int(0...900)), legs: random.int(9...14))
        case 6 where random.chance(0.7):
            plan("cycling", time(13, 0, random.int(0...900)), legs: random.int(9...16), isOutdoor: true) { _, random in
                Motion(
                    start: 0, cells: 20, metres: random.int(1_500...2_100), distanceType: "distance_cycling",
                    energy: random.int(560...700), pulse: random.int(126...142), isBrisk: true)
            }
        default: break
        }
    }

    private mutating func planRun(_ start: Int64, legs: Int) {
        let withPhone = hasPhone && (!hasWatch || random.chance(0.4))
        guard hasWatch || withPhone else { return }
        let stride = 14 + Int((progress * 3).rounded())
        plan("running", start, legs: legs, isOutdoor: true) { leg, random in
            var motion = Motion(start: 0, cells: 20)
            motion.steps = random.int(42...45)
            motion.metres = motion.steps * (stride + random.int(0...1))
            motion.energy = random.int(740...840)
            motion.pulse = random.int(142...150) + leg
            motion.isBrisk = true
            if withPhone { motion.phone = 0..<motion.cells }
            return motion
        }
    }

    private mutating func plan(
        _ activity: String, _ start: Int64, legs: Int, isOutdoor: Bool,
        _ make: (_ leg: Int, inout DemoRandom) -> Motion
    ) {
        var planned: [Motion] = []
        var next = start
        for leg in 0..<legs {
            var motion = make(leg, &random)
            motion.start = next
            planned.append(motion)
            next = motion.end
            // A red light, a drink.
            if leg + 1 < legs && random.chance(0.08) { next += Int64(random.int(3...9)) * 16 }
        }
        let isFree = planned[0].start > wake + 600 && next < bed - 600 && nap == nil
        guard isFree else { return }
        charging.removeAll { $0.overlaps(start - 600..<next + 600) }
        motions += planned
        workouts.append(
            PlannedWorkout(
                activity: activity, isOutdoor: isOutdoor, isOfPhone: !hasWatch, motions: planned, start: start,
                end: next))
    }
}
