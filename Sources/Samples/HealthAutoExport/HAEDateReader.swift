import Wire

/// Takes a date's text apart, character by character: what `HAEDate` reads when it is not of the normal form.
struct HAEDateReader {
    private(set) var date: CivilDate?
    private(set) var microsecond: Int64 = 0
    private(set) var offsetMinutes: Int16?

    /// Normalised: digits and signs are ASCII, every white space is one space, marks of writing direction are gone.
    private var characters: [Unicode.Scalar] = []
    private var index = 0
    private var hour: Int?
    private var minute = 0
    private var second = 0
    private var isAfternoon: Bool?
    private var namesUTC = false
    private var isTooLong = false

    init(_ text: Span<UInt8>) {
        guard text.count <= 4 * HAEDate.maximumCharacters else {
            isTooLong = true
            return
        }
        for scalar in String(decoding: (0..<text.count).map { text[$0] }, as: UTF8.self).unicodeScalars {
            guard let plain = Self.normalised(scalar) else { continue }
            if plain == " " && (characters.isEmpty || characters.last == " ") { continue }
            characters.append(plain)
        }
        if characters.last == " " { characters.removeLast() }
    }

    /// nil for what has no meaning: marks of direction and the like.
    private static func normalised(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        if scalar.isASCII { return scalar == "\t" || scalar == "\n" || scalar == "\r" ? " " : scalar }
        switch scalar {
        case "\u{200B}", "\u{200E}", "\u{200F}", "\u{061C}", "\u{FEFF}", "\u{2066}"..."\u{2069}": return nil
        case "\u{2212}": return "-"
        case "\u{FF1A}": return ":"
        default: break
        }
        if scalar.properties.isWhitespace { return " " }
        if scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue, 0...9 ~= value {
            return Unicode.Scalar(UInt8(ascii: "0") + UInt8(value))
        }
        return scalar
    }

    /// Of the local day, 0 where only a day is written; nil when the clock has no such time.
    var secondOfDay: Int64? {
        guard var hour else { return 0 }
        if let isAfternoon {
            // 12 is the hour before 1; some write 14 pm, none 14 am.
            guard isAfternoon ? hour < 24 : hour <= 12 else { return nil }
            if hour <= 12 { hour = hour % 12 + (isAfternoon ? 12 : 0) }
        }
        guard hour < 24, minute < 60, second <= 60 else { return nil }
        return Int64(hour * 3_600 + minute * 60 + second)
    }

    mutating func read() throws(HAEDateFault) {
        guard !isTooLong, characters.count <= HAEDate.maximumCharacters else { throw .invalid }
        guard let year = number(1...4), take("-"), let month = number(1...2), take("-"), let day = number(1...2) else {
            throw .invalid
        }
        date = CivilDate(year: year, month: month, day: day)
        while let character = current {
            switch character {
            case " ", ",": index += 1
            case "T" where hour == nil, "t" where hour == nil:
                index += 1
                try readTime()
            case "0"..."9": try readTime()
            case "+", "-": try readOffset()
            default: try readWord()
            }
        }
        if offsetMinutes == nil && namesUTC { offsetMinutes = 0 }
        // A zone or day-period is one of a time.
        if hour == nil && (offsetMinutes != nil || isAfternoon != nil) { throw .invalid }
    }

    // MARK: Pieces

    private var current: Unicode.Scalar? { index < characters.count ? characters[index] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard current == character else { return false }
        index += 1
        return true
    }

    /// A number of so many digits; nil when another number of them is here.
    private mutating func number(_ digits: ClosedRange<Int>) -> Int? {
        var value = 0, count = 0
        while let character = current, "0"..."9" ~= character {
            count += 1
            guard count <= digits.upperBound else { return nil }
            value = value * 10 + Int(character.value) - 0x30
            index += 1
        }
        return digits.contains(count) ? value : nil
    }

    /// `H:MM[:SS[.f]]`
    private mutating func readTime() throws(HAEDateFault) {
        guard hour == nil, let hour = number(1...2), take(":"), let minute = number(2...2) else { throw .invalid }
        self.hour = hour
        self.minute = minute
        guard take(":") else { return }
        guard let second = number(2...2) else { throw .invalid }
        self.second = second
        guard take(".") || take(",") else { return }
        var scale: Int64 = 100_000
        guard let first = current, "0"..."9" ~= first else { throw .invalid }
        while let character = current, "0"..."9" ~= character {
            microsecond += Int64(character.value - 0x30) * scale
            scale /= 10
            index += 1
        }
    }

    /// `+HHMM`, `+HH:MM`, `+HH` or `+H`; nobody lives beyond 18 hours.
    private mutating func readOffset() throws(HAEDateFault) {
        guard hour != nil, offsetMinutes == nil else { throw .invalid }
        let isNegative = take("-")
        if !isNegative { _ = take("+") }
        let first = index
        guard let digits = number(1...4) else { throw .invalid }
        var minutes: Int
        switch index - first {
        case 1, 2:
            minutes = digits * 60
            if take(":") {
                guard let more = number(2...2), more < 60 else { throw .invalid }
                minutes += more
            }
        case 4 where digits % 100 < 60: minutes = digits / 100 * 60 + digits % 100
        default: throw .invalid
        }
        guard minutes <= 18 * 60 else { throw .invalid }
        offsetMinutes = Int16(isNegative ? -minutes : minutes)
    }

    /// A day-period, or the name of UTC.
    private mutating func readWord() throws(HAEDateFault) {
        var word = letters()
        // "a. m." is one word.
        if word == "a" || word == "p" {
            let behind = index
            while take(" ") {}
            if letters() == "m" { word += "m" } else { index = behind }
        }
        switch word {
        case "z", "utc", "gmt":
            guard hour != nil, offsetMinutes == nil, !namesUTC else { throw .invalid }
            namesUTC = true
        default:
            guard isAfternoon == nil, let period = Self.dayPeriods[word] else { throw .invalid }
            isAfternoon = period
        }
    }

    /// Letters up to a space, digit or sign, in lower case and without dots.
    private mutating func letters() -> String {
        var word = ""
        while let character = current, character != " ", character != "+", character != "-", !("0"..."9" ~= character) {
            index += 1
            if character != "." { word += character.properties.lowercaseMapping }
        }
        return word
    }

    /// The words that phones write for the halves of a day; true is the afternoon. Source: Unicode CLDR.
    private static let dayPeriods: [String: Bool] = [
        "am": false, "a": false, "pm": true, "p": true,
        "上午": false, "凌晨": false, "清晨": false, "早上": false, "下午": true, "晚上": true,
        "午前": false, "午後": true, "오전": false, "오후": true,
        "ص": false, "م": true, "قظ": false, "بظ": true,
        "πμ": false, "μμ": true, "fm": false, "em": true, "de": false, "du": true, "dop": false, "odp": true,
        "पूर्वाह्न": false, "अपराह्न": true, "ก่อนเที่ยง": false, "หลังเที่ยง": true, "sa": false, "ch": true,
    ]
}
