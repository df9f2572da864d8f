import Locator
import Testing

private protocol Logger: Sendable {}
private struct FileLogger: Logger {}
private struct Report: Sendable {}

@Suite("Two primary registrations of one key are reported as such")
struct TwoPrimariesTests {
    private static let loggers = Module("Loggers") { registry in
        for line: UInt in 2...4 {
            let registration = registry.register((any Logger).self, fileID: "Shop/Shop.swift", line: line) {
                FileLogger()
            }
            if line > 2 { registration.primary() }
        }
        registry.register(Report.self, fileID: "Shop/Shop.swift", line: 5) { (_: any Logger) in Report() }
    }

    @Test("In an error")
    func error() throws {
        let context = try AppContext().load(Self.loggers)
        let text = message { _ = try context.resolve((any Logger).self, fileID: "Shop/Main.swift", line: 9) }
        #expect(
            text == """
                Shop/Main.swift:9: 3 registrations match any Logger, and 2 of them are primary
                  candidate: any Logger (Shop/Shop.swift:2)
                  candidate: any Logger (Shop/Shop.swift:3), primary
                  candidate: any Logger (Shop/Shop.swift:4), primary
                  fix: give them qualifiers and request one by its qualifier, mark only one of them .primary(), or get all of them with resolveAll
                """)
    }

    @Test("In a validation finding")
    func finding() throws {
        #expect(
            try report(on: Self.loggers) == """
                Shop/Shop.swift:5: error: Report needs any Logger, but 3 registrations match it, and 2 of them are \
                primary
                Shop/Shop.swift:2: note: candidate: any Logger
                Shop/Shop.swift:3: note: candidate: any Logger, primary
                Shop/Shop.swift:4: note: candidate: any Logger, primary
                  fix: give them qualifiers and choose one with `parameterQualifiers: ["…"]` in the registration, \
                mark only one of them .primary(), or take all of them as [any Logger]
                1 error in 4 registrations
                """)
    }

    @Test("A second registration of a concrete type without a primary one is a warning, unless an array takes both")
    func none() throws {
        func registering(_ more: @escaping @Sendable (Registry) -> Void = { _ in }) throws -> String {
            try report { registry in
                for line: UInt in 2...3 {
                    registry.register(Report.self, fileID: "Shop/Shop.swift", line: line) { Report() }
                }
                registry.register(Report.self, qualifier: "daily") { Report() }
                more(registry)
            }
        }
        #expect(
            try registering() == """
                Shop/Shop.swift:3: warning: Report is registered 2 times in module "Shop", and none of them is primary
                Shop/Shop.swift:2: note: the first registration
                  fix: remove one of them, give them qualifiers, or mark one of them .primary(); if only arrays take them, \
                declare registry.mayBeEmpty(Report.self)
                1 warning in 3 registrations
                """)
        #expect(try registering { $0.mayBeEmpty(Report.self) } == "nothing found in 3 registrations")
        #expect(try registering { $0.mayBeEmpty([Report].self) } == "nothing found in 3 registrations")
        #expect(
            try registering { $0.register(Int.self) { (all: [Report]) in all.count } }
                == "nothing found in 4 registrations")
    }

    @Test("Two factories of one payload are a warning, and a factory of another payload is not")
    func factories() throws {
        #expect(
            try report { registry in
                for line: UInt in 2...3 {
                    registry.factory((any Logger).self, fileID: "Shop/Shop.swift", line: line) { (_: Int) in
                        FileLogger()
                    }
                }
                registry.factory((any Logger).self) { (_: String) in FileLogger() }
            } == """
                Shop/Shop.swift:3: warning: any Logger is registered 2 times in module "Shop", and none of them is primary
                Shop/Shop.swift:2: note: the first registration
                  fix: remove one of them, give them qualifiers, or mark one of them .primary()
                1 warning in 3 registrations
                """)
    }

    @Test("In a warning, if nothing that validation knows needs a single one")
    func warning() throws {
        #expect(
            try report { registry in
                for line: UInt in 2...3 {
                    registry.register((any Logger).self, fileID: "Shop/Shop.swift", line: line) { FileLogger() }
                        .primary()
                }
                registry.register((any Logger).self, qualifier: "file") { FileLogger() }.primary()
            } == """
                Shop/Shop.swift:3: warning: any Logger has a second primary registration in module "Shop"
                Shop/Shop.swift:2: note: the first primary registration
                  fix: mark only one of them .primary()
                1 warning in 3 registrations
                """)
    }
}
