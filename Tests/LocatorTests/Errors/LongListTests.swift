import Foundation
import Locator
import TestSupport
import Testing

@Suite("Errors and findings stay short if a type has many registrations")
struct LongListTests {
    private final class Tenant: Sendable {}
    private struct Report: Sendable {}

    /// A context with tenants "t0", "t1", and so on.
    private func context(tenants: Range<Int>) throws -> AppContext {
        let context = AppContext()
        let module = Module("Tenants") { registry in
            for number in tenants {
                registry.register(
                    Tenant.self, qualifier: .named("t\(number)"), fileID: "Shop/Tenants.swift", line: UInt(number)
                ) { Tenant() }
            }
        }
        try context.load(module)
        return context
    }

    private func near(_ names: [String]) -> [String] {
        names.map { #"  near: Tenant "\#($0)" (Shop/Tenants.swift:\#($0.dropFirst()))"# }
    }

    @Test("Twenty registrations are listed in full")
    func twenty_areListed() throws {
        let context = try context(tenants: 1..<21)
        let expected =
            [#"Shop/Shop.swift:5: Tenant "main" is not registered"#] + near((1..<21).map { "t\($0)" })
            + [#"  fix: register it in a loaded module: registry.register(Tenant.self, qualifier: "main") { … }"#]
        #expect(
            message { try context.resolve(Tenant.self, qualifier: "main", fileID: "Shop/Shop.swift", line: 5) }
                == expected.joined(separator: "\n"))
    }

    @Test("If there are more, similar qualifiers come first, and the others are counted")
    func more_areCounted() throws {
        let context = try context(tenants: 1..<3_001)
        let expected =
            [#"Shop/Shop.swift:5: Tenant "t2999x" is not registered"#] + near(["t2999"] + (1..<20).map { "t\($0)" })
            + ["  … and 2980 more", #"  fix: change the qualifier to "t2999""#]
        #expect(
            message { try context.resolve(Tenant.self, qualifier: "t2999x", fileID: "Shop/Shop.swift", line: 5) }
                == expected.joined(separator: "\n"))
    }

    @Test("Candidates of an ambiguous request are counted")
    func candidates_areCounted() throws {
        let context = try context(tenants: 1..<3_001)
        let candidates = (1..<21).map { #"  candidate: Tenant "t\#($0)" (Shop/Tenants.swift:\#($0))"# }
        let expected =
            ["Shop/Shop.swift:5: 3000 registrations match Tenant, and none of them is primary"] + candidates + [
                "  … and 2980 more",
                "  fix: request one by its qualifier, mark one of them .primary(), or get all of them with resolveAll",
            ]
        #expect(
            message { try context.resolve(Tenant.self, fileID: "Shop/Shop.swift", line: 5) }
                == expected.joined(separator: "\n"))
    }

    @Test("The length of a report follows the number of findings, not the number of registrations")
    func report_followsFindings() throws {
        let context = try context(tenants: 1..<3_001)
        let reports = Module("Reports") { registry in
            for number in 0..<100 {
                registry.register(
                    Report.self, qualifier: .named("r\(number)"), parameterQualifiers: [.named("missing \(number)")]
                ) { (_: Tenant) in Report() }
                registry.register(Report.self, qualifier: .named("a\(number)")) { (_: Tenant) in Report() }
            }
        }
        try context.load(reports)
        let errors = context.validate().errors
        #expect(errors.count == 200)
        for error in errors {
            #expect(error.notes.count { $0.text.hasPrefix("near: ") || $0.text.hasPrefix("candidate: ") } == 20)
            #expect(error.notes.count { $0.text == "… and 2980 more" } == 1)
        }
    }

    @Test("Modules that are off are counted")
    func modulesThatAreOff_areCounted() throws {
        let context = AppContext()
        for number in 1...30 {
            let module = Module("Tenants \(number)", when: .profile("prod")) { registry in
                registry.register(Tenant.self, fileID: "Shop/Tenants.swift", line: UInt(number)) { Tenant() }
            }
            try context.load(module)
        }
        let expected =
            ["Shop/Shop.swift:5: Tenant is not registered"]
            + (1...20).map {
                #"  off: Tenant (Shop/Tenants.swift:\#($0)) is in module "Tenants \#($0)", which is off unless profile "prod" is active"#
            } + ["  … and 10 more"]
        let text = try #require(message { try context.resolve(Tenant.self, fileID: "Shop/Shop.swift", line: 5) })
        #expect(text.split(separator: "\n").prefix(22).joined(separator: "\n") == expected.joined(separator: "\n"))
    }

    @Test("The names that errors suggest are those of the current modules and settings")
    func names_areCurrent() throws {
        let context = try context(tenants: 1..<30)
        func fix() -> String? {
            message { try context.resolve(Tenant.self, qualifier: "tenant") }?.components(separatedBy: "fix: ").last
        }
        func nearSetting() -> String? {
            message { try context.value("shop.prot", as: Int.self) }?.components(separatedBy: "; ").last
        }
        let (noFix, noSetting) = (fix(), nearSetting())
        #expect(noFix?.hasPrefix("register it") == true)
        let module = Module("More", properties: ["shop.port": 1]) { registry in
            registry.register(Tenant.self, qualifier: "tenants") { Tenant() }
        }
        try context.push(module)
        #expect(fix() == #"change the qualifier to "tenants""#)
        #expect(nearSetting()?.hasPrefix("did you mean shop.port?") == true)
        context.pop()
        #expect(fix() == noFix)
        #expect(nearSetting() == noSetting)
    }

    @Test("The thousandth error suggests as much as the first", .oneThread)
    func suggestions_doNotEnd() throws {
        let context = try context(tenants: 1..<501)
        let settings = Module(
            "Settings", properties: Dictionary(uniqueKeysWithValues: (0..<500).map { ("s\($0)", 1) }))
        try context.load(settings)
        var texts: Set<String?> = []
        for _ in 0..<1_000 {
            texts.insert(message { try context.resolve(Tenant.self, qualifier: "t499x") })
            texts.insert(message { try context.value("s499x", as: Int.self) })
        }
        #expect(texts.count == 2)
        #expect(texts.allSatisfy { $0?.contains("499\"") == true || $0?.contains("did you mean s499?") == true })
    }

    @Test("A similar qualifier that several modules have is suggested once")
    func similarQualifier_ofSeveralModules() throws {
        let context = try context(tenants: 1..<30)
        for number in 1...5 {
            let module = Module("Main \(number)") { registry in
                registry.register(
                    Tenant.self, qualifier: "main", fileID: "Shop/Main.swift", line: UInt(number)
                ) { Tenant() }
            }
            try context.load(module)
        }
        let text = message { try context.resolve(Tenant.self, qualifier: "mian") }
        let lines = text?.split(separator: "\n").filter { $0.contains("Shop/Main.swift") } ?? []
        #expect(lines.count == 5)
        #expect(Set(lines).count == 5)
        #expect(text?.hasSuffix(#"fix: change the qualifier to "main""#) == true)
    }
}
