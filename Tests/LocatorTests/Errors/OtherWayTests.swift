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

private struct Reader {
    @Dependency var shelf: any Shelf
    @DependencyArray var shelves: [any Shelf]
    @PropertyValue("days", default: 7) var days: Int
}

extension Reader {
    init(shelf: Dependency<any Shelf>) { _shelf = shelf }
    init(shelves: DependencyArray<any Shelf>) { _shelves = shelves }
    init(days: PropertyValue<Int>) { _days = days }
}

@Suite("If a parameter relies on a feature of another library, the error says what to use here")
struct OtherWayTests {
    private func context(_ register: @escaping @Sendable (Registry) -> Void) throws -> AppContext {
        try AppContext().load(Module("Shop", register))
    }

    @Test func mapByQualifiers() throws {
        let context = try context { registry in
            registry.register((any Shelf).self, qualifier: "a", fileID: "Shop/Shop.swift", line: 2) { SmallShelf() }
            registry.register(fileID: "Shop/Shop.swift", line: 3) { (shelves: [String: any Shelf]) in
                Hall(shelves: shelves)
            }
        }
        #expect(
            message { try context.resolve([String: any Shelf].self, fileID: "Shop/Main.swift", line: 9) } == """
                Shop/Main.swift:9: [String: any Shelf] is not registered
                  near: any Shelf "a" (Shop/Shop.swift:2), which resolveMap returns by its qualifier
                  fix: take a Resolver, and call resolveMap((any Shelf).self)
                """)
        #expect(
            "\(context.validate())" == """
                Shop/Shop.swift:3: error: Hall needs [String: any Shelf], which is not registered
                Shop/Shop.swift:2: note: near: any Shelf "a", which resolveMap returns by its qualifier
                note: .init ignores default arguments; use a closure
                  fix: take a Resolver, and call resolveMap((any Shelf).self)
                1 error in 2 registrations
                """)
        // The way that the error suggests.
        let byQualifier = Module("Halls") { registry in
            registry.register(Hall.self) { (resolver: Resolver) in
                Hall(shelves: try resolver.resolveMap((any Shelf).self))
            }
        }
        try context.push(byQualifier)
        #expect(throws: Never.self) { try context.resolve(Hall.self) }
    }

    @Test("A dictionary of values without qualifiers is an ordinary dependency")
    func mapOfValues() throws {
        let context = try context { $0.register(Int.self) { 1 } }
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

    @Test func properties() throws {
        let context = try context { registry in
            registry.register(Int.self, fileID: "Shop/Shop.swift", line: 3) { (_: Properties) in 1 }
        }
        #expect(
            "\(context.validate())" == """
                Shop/Shop.swift:3: error: Int needs Properties, which is not registered
                  fix: take a type that conforms to ConfigProperty, or a Resolver, and call value(…)
                1 error in 1 registration
                """)
    }

    @Test func registry() throws {
        let context = try context { registry in
            registry.register(Int.self, fileID: "Shop/Shop.swift", line: 3) { (_: Registry) in 1 }
        }
        #expect(
            message { try context.resolve(Int.self, fileID: "Shop/Main.swift", line: 9) } == """
                Shop/Shop.swift:3: Registry is not registered
                  needed by Int (Shop/Shop.swift:3)
                  requested: Int at Shop/Main.swift:9
                  fix: take a Resolver instead, or use AppContext.current
                """)
        #expect(
            "\(context.validate())" == """
                Shop/Shop.swift:3: error: Int needs Registry, which is not registered
                  fix: take a Resolver instead, or use AppContext.current
                1 error in 1 registration
                """)
    }

    private func finding(_ register: @escaping @Sendable (Registry) -> Void) throws -> String {
        try context { registry in
            registry.register((any Shelf).self) { SmallShelf() }
            register(registry)
        }.validate().description
    }

    @Test("An initializer that takes a wrapper for tests is not registered as it is")
    func wrapper() throws {
        let finding = try finding {
            $0.register(scope: .prototype, fileID: "Shop/Shop.swift", line: 3, Reader.init(shelf:))
        }
        #expect(
            finding == """
                Shop/Shop.swift:3: error: Reader needs Dependency<Shelf>, which is not registered
                  fix: take any Shelf instead, or create the wrapper in the factory closure: Dependency()
                1 error in 2 registrations
                """)
        let ofArray = try self.finding { $0.register(scope: .prototype, Reader.init(shelves:)) }
        #expect(
            ofArray.contains(
                "  fix: take [any Shelf] instead, or create the wrapper in the factory closure: DependencyArray()\n"))
        let ofSetting = try self.finding { $0.register(scope: .prototype, Reader.init(days:)) }
        #expect(
            ofSetting.contains(
                "  fix: take a ConfigProperty instead, or create the wrapper in the factory closure: PropertyValue(\"…\")\n"
            ))
        let ofWrappers = try self.finding {
            $0.register(Int.self, fileID: "Shop/Shop.swift", line: 3) { (_: [Dependency<any Shelf>]) in 1 }
        }
        #expect(
            ofWrappers == """
                Shop/Shop.swift:3: warning: Int gets an empty array, because there are no registrations of Dependency<Shelf>
                  fix: take [any Shelf] instead, or create the wrapper in the factory closure: DependencyArray()
                1 warning in 2 registrations
                """)
        // The way that the error suggests.
        let context = try context { registry in
            registry.register((any Shelf).self) { SmallShelf() }
            registry.register(Reader.self, scope: .prototype) { Reader(shelf: Dependency()) }
        }
        #expect(try context.resolve(Reader.self).shelf is SmallShelf)
    }
}
