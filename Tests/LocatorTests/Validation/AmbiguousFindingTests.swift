import Locator
import Testing

private let file: StaticString = "Shop/Shop.swift"

private protocol Logger: Sendable {}
private struct FileLogger: Logger {}
private struct Shop: Sendable { let logger: any Logger }

@Suite("Validation finds requests that several registrations match")
struct AmbiguousFindingTests {
    @Test func sameKeyTwice_inOneModule() throws {
        let text = try report { registry in
            registry.register((any Logger).self, fileID: file, line: 2) { FileLogger() }
            registry.register((any Logger).self, fileID: file, line: 3) { FileLogger() }
            registry.register(Shop.self, fileID: file, line: 4, Shop.init)
            registry.register(Int.self, fileID: file, line: 5) { (_: Shop) in 1 }
        }
        #expect(
            text == """
                Shop/Shop.swift:4: error: Shop needs any Logger, but 2 registrations match it, \
                and none of them is primary
                Shop/Shop.swift:2: note: candidate: any Logger
                Shop/Shop.swift:3: note: candidate: any Logger
                Shop/Shop.swift:5: note: Int needs Shop
                  fix: give them qualifiers and choose one with `parameterQualifiers: ["…"]` in the registration, \
                mark one of them .primary(), or take all of them as [any Logger]
                1 error in 4 registrations
                """)
    }

    @Test func requestWithoutQualifier_whenAllHaveOne() throws {
        let text = try report { registry in
            registry.register((any Logger).self, qualifier: "file", fileID: file, line: 2) { FileLogger() }
            registry.register((any Logger).self, qualifier: "console", fileID: file, line: 3) { FileLogger() }
            registry.register(Shop.self, fileID: file, line: 4, Shop.init)
        }
        #expect(
            text == """
                Shop/Shop.swift:4: error: Shop needs any Logger, but 2 registrations match it, \
                and none of them is primary
                Shop/Shop.swift:2: note: candidate: any Logger "file"
                Shop/Shop.swift:3: note: candidate: any Logger "console"
                  fix: choose one with `parameterQualifiers: ["file"]` in the registration, mark one of them .primary(), \
                or take all of them as [any Logger]
                1 error in 3 registrations
                """)
    }

    @Test func optional_isAmbiguousToo() throws {
        let text = try report { registry in
            registry.register((any Logger).self, fileID: file, line: 2) { FileLogger() }
            registry.register((any Logger).self, fileID: file, line: 3) { FileLogger() }
            registry.register(Int.self, fileID: file, line: 4) { (_: (any Logger)?) in 1 }
        }
        #expect(
            text == """
                Shop/Shop.swift:4: error: Int needs any Logger, but 2 registrations match it, \
                and none of them is primary
                Shop/Shop.swift:2: note: candidate: any Logger
                Shop/Shop.swift:3: note: candidate: any Logger
                  fix: give them qualifiers and choose one with `parameterQualifiers: ["…"]` in the registration, \
                mark one of them .primary(), or take all of them as [any Logger]
                1 error in 3 registrations
                """)
    }

    @Test func alias_thatForwardsToSeveral() throws {
        let front = Module("Front") { registry in
            registry.register(FileLogger.self, fileID: "Shop/Front.swift", line: 2) { FileLogger() }
            registry.register(FileLogger.self, fileID: "Shop/Front.swift", line: 3) { FileLogger() }
        }
        let shop = Module("Shop") { registry in
            registry.register(FileLogger.self, fileID: file, line: 2) { FileLogger() }
                .alias((any Logger).self, fileID: file, line: 3) { $0 }
            registry.register(Shop.self, fileID: file, line: 4, Shop.init)
        }
        #expect(
            try report(on: front, shop) == """
                Shop/Shop.swift:4: error: Shop needs any Logger, which forwards to FileLogger, but 2 registrations match it, \
                and none of them is primary
                Shop/Front.swift:2: note: candidate: FileLogger
                Shop/Front.swift:3: note: candidate: FileLogger
                  fix: give all but one of them a qualifier, or mark one of them .primary()
                Shop/Shop.swift:3: error: the alias any Logger forwards to FileLogger, but 2 registrations match it, \
                and none of them is primary
                Shop/Front.swift:2: note: candidate: FileLogger
                Shop/Front.swift:3: note: candidate: FileLogger
                  fix: give all but one of them a qualifier, or mark one of them .primary()
                Shop/Shop.swift:2: warning: FileLogger in module "Shop" is hidden: another module comes first
                Shop/Front.swift:2: note: module "Front" (priority normal) comes first
                  fix: among modules of equal priority, the first one loaded wins: push the intended one, load the fallback with priority .low, remove one of them, or give them qualifiers
                2 errors, 1 warning in 4 registrations
                """)
    }

    @Test func nothingIsFound_whenAllAreRequested_orOneIsPrimary_orAQualifierDecides() throws {
        let collection = try report { registry in
            registry.register((any Logger).self, fileID: file, line: 2) { FileLogger() }
            registry.register((any Logger).self, fileID: file, line: 3) { FileLogger() }
            registry.register(Int.self, fileID: file, line: 4) { (_: [any Logger], _: Lazy<[any Logger]>) in 1 }
        }
        #expect(collection == "nothing found in 3 registrations")
        let primary = try report { registry in
            registry.register((any Logger).self, fileID: file, line: 2) { FileLogger() }
            registry.register((any Logger).self, fileID: file, line: 3) { FileLogger() }.primary()
            registry.register(Shop.self, fileID: file, line: 4, Shop.init)
        }
        #expect(primary == "nothing found in 3 registrations")
        let qualified = try report { registry in
            registry.register((any Logger).self, qualifier: "file", fileID: file, line: 2) { FileLogger() }
            registry.register((any Logger).self, qualifier: "console", fileID: file, line: 3) { FileLogger() }
            registry.register(Shop.self, parameterQualifiers: ["file"], fileID: file, line: 4, Shop.init)
        }
        #expect(qualified == "nothing found in 3 registrations")
    }
}
