import Signing
import Testing

@testable import Storage

/// What files in the world were made with.
@Suite struct SchemaTests {
    /// SHA-1 of a step's statements. Appended to when a schema is released, never edited: a file that an older program
    /// made has what that program's step made, so an edited one leaves two kinds of file with the same number.
    static let released = [
        "651dfdd13d61c973241c90c1ba86d8ee1fc441a8",
        "f8aa1499a30831afffefd49edcc0bf27eff3da0c",
    ]

    @Test func releasedStepsAreNeverEdited() {
        #expect(Migrations.steps.count >= Self.released.count)
        for (step, digest) in zip(Migrations.steps, Self.released) {
            let bytes = Array(step.joined(separator: "\u{1e}").utf8)
            let made = Digest.sha1(bytes.span)
            var hex = ""
            for index in made.indices {
                hex += String(made[index] >> 4, radix: 16) + String(made[index] & 15, radix: 16)
            }
            #expect(hex == digest, "a released schema step was edited: put the change into a new step")
        }
    }
}
