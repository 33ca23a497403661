import Wire

extension HAEReader {
    mutating func readBody() throws {
        let start = json.position
        guard try json.kind() == .object else { throw refuse("The body is no JSON object.", at: start) }
        try json.enterObject()
        var isKnown = false, isEmpty = true, wrongData: Int?
        while let name = try json.nextMember() {
            isEmpty = false
            guard json.withBytes(of: name, { $0.equals("data") }) else {
                isKnown = try readMember(name) || isKnown
                continue
            }
            place.isInData = true
            switch try json.kind() {
            case .object:
                try json.enterObject()
                while let name = try json.nextMember() { _ = try readMember(name) }
                isKnown = true
            case .null: try json.null()
            case let kind:
                let range = try json.skip()
                if kind != .array || !self.isEmpty(range) { try skip(HAESkip("section_invalid"), range) }
                if kind == .array { isKnown = true } else { wrongData = range.lowerBound }
            }
            place.isInData = false
        }
        let automation = context.automation
        let isEmptyRun = automation.hasName || automation.aggregation != nil || automation.period != nil
        guard isKnown || isEmpty && isEmptyRun else {
            if let wrongData {
                place.isInData = true
                throw refuse("`data` is no object.", at: wrongData)
            }
            throw refuse("The body has neither `data` nor a section such as `metrics`.", at: start)
        }
        try json.finish()
    }

    /// Reads a member of `data` or of the top.
    ///
    /// - Returns: whether it is a section that we know, and there.
    private mutating func readMember(_ name: JSONText) throws -> Bool {
        guard let section = json.withBytes(of: name, { HAESection($0) }) else {
            let kind = try json.kind(), range = try json.skip()
            // `[]` and `{}` are the shortest; what is no list of records is no section.
            if (kind == .array || kind == .object) && !isEmpty(range) {
                try skip(HAESkip("section_unknown"), range, member: name)
            }
            return false
        }
        // A fault leaves the place as it is, to be told.
        place.section = section
        hasSection = true
        let isThere = try readSection(section)
        place = HAEPlace(isInData: place.isInData)
        return isThere
    }

    /// - Returns: whether an array or object is there.
    private mutating func readSection(_ section: HAESection) throws -> Bool {
        switch try json.kind() {
        case .null:
            try json.null()
            return false
        case .array:
            try json.enterArray()
            while try json.nextElement() {
                place.index += 1
                try readElement(section)
            }
        case .object where section.mayBeOneRecord: try readElement(section)
        case let kind:
            try skip(HAESkip("section_invalid"), try json.skip())
            return kind == .object
        }
        return true
    }

    /// Whether an array or object has nothing in it.
    private func isEmpty(_ range: Range<Int>) -> Bool {
        body.withContent { content in
            for index in range.lowerBound + 1..<range.upperBound - 1 where content[index] > 0x20 { return false }
            return true
        }
    }

    private mutating func readElement(_ section: HAESection) throws {
        if section == .metrics { return try readMetric() }
        guard try json.kind() == .object else {
            return try skip(HAESkip("record_invalid"), try json.skip())
        }
        try json.read(into: &object)
        guard object.range.count <= Self.maximumRecordBytes else {
            return try skip(HAESkip("record_too_large"), object.range)
        }
        do throws(HAESkip) {
            switch section {
            case .metrics: break
            case .workouts: try takeWorkout()
            case .stateOfMind: try takeStateOfMind()
            case .symptoms: try takeSymptom()
            case .cycleTracking: try takeCycle()
            case .ecg: try takeElectrocardiogram()
            case .heartRateNotifications: try takeHeartNotification()
            case .medications: try takeMedication()
            }
        } catch {
            pending.removeAll(keepingCapacity: true)
            return try skip(error, object.range)
        }
        try commit()
    }
}
