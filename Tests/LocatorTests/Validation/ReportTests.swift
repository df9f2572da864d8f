import Locator
import TestSupport
import Testing

private let file: StaticString = "Shop/Shop.swift"

private struct Shop: Sendable {}
private struct Stock: Sendable {}
private struct Orders: Sendable {}

@Suite("A report is a value, and throws itself if it has errors")
struct ReportTests {
    private func context(_ register: @escaping @Sendable (Registry) -> Void) throws -> AppContext {
        try AppContext().load(Module("Shop", register))
    }

    /// One error, one warning, one note.
    private func unsound() throws -> ValidationReport {
        try context { registry in
            registry.register(Stock.self, fileID: file, line: 2) { (_: Resolver) in Stock() }
            registry.register(Orders.self, parameterQualifiers: ["a"], fileID: file, line: 3) { (_: Stock?) in Orders()
            }
            registry.register(Shop.self, fileID: file, line: 4) { (_: Int) in Shop() }
        }.validate()
    }

    @Test func errors_comeFirst_thenWarnings_thenNotes() throws {
        #expect(
            try unsound().description == """
                Shop/Shop.swift:4: error: Shop needs Int, which is not registered
                  fix: pass a value in the factory closure (.init ignores default arguments), take it from a ConfigProperty, or, if the caller passes it, register a factory
                Shop/Shop.swift:3: warning: Orders gets nil for Stock "a", although something similar is registered
                Shop/Shop.swift:2: note: near: Stock
                  fix: use what is registered, or register what is missing
                Shop/Shop.swift:2: note: Stock takes a Resolver: what it resolves is not checked
                1 error, 1 warning, 1 note in 3 registrations
                """)
    }

    @Test("A line break in a name does not begin another line")
    func names_areEscaped() throws {
        let context = try AppContext().load(
            Module("a\nb", fileID: file, line: 2), Module("a\nb", fileID: file, line: 3))
        #expect(
            context.validate().description == #"""
                Shop/Shop.swift:3: warning: two modules are named "a\nb", so errors and selections cannot tell them apart
                Shop/Shop.swift:2: note: the other module
                  fix: rename one of them, or load the same module constant
                1 warning in 0 registrations
                """#)
    }

    @Test func findings_haveFields() throws {
        let report = try unsound()
        #expect(report.findings.map(\.kind) == [.missing, .similarName, .notChecked])
        #expect(report.findings.map(\.severity) == [.error, .warning, .note])
        #expect(report.errors.map(\.kind) == [.missing])
        #expect(report.warnings.map(\.kind) == [.similarName])
        #expect(report.notes.map(\.kind) == [.notChecked])
        #expect(report.registrationCount == 3)
        #expect(report.profiles == [])
        let missing = try #require(report.errors.first)
        #expect(missing.location == SourcePlace(fileID: file, line: 4))
        #expect(missing.keys == [Key(Int.self), Key(Shop.self)])
        #expect(missing.message == "Shop needs Int, which is not registered")
        #expect(missing.notes == [])
        #expect(
            missing.suggestion == "pass a value in the factory closure (.init ignores default arguments), "
                + "take it from a ConfigProperty, or, if the caller passes it, register a factory")
        #expect(missing.profiles == [])
        let near = try #require(report.warnings.first)
        #expect(near.notes.map(\.location) == [SourcePlace(fileID: file, line: 2)])
        #expect(near.notes.map(\.text) == ["near: Stock"])
        #expect(try unsound() == report)
    }

    @Test func finding_inAFile_hasItsPlace() throws {
        let folder = try TemporaryFolder(["application.json": "{}", "application-prod.json": "{"])
        let context = try AppContext().loadProperties(from: folder.path, environment: [:])
        let finding = try #require(context.validate(profiles: ["prod"]).errors.first)
        #expect(finding.kind == .property)
        #expect(finding.location == nil)
        #expect(finding.file == "application-prod.json:1:2")
        #expect(finding.profiles == ["prod"])
    }

    @Test func orThrow_throwsTheErrors_andThatThereIsMore() throws {
        let report = try unsound()
        let error = #expect(throws: ValidationError.self) { try report.orThrow() }
        #expect(error?.report == report)
        #expect(
            error?.description == """
                Shop/Shop.swift:4: error: Shop needs Int, which is not registered
                  fix: pass a value in the factory closure (.init ignores default arguments), take it from a ConfigProperty, or, if the caller passes it, register a factory
                1 error, 1 warning, 1 note in 3 registrations
                """)
    }

    @Test func orThrow_givesTheReport_whenNothingIsAnError() throws {
        let report = try context { registry in
            registry.register(Stock.self, fileID: file, line: 2) { (_: Resolver) in Stock() }
            registry.register(Orders.self, parameterQualifiers: ["a"], fileID: file, line: 3) { (_: Stock?) in Orders()
            }
        }.validate()
        #expect(report.summary == "1 warning, 1 note in 2 registrations")
        #expect(try report.orThrow() == report)
    }
}
