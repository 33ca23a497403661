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
        A line for each case tells whether answers and stored rows are as the file says.
        """
    static let operands = Operands(names: ["FILE"], required: 1, repeatsLast: true)
    static let flags = [Flag("only", "NAME", "run the cases with this name")]
    static let examples = ["replay test-vectors/webhook-requests.json"]

    static func run(_ arguments: ParsedArguments, context: CommandContext) throws(CommandFailure) -> ExitStatus {
        var (passed, failed) = (0, 0)
        for path in arguments.operands {
            let file: VectorFile
            do { file = try VectorReplay.load(path) } catch {
                throw CommandFailure(.data, "\(printable(path)) is no file of test vectors: \(error).")
            }
            for vector in file.cases where arguments.value("only").map({ $0 == vector.name }) ?? true {
                let outcome = try run(vector)
                context.say("\(outcome.hasPassed ? "ok  " : "FAIL") \(vector.name)")
                for difference in outcome.differences { context.say("     \(difference)") }
                if outcome.hasPassed { passed += 1 } else { failed += 1 }
            }
        }
        context.say("\(passed) passed, \(failed) failed")
        if passed + failed == 0 { throw CommandFailure(.data, "No case was run.") }
        return failed == 0 ? .success : .data
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
