import Locator
import Testing

private protocol Barking: Sendable {}
private final class Dog: Barking {}

/// Made from the texts that a selection returns.
private final class Reader: Sendable {
    let texts: [String]
    init(texts: [String]) { self.texts = texts }
}

@Suite("A reader of selected modules depends only on these modules")
struct SelectionTests {
    private let context = AppContext()

    private struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let selection: ModuleSelection
    }

    private static let cases = [
        Case(testDescription: "where", selection: .where { ["A", "A2"].contains($0.name) }),
        Case(testDescription: "named", selection: .modules(named: "A", "A2")),
    ]

    private func load(_ selection: ModuleSelection) throws {
        let module = Module("Reader") { registry in
            registry.register(Reader.self) { (resolver: Resolver) in
                Reader(texts: try resolver.resolveAll(String.self, from: selection))
            }
        }
        try context.load(module, .text("A"), .text("B"))
    }

    @Test("A module that is not selected comes and goes", arguments: cases)
    private func unselectedModule_leavesTheReader(row: Case) throws {
        try load(row.selection)
        let reader = try context.resolve(Reader.self)
        #expect(reader.texts == ["A"])
        let other = Module.text("C", including: [.text("D")])
        try context.push(other)
        #expect(try context.resolve(Reader.self) === reader)
        #expect(try context.child(pushing: .text("E")).resolve(Reader.self) === reader)
        context.pop()
        #expect(try context.resolve(Reader.self) === reader)
        try context.load(other)
        #expect(try context.resolve(Reader.self) === reader)
        try context.unload(other)
        #expect(try context.resolve(Reader.self) === reader)
    }

    @Test("A selected module counts", arguments: cases)
    private func selectedModule_countsForTheReader(row: Case) throws {
        try load(row.selection)
        let reader = try context.resolve(Reader.self)
        try context.push(.text("A2"))
        #expect(try context.resolve(Reader.self).texts == ["A2", "A"])
        #expect(try context.child().resolve(Reader.self).texts == ["A2", "A"])
        context.pop()
        #expect(try context.resolve(Reader.self) === reader)
        #expect(try context.child(pushing: .text("A2")).resolve(Reader.self).texts == ["A2", "A"])
        // An element that all of them lose.
        try context.push(Module("None") { $0.replaceAll(String.self) })
        #expect(try context.resolve(Reader.self).texts == [])
        context.pop()
        #expect(try context.resolve(Reader.self) === reader)
    }

    @Test func selections_ofTheSameTypeInOneClosure_areDistinguished() throws {
        let module = Module("Reader") { registry in
            registry.register(Reader.self) { (resolver: Resolver) in
                let first = try resolver.resolveAll(String.self, from: .where { $0.name == "A" })
                let second = try resolver.resolveAll(String.self, from: .where { $0.name == "C" })
                return Reader(texts: first + second)
            }
        }
        try context.load(module, .text("A"), .text("B"))
        let reader = try context.resolve(Reader.self)
        try context.push(.text("D"))
        #expect(try context.resolve(Reader.self) === reader)
        try context.push(.text("C"))
        #expect(try context.resolve(Reader.self).texts == ["A", "C"])
        context.pop()
        context.pop()
        #expect(try context.resolve(Reader.self) === reader)
    }

    @Test("A start of a child makes no reader of its own if its modules are not selected", arguments: cases)
    private func start_ofAChild_sharesTheReader(row: Case) async throws {
        let module = Module("Reader") { registry in
            registry.register(
                Reader.self,
                async: { (resolver: Resolver) async throws in
                    Reader(texts: try resolver.resolveAll(String.self, from: row.selection))
                })
        }
        try context.load(module, .text("A"))
        let child = try context.child(pushing: .text("C"))
        let other = try context.child(pushing: .text("A2"))
        try await context.start()
        let reader = try context.resolve(Reader.self)
        try await child.start()
        #expect(try child.resolve(Reader.self) === reader)
        try await other.start()
        #expect(try other.resolve(Reader.self).texts == ["A2", "A"])
        let pushed = try await child.pushing(.text("A3")) { try child.resolve(Reader.self) }
        #expect(pushed === reader)
    }

    @Test("A wrapper keeps a prototype", arguments: cases)
    private func unselectedModule_leavesAWrappersPrototype(row: Case) throws {
        struct Holder {
            @Dependency(qualifier: "prototype") var reader: Reader
        }
        let module = Module("Prototype") { registry in
            registry.register(Reader.self, qualifier: "prototype", scope: .prototype) { (resolver: Resolver) in
                Reader(texts: try resolver.resolveAll(String.self, from: row.selection))
            }
        }
        try context.load(module, .text("A"), .text("B"))
        let holder = AppContext.withContext(context) { Holder() }
        let reader = holder.reader
        try context.push(.text("C"))
        #expect(holder.reader === reader)
        try context.push(.text("A2"))
        #expect(holder.reader.texts == ["A2", "A"])
    }

    @Test func first_isNotConcernedByAnAmbiguityBehindIt() throws {
        let several = Module("Several") { registry in
            registry.register(Dog.init).alias((any Barking).self) { $0 }
        }
        let dogs = Module("Dogs") { registry in
            registry.register(Dog.init)
            registry.register(Dog.init)
        }
        let front = Module("Front") { $0.register((any Barking).self) { Dog() } }
        try context.load(dogs, several)
        #expect(locatorError { try context.resolveAll((any Barking).self) } != nil)
        #expect(locatorError { try context.resolveAll((any Barking).self, from: .first) } != nil)
        try context.push(front)
        #expect(try context.resolveAll((any Barking).self, from: .first).count == 1)
        #expect(locatorError { try context.resolveAll((any Barking).self) } != nil)
    }
}
