import LocatorTool
import Testing

@Suite("`locator wiring` does not reject unknown values of an enumeration with its own initializer")
struct OwnDecodingTests {
    /// The findings about a setting of a type, in a program whose `Level` may decode itself.
    private func findings(
        _ type: String = "Shop.Level", value: String?, isWritten: Bool = true, initializer: String = "init(from:)",
        module: String = "Shop", words: [String] = []
    ) -> (lines: [String], status: Int32) {
        var files = BuiltFiles()
        files.add(
            "/Shop/Shop.swift",
            types: [ConstantValues.type("Shop.Screen", ConstantValues.property("key", type, line: 7))])
        files.add(
            "/\(module)/Level.swift", of: module,
            types: [
                ConstantValues.type("\(module).Level", rawType: "Swift.String", rawValues: ["info", "debug"])
            ])
        files.add("Config/application.json", value.map { "{ \"key\": \($0) }" } ?? "{}")
        files.add(symbols: isWritten ? [Symbols.decoding("Level", by: initializer, isWritten: true)] : [], of: module)
        let outcome = locator(words: ["wiring", "Build", "--targets", "Shop"] + words) {
            $0.fileSystem = files.fileSystem
        }
        return (outcome.output.split(separator: "\n").dropLast().map(String.init), outcome.status)
    }

    private static let note =
        "/Shop/Shop.swift:7: note: key: expected Level (\"info\" or \"debug\"), found string \"INFO\" "
        + "(application.json:1:10); only the program knows: Level has its own initializer"

    @Test func rawValue_isRight() {
        #expect(findings(value: "\"info\"").lines == [])
    }

    @Test func initializerForRawValues_mayAcceptOthers() {
        #expect(findings(value: "\"INFO\"", initializer: "init(rawValue:)").lines == [Self.note])
    }

    @Test(arguments: [[], ["--strict"]])
    func anotherValue_isANote_whichFailsNothing(words: [String]) {
        let (lines, status) = findings(value: "\"INFO\"", words: words)
        #expect(lines == [Self.note])
        #expect(status == 0)
    }

    @Test func anotherKindOfValue_isANote() {
        #expect(
            findings(value: "1").lines == [
                "/Shop/Shop.swift:7: note: key: expected Level (\"info\" or \"debug\"), found number 1 "
                    + "(application.json:1:10); only the program knows: Level has its own initializer"
            ])
    }

    @Test func partOfAnArray_isANote() {
        #expect(
            findings("Swift.Array<Shop.Level>", value: "[\"info\", \"INFO\"]").lines == [
                "/Shop/Shop.swift:7: note: key[1]: expected Level (\"info\" or \"debug\"), found string \"INFO\" "
                    + "(application.json:1:19); only the program knows: Level has its own initializer"
            ])
    }

    @Test func noValue_isAnError() {
        let (lines, status) = findings(value: nil)
        #expect(lines == ["/Shop/Shop.swift:7: error: key is missing (expected Level (\"info\" or \"debug\"))"])
        #expect(status == 1)
    }

    @Test func enumerationThatTheCompilerDecodes_isCompared() {
        let (lines, status) = findings(value: "\"INFO\"", isWritten: false)
        #expect(
            lines == [
                "/Shop/Shop.swift:7: error: key: expected Level (\"info\" or \"debug\"), found string \"INFO\" "
                    + "(application.json:1:10)"
            ])
        #expect(status == 1)
    }

    @Test func enumerationOfAnotherModule_isLookedUpThere() {
        #expect(findings("Logs.Level", value: "\"INFO\"", module: "Logs").lines == [Self.note])
    }
}
