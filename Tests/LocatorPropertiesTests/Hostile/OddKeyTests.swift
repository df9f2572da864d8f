import LocatorProperties
import Testing

@Suite("A printed path can be read back, and printed text never controls a terminal")
struct OddKeyTests {
    /// Keys that begin with a combining character, that combine one with a quote or a backslash, and that
    /// hold what a terminal acts upon.
    private static let keys = [
        "\u{301}a", "\u{200D}", "\u{200C}x", "\u{FE0F}", "'\u{301}", "\\\u{301}", "\"\u{20DD}", "a'\u{200D}b",
        "\u{9B}31m", "\u{1B}[2J", "\u{0}", "\u{7F}", "a\u{202E}b", "\u{2028}", "\u{2029}", "a\nb", "\u{2066}",
        "\u{FEFF}", "\u{E9}", "o\u{308}", "\u{1F469}\u{200D}\u{1F467}", ".\u{301}", "]\u{301}", "[0]",
    ]

    private static func properties() throws -> Properties {
        let members = keys.enumerated().map { ($1, JSONValue.number(JSONNumber($0))) }
        let object = JSONValue.object(JSONObject(members))
        return try load(["": JSONValue.object(["top": object, "list": [object]]).text()])
    }

    @Test("Every printed path leads only to its value")
    func path_isRead() throws {
        let properties = try Self.properties()
        #expect(properties.paths.count == 2 * Self.keys.count)
        #expect(Set(properties.paths.map { Array($0.utf8) }).count == 2 * Self.keys.count)
        for (index, path) in properties.paths.enumerated() {
            #expect(try properties.value(path, as: Int.self) == index % Self.keys.count, "\(path)")
            #expect(properties.explain(path).value == properties[path])
            #expect(properties.lookup(path).path == path)
            #expect(path == path.escapingHidden())
        }
    }

    @Test("A placeholder leads to each of them")
    func placeholder_leadsToKey() throws {
        for (index, path) in try Self.properties().paths.prefix(Self.keys.count).enumerated() {
            let members = Self.keys.enumerated().map { ($1, JSONValue.number(JSONNumber($0))) }
            let file: JSONValue = ["top": .object(JSONObject(members)), "a": .string("${\(path)}")]
            #expect(try load(["": file.text()]).value("a", as: Int.self) == index, "\(path)")
        }
    }

    @Test("Written JSON contains no terminal control characters, and reads back equal")
    func json_isEscaped() throws {
        let tree = JSONValue.object(JSONObject(Self.keys.map { ($0, .string($0)) }))
        for text in [tree.text(), tree.text(.pretty), tree.description, JSONValue.string("\u{E0001}").text()] {
            #expect(!text.unicodeScalars.contains { $0.isHidden && $0 != "\n" })
        }
        #expect(JSONValue.string("\u{9B}\u{202E}\u{2028}\u{E0001}").text() == #""\u009b\u202e\u2028\udb40\udc01""#)
        #expect(try JSONValue(parsing: tree.text()) == tree)
        #expect(try JSONValue(parsing: #""\udb40\udc01""#).stringValue == "\u{E0001}")
    }

    @Test(
        "Errors show it by its number",
        arguments: [
            (["": #"{"\u009b":"${x}"}"#], nil, #"['\u{9B}']: ${x} needs x, which is missing (application.json:1:11)"#),
            (
                ["": #"{"a":"${\u202e}"}"#], nil,
                #"a: ${\u{202E}} needs ['\u{202E}'], which is missing (application.json:1:6)"#
            ),
            (["": #"{"a":1,"\u2028":1,"\u2028":2}"#], nil, nil),
            (
                ["": "{}"], "\u{9B}2J",
                #"the environment variable LOCATOR_PROFILE names "\u{9B}2J", which cannot be a profile; names consist of letters, digits, ".", "_" and "-""#
            ),
            (
                ["": #"{"locator":{"profiles":{"groups":{"\u001b[1m":[]}}}}"#], nil,
                #"locator.profiles.groups['\u{1B}[1m']: "\u{1B}[1m" cannot be a profile group; names consist of letters, digits, ".", "_" and "-" (application.json:1:47)"#
            ),
        ] as [([String: String], String?, String?)])
    func error_isEscaped(files: [String: String], profile: String?, expected: String?) throws {
        let text = try #require(
            message { _ = try load(files, environment: profile.map { ["LOCATOR_PROFILE": $0] } ?? [:]) })
        #expect(text == text.escapingHidden())
        if let expected { #expect(text == expected) }
    }

    @Test("Variables and their warnings, origins and explanations show it by its number")
    func explanation_isEscaped() throws {
        let source = PropertiesSource(.files(["a\u{9B}b.json"]), environment: [:])
        var files = source
        files.fileSystem = .inMemory(["a\u{9B}b.json": #"{"x":"${env:\u202e:1}"}"#])
        let explanation = try files.load().explain("x")
        #expect(
            explanation.description == #"""
                x = "1"
                  from a\u{9B}b.json:1:6 "${env:\u202e:1}"
                    ${env:\u{202E}} is missing, its default is used
                """#)
        #expect(explanation.origin?.description == #"a\u{9B}b.json:1:6"#)
        #expect(
            message { _ = try load(["": "{}"], environment: ["S_\u{9B}": "1"], prefix: "S_") }?
                .hasPrefix(#"S_\u{9B} names no setting"#) == true)
    }
}
