import LocatorProperties
import TestSupport
import Testing

@Suite(
    "The time and memory of a load are bounded, even if files, variables, or groups multiply", .oneThread
)
struct WideInputTests {
    private static func object(_ count: Int, _ member: (Int) -> String) -> String {
        "{\((0..<count).map(member).joined(separator: ","))}"
    }

    @Test("Groups on 60 levels that each name two others are expanded once")
    func groups_areExpandedOnce() throws {
        let levels = (0..<60).flatMap { level in
            ["a", "b"].map { #""\#($0)\#(level)":["a\#(level + 1)","b\#(level + 1)"]"# }
        }
        let base =
            #"{"locator":{"profiles":{"groups":{\#(levels.joined(separator: ",")),"a60":["p"],"b60":["q"]}}}}"#
        let properties = try load(["": base, "p": "{}", "q": "{}"], profiles: "a0")
        #expect(properties.profiles == ["p", "q"])
        #expect(properties.isProfileActive("b17"))
    }

    @Test("The bytes that placeholders build in one load are limited")
    func texts_areLimitedTogether() {
        let members = Self.object(1000) { #""k\#($0)":"${t}${t}${t}""# }.dropFirst()
        let file = #"{"t":"\#(String(repeating: "x", count: 10_000))",\#(members)"#
        #expect(
            message { _ = try load(["": file]) }
                == "k279: placeholders build more than 8388608 bytes of text (application.json:1:16044)")
    }

    @Test("A text that placeholders repeat counts each time, alone or in an array")
    func repeatedTexts_areLimited() {
        let text = String(repeating: "x", count: 1 << 20)
        let whole = Self.object(10) { #""k\#($0)":"${t}""# }.dropFirst()
        #expect(
            message { _ = try load(["": #"{"t":"\#(text)",\#(whole)"#]) }
                == "k8: placeholders build more than 8388608 bytes of text (application.json:1:1048686)")
        #expect(
            message { _ = try load(["": #"{"t":["\#(text)"],\#(whole)"#]) }
                == "k7: placeholders copy arrays and objects of more than 250000 values or 8388608 bytes of text (application.json:1:1048676)"
        )
    }

    @Test("The values that placeholders lead to in one load are limited")
    func values_areLimitedTogether() {
        let members = Self.object(1000) { #""k\#($0)":"${t}""# }.dropFirst()
        let file = #"{"t":[\#(Array(repeating: "0", count: 999).joined(separator: ","))],\#(members)"#
        #expect(
            message { _ = try load(["": file]) }
                == "k249: placeholders copy arrays and objects of more than 250000 values or 8388608 bytes of text (application.json:1:5389)"
        )
    }

    @Test("The values of a file, and of all files and variables of a load, are limited")
    func files_areLimitedInValues() {
        func array(_ count: Int) -> String {
            #"{"a":[\#(Array(repeating: "0", count: count).joined(separator: ","))]}"#
        }
        #expect(
            message { _ = try load(["": array(499_999)]) }
                == "application.json:1:1000003: expected at most 500000 values in all files and variables together, found another"
        )
        let half = array(249_998)
        #expect(message { _ = try load(["": half, "p": half], profiles: "p") } == nil)
        #expect(
            message { _ = try load(["": half, "p": array(249_999)], profiles: "p") }
                == "application-p.json:1:500003: expected at most 500000 values in all files and variables together, found another"
        )
        #expect(
            message {
                _ = try load(["": half], environment: ["S_A": "[\(half),\(half)]"], prefix: "S_")
            }
                == "a: expected at most 500000 values in all files and variables together, found another (environment variable S_A:1:500002)"
        )
    }

    @Test("The total bytes of a load's files are limited")
    func files_areLimitedInBytes() {
        let blank = "{" + String(repeating: " ", count: (16 << 20) - 2) + "}"
        #expect(message { _ = try load(["": blank, "p": blank], profiles: "p") } == nil)
        #expect(
            message { _ = try load(["": blank, "p": blank, "q": "{}"], profiles: "p,q") }
                == "Config/application-q.json: expected at most 32 MiB in all files together, found more")
        #expect(
            message { _ = try load(["": blank + " "]) }
                == "Config/application.json: expected a file of at most 16 MiB, found a larger one")
    }

    @Test("The total bytes of all paths are limited")
    func paths_areLimited() {
        let key = String(repeating: "k", count: 5000)
        let leaves = Self.object(100) { #""a\#($0)":1"# }
        let deep =
            String(repeating: #"{"\#(key)":"#, count: 100) + leaves + String(repeating: "}", count: 100)
        #expect(
            message { _ = try load(["": "{}", "p": deep], profiles: "p") }
                == """
                application-p.json: expected at most 32 MiB in the paths of all values together, found more: many values \
                are deeply nested below long keys
                """)
        #expect(message { _ = try load(["": #"{"\#(key)":\#(leaves)}"#]) } == nil)
    }

    @Test("An explanation finds thousands of texts that show a secret with their placeholders")
    func revealingTexts_areExplained() throws {
        let count = 3000
        let texts = (0..<count).map { JSONValue.string("${scheme} hunter\($0)") }
        let properties = try Properties(["scheme": "Bearer", "list": .array(texts)])
        #expect(properties.explain("list").layers[0].value == .array(Array(repeating: "<secret>", count: count)))
    }

    @Test("At most a thousand wrong placeholders are listed")
    func problems_areLimited() throws {
        let file = Self.object(5000) { #""k\#($0)":"${nope\#($0)}""# }
        let lines = try #require(message { _ = try load(["": file]) }).split(separator: "\n")
        #expect(lines.count == 1001)
        #expect(lines.last == "1000 placeholders are wrong; the others are not checked")
    }

    @Test("The search for similar names stops after a limited number of comparisons")
    func nearNames_areLimited() {
        var names = NearNames((0..<1000).map { "setting\($0)" })
        let found = (0..<2000).map { names.nearest(to: "seting\($0 % 1000)") }
        #expect(found[0] == ["setting0"])
        #expect(found.count { !$0.isEmpty } == 1000)
    }

    @Test(
        "A long text that looks like credentials or a data source name in many places is searched once",
        .timeLimit(.minutes(1)), arguments: [(" ", "bearer x ", ""), ("=", "@x/", ""), ("=", "@/", " ")])
    func text_isSearchedOnce(start: String, part: String, end: String) throws {
        let count = 50_000
        let text = String(repeating: start, count: count) + String(repeating: part, count: count) + end
        let properties = try Properties(["x": .string(text)])
        #expect(try properties.value("x", as: String.self) == text)
    }

    @Test("Many variables that add keys, next to many that override some")
    func variables_areMatched() throws {
        let file = Self.object(500) { #""key\#($0)":{"maxCount":\#($0)}"# }
        var environment: [String: String] = [:]
        for number in 0..<1000 { environment["S_KEY\(number)__MAX_COUNT"] = "x\(number)" }
        for number in 0..<1000 { environment["S_NEW__VALUE\(number)"] = "y\(number)" }
        environment["S_NEW__DEEP__A"] = "1"
        environment["S_NEW__DEEP__B"] = "2"
        let properties = try load(["": file], environment: environment, prefix: "S_")
        #expect(properties.paths.count == 2002)
        #expect(properties["key7.maxCount"] == "x7")
        #expect(properties["key999.maxCount"] == "x999")
        #expect(properties["new.value999"] == "y999")
        #expect(properties["new.deep"] == ["a": "1", "b": "2"])
    }

    @Test("Variables that replace objects bring keys that later variables find")
    func variables_areMatched_inObjectsThatVariablesBring() throws {
        var environment = ["S_A": #"{"someKey":{"x_y":1}}"#]
        for number in 0..<20 { environment["S_A__K\(number)"] = "1" }
        for number in 0..<20 { environment["S_A__SOME_KEY__N\(number)"] = "1" }
        environment["S_A__SOME_KEY__X_Y"] = "2"
        let properties = try load(["": #"{"a":{"b":1}}"#], environment: environment, prefix: "S_")
        #expect(properties["a.someKey.x_y"] == "2")
        #expect(properties.paths.count == 42)
    }
}
