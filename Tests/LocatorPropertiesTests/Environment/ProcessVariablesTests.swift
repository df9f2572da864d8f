import Foundation
import LocatorProperties
import Testing

@Suite("If no variables are passed, those of the process are used")
struct ProcessVariablesTests {
    private func load(_ text: String, prefix: String? = nil) throws -> Properties {
        var source = PropertiesSource(.folder("Config"), overrides: prefix.map { .environment(prefix: $0) })
        source.fileSystem = .inMemory(["Config/application.json": text])
        return try source.load()
    }

    private func text(_ path: String, in properties: Properties) throws -> String { try properties.value(path) }

    private var variables: [String: String] {
        ProcessInfo.processInfo.environment.filter { !$0.key.contains(":") && !$0.key.contains("}") }
    }

    @Test func eachVariable_hasTheValueThatTheProcessSees() throws {
        #expect(!variables.isEmpty)
        for (name, value) in variables {
            let properties = try load(#"{"a": "<${env:\#(name)}>"}"#)
            #expect(try text("a", in: properties) == "<\(value)>", "\(name)")
        }
    }

    @Test func variable_thatTheProcessHasNot_isMissing() throws {
        let name = try #require(variables.keys.first)
        let properties = try load(
            #"{"a": "${env:\#(name)_NOT_SET:none}", "b": "${env:\#(name.dropLast())_NOT_SET:none}"}"#)
        #expect(try text("a", in: properties) == "none")
        #expect(try text("b", in: properties) == "none")
    }

    @Test func variables_override_underTheirPrefix() throws {
        let (name, value) = try #require(
            variables.first { name, value in
                name.hasPrefix("H") && name.utf8.allSatisfy { (65...90).contains($0) } && !value.isEmpty
            } ?? variables.first { $0.key == "PATH" })
        let key = name.dropFirst().lowercased()
        let properties = try load(#"{"\#(key)": "from the file"}"#, prefix: String(name.prefix(1)))
        #expect(try text(key, in: properties) == value)
    }

    #if canImport(Glibc) || canImport(Musl)
        @Test("A variable whose value is not UTF-8 is an error where it is read")
        func value_isNotUTF8() async {
            // In a separate process, because setting a variable is a race with other tests that read some.
            await #expect(processExitsWith: .success) {
                setenv("ODD_SERVER__PASSWORD", [0x67, CChar(bitPattern: 0xFC), 0x6E, 0], 1)
                setenv("EVEN_MARK", "g\u{FFFD}n", 1)
                // The mark and the `=` before it are one character.
                setenv("MARK_A", [CChar(bitPattern: 0xCC), CChar(bitPattern: 0x81), CChar(bitPattern: 0xFF), 0], 1)
                let tests = ProcessVariablesTests()
                #expect(
                    message { _ = try tests.load("{}", prefix: "MARK_") } == """
                        MARK_A has a value that is not UTF-8; set it to text in UTF-8, or to bytes in base64
                        """)
                #expect(
                    message { _ = try tests.load("{}", prefix: "ODD_") } == """
                        ODD_SERVER__PASSWORD has a value that is not UTF-8; set it to text in UTF-8, or to bytes in base64
                        """)
                #expect(
                    message { _ = try tests.load(#"{"a": "${env:ODD_SERVER__PASSWORD:none}"}"#) } == """
                        a: ${env:ODD_SERVER__PASSWORD:…} needs the environment variable ODD_SERVER__PASSWORD, \
                        whose value is not UTF-8; set it to text in UTF-8, or to bytes in base64 (application.json:1:7)
                        """)
                let properties = try tests.load(#"{"a": "${env:EVEN_MARK}"}"#, prefix: "EVEN_")
                #expect(properties.resolvedText == #"a="g\#u{FFFD}n" mark="g\#u{FFFD}n""#)
            }
        }
    #endif
}
