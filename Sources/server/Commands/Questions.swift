import Insights
import Receiver
import Samples
import Storage

/// Of every command that asks the read model.
let personFlag = Flag("person", "P", "whose data; needed where there are several persons")

extension CommandContext {
    /// The read model of the folder, as the API has it.
    func readModel(_ arguments: ParsedArguments, catalog: Catalog) throws(CommandFailure) -> ReadModel {
        let configuration = try settings(arguments).configuration
        let setup = configuration.readSetup(directory: try dataFolder(arguments), catalog: catalog)
        do throws(StoreError) { return try ReadModel(setup) } catch {
            if error.reason == .missing { throw CommandFailure(.inputOutput, "Nothing was stored here yet.") }
            throw CommandFailure(error)
        }
    }

    /// Whom the question is about: `--person`, else the only one there is.
    func person(_ arguments: ParsedArguments, _ model: ReadModel) throws(CommandFailure) -> Person {
        var names = model.setup.persons.map(\.name)
        do throws(StoreError) {
            // Whoever's endpoint was removed still has data.
            let stored = try StoreReader(directory: model.setup.directory).connection
                .prepare("SELECT name FROM person ORDER BY name")
            while try stored.step() {
                if let name = stored.text(0), !names.contains(name) { names.append(name) }
            }
        } catch {
            throw CommandFailure(error)
        }
        guard let name = arguments.value("person") ?? (names.count == 1 ? names[0] : nil) else {
            guard !names.isEmpty else { throw CommandFailure(.inputOutput, "Nothing was stored here yet.") }
            throw .usage("There are several persons, so name one with --person: \(names.joined(separator: ", ")).")
        }
        guard names.contains(name) else {
            throw .usage("There is no person \(printable(name)); there is \(names.joined(separator: ", ")).")
        }
        return model.person(named: name)
    }

    /// The moment that a flag gives: a day, which is its begin by the person's clock, or a time as `server write` takes it.
    func time(
        _ arguments: ParsedArguments, _ flag: String, of person: Person
    ) throws(CommandFailure) -> Timestamp? {
        guard let text = arguments.value(flag) else { return nil }
        if let date = CivilDate.parse(Array(text.utf8).span) { return person.begin(ofDay: date.daysSince1970) }
        let zone = person.zone
        if let time = try? WriteTime(now: now(), zone: { zone }).read(text) { return time }
        throw .usage(
            "--\(flag) takes a day such as 2026-10-01, a time such as 2026-10-14T07:00:00Z, or one on the clock of "
                + "\(person.zoneName): \"2026-10-14 07:00\".")
    }
}

extension Person {
    /// Local midnight.
    ///
    /// - Parameter day: days since 1970-01-01; of a year that has four digits.
    func begin(ofDay day: Int) -> Timestamp {
        let local = Int64(day) * 86_400
        return Timestamp(microseconds: (local - Int64(zone.offsetSeconds(atLocalSeconds: local))) * 1_000_000)
    }

    /// The day that their clock shows, as days since 1970-01-01.
    func day(of time: Timestamp) -> Int {
        let (quotient, remainder) = time.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        let local = (remainder < 0 ? quotient - 1 : quotient) + Int64(zone.offsetSeconds(at: time))
        return Int(local / 86_400 - (local % 86_400 < 0 ? 1 : 0))
    }
}

extension SourceName {
    /// `Apple Watch (com.apple.health)`.
    var text: String {
        switch (app, device) {
        case (let app?, let device?): "\(printable(device)) (\(printable(app)))"
        case (let app?, nil): printable(app)
        case (nil, let device?): printable(device)
        case (nil, nil): "unknown"
        }
    }
}

/// `12,345.67`: at most two digits behind the point, which a reader of a table takes in.
func figureText(_ value: Double) -> String {
    guard value.isFinite, value.magnitude < 1e15 else { return "\(value)" }
    let hundredths = Int((value.magnitude * 100).rounded())
    let sign = value < 0 && hundredths > 0 ? "-" : ""
    let (whole, fraction) = hundredths.quotientAndRemainder(dividingBy: 100)
    let digits =
        fraction == 0 ? "" : fraction % 10 == 0 ? ".\(fraction / 10)" : fraction < 10 ? ".0\(fraction)" : ".\(fraction)"
    return sign + grouped(whole) + digits
}
