import Locator
import Testing

private protocol Catalog: Sendable {}
private struct Books: Catalog {}

@Suite("A fork of a context with pushes has the findings of the context itself")
struct ForkFindingTests {
    @Test func pushedModule_hidesOnPurpose() throws {
        let context = try AppContext().load(
            Module("Shop") { $0.register((any Catalog).self) { Books() } },
            Module("Top") { registry in registry.register(Int.self) { (_: any Catalog) in 1 } })
        try context.push(Module("Fakes") { $0.register((any Catalog).self) { Books() } })
        let own = context.validate()
        let forks = [
            try context.fork(), try context.fork().fork(), try context.fork(pushing: Module("Empty") { _ in }),
        ]
        #expect(own.warnings.isEmpty)
        for fork in forks {
            #expect(fork.validate().warnings.map(\.description) == own.warnings.map(\.description))
        }
    }

    @Test func loadedModule_isStillReported() throws {
        let context = try AppContext().load(
            Module("Front") { $0.register((any Catalog).self) { Books() } },
            Module("Back") { $0.register((any Catalog).self) { Books() } })
        #expect(context.validate().warnings.count == 1)
        #expect(try context.fork().validate().warnings.count == 1)
    }
}
