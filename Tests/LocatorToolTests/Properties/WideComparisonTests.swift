import LocatorProperties
import LocatorTool
import TestSupport
import Testing

@Suite("The time to compare profiles with many settings or groups is in proportion to their size")
struct WideComparisonTests {
    /// Too many to compare each name with each other one.
    private static let count = 10_000

    @Test("Keys that only one of two profiles has are not compared with the other's keys", .oneThread)
    func diff_ofOneSidedKeys_comparesNoNames() {
        func profile(_ name: String) -> String {
            "{\((0..<Self.count).map { #""\#(name)\#($0)":1"# }.joined(separator: ","))}"
        }
        let files = FileSystem.config([
            "application.json": "{}", "application-a.json": profile("left"), "application-b.json": profile("right"),
        ])
        let outcome = locator("diff", "a", "b") { $0.fileSystem = files }
        #expect(outcome.status == 0)
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.count == 2 * Self.count + 2)
        #expect(lines.last == "\(Self.count) keys only in a, \(Self.count) keys only in b")
    }

    private static func base(_ groups: [String]) -> FileSystem {
        .config([
            "application.json": #"{"locator":{"profiles":{"groups":{\#(groups.joined(separator: ","))}}},"a":1}"#,
            "application-p.json": #"{"a":2}"#, "application-q.json": #"{"a":3}"#,
        ])
    }

    /// Groups that all lead to the same profiles.
    enum Form: CaseIterable {
        case sideBySide
        case eachToTwo
        case inAChain

        var groups: [String] {
            switch self {
            case .sideBySide: return (0..<2000).map { #""g\#($0)":["p"]"# }
            case .eachToTwo:
                let levels = (0..<1000).flatMap { level in
                    ["g", "h"].map { #""\#($0)\#(level)":["g\#(level + 1)","h\#(level + 1)"]"# }
                }
                return levels + [#""g1000":["p"]"#, #""h1000":["q"]"#]
            case .inAChain: return (0..<2000).map { #""g\#($0)":["g\#($0 + 1)"]"# } + [#""g2000":["q","p"]"#]
            }
        }

        /// The setting, its type, the base file, two profiles, and a value that is in neither.
        var columns: Int { self == .sideBySide ? 5 : 6 }
    }

    @Test("Groups that load the same files are loaded once", .oneThread, arguments: Form.allCases)
    func groups_areLoadedOnce(form: Form) {
        let groups = form.groups
        let check = locator("check") { $0.fileSystem = Self.base(groups) }
        #expect(check.status == 0)
        #expect(check.output.hasPrefix("nothing found in 3 files (p, q, g0, "), "\(check.output)")
        #expect(check.output.hasSuffix(", and \(groups.count - 18) others)\n"), "\(check.output)")
        let reference = locator("reference") { $0.fileSystem = Self.base(groups) }
        let line = reference.output.split(separator: "\n").last
        #expect(line?.hasPrefix("| `a` |") == true)
        #expect(line?.split(separator: "|").count == form.columns)
    }

    @Test("If all groups load different files, a limited number is checked, and the others are named")
    func groups_areLimited() {
        let names = (0..<4).map { "p\($0)" }
        let groups = (1..<16).map { number in
            let members = names.enumerated().filter { number >> $0.offset & 1 == 1 }.map { #""\#($0.element)""# }
            return #""g\#(number)":[\#(members.joined(separator: ","))]"#
        }
        var files = Dictionary(uniqueKeysWithValues: names.map { ("application-\($0).json", "{}") })
        files["application.json"] =
            #"{"locator":{"profiles":{"groups":{\#(groups.joined(separator: ","))}}},"a":1}"#
            + String(repeating: " ", count: 1 << 20)
        let fileSystem = FileSystem.config(files)
        let check = locator("check") { $0.fileSystem = fileSystem }
        #expect(
            check.output == """
                warning: there are too many groups to check all of them; not checked: g7, g9, g10, g11, g12, g13, g14, g15
                1 warning in 5 files (p0, p1, p2, p3, g1, g2, g3, g4, g5, g6, g7, g8, g9, g10, g11, g12, g13, g14, g15)

                """)
        let reference = locator("reference") { $0.fileSystem = fileSystem }
        #expect(reference.output.contains("\nThe groups are too many to have a column each; left out: g7, g9, "))
    }

    @Test("Findings name profiles and groups in order, including those that load the same files")
    func findings_nameAllGroups() {
        let files = FileSystem.config([
            "application.json": """
            {"locator":{"profiles":{"groups":{
              "one":["p"],"both":["p","q"],"two":["one"],"x":["nope"],"y":["x"],"c":["d"],"d":["c"]}}}}
            """,
            "application-p.json": #"{"a":2}"#, "application-q.json": #"{"b":3}"#,
        ])
        let check = locator("check") { $0.fileSystem = files }
        #expect(
            check.output == """
                Config/application.json:2:51: error: the profile group "x" names profile "nope", but there is no file Config/application-nope.json; profiles that exist: p, q [x, y]
                Config/application.json:2:73: error: locator.profiles.groups: profile groups contain each other: c -> d -> c [c, d]
                Config/application-p.json:1:6: warning: a is in p, one, both, two, and not in q
                Config/application-q.json:1:6: warning: b is in q, both, and not in p, one, two
                2 errors, 2 warnings in 3 files (p, q, one, both, two, x, y, c, d)

                """)
    }
}
