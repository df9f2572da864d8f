import Foundation
import LocatorProperties
import TestSupport
import Testing

@Suite("${file:…} takes the text of a file in a declared directory")
struct FilePlaceholderTests {
    /// A disk whose base file has a template at `a`, in which `DIR` stands for the directory.
    private func disk(_ template: String, _ files: [String: String] = ["pin": "12\n"]) throws -> SettingsDisk {
        let disk = try SettingsDisk("{}", files)
        let text = template.replacingOccurrences(of: "DIR", with: disk.secrets)
        try disk.write(#"{"a": "\#(text)", "port": "1"}"#, to: "Config/application.json")
        return disk
    }

    @Test(
        "What a placeholder resolves to",
        arguments: [
            ("${file:DIR/pin}", "12"), ("<${file:DIR/pin}>", "<12>"), ("${file:DIR/pin:none}", "12"),
            ("${file:DIR/none:none}", "none"), ("${file:DIR/none:}", ""), ("${file:DIR/none:${port}}", "1"),
            ("${file:DIR/none:${file:DIR/pin}}", "12"), ("${file:DIR//./pin}", "12"),
            ("${file:DIR/text}", "${port} $${x}"), ("<${file:DIR/text}>", "<${port} $${x}>"),
            ("${file:DIR/c/b}", "deep"),
            ("$${file:DIR/pin}", "${file:DIR/pin}"),
        ])
    func placeholder_givesText(template: String, expected: String) throws {
        let files = ["pin": "12\n", "text": "${port} $${x}", "c/b": "deep"]
        let disk = try disk(template, files)
        let value = try disk.load().value("a", as: String.self)
        #expect(value == expected.replacingOccurrences(of: "DIR", with: disk.secrets))
    }

    @Test("Its value is secret if its directory is, is never JSON, and converts to a requested number")
    func value_isSecret() throws {
        let disk = try disk("${file:DIR/pin}")
        let secret = try disk.load()
        #expect(secret["a"]?.description == #""<secret>""#)
        #expect(try secret.value("a", as: Int.self) == 12)
        #expect(
            secret.explain("a").description == """
                a = "<secret>"
                  from application.json:1:7 "${file:\(disk.secrets)/pin}"
                    ${file:\(disk.secrets)/pin} = "<secret>" (\(disk.secrets)/pin)
                """)
        let open = try disk.load(.directory(disk.secrets, secret: false))
        #expect(open["a"] == "12")
        let list = try self.disk("${file:DIR/pin}", ["pin": "[1]"])
        #expect(message { _ = try list.load().value("a", as: [Int].self) } != nil)
    }

    @Test("The problem of a secret setting does not show a default")
    func problem_ofASecret() throws {
        func failure(_ template: String) throws -> String? {
            let disk = try SettingsDisk()
            let text = template.replacingOccurrences(of: "DIR", with: disk.secrets)
            try disk.write(#"{"password": "\#(text)"}"#, to: "Config/application.json")
            return disk.failure()
        }
        #expect(
            try failure("${file:DIR/../other/pin:hunter2}") == """
                password: ${file:…/secrets/../other/pin:…} goes up by ".."; write the path from the root (application.json:1:14)
                """)
        #expect(
            try failure("${file:DIR/none}${port:hunter2}") == """
                password: ${file:…/secrets/none} needs the file …/secrets/none, which is not there (application.json:1:14)
                """)
    }

    @Test("Only declared directories can be read, regardless of the path")
    func file_isOutside() throws {
        func failure(_ template: String, _ overrides: PropertyOverrides? = nil) throws -> String? {
            let disk = try disk(template)
            try disk.write("x", to: "other/pin")
            try disk.link("secrets/.out", to: "../other")
            return disk.failure(overrides)
        }
        #expect(
            try failure("${file:/etc/passwd:x}") == """
                a: ${file:/etc/passwd:…} is in a directory that is not declared; in the program, add .directory("/etc"), and for \
                the locator command, --directory "/etc" (application.json:1:7)
                """)
        #expect(
            try failure("${file:DIR/pin}", .environment(prefix: "S_"))?.contains(#".directory("…/secrets")"#) == true)
        #expect(
            try failure("${file:DIR/../other/pin}") == """
                a: ${file:…/secrets/../other/pin} goes up by ".."; write the path from the root (application.json:1:7)
                """)
        #expect(
            try failure("${file:DIR/none}") == """
                a: ${file:…/secrets/none} needs the file …/secrets/none, which is not there (application.json:1:7)
                """)
        #expect(try failure("${file:DIR/.out/pin}")?.contains("which is not there") == true)
        #expect(try failure("${file:DIR}")?.contains("is not declared") == true)
        #expect(try failure("${file:DIR2/pin}")?.contains("is not declared") == true)
        #expect(
            try failure("${file:}")
                == "a: the placeholder at column 1 of the text names nothing; write $${ for a literal ${ (application.json:1:7)"
        )
        #expect(
            try failure("${file:pin")
                == "a: the placeholder at column 1 of the text is not closed; write $${ for a literal ${ (application.json:1:7)"
        )
    }

    @Test("A quoted key leads to a setting named file")
    func setting_isCalledFile() throws {
        let properties = try load(["": #"{"file": "x", "a": "${file}", "b": "${['file']:y}"}"#])
        #expect(properties["a"] == "x")
        #expect(properties["b"] == "x")
    }

    @Test("A module's placeholder gets the loaded text, even if the file has changed")
    func module_leadsToLoadedFile() throws {
        let disk = try disk("x")
        let base = try disk.load(.directory(disk.secrets, secret: false))
        let module = try Properties(
            overrides: ["b": "${file:\(disk.secrets)/pin}"].mapValues { .string($0) }, name: "m")
        try disk.write("13", to: "secrets/pin")
        let properties = Properties.stacked(above: [module], base: base, below: [])
        #expect(properties["b"] == "12")
        #expect(
            Properties.stacked(
                above: [module], base: try disk.load(.directory(disk.secrets, secret: false)), below: [])["b"]
                == "13")
    }
}
