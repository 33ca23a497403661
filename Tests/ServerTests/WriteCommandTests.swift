import Foundation
import Receiver
import Samples
import Storage
import TestSupport
import Testing

@testable import server

/// At 2026-10-14T07:05:00Z, unless told otherwise.
@Suite struct WriteCommandTests {
    private let harness: CommandHarness

    init() {
        harness = CommandHarness()
        harness.run("init", "--time-zone", "Europe/Berlin")
    }

    private func rows() throws -> [CommandRow] { try StoreReader(directory: harness.data).commands() }

    @Test("An end that is far ahead is doubted like a start")
    func farEnd() throws {
        let result = harness.run(
            "write", "sleep_analysis", "asleep_core", "--at", "01:10", "--end", "2099-01-01T00:00:00Z", "--strict")
        #expect(result.status == .data && result.errors.contains("more than a day ahead"))
    }

    @Test("An app that writes nothing is asked for nothing", arguments: Dialect.unsigned)
    func toAnAppThatTakesNoCommands(format: Dialect) throws {
        harness.run("add", "guest", "--format", format.rawValue)
        let result = harness.run("write", "dietary_water", "0.25", "L", "--to", "guest")
        #expect(
            result
                == .init(
                    status: .data, output: "",
                    errors: "server: guest is for an app of the format \(format.rawValue), which writes nothing into "
                        + "Apple Health: name an endpoint of Syncky's.\n"))
        #expect((try? rows())?.isEmpty != false)
    }

    @Test("the id is the only line on standard output, what was queued a sentence on standard error")
    func queued() throws {
        let result = harness.run("write", "dietary_water", "0.25", "L", "--at", "07:00")
        #expect(result.status == .success && result.output == "c_1\n")
        #expect(
            result.errors == """
                Queued dietary_water 0.25 L at 2026-10-14 05:00:00 UTC for phone. It goes out in the reply to the phone's \
                next delivery of new data, once server serve runs.

                """)
        let named = harness.run(
            "write", "sleep_analysis", "asleep_core", "--at", "01:00", "--end", "2026-10-14T01:00:00Z", "--id", "n:1")
        #expect(
            named.output == "n:1\n" && named.errors.contains(" at 2026-10-13 23:00:00 UTC to 2026-10-14 01:00:00 UTC "))
        #expect(harness.run("write", "dietary_water", "30", "mL").output == "c_2\n")
        let rows = try rows()
        #expect(rows.map(\.id) == ["c_1", "n:1", "c_2"] && rows.map(\.state) == [.waiting, .waiting, .waiting])
        #expect(
            rows[0].body
                == #"{"command_id":"c_1","version":1,"op":"write","type":"dietary_water","value":0.25,"unit":"L","start":"2026-10-14T05:00:00Z","end":"2026-10-14T05:00:00Z"}"#
        )
        #expect(
            rows[1].body
                == #"{"command_id":"n:1","version":1,"op":"write","type":"sleep_analysis","value":"asleep_core","start":"2026-10-13T23:00:00Z","end":"2026-10-14T01:00:00Z"}"#
        )
        #expect(rows[2].body.contains(#""value":30,"unit":"mL","start":"2026-10-14T07:05:00Z""#))
    }

    @Test("an id that was used makes the next version, of the same type")
    func versions() throws {
        harness.run("write", "dietary_water", "0.25", "L", "--id", "cup")
        let again = harness.run("write", "dietary_water", "0.3", "L", "--id", "cup")
        #expect(again.output == "cup\n" && again.errors.contains(" as version 2 of cup for phone. "))
        let other = harness.run("write", "body_mass", "70", "kg", "--id", "cup")
        #expect(
            other
                == .init(
                    status: .data, output: "",
                    errors:
                        "server: This command id belongs to a command of type dietary_water, and a version can't change it.\n"
                ))
        #expect(try rows().map(\.version) == [2])
    }

    @Test("the grammar is refused with its reason, and nothing is queued")
    func grammar() throws {
        let cases: [(words: [String], status: ExitStatus, message: String)] = [
            (["Water", "1", "L"], .usage, "A type is 2 to 64 of a-z, 0-9 and _, a letter first."),
            (["w", "1", "L"], .usage, "A type is 2 to 64 of a-z, 0-9 and _, a letter first."),
            (
                ["dietary_water", "1", "L", "--id", "a b"], .usage,
                "A command id is 1 to 64 letters, digits, or characters of _ . : -."
            ),
            (
                ["dietary_water", "1", "L", "--id", ""], .usage,
                "A command id is 1 to 64 letters, digits, or characters of _ . : -."
            ),
            (["dietary_water", "1", "L", "--end", "06:00"], .usage, "The end lies before the start."),
            (["dietary_water", "1", ""], .usage, "A unit is 1 to 64 bytes without control characters."),
            (["dietary_water", "1", "a\u{7}"], .usage, "A unit is 1 to 64 bytes without control characters."),
            (
                ["dietary_water", "0,25", "L"], .data,
                "VALUE must be a number such as 0.25, with a point and without a sign + or separators."
            ),
            (
                ["dietary_water", "1", "L", "--at", "yesterday"], .usage,
                "--at takes now, a time such as 2026-10-14T07:00:00Z, or one on the clock of Europe/Berlin: "
                    + "\"2026-10-14 07:00\" or 07:00."
            ),
            (["dietary_water"], .usage, "write needs VALUE: see server write --help."),
            (
                ["dietary_water", "1", "L", "x"], .usage,
                "x is one word too many: server write TYPE VALUE [UNIT] [options]."
            ),
            (
                ["dietary_water", "1", "L", "--to", "anna"], .usage,
                "There is no endpoint anna; there is phone."
            ),
            (["dietary_water", "1", "L", "--strcit"], .usage, "write has no flag --strcit; did you mean --strict?"),
        ]
        for (words, status, message) in cases {
            #expect(
                harness.run(words: ["write"] + words)
                    == .init(status: status, output: "", errors: "server: \(message)\n"))
        }
        #expect(harness.run("commands", "--json").output == "[]\n")
    }

    @Test("what the catalog doubts is queued with one warning; --strict refuses it")
    func doubts() throws {
        let cases: [(words: [String], doubts: String)] = [
            (["dietary_watr", "5", "L"], "its type is not in the catalog (did you mean dietary_water?)"),
            (["step_count", "5", "count"], "its type is not in the catalog (did you mean steps?)"),
            (["moon_phase", "full"], "its type is not in the catalog"),
            (
                ["body_temperature", "5", "C"],
                "its unit is none of those that the catalog has for this type (degC, degF, K)"
            ),
            (["dietary_water", "5000", "L"], "its value is above 30000 mL"),
            (["apple_exercise_time", "30", "min"], "apps can't write this type as far as the catalog knows"),
            (
                ["toothbrushing_event", "twice"],
                "its value is none of those that the catalog has for this type (not_applicable)"
            ),
            (["dietary_water", "1", "L", "--at", "2027-01-01T00:00:00Z"], "its time is more than a day ahead"),
            (
                ["apple_exercise_time", "1441", "kg", "--at", "2027-01-01 00:00"],
                "its unit is none of those that the catalog has for this type (s, ms, mcs, ns, min, hr, d); apps can't write "
                    + "this type as far as the catalog knows; its time is more than a day ahead"
            ),
        ]
        for (index, (words, doubts)) in cases.enumerated() {
            #expect(
                harness.run(words: ["write"] + words + ["--strict"])
                    == .init(
                        status: .data, output: "",
                        errors: "server: The app may refuse this command: \(doubts). Without --strict it is queued.\n"))
            let result = harness.run(words: ["write"] + words)
            #expect(result.status == .success && result.output == "c_\(index + 1)\n")
            let lines = result.errors.split(separator: "\n")
            #expect(lines[0] == "Warning: The app may refuse this command, which is queued all the same: \(doubts).")
            #expect(lines.count == 2 && lines[1].hasPrefix("Queued \(words[0]) \(words[1])"))
        }
        #expect(harness.run("write", "dietary_water", "1", "L", "--strict").status == .success)
        #expect(try rows().count == cases.count + 1)
    }

    @Test("--catalog takes the place of the built-in catalog")
    func otherCatalog() throws {
        let folder = harness.folder
        let gone = harness.run("write", "moon_phase", "full", "--catalog", folder)
        #expect(gone.status == .inputOutput && gone.errors.contains("\(folder)/types.json can't be read: No such file"))
        for name in ["types", "units"] {
            try FileManager.default.copyItem(
                at: TestSupport.RepositoryRoot.url.appending(path: "schemas/\(name).json"),
                to: URL(fileURLWithPath: "\(folder)/\(name).json"))
        }
        let path = "\(folder)/types.json"
        let types = try String(contentsOfFile: path, encoding: .utf8)
        try types.replacing(#""name": "dietary_water""#, with: #""name": "moon_water""#)
            .write(toFile: path, atomically: true, encoding: .utf8)
        let result = harness.run("write", "moon_water", "5", "--strict", "--catalog", folder)
        #expect(result.status == .success && result.errors.hasPrefix("Queued moon_water 5 mL "))
        try Data("{".utf8).write(to: URL(fileURLWithPath: path))
        let broken = harness.run("write", "moon_water", "5", "--catalog", folder)
        #expect(broken.status == .data && broken.errors.hasPrefix("server: \(folder)/types.json:1: "))
    }

    @Test("a value is read from standard input for -")
    func standardInput() throws {
        #expect(harness.run("write", "dietary_water", "-", "L", input: ["0.5"]).status == .success)
        #expect(try rows()[0].value == .number(0.5, text: "0.5"))
        let ended = harness.run("write", "dietary_water", "-", "L")
        #expect(ended.status == .data && ended.errors.contains("ended before the value"))
    }

    @Test("with several endpoints --to must be given")
    func several() throws {
        harness.run("add", "anna")
        for words in [["write", "dietary_water", "1", "L"], ["delete", "c_1"]] {
            #expect(
                harness.run(words: words)
                    == .init(
                        status: .usage, output: "",
                        errors: "server: There are several endpoints, so say which: --to anna or --to phone.\n"))
        }
        #expect(harness.run("write", "dietary_water", "1", "L", "--to", "anna").output == "c_1\n")
        #expect(
            harness.run("write", "dietary_water", "1", "L", "--to", "phone").output == "c_1\n", "counted by endpoint")
        #expect(harness.run("commands", "--to", "anna").output.split(separator: "\n").count == 2)
        #expect(harness.run("commands").output.split(separator: "\n").count == 3)
        #expect(harness.run("commands", "--to", "bob").status == .usage)
        harness.run("remove", "phone")
        harness.run("remove", "anna")
        #expect(harness.run("write", "dietary_water", "1", "L").status == .usage)
    }

    @Test("delete makes the next version; of what isn't there it says so")
    func delete() throws {
        #expect(
            harness.run("delete", "c_1")
                == .init(
                    status: .data, output: "", errors: "server: phone has no command c_1: server commands lists them.\n"
                ))
        harness.run("write", "dietary_water", "1", "L")
        let result = harness.run("delete", "c_1")
        #expect(result.output == "c_1\n")
        #expect(
            result.errors.hasPrefix("Queued the removal of what c_1 wrote (dietary_water) as its version 2 for phone. ")
        )
        #expect(
            try rows().map(\.body)
                == [#"{"command_id":"c_1","version":2,"op":"delete","type":"dietary_water"}"#])
        let again = harness.run("delete", "c_1", seconds: 1_791_961_600)
        #expect(again.status == .success && again.errors.hasPrefix("Queued before: the removal of what c_1 wrote "))
        #expect(try rows().map(\.version) == [2], "asked twice, removed once")
        #expect(harness.run("delete", "c 1").status == .usage)
        #expect(harness.run("delete").status == .usage)
    }

    @Test("commands lists the queue")
    func list() throws {
        #expect(harness.run("commands").output == "There is no command: server write makes one.\n")
        #expect(harness.run("commands", "--json").output == "[]\n")
        harness.run("write", "dietary_water", "0.25", "L", "--at", "07:00")
        harness.run("write", "sleep_analysis", "asleep_core", "--at", "01:00")
        harness.run("delete", "c_1")
        #expect(
            harness.run("commands").output == """
                ID   ENDPOINT  VERSION  OP      TYPE            VALUE        UNIT  AT                    STATE    REASON  SENT  SAMPLE
                c_2  phone     1        write   sleep_analysis  asleep_core  -     2026-10-13T23:00:00Z  waiting  -       0     -
                c_1  phone     2        delete  dietary_water   -            -     -                     waiting  -       0     -

                """)
        #expect(harness.run("commands", "--waiting").output == harness.run("commands").output)
        let json = try JSONSerialization.jsonObject(with: Data(harness.run("commands", "--json").output.utf8))
        #expect((json as? [[String: Any]])?.map { $0["id"] as? String } == ["c_2", "c_1"])
        #expect(harness.run("status").output.contains("\nCommands: 2 waiting, 0 applied, 0 rejected\n"))
    }

    @Test("status doesn't count commands of an endpoint that is gone")
    func removed() throws {
        harness.run("write", "dietary_water", "1", "L")
        harness.run("add", "anna")
        harness.run("remove", "phone")
        #expect(harness.run("status", "--json").output.contains("\"waiting\": 0,\n  \"commands\": [],"))
        #expect(harness.run("commands").output.contains("c_1  phone"))
    }
}
