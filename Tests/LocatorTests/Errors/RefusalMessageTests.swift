import Locator
import Testing

@Suite("The error of a rejected registration or change says what was tried, where, and what to do instead")
struct RefusalMessageTests {
    private let context = AppContext()

    @Test func invalidRegistrations_areListedTogether() throws {
        let module = Module("Wrong") { registry in
            registry.register(Int?.self, fileID: "Shop/Wrong.swift", line: 1) { 1 }
            registry.register([Int].self, qualifier: "a", fileID: "Shop/Wrong.swift", line: 2) { [1] }
            registry.register(Lazy<Int>.self, scope: .prototype, fileID: "Shop/Wrong.swift", line: 3) {
                (lazy: Lazy<Int>) in lazy
            }
            registry.register(Int.self, scope: .weak, fileID: "Shop/Wrong.swift", line: 4) { 1 }
            registry.register(Int.self, parameterQualifiers: ["a"], fileID: "Shop/Wrong.swift", line: 5) { 1 }
            registry.register(Int.self, parameterQualifiers: ["a"], fileID: "Shop/Wrong.swift", line: 6) {
                (a: String, b: String) in 1
            }
            registry.register(Int.self, qualifier: .property("a.b"), fileID: "Shop/Wrong.swift", line: 7) { 1 }
        }
        #expect(
            message { try context.load(module) } == """
                Shop/Wrong.swift:1: Int? cannot be registered: the context makes it
                  fix: register the type that it wraps; if its initializer can return nil, unwrap the result in a closure, or throw an error
                Shop/Wrong.swift:2: [Int] "a" cannot be registered: the context makes it
                  fix: register the type that it wraps, or remove the registration
                Shop/Wrong.swift:3: Lazy<Int> cannot be registered: the context makes it
                  fix: register the type that it wraps, or remove the registration
                Shop/Wrong.swift:4: Int cannot have scope .weak: it is a value type, and only class instances can be held weakly
                  fix: choose another scope, or register a class
                Shop/Wrong.swift:5: `parameterQualifiers:` of Int has 1 qualifier, but the factory closure has 0 parameters
                  fix: pass one qualifier for each parameter, in order, and nil for a parameter without one
                Shop/Wrong.swift:6: `parameterQualifiers:` of Int has 1 qualifier, but the factory closure has 2 parameters
                  fix: pass one qualifier for each parameter, in order, and nil for a parameter without one
                Shop/Wrong.swift:7: Int cannot be registered with the qualifier .property("a.b"): the qualifier of a registration is a name
                  fix: register each choice with a name, and request .property("a.b")
                """)
        #expect(try context.resolve(Int?.self) == nil)
    }

    @Test("A module that cannot be loaded leaves nothing behind")
    func invalidRegistrations_releaseWhatTheyCapture() throws {
        final class Database: Sendable {}
        weak var database: Database?
        do {
            let captured = Database()
            database = captured
            let module = Module("Wrong") { registry in
                registry.register(instance: captured).alias(AnyObject.self) { $0 }
                registry.decorate(Database.self) { base in captured }
                registry.register(Int?.self) { 1 }
            }
            #expect(throws: LocatorError.self) { try context.load(module) }
            #expect(throws: LocatorError.self) { try context.push(module) }
        }
        #expect(database == nil)
    }

    @Test("A module with an empty name is rejected", arguments: ["", " \t"])
    func unnamedModule(name: String) throws {
        let unnamed = Module(name, fileID: "Shop/Shop.swift", line: 3) { $0.register(Int.self) { 1 } }
        let expected = """
            Shop/Shop.swift:3: the name of a module is empty
              fix: give it a name, which errors and selections use: Module("Shop")
            """
        #expect(message { try context.load(unnamed) } == expected)
        #expect(message { try context.push(unnamed) } == expected)
        #expect(message { try context.load(Module("Shop", including: [unnamed])) } == expected)
        #expect(try context.resolve(Int?.self) == nil)
    }

    private struct Change: Sendable {
        let name: String
        let run: @Sendable (AppContext) throws -> Void

        init(_ name: String, _ run: @escaping @Sendable (AppContext) throws -> Void) {
            self.name = name
            self.run = run
        }
    }

    private static let changes = [
        Change("load") { try $0.load(Module("x")) },
        Change("push") { try $0.push(Module("x")) },
        Change("unload") { try $0.unload(Module("x")) },
        Change("pop") { try $0.pop(Module("x")) },
        Change("reset") { try $0.reset() },
        Change("reset") { try $0.reset(.singleton) },
        Change("unloadAll") { try $0.unloadAll() },
        Change("reloadProperties") { try $0.reloadProperties() },
        Change("loadProperties") { try $0.loadProperties(files: []) },
    ]

    @Test("A change inside a factory closure is rejected", arguments: changes)
    private func changeDuringInitialization(change: Change) throws {
        let module = Module("M") { registry in
            registry.register(Int.self, fileID: "Shop/Logs.swift", line: 1) {
                try change.run(AppContext.current)
                return 1
            }
            registry.register(String.self, fileID: "Shop/Shop.swift", line: 41) { (number: Int) in "\(number)" }
        }
        try context.load(module)
        #expect(
            message { try context.resolve(String.self, fileID: "Shop/Main.swift", line: 9) } == """
                Shop/Logs.swift:1: \(change.name) was called inside a factory closure, decorator, or decoder of the same context
                  while making Int (Shop/Logs.swift:1)
                  needed by String (Shop/Shop.swift:41)
                  requested: String at Shop/Main.swift:9
                  fix: change the context before resolving, or in a hook or observer
                """)
    }
}
