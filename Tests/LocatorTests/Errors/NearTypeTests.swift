import Locator
import Testing

private protocol Catalog: Sendable {}
private protocol Logger: Sendable {}

private class Shelf: @unchecked Sendable {
    init() {}
}

private final class SmallShelf: Shelf, @unchecked Sendable {}

private final class BookStore: Catalog {
    init() {}
}

private struct FileLogger: Logger {}

private enum First {
    struct Item: Sendable {}
}

private enum Second {
    struct Item: Sendable {}
}

private struct Order: Sendable {
    let item: Second.Item
}

private protocol Store<Item>: Sendable { associatedtype Item }

private struct NumberStore: Store { typealias Item = Int }

/// A request, as a row of a table.
private struct Asking: Sendable {
    let text: @Sendable (AppContext) -> String?

    init<Value>(_ type: Value.Type) {
        text = { context in message { try context.resolve(Value.self, fileID: "Shop/Main.swift", line: 9) } }
    }
}

@Suite("An error names a registration under another type if the context can know it")
struct NearTypeTests {
    private let context = AppContext()

    private func text<Value>(_ type: Value.Type, qualifier: Qualifier? = nil) -> String? {
        message { try context.resolve(type, qualifier: qualifier, fileID: "Shop/Main.swift", line: 9) }
    }

    // MARK: An alias that is missing

    @Test func subclass_isFoundByItsType() throws {
        try context.load(
            Module("Shop") { $0.register(SmallShelf.self, fileID: "Shop/Shop.swift", line: 3) { SmallShelf() } })
        #expect(
            text(Shelf.self) == """
                Shop/Main.swift:9: Shelf is not registered
                  near: SmallShelf (Shop/Shop.swift:3), which can be resolved as Shelf through an alias
                  fix: add .alias(Shelf.self) { $0 } to the registration of SmallShelf
                """)
    }

    @Test func superclass_isNotFound() throws {
        try context.load(Module("Shop") { $0.register(Shelf.self, fileID: "Shop/Shop.swift", line: 3) { Shelf() } })
        #expect(
            text(SmallShelf.self) == """
                Shop/Main.swift:9: SmallShelf is not registered
                  fix: register it in a loaded module: registry.register(SmallShelf.self) { … }
                """)
    }

    private let shop = Module("Shop") { registry in
        registry.register(BookStore.self, fileID: "Shop/Shop.swift", line: 3) { BookStore() }
    }

    @Test func conformance_isFoundByAnInstance() throws {
        try context.load(shop)
        #expect(
            text((any Catalog).self) == """
                Shop/Main.swift:9: any Catalog is not registered
                  fix: register it in a loaded module: registry.register((any Catalog).self) { … }
                """)
        let store = try context.resolve(BookStore.self)
        let found = """
            Shop/Main.swift:9: any Catalog is not registered
              near: BookStore (Shop/Shop.swift:3), which can be resolved as any Catalog through an alias
              fix: add .alias((any Catalog).self) { $0 } to the registration of BookStore
            """
        #expect(text((any Catalog).self) == found)
        let child = try context.child()
        #expect(
            message { try child.resolve((any Catalog).self, fileID: "Shop/Main.swift", line: 9) } == found)
        _ = store
    }

    @Test func conformance_isFoundByAnInstanceThatIsRegistered() throws {
        try context.load(
            Module("Shop") { $0.register(instance: BookStore(), fileID: "Shop/Shop.swift", line: 3) })
        #expect(
            text((any Catalog).self) == """
                Shop/Main.swift:9: any Catalog is not registered
                  near: BookStore (Shop/Shop.swift:3), which can be resolved as any Catalog through an alias
                  fix: add .alias((any Catalog).self) { $0 } to the registration of BookStore
                """)
    }

    @Test func mendOfAnAlias_works() throws {
        let fixed = Module("Mended") { registry in
            registry.register(instance: BookStore()).alias((any Catalog).self) { $0 }
        }
        try context.load(fixed)
        #expect(text((any Catalog).self) == nil)
    }

    @Test func qualifierOfTheRequest_isThatOfTheAlias() throws {
        try context.load(
            Module("Shop") { registry in
                registry.register(qualifier: "big", instance: BookStore(), fileID: "Shop/Shop.swift", line: 3)
            })
        #expect(
            text((any Catalog).self, qualifier: "big") == """
                Shop/Main.swift:9: any Catalog "big" is not registered
                  near: BookStore "big" (Shop/Shop.swift:3), which can be resolved as any Catalog through an alias
                  fix: add .alias((any Catalog).self) { $0 } to the registration of BookStore "big"
                """)
        #expect(
            text((any Catalog).self, qualifier: "small") == """
                Shop/Main.swift:9: any Catalog "small" is not registered
                  fix: register it in a loaded module: registry.register((any Catalog).self, qualifier: "small") { … }
                """)
    }

    @Test func typeNamedAfterAProtocol_isNear() throws {
        try context.load(
            Module("Shop") { $0.register(FileLogger.self, fileID: "Shop/Shop.swift", line: 3) { FileLogger() } })
        #expect(
            text((any Logger).self) == """
                Shop/Main.swift:9: any Logger is not registered
                  near: FileLogger (Shop/Shop.swift:3), which may conform to any Logger
                  fix: if FileLogger conforms to any Logger, add .alias((any Logger).self) { $0 } to its registration; \
                otherwise, register any Logger
                """)
    }

    @Test func typeNamedAfterAConstrainedProtocol_isNear() throws {
        try context.load(
            Module("Shop") { $0.register(NumberStore.self, fileID: "Shop/Shop.swift", line: 3) { NumberStore() } })
        #expect(
            text((any Store<Int>).self) == """
                Shop/Main.swift:9: any Store<Int> is not registered
                  near: NumberStore (Shop/Shop.swift:3), which may conform to any Store<Int>
                  fix: if NumberStore conforms to any Store<Int>, add .alias((any Store<Int>).self) { $0 } to its \
                registration; otherwise, register any Store<Int>
                """)
    }

    @Test("A registration of a protocol is not a function or a tuple whose name ends with it")
    func functionAndTuple_areNoProtocol() throws {
        try context.load(Module("Shop") { $0.register((any Logger).self) { FileLogger() } })
        #expect(text((@Sendable (Int) -> any Logger).self)?.contains("near") == false)
        #expect(text((any Logger, Int).self)?.contains("near") == false)
        #expect(text((Int, logger: any Logger).self)?.contains("near") == false)
    }

    @Test("A closure that returns an initializer instead of calling it registers a function")
    func functionThatReturnsTheType_isNear() throws {
        let stores = Module("Stores") { $0.register(fileID: "Shop/Shop.swift", line: 2) { BookStore.init } }
        #expect(
            Asking(BookStore.self).text(try AppContext().load(stores)) == """
                Shop/Main.swift:9: BookStore is not registered
                  near: @Sendable () -> BookStore (Shop/Shop.swift:2), which is a function
                  fix: call the function in the closure of its registration, or request @Sendable () -> BookStore
                """)
        let corrected = Module("Stores") { $0.register { BookStore() } }
        #expect(Asking(BookStore.self).text(try AppContext().load(corrected)) == nil)
    }

    @Test("Instead of a function that returns a registered type, a parameter is a Provider")
    func functionThatReturnsARegisteredType_isAProvider() throws {
        let loggers = Module("Loggers") { registry in
            registry.register((any Logger).self, fileID: "Shop/Shop.swift", line: 2) { FileLogger() }
        }
        let user = Module("User") { registry in
            registry.register(Int.self, fileID: "Shop/User.swift", line: 5) {
                (_: @escaping @Sendable () -> any Logger) in 1
            }
        }
        let wrong = try AppContext().load(loggers, user)
        let fix = """
              fix: take a Provider<any Logger>, which resolves one on each call, or register the function itself
            """
        #expect(
            Asking(Int.self).text(wrong) == """
                Shop/User.swift:5: @Sendable () -> Logger is not registered
                  needed by Int (Shop/User.swift:5)
                  requested: Int at Shop/Main.swift:9
                  near: any Logger (Shop/Shop.swift:2), which the function returns
                  default: .init ignores default arguments; use a closure
                \(fix)
                """)
        #expect(
            wrong.validate().description == """
                Shop/User.swift:5: error: Int needs @Sendable () -> Logger, which is not registered
                Shop/Shop.swift:2: note: near: any Logger, which the function returns
                note: .init ignores default arguments; use a closure
                \(fix)
                1 error in 2 registrations
                """)
        let corrected = Module("User") { registry in registry.register(Int.self) { (_: Provider<any Logger>) in 1 } }
        #expect(Asking(Int.self).text(try AppContext().load(loggers, corrected)) == nil)
        // An optional function may be missing on purpose.
        let optional = Module("User") { registry in
            registry.register(Int.self) { (_: (@Sendable () -> any Logger)?) in 1 }
        }
        #expect(try AppContext().load(loggers, optional).validate().description == "nothing found in 2 registrations")
    }

    @Test func validate_saysTheSame() throws {
        let user = Module("User") { registry in
            registry.register(Int.self, fileID: "Shop/User.swift", line: 5) { (_: any Catalog) in 1 }
        }
        try context.load(
            Module("Shop") { $0.register(instance: BookStore(), fileID: "Shop/Shop.swift", line: 3) }, user)
        #expect(
            context.validate().findings.map(\.description).first == """
                Shop/User.swift:5: error: Int needs any Catalog, which is not registered
                Shop/Shop.swift:3: note: near: BookStore, which can be resolved as any Catalog through an alias
                  fix: add .alias((any Catalog).self) { $0 } to the registration of BookStore
                """)
    }

    @Test func optional_isNotReported_whenOnlyANameSuggestsIt() throws {
        let user = Module("User") { registry in
            registry.register(Int.self, fileID: "Shop/User.swift", line: 5) { (_: (any Logger)?, _: (any Catalog)?) in 1
            }
        }
        let shop = Module("Shop") { registry in
            registry.register(FileLogger.self, fileID: "Shop/Shop.swift", line: 3) { FileLogger() }
            registry.register(instance: BookStore(), fileID: "Shop/Shop.swift", line: 4)
        }
        let near = try context.load(shop, user).validate().findings.filter { $0.kind == .similarName }
        #expect(
            near.map(\.description) == [
                """
                Shop/User.swift:5: warning: Int gets nil for any Catalog, although something similar is registered
                Shop/Shop.swift:4: note: near: BookStore, which can be resolved as any Catalog through an alias
                  fix: use what is registered, or register what is missing
                """
            ])
    }

    // MARK: Other forms of a type

    @Test(
        arguments: [
            (
                Module("Shop") { registry in
                    registry.register((any Store).self, scope: .prototype, fileID: "Shop/Shop.swift", line: 3) {
                        NumberStore()
                    }
                },
                Asking((any Store<Int>).self),
                """
                Shop/Main.swift:9: any Store<Int> is not registered
                  near: any Store (Shop/Shop.swift:3)
                  fix: request any Store instead, or register (any Store<Int>).self itself
                """
            ),
            (
                Module("Shop") { registry in
                    registry.register((any Store<Int>).self, scope: .prototype, fileID: "Shop/Shop.swift", line: 3) {
                        NumberStore()
                    }
                },
                Asking((any Store).self),
                """
                Shop/Main.swift:9: any Store is not registered
                  near: any Store<Int> (Shop/Shop.swift:3)
                  fix: request any Store<Int> instead, or register (any Store).self itself
                """
            ),
            (
                Module("Shop") { registry in
                    registry.register((any Store<Int>).self, scope: .prototype, fileID: "Shop/Shop.swift", line: 3) {
                        NumberStore()
                    }
                },
                Asking((any Store<String>).self),
                """
                Shop/Main.swift:9: any Store<String> is not registered
                  fix: register it in a loaded module: registry.register((any Store<String>).self) { … }
                """
            ),
            (
                Module("Shop") { registry in
                    registry.register((@Sendable () -> Int).self, fileID: "Shop/Shop.swift", line: 3) { { 1 } }
                },
                Asking((() -> Int).self),
                """
                Shop/Main.swift:9: () -> Int is not registered
                  near: @Sendable () -> Int (Shop/Shop.swift:3)
                  fix: request @Sendable () -> Int instead, or register (() -> Int).self itself
                """
            ),
            (
                Module("Shop") { $0.register(String.self) { "" } },
                Asking((() -> Int).self),
                """
                Shop/Main.swift:9: () -> Int is not registered
                  fix: register a @Sendable function, registry.register((@Sendable () -> Int).self) { … }, \
                and request this type
                """
            ),
            (
                Module("Shop") { $0.register(String.self) { "" } },
                Asking((@Sendable () throws -> Int).self),
                """
                Shop/Main.swift:9: @Sendable () throws -> Int is not registered
                  fix: register it in a loaded module: registry.register((@Sendable () throws -> Int).self) { … }
                """
            ),
            (
                Module("Shop") { $0.register(String.self) { "" } },
                Asking(Void.self),
                """
                Shop/Main.swift:9: () is not registered
                  the compiler inferred ()
                  fix: specify the type to resolve
                """
            ),
        ])
    private func otherForm(module: Module, asking: Asking, expected: String) throws {
        try context.load(module)
        #expect(asking.text(context) == expected)
    }

    @Test func parameterOfTypeVoid_isNotAdvisedToBeRegistered() throws {
        try context.load(
            Module("Shop") { registry in
                registry.register(Int.self, fileID: "Shop/Shop.swift", line: 3) { (_: Void) in 1 }
            })
        #expect(
            "\(context.validate())" == """
                Shop/Shop.swift:3: error: Int needs (), which is not registered
                  fix: specify the type to resolve
                1 error in 1 registration
                """)
    }

    // MARK: Types of one name

    @Test func typesOfOneName_areDistinguished() throws {
        let items = Module("Items") { registry in
            registry.register(First.Item.self, fileID: "Shop/Items.swift", line: 3) { First.Item() }
            registry.register(Order.self, fileID: "Shop/Items.swift", line: 4, Order.init)
        }
        try context.load(items)
        #expect(
            text(Order.self) == """
                Shop/Items.swift:4: LocatorTests.Second.Item is not registered
                  needed by Order (Shop/Items.swift:4)
                  requested: Order at Shop/Main.swift:9
                  near: LocatorTests.First.Item (Shop/Items.swift:3)
                  fix: register it in a loaded module: registry.register(LocatorTests.Second.Item.self) { … }
                """)
        #expect(
            context.validate().findings.map(\.description).first == """
                Shop/Items.swift:4: error: Order needs LocatorTests.Second.Item, which is not registered
                Shop/Items.swift:3: note: near: LocatorTests.First.Item
                  fix: register it in a loaded module: registry.register(LocatorTests.Second.Item.self) { … }
                """)
    }

    @Test func payloadsOfOneName_areDistinguished() throws {
        try context.load(
            Module("Factories") { registry in
                registry.factory(String.self) { (item: First.Item) in "first" }
            })
        #expect(
            message { try context.resolve(String.self, with: Second.Item(), fileID: "Shop/Main.swift", line: 9) } == """
                Shop/Main.swift:9: no factory of String takes a payload of type LocatorTests.Second.Item, only LocatorTests.First.Item
                  fix: pass LocatorTests.First.Item, or register a factory for this payload: registry.factory(String.self) { (payload: LocatorTests.Second.Item) in … }
                """)
    }

    // MARK: Modules that are off

    @Test func moduleIncludedByOneThatIsOff_namesTheOuterCondition() throws {
        let inner = Module("Inner") { registry in
            registry.register(Int.self, fileID: "Shop/Inner.swift", line: 2) { 1 }
        }
        let middle = Module("Middle", including: [inner])
        let outer = Module("Outer", including: [middle], when: .profile("prod"))
        let user = Module("User") { registry in
            registry.register(String.self, fileID: "Shop/User.swift", line: 5) { (_: Int) in "" }
        }
        try context.load(outer, user)
        #expect(
            text(Int.self) == """
                Shop/Main.swift:9: Int is not registered
                  off: Int (Shop/Inner.swift:2) is in module "Inner", included by module "Outer", which is off unless profile "prod" is active
                  fix: make the condition true, or register it in a loaded module: registry.register(Int.self) { … }
                """)
        #expect(
            context.validate().findings.map(\.description).first == """
                Shop/User.swift:5: error: String needs Int, which is not registered
                Shop/Inner.swift:2: note: module "Inner" registers Int, but module "Outer", which includes it, is off unless profile "prod" is active
                  fix: make the condition true, or register it in a loaded module: registry.register(Int.self) { … }
                """)
    }

    @Test func moduleIncludedByOneThatIsOn_too_isNotACause() throws {
        let inner = Module("Inner") { registry in
            registry.register(Int.self, qualifier: "a", fileID: "Shop/Inner.swift", line: 2) { 1 }
        }
        try context.load(
            Module("Off", including: [inner], when: .profile("prod")), Module("On", including: [inner]))
        #expect(
            text(Int.self, qualifier: "b") == """
                Shop/Main.swift:9: Int "b" is not registered
                  near: Int "a" (Shop/Inner.swift:2)
                  fix: register it in a loaded module: registry.register(Int.self, qualifier: "b") { … }
                """)
    }
}
