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
}
