import Foundation
import LocatorTool
import Testing

/// The sources of `Fixtures/Wiring` as the compiler has described them; `.ci/check-wiring` compiles them anew, and
/// compares with the same outputs.
@Suite("`locator wiring` finds eight mistakes in one program and none in another")
struct RecordedWiringTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Fixtures/Wiring").path

    @Test(arguments: [("Sound", Int32(0)), ("Mistaken", 1)])
    func program_isCheckedAsExpected(name: String, status: Int32) throws {
        let folder = Self.folder
        let recorded = "\(folder)/Recorded"
        let outcome = locator(
            "wiring", recorded, "--targets", name, "--config", "\(folder)/Config/\(name)",
            "--wiring", "\(recorded)/dev.json,\(recorded)/prod.json")
        let expected = try String(contentsOfFile: "\(folder)/Expected/\(name).txt", encoding: .utf8)
        #expect(outcome == Outcome(output: expected, status: status))
    }

    @Test func wiringOfOneProfile_leavesTheOthersUnchecked() {
        let folder = Self.folder
        let outcome = locator(
            "wiring", "\(folder)/Recorded", "--targets", "Sound", "--config", "\(folder)/Config/Sound",
            "--wiring", "\(folder)/Recorded/prod.json")
        #expect(
            outcome
                == Outcome(
                    output: """
                        nothing found in 28 wrappers of Sound (dev, prod); registrations are not checked in dev, because \
                        modules that are off in the wiring may be on there

                        """))
    }
}
