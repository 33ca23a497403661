import Glibc
import Receiver

/// Replays test vectors against this build.
enum ReplayCommand: Subcommand {
    static let name = "replay"
    static let summary = "replay test-vector files against this build"
    static let usage = ["replay FILE ... [options]"]
    static let details = """
        Each case of a file runs against a server of its own on a loopback port, with
        an empty store in a temporary folder and the case's clock, secrets and endpoint.
        A line for each case tells whether answers, stored rows, the setup link and
        signatures are as the file says. JSON files of other kinds are skipped.
        """
    static let operands = Operands(names: ["FILE"], required: 1, repeatsLast: true)
    static let flags = [Flag("only", "NAME", "run the cases with this name")]
    static let examples = [
        "replay test-vectors/*.json",
        "replay --only native_repeat test-vectors/webhook-requests.json",
    ]

    static func run(_ arguments: ParsedArguments, context: CommandContext) throws(CommandFailure) -> ExitStatus {
        var (passed, failed) = (0, 0)
        func report(_ outcome: VectorReplay.Outcome) {
            context.say("\(outcome.hasPassed ? "ok  " : "FAIL") \(outcome.name)")
            for difference in outcome.differences { context.say("     \(difference)") }
            if outcome.hasPassed { passed += 1 } else { failed += 1 }
        }
        func isWanted(_ name: String) -> Bool { arguments.value("only").map { $0 == name } ?? true }

        for path in arguments.operands {
            guard let file = try load(path, context) else { continue }
            for vector in file.cases where isWanted(vector.name) { report(try run(vector)) }
            for vector in file.signatures where isWanted(vector.name) { report(VectorReplay.run(vector)) }
            for reply in file.replies where isWanted(reply.name) { report(VectorReplay.run(reply)) }
        }
        context.say("\(passed) passed, \(failed) failed")
        if passed + failed == 0 { throw CommandFailure(.data, "No case was run.") }
        return failed == 0 ? .success : .data
    }

    /// nil for JSON of another kind: whoever names all files of a folder wants those that are for a server.
    private static func load(_ path: String, _ context: CommandContext) throws(CommandFailure) -> VectorFile? {
        do throws(VectorReplay.LoadFailure) { return try VectorReplay.load(path) } catch {
            switch error {
            case .unreadable: throw CommandFailure(.inputOutput, "\(printable(path)) can't be read.")
            case .notJSON: throw CommandFailure(.data, "\(printable(path)) is not JSON.")
            case .otherShape(let place):
                let member = place.isEmpty ? "" : ": \(place) is missing or of another kind"
                context.say("skip \(printable(path)), which has no cases for a server\(member)")
                return nil
            }
        }
    }

    private static func run(_ vector: VectorCase) throws(CommandFailure) -> VectorReplay.Outcome {
        do throws(TemporaryFolder.Failure) {
            let folder = try TemporaryFolder()
            return VectorReplay.run(vector, in: folder.path)
        } catch {
            throw CommandFailure(.cannotCreate, "No temporary folder can be made: \(error).")
        }
    }
}
