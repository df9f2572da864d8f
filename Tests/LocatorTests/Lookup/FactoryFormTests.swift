import Locator
import Testing

private let file: StaticString = "Shop/Shop.swift"

@Suite("A factory is a registration with a payload")
struct FactoryFormTests {
    private protocol Named: Sendable {
        var name: String { get }
    }

    private struct Item: Named {
        let name: String

        init(name: String) {
            self.name = name
        }

        init(id: Int, title: String, store: Store) {
            name = "\(id) \(title) of \(store.name)"
        }

        init(id: Int, title: String, price: Double, store: Store) {
            name = "\(id) \(title) for \(price) of \(store.name)"
        }
    }

    private final class Box {
        var items: [String] = []
    }

    private struct Store: Sendable {
        let name: String
    }

    private let context = AppContext()

    private func load(_ register: @escaping @Sendable (Registry) -> Void) throws {
        let store = Module("Store") { $0.register { Store(name: "Ada") } }
        try context.load(store, Module("Items", register))
    }

    // MARK: Several payloads

    @Test func twoAndThreePayloads_inClosuresWithoutAnnotations() throws {
        try load { registry in
            registry.factory(Item.self, given: Int.self, String.self) { id, title, store in
                Item(id: id, title: title, store: store)
            }
            registry.factory(Item.self, given: Int.self, String.self, Double.self) { id, title, price, store in
                Item(id: id, title: title, price: price, store: store)
            }
            registry.factory(Item.self, given: Int.self) { id, store in Item(id: id, title: "Lamp", store: store) }
        }
        #expect(try context.resolve(Item.self, with: 1, "Lamp").name == "1 Lamp of Ada")
        #expect(try context.resolve(Item.self, with: 1, "Lamp", 2.5).name == "1 Lamp for 2.5 of Ada")
        #expect(try context.resolve(Item.self, with: 1).name == "1 Lamp of Ada")
    }

    @Test func twoAndThreePayloads_withAnInitializer() async throws {
        try load { registry in
            registry.factory(Item.self, given: Int.self, String.self, Item.init(id:title:store:))
            registry.factory(given: Int.self, String.self, Double.self, Item.init(id:title:price:store:))
        }
        #expect(try await context.resolve(Item.self, with: 1, "Lamp").name == "1 Lamp of Ada")
        #expect(try await context.resolve(Item.self, with: 1, "Lamp", 2.5).name == "1 Lamp for 2.5 of Ada")
    }

    /// Payloads of different sizes and alignments, with and without references.
    @Test func payloads_comeInTheirOrder_whateverTheirLayout() throws {
        struct Odd {
            var first: UInt8 = 1
            var second: UInt16 = 2
            var third: UInt8 = 3
        }
        let module = Module("Layouts") { registry in
            registry.factory(String.self, given: UInt8.self, Int64.self, Bool.self) { "\($0) \($1) \($2)" }
            registry.factory(String.self, given: Odd.self, UInt8.self, String.self) { odd, byte, text in
                "\(odd.first)\(odd.second)\(odd.third) \(byte) \(text)"
            }
            registry.factory(String.self, given: Bool?.self, (any Named).self, Void.self) { flag, named, _ in
                "\(flag as Any) \(named.name)"
            }
            registry.factory(String.self, given: (UInt8, Int).self, Double.self) { pair, number in "\(pair) \(number)" }
        }
        try context.load(module)
        #expect(try context.resolve(String.self, with: UInt8(7), Int64.max, true) == "7 9223372036854775807 true")
        #expect(
            try context.resolve(String.self, with: Odd(), UInt8(9), "long enough to be on the heap") == """
                123 9 long enough to be on the heap
                """)
        #expect(try context.resolve(String.self, with: Bool?.none, Item(name: "Lamp") as any Named, ()) == "nil Lamp")
        #expect(try context.resolve(String.self, with: (UInt8(1), 2), 3.5) == "(1, 2) 3.5")
    }

    /// Swift 6 passes the value inside an existential to a parameter whose generic type occurs once.
    @Test func staticTypeOfPayload_choosesTheFactory() async throws {
        try load { registry in
            registry.factory(String.self) { (named: any Named) in "named \(named.name)" }
            registry.factory(String.self) { (item: Item) in "item \(item.name)" }
            registry.factory(String.self, given: (any Named).self, Int.self) { "\($0.name) \($1)" }
            registry.factory(String.self, given: Int.self, Any.self) { "\($0) \($1)" }
            registry.factory(Substring.self) { (named: any Named, resolver: Resolver) in
                "\(try resolver.resolve(String.self, with: named)), \(try resolver.resolve(String.self, with: named, 1))"
            }
            registry.factory(Bool.self, async: { (named: any Named) in named.name == "Lamp" })
        }
        let item = Item(name: "Lamp")
        let named: any Named = item
        let context = context
        func synchronously() throws {
            #expect(try context.resolve(String.self, with: named) == "named Lamp")
            #expect(try context.resolve(String.self, with: item) == "item Lamp")
            #expect(try context.resolve(String.self, with: item, as: (any Named).self) == "named Lamp")
            #expect(try context.resolve(String.self, with: named, 1) == "Lamp 1")
            #expect(try context.resolve(String.self, with: item, 1, as: ((any Named), Int).self) == "Lamp 1")
            #expect(try context.resolve(String.self, with: 1, "x" as Any) == "1 x")
            #expect(try context.resolve(Substring.self, with: named) == "named Lamp, Lamp 1")
        }
        try synchronously()
        #expect(try await context.resolve(Bool.self, with: named))
        #expect(try await context.resolve(Bool.self, with: item, as: (any Named).self))
        #expect(try await context.resolve(String.self, with: named, 1) == "Lamp 1")
    }

    @Test func severalPayloads_areATuple() throws {
        struct Screen: Sendable {
            let make: Factory<(Int, String), Item>
        }
        try load { registry in
            registry.factory(Item.self, given: Int.self, String.self, Item.init(id:title:store:))
            registry.factory(Item.self) { (pair: (Double, String)) in Item(name: "\(pair.0) \(pair.1)") }
            registry.register(Screen.init)
        }
        #expect(try context.resolve(Item.self, with: (1, "Lamp")).name == "1 Lamp of Ada")
        #expect(try context.resolve(Item.self, with: 1.5, "Lamp").name == "1.5 Lamp")
        let make = try context.resolve(Screen.self).make
        #expect(try make(1, "Lamp").name == "1 Lamp of Ada")
        #expect(try make((1, "Lamp")).name == "1 Lamp of Ada")
    }

    @Test func qualifierAndTaking_holdForTheParametersBehindThePayloads() throws {
        let module = Module("Items") { registry in
            registry.register(qualifier: "a") { Store(name: "a") }
            registry.register(qualifier: "b") { Store(name: "b") }
            registry.factory(
                Item.self, given: Int.self, String.self, qualifier: "b", parameterQualifiers: ["b"],
                Item.init(id:title:store:))
            registry.factory(
                Item.self, given: Int.self, String.self, qualifier: "a", parameterQualifiers: ["a"],
                Item.init(id:title:store:))
        }
        try context.load(module)
        #expect(try context.resolve(Item.self, with: 1, "Lamp", qualifier: "a").name == "1 Lamp of a")
        #expect(try context.resolve(Item.self, with: 1, "Lamp", qualifier: "b").name == "1 Lamp of b")
        let wrong = Module("Wrong") { registry in
            registry.factory(
                Item.self, given: Int.self, String.self, parameterQualifiers: [nil, nil, "a"], fileID: file, line: 4,
                Item.init(id:title:store:))
        }
        #expect(
            message { try context.load(wrong) } == """
                Shop/Shop.swift:4: `parameterQualifiers:` of Item has 3 qualifiers, but the factory closure has 1 parameter besides its payload
                  fix: pass one qualifier for each parameter, in order, and nil for a parameter without one
                """)
    }

    @Test func parameterQualifiersOfADecorator_areCounted_withoutTheInstanceThatItWraps() throws {
        let wrong = Module("Wrong") { registry in
            registry.decorate(String.self, parameterQualifiers: [nil, "a"], fileID: file, line: 4) { (base, _: Int) in
                base
            }
        }
        #expect(
            message { try context.load(wrong) } == """
                Shop/Shop.swift:4: `parameterQualifiers:` of the decorator of String has 2 qualifiers, but its closure has 1 parameter besides the instance that it wraps
                  fix: pass one qualifier for each parameter, in order, and nil for a parameter without one
                """)
    }

    // MARK: Wrong payloads

    @Test func optionalProduct_isAnError_thatNamesTheTypeOfTheFactory() throws {
        try context.load(Module("M") { $0.factory(String.self) { (number: Int) in "\(number)" } })
        #expect(
            message { _ = try context.resolve(String?.self, with: 1, fileID: "Shop/Main.swift", line: 3) } == """
                Shop/Main.swift:3: no factory of String? takes a payload of type Int
                  fix: name the type that the factory makes: String, not String?
                """)
        let product: String? = try context.resolve(String.self, with: 1)
        #expect(product == "1")
    }

    @Test func optionalProductOfAParameter_isAnError_thatNamesTheTypeOfTheFactory() throws {
        try context.load(
            Module("M") { registry in
                registry.factory(String.self) { (number: Int) in "\(number)" }
                registry.register(Bool.self, fileID: file, line: 2) { (make: Factory<Int, String?>) in
                    try make(1) != nil
                }
            })
        #expect(
            "\(context.validate())" == """
                Shop/Shop.swift:2: error: Bool needs a Factory<Int, String?>, but no factory of String? takes \
                a payload of type Int
                  fix: name the type that the factory makes: String, not String?
                1 error in 2 registrations
                """)
        #expect(
            message { try context.resolve(Bool.self, fileID: "Shop/Main.swift", line: 3) } == """
                Shop/Shop.swift:2: no factory of String? takes a payload of type Int
                  needed by Bool (Shop/Shop.swift:2)
                  requested: Bool at Shop/Main.swift:3
                  fix: name the type that the factory makes: String, not String?
                """)
    }

    @Test func factoryOfWhatTheContextMakes_isAnError_thatSaysWhatToReturn() {
        let wrong = Module("Wrong") { registry in
            registry.factory(fileID: file, line: 4) { (number: Int) -> String? in number > 0 ? "\(number)" : nil }
            registry.factory([String].self, qualifier: "a", fileID: file, line: 5) { (number: Int) in ["\(number)"] }
        }
        #expect(
            message { try context.load(wrong) } == """
                Shop/Shop.swift:4: String? cannot be the product of a factory: the context makes it
                  fix: return String, and throw an error if there is none
                Shop/Shop.swift:5: [String] "a" cannot be the product of a factory: the context makes it
                  fix: return a type of your own that contains it
                """)
    }

    @Test func wrongPayload_isReportedWithWhatToPass() throws {
        try load { registry in
            registry.factory(Item.self, given: Int.self, String.self, Item.init(id:title:store:))
            registry.factory(Item.self) { (name: String?) in Item(name: name ?? "") }
        }
        func text(_ ask: () throws -> Item) -> String? { message(ask) }
        #expect(
            text { try context.resolve(Item.self, with: "Lamp", 1, fileID: file, line: 9) } == """
                Shop/Shop.swift:9: no factory of Item takes a payload of type (String, Int), only (Int, String) or String?
                  fix: pass Int and String in this order or String?, \
                or register a factory for this payload: registry.factory(Item.self, given: String.self, Int.self) { … }
                """)
        #expect(
            text { try context.resolve(Item.self, with: "Lamp", fileID: file, line: 9) } == """
                Shop/Shop.swift:9: no factory of Item takes a payload of type String, only (Int, String) or String?
                  fix: pass Int and String in this order or String?, \
                or register a factory for this payload: registry.factory(Item.self) { (payload: String) in … }
                """)
        #expect(
            text { try context.resolve(Item.self, with: (id: 1, title: "Lamp"), fileID: file, line: 9) } == """
                Shop/Shop.swift:9: no factory of Item takes a payload of type (id: Int, title: String), \
                only (Int, String) or String?
                  fix: pass Int and String in this order or String?, \
                or register a factory for this payload: registry.factory(Item.self) { (payload: (id: Int, title: String)) in … }
                """)
        #expect(try context.resolve(Item.self, with: String?.some("Lamp")).name == "Lamp")
    }

    // MARK: As a registration

    @Test func ambiguousFactories_areListedWithAFixThatWorks() throws {
        let two: @Sendable (Registry, Bool) -> Void = { registry, isPrimary in
            let first = registry.factory(Item.self, fileID: file, line: 1) { (name: String) in Item(name: "1 \(name)") }
            registry.factory(Item.self, fileID: file, line: 2) { (name: String) in Item(name: "2 \(name)") }
            if isPrimary { first.primary() }
        }
        try context.load(Module("Items") { two($0, false) })
        #expect(
            message { try context.resolve(Item.self, with: "Lamp", fileID: file, line: 9) } == """
                Shop/Shop.swift:9: 2 registrations match Item, and none of them is primary
                  candidate: Item (Shop/Shop.swift:1)
                  candidate: Item (Shop/Shop.swift:2)
                  fix: give them qualifiers and request one by its qualifier, or mark one of them .primary()
                """)
        try context.push(Module("Primary") { two($0, true) })
        #expect(try context.resolve(Item.self, with: "Lamp").name == "1 Lamp")
    }

    @Test func alias_answersWithTheFactory_andWithItsReplacement() throws {
        let module = Module("Items") { registry in
            registry.factory { (name: String) in Item(name: name) }.alias((any Named).self) { $0 }
            registry.factory { (id: Int) in Item(name: "number \(id)") }.alias((any Named).self) { $0 }
            registry.decorate((any Named).self) { base in Item(name: "<\(base.name)>") }
        }
        try context.load(module)
        #expect(try context.resolve((any Named).self, with: "Lamp").name == "<Lamp>")
        #expect(try context.resolve((any Named).self, with: 3).name == "<number 3>")
        #expect(try context.resolve(Item.self, with: "Lamp").name == "Lamp")
        #expect(
            message { try context.resolve((any Named).self, with: 2.5, fileID: file, line: 9) } == """
                Shop/Shop.swift:9: no factory of any Named takes a payload of type Double, only String or Int
                  fix: pass String or Int, \
                or register a factory for this payload: registry.factory((any Named).self) { (payload: Double) in … }
                """)
        let make = try context.resolve(Factory<String, any Named>.self)
        try context.push(Module("Fakes") { $0.factory { (name: String) in Item(name: "fake \(name)") } })
        #expect(try make("Lamp").name == "<fake Lamp>")
        #expect(try context.resolve((any Named).self, with: 3).name == "<number 3>")
        context.pop()
        #expect(try make("Lamp").name == "<Lamp>")
        #expect(context.validate().description == "nothing found in 2 registrations")
    }

    @Test func alias_withAQualifierOfItsOwn() throws {
        let module = Module("Items") { registry in
            registry.factory(qualifier: "plain") { (name: String) in Item(name: name) }
                .alias((any Named).self, qualifier: "named") { $0 }
        }
        try context.load(module)
        #expect(try context.resolve((any Named).self, with: "Lamp", qualifier: "named").name == "Lamp")
        #expect(try context.resolve((any Named).self, with: "Lamp").name == "Lamp")
        #expect(message { try context.resolve((any Named).self, with: "Lamp", qualifier: "plain") } != nil)
    }

    @Test func injections_runForEachProduct() throws {
        try load { registry in
            registry.factory(Box.self) { (_: Int) in Box() }
                .injecting { (box, store: Store) in box.items.append(store.name) }
                .injecting { box in box.items.append("second") }
        }
        #expect(try context.resolve(Box.self, with: 1).items == ["Ada", "second"])
        #expect(try context.resolve(Box.self, with: 1).items == ["Ada", "second"])
    }

    @Test func injection_mayAskTheFactoryItself_withASmallerPayload() throws {
        final class Tree {
            var child: Tree?
            var depth: Int { 1 + (child?.depth ?? 0) }
        }
        let module = Module("Trees") { registry in
            registry.factory(Tree.self, fileID: file, line: 1) { (_: Int) in Tree() }
            registry.factory(Tree.self, qualifier: "joined") { (depth: Int) in (Tree(), depth).0 }
                .injecting { (tree, trees: Factory<Int, Tree>) in tree.child = try trees(1) }
            registry.factory(Depth.self, fileID: file, line: 3) { (depth: Int) in Depth(depth) }
                .injecting { (depth, deeper: Factory<Int, Depth>) in
                    if depth.number != 0 { depth.next = try deeper(depth.number - 1) }
                }
        }
        try context.load(module)
        #expect(try context.resolve(Tree.self, with: 1, qualifier: "joined").depth == 2)
        #expect(try context.resolve(Depth.self, with: 500).count == 501)
        // It would never end, so it is an error.
        guard case .circularDependency = locatorError({ try context.resolve(Depth.self, with: -1) })?.kind else {
            Issue.record("no cycle")
            return
        }
    }

    private final class Depth {
        let number: Int
        var next: Depth?
        init(_ number: Int) { self.number = number }
        var count: Int {
            var (depth, count) = (self, 1)
            while let next = depth.next { (depth, count) = (next, count + 1) }
            return count
        }
    }

    @Test func factoryThatThrows_keepsItsError() throws {
        struct Refusal: Error, CustomStringConvertible { let description = "sold out" }
        try load { registry in
            registry.factory(Item.self, given: Int.self, String.self, fileID: file, line: 3) { _, _ in throw Refusal() }
                .alias((any Named).self, fileID: file, line: 4) { $0 }
        }
        #expect(
            message { try context.resolve(Item.self, with: 1, "Lamp", fileID: file, line: 9) } == """
                Shop/Shop.swift:3: making Item failed: sold out
                  requested: Item at Shop/Shop.swift:9
                """)
        #expect(
            message { try context.resolve((any Named).self, with: 1, "Lamp", fileID: file, line: 9) } == """
                Shop/Shop.swift:3: making Item failed: sold out
                  needed by alias any Named (Shop/Shop.swift:4)
                  requested: any Named at Shop/Shop.swift:9
                """)
    }

    @Test func decorator_wrapsEachProduct() throws {
        try load { registry in
            registry.factory(Item.self, given: Int.self, String.self, Item.init(id:title:store:))
            registry.decorate(Item.self) { (base, store: Store) in Item(name: "\(base.name), \(store.name)") }
        }
        #expect(try context.resolve(Item.self, with: 1, "Lamp").name == "1 Lamp of Ada, Ada")
    }

    @Test func pushedFake_replacesTheFactoryOfItsPayloadsOnly() throws {
        try load { registry in
            registry.factory(Item.self, given: Int.self, String.self, Item.init(id:title:store:))
            registry.factory(Item.self) { (name: String) in Item(name: name) }
        }
        let fork = try context.fork(
            pushing: Module("Fakes") {
                $0.factory(Item.self, given: Int.self, String.self) { id, _ in Item(name: "\(id)") }
            })
        #expect(try fork.resolve(Item.self, with: 1, "Lamp").name == "1")
        #expect(try fork.resolve(Item.self, with: "Lamp").name == "Lamp")
        #expect(try context.resolve(Item.self, with: 1, "Lamp").name == "1 Lamp of Ada")
    }

    @Test func collection_hasNoProducts_andAChildHasTheFactoriesOfItsParent() throws {
        let module = Module("Visit") { registry in
            registry.input(Store.self, scope: .modelScopes[0])
            registry.register(scope: .graph) { Item(name: "graph") }
            registry.factory(Item.self, given: Int.self, String.self, Item.init(id:title:store:))
            registry.factory(Box.self) { (name: String, one: Item, two: Item) in
                let box = Box()
                box.items = [name, one.name, two.name]
                return box
            }
        }
        try context.load(module)
        #expect(try context.resolveAll(Item.self).map(\.name) == ["graph"])
        let child = try context.child(opening: .modelScopes[0], giving: Store(name: "Ben"))
        #expect(try child.resolve(Item.self, with: 1, "Lamp").name == "1 Lamp of Ben")
        #expect(try child.resolve(Box.self, with: "a").items == ["a", "graph", "graph"])
        guard case .scopeNotOpened = locatorError({ try context.resolve(Item.self, with: 1, "Lamp") })?.kind else {
            Issue.record("asked outside of the scope")
            return
        }
    }

    // MARK: Telling of them

    @Test func dumpExplainGraphAndValidation_knowAllForms() throws {
        let module = Module("Items", fileID: file, line: 1) { registry in
            registry.factory(Item.self, given: Int.self, String.self, fileID: file, line: 2, Item.init(id:title:store:))
                .primary().alias((any Named).self, fileID: file, line: 3) { $0 }
            registry.factory(Box.self, fileID: file, line: 4, onMainActor: { (_: Int) in Box() })
            registry.factory(String.self, fileID: file, line: 5, async: { (id: Int, store: Store) in store.name })
            registry.register(scope: .prototype, fileID: file, line: 6) { (_: RequestSite) in 1.5 }
        }
        try context.load(module)
        let found = context.validate()
        #expect(
            found.description == """
                Shop/Shop.swift:2: error: Item needs Store, which is not registered
                Shop/Shop.swift:3: note: the alias any Named forwards to Item
                Shop/Shop.swift:5: note: String needs it, too
                  fix: register it in a loaded module: registry.register(Store.self) { … }
                1 error in 4 registrations
                """)
        let dump = context.dump()
        for line in [
            "    Item (Shop/Shop.swift:2) from (Int, String), alias any Named", "    Box (Shop/Shop.swift:4) from Int",
            "    String (Shop/Shop.swift:5) from Int", "    Double (Shop/Shop.swift:6) .prototype",
        ] {
            #expect(dump.split(separator: "\n").contains(Substring(line)), "\(dump)")
        }
        let nodes = context.graph().nodes
        #expect(nodes.filter { $0.kind == .factory }.map(\.name) == ["Item", "Box", "String"])
        #expect(nodes.filter { $0.kind == .factory }.map(\.payload) == ["(Int, String)", "Int", "Int"])
        #expect(nodes.filter(\.isAsynchronous).map(\.name) == ["String"])
        #expect(nodes.filter { $0.kind == .missing }.map(\.name) == ["Store"])
        #expect(!nodes.contains { $0.takesResolver })
        #expect(
            context.explain(Item.self).problem == """
                Item is made by a factory from a payload of type (Int, String)
                  fix: call `resolve(Item.self, with: …)`, or take a Factory<(Int, String), Item>
                """)
        #expect(context.explain(Double.self).answers.map(\.parts) == [["RequestSite"]])
    }
}

@Suite("A type that only factories make is an error without a payload, not nil")
struct PayloadNeededTests {
    private struct Item: Sendable, Equatable {
        let name: String
    }

    private struct Optionally: Sendable {
        let item: Item?
    }

    private let context = AppContext()
    private let items = Module("Items") { registry in
        registry.factory(Item.self, fileID: file, line: 1) { (name: String) in Item(name: name) }
        registry.factory(Item.self, given: Int.self, String.self, qualifier: "two", fileID: file, line: 2) { _, name in
            Item(name: name)
        }
    }
    private let asking = Module("Asking") { registry in
        registry.register(Optionally.self, fileID: file, line: 3, Optionally.init)
    }

    private static let text = """
        Shop/Shop.swift:9: Item is made by a factory from a payload of type String or (Int, String)
          fix: call `resolve(Item.self, with: …)`, or take a Factory<String, Item> or Factory<(Int, String), Item>
        """

    @Test func optional_isAnError_howeverItIsRequested() throws {
        try context.load(items)
        #expect(message { try context.resolve(Item?.self, fileID: file, line: 9) } == Self.text)
        // Once more, because a nil must not be kept.
        #expect(message { try context.resolve(Item?.self, fileID: file, line: 9) } == Self.text)
        #expect(
            message {
                let item: Item? = try context.resolve(fileID: file, line: 9); return item
            } == Self.text)
        #expect(message { try context.resolve(Item.self, fileID: file, line: 9) } == Self.text)
        let wrapper = AppContext.withContext(context) { Dependency<Item?>(fileID: file, line: 9) }
        #expect(message { try wrapper.resolved() } == Self.text)
        #expect(
            message { try context.resolve(Item?.self, qualifier: "two", fileID: file, line: 9) } == """
                Shop/Shop.swift:9: Item "two" is made by a factory from a payload of type (Int, String)
                  fix: call `resolve(Item.self, with: …)`, or take a Factory<(Int, String), Item>
                """)
        #expect(try context.resolve(Item?.self, qualifier: "three") == nil)
        #expect(try context.resolveAll(Item.self).isEmpty)
    }

    @Test func parameter_isAnError_thatValidationFindsBefore() throws {
        try context.load(items, asking)
        #expect(
            message { try context.resolve(Optionally.self, fileID: file, line: 9) } == """
                Shop/Shop.swift:3: Item is made by a factory from a payload of type String or (Int, String)
                  needed by Optionally (Shop/Shop.swift:3)
                  requested: Optionally at Shop/Shop.swift:9
                  fix: call `resolve(Item.self, with: …)`, or take a Factory<String, Item> or Factory<(Int, String), Item>
                """)
        #expect(
            context.validate().description == """
                Shop/Shop.swift:3: error: Optionally needs Item, which is made by a factory from a payload of type String or (Int, String)
                  fix: take a Factory<String, Item> or Factory<(Int, String), Item>
                1 error in 3 registrations
                """)
    }

    @Test func whatHasReadNil_isMadeAgain_underAPushOfAFactory() throws {
        try context.load(asking)
        #expect(try context.resolve(Item?.self) == nil)
        let before = try context.resolve(Optionally.self)
        #expect(before.item == nil)
        let wrapper = AppContext.withContext(context) { Dependency<Item?>() }
        #expect(try wrapper.resolved() == nil)
        try context.push(items)
        #expect(message { try context.resolve(Item?.self, fileID: file, line: 9) } == Self.text)
        #expect(message { try wrapper.resolved() } != nil)
        #expect(message { try context.resolve(Optionally.self) } != nil)
        context.pop()
        #expect(try context.resolve(Item?.self) == nil)
        #expect(try wrapper.resolved() == nil)
        #expect(try context.resolve(Optionally.self).item == nil)
    }

    @Test func whatIsRegisteredBesideFactories_answers() throws {
        try context.load(items, Module("Plain") { $0.register(Item.self, qualifier: "two") { Item(name: "plain") } })
        #expect(try context.resolve(Item?.self)?.name == "plain")
        #expect(try context.resolve(Item?.self, qualifier: "two")?.name == "plain")
    }
}
