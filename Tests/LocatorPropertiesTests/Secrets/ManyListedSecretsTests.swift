import LocatorProperties
import Testing

@Suite("Each key is looked up once among the secret paths, regardless of their number")
struct ManyListedSecretsTests {
    /// Too many to compare each path with each key.
    private static let count = 20_000

    private static func list(_ path: (Int) -> String) -> String {
        (0..<count).map { #""\#(path($0))""# }.joined(separator: ",")
    }

    private static func members(_ key: String) -> String {
        (0..<count).map { #""\#(key)\#($0)":1"# }.joined(separator: ",")
    }

    @Test("Paths at the top, and below one key", arguments: ["", "a."])
    func keys_areLookedUp(parent: String) throws {
        let members = Self.members("b")
        let settings = parent.isEmpty ? members : #""a":{\#(members)}"#
        let file = #"{"locator":{"secrets":[\#(Self.list { "\(parent)b\($0)" })]},\#(settings),"open":1}"#
        let properties = try load(["": file])
        #expect(properties.isSecret("\(parent)b0"))
        #expect(properties.isSecret("\(parent)b\(Self.count - 1)"))
        #expect(!properties.isSecret("\(parent)b\(Self.count)"))
        #expect(!properties.isSecret("open"))
        #expect(properties.explain("\(parent)b7").value?.text() == "\"<secret>\"")
    }

    @Test("Paths without a value, and paths of another layer")
    func otherLayers_areLookedUp() throws {
        let properties = try load(["": "{\(Self.members("b"))}"])
        let listed = try load(["": #"{"locator":{"secrets":[\#(Self.list { "b\($0)" })]}}"#])
        let both = try properties.overlaid(by: listed)
        #expect(both.isSecret("b\(Self.count - 1)"))
    }

    @Test("A list in a variable, and variables that override listed settings")
    func variables_areLookedUp() throws {
        let secrets = (0..<1000).map { "s.k\($0)" }
        var environment = ["S_LOCATOR__SECRETS": JSONValue.array(secrets.map { .string($0) }).text()]
        for number in 0..<1000 { environment["S_S__K\(number)"] = "x\(number)" }
        environment["S_T"] = "open"
        let properties = try load(["": #"{"s":{"k0":"a","k2000":"b"},"t":1}"#], environment: environment, prefix: "S_")
        #expect(properties.isSecret("s.k0") && properties.isSecret("s.k999"))
        #expect(!properties.isSecret("s.k2000") && !properties.isSecret("t"))
    }

    @Test(
        "If too many paths are listed to find a typo of one of them, what a variable adds is masked",
        arguments: [(200, true), (201, false)])
    func additions_areMasked(count: Int, isShown: Bool) throws {
        let properties = try load(
            ["": #"{"known": "", "o": {"known": ""}}"#],
            environment: ["S_NEW": "ZX", "S_KNOWN": "open", "S_O": #"{"known": "open", "new": "ZX"}"#], prefix: "S_",
            secrets: (0..<count).map { "list.k\($0)" })
        let value = isShown ? "ZX" : "<secret>"
        #expect(properties.description == #"{"known":"open","o":{"known":"open","new":"\#(value)"},"new":"\#(value)"}"#)
    }

    @Test("Listed paths inside listed values, in arrays, and next to them")
    func places_areExact() throws {
        let file = """
            {"locator":{"secrets":["a.b","a.b.c","d[1]","e[0].f","g.h.i","['x.y'].z","missing.part"]},
             "a":{"b":{"c":{"d":1}},"bb":1},"d":[1,2,[3]],"e":[{"f":1,"g":2},{"f":3}],"g":{"h":{"i":{"j":1},"k":1}},
             "x.y":{"z":1},"x":{"y":{"z":1}}}
            """
        let properties = try load(["": file])
        let secret = ["a.b", "a.b.c.d", "d[1]", "e[0].f", "g.h.i.j", "['x.y'].z"]
        let open = ["a", "a.bb", "d", "d[0]", "d[2][0]", "e[0].g", "e[1].f", "g.h", "g.h.k", "x.y.z"]
        #expect(secret.filter { !properties.isSecret($0) } == [])
        #expect(open.filter { properties.isSecret($0) } == [])
        #expect(
            properties["e"].map { "\($0)" } == #"[{"f":"<secret>","g":2},{"f":3}]"#,
            "\(properties["e"].map { "\($0)" } ?? "")")
    }
}
