import Locator
import Testing

private protocol Shelf: Sendable {}
private struct SmallShelf: Shelf {}

private struct Hall: Sendable {
    init(shelves: [String: any Shelf]) {}
}

private struct Porter: Sendable {
    init(context: AppContext) {}
}

@Suite("What other libraries give as a parameter, the error names the way to get here")
struct OtherWayTests {
    private func context(_ register: @escaping @Sendable (Registry) -> Void) throws -> AppContext {
        try AppContext().load(Module("Shop", register))
    }

    @Test func mapByQualifiers() throws {
        let context = try context { registry in
            registry.register((any Shelf).self, qualifier: "a") { SmallShelf() }
            registry.register(fileID: "Shop/Shop.swift", line: 3, Hall.init)
        }
        let fix =
            "fix: take a Resolver and call resolveMap((any Shelf).self), "
            + "or register it in a loaded module: registry.register([String: any Shelf].self) { … }"
        #expect(message { try context.resolve(Hall.self) }?.hasSuffix("  " + fix) == true)
        #expect("\(context.validate())".contains("  \(fix)\n"))
        // The way that the error names.
        let byQualifier = Module("Halls") { registry in
            registry.register(Hall.self) { (resolver: Resolver) in
                Hall(shelves: try resolver.resolveMap((any Shelf).self))
            }
        }
        try context.push(byQualifier)
        #expect(throws: Never.self) { try context.resolve(Hall.self) }
    }

    @Test("A map of plain values is more likely meant as it is")
    func mapOfValues() throws {
        let context = try context { $0.register(Int.self, qualifier: "a") { 1 } }
        #expect(
            message { try context.resolve([String: Int].self) }?.hasSuffix(
                "  fix: register it in a loaded module: registry.register([String: Int].self) { … }") == true)
    }

    @Test func contextItself() throws {
        let context = try context { registry in
            registry.register(fileID: "Shop/Shop.swift", line: 3, Porter.init)
        }
        let fix = "fix: take a Resolver instead, or use AppContext.current"
        #expect(message { try context.resolve(Porter.self) }?.hasSuffix("  " + fix) == true)
        #expect("\(context.validate())".contains("  \(fix)\n"))
    }
}
