import Locator
import Testing

@Suite("A factory makes an instance from a payload and the context")
struct FactoryTests {
    private struct Payload {
        let name: String
    }

    private final class Info {
        let text: String
        init(_ text: String) { self.text = text }
    }

    private let context = AppContext()

    @Test func structPayload_andDependencies() throws {
        let module = Module("Info") { registry in
            registry.register(Int.self) { 7 }
            registry.factory(Info.self) { (payload: Payload, number: Int, missing: Double?, all: [Int]) in
                Info("\(payload.name) \(number) \(missing as Any) \(all)")
            }
        }
        try context.load(module)
        #expect(try context.resolve(Info.self, with: Payload(name: "Ada")).text == "Ada 7 nil [7]")
    }

    @Test func singleValuePayload() throws {
        try context.load(Module("Info") { $0.factory(Info.self) { (name: String) in Info(name) } })
        #expect(try context.resolve(Info.self, with: "Ada").text == "Ada")
    }

    @Test func tuplePayload() throws {
        let module = Module("Info") { registry in
            registry.factory(Info.self) { (payload: (name: String, age: Int)) in
                Info("\(payload.name) \(payload.age)")
            }
        }
        try context.load(module)
        #expect(try context.resolve(Info.self, with: (name: "Ada", age: 36)).text == "Ada 36")
    }

    @Test func classPayload_optionalPayload_andClosurePayload() throws {
        final class Parent { let name = "parent" }
        let module = Module("Info") { registry in
            registry.factory(Info.self) { (parent: Parent) in Info(parent.name) }
            registry.factory(Info.self) { (name: String?) in Info(name ?? "nobody") }
            registry.factory(Info.self) { (name: () -> String) in Info(name()) }
        }
        try context.load(module)
        #expect(try context.resolve(Info.self, with: Parent()).text == "parent")
        #expect(try context.resolve(Info.self, with: String?.none).text == "nobody")
        let closure: () -> String = { "closure" }
        #expect(try context.resolve(Info.self, with: closure).text == "closure")
    }

    @Test func severalFactoriesOfOneType_areDistinguished_byTheExactPayloadType() throws {
        let module = Module("Info") { registry in
            registry.factory(Info.self) { (name: String) in Info("text \(name)") }
            registry.factory(Info.self) { (number: Int) in Info("number \(number)") }
            registry.factory(Info.self) { (any: any CustomStringConvertible) in Info("any \(any)") }
        }
        try context.load(module)
        #expect(try context.resolve(Info.self, with: "Ada").text == "text Ada")
        #expect(try context.resolve(Info.self, with: 3).text == "number 3")
        #expect(try context.resolve(Info.self, with: 3 as any CustomStringConvertible).text == "any 3")
        #expect(locatorError({ try context.resolve(Info.self, with: 3.5) }) != nil)
    }

    @Test func qualifiedFactories() throws {
        let module = Module("Info") { registry in
            registry.factory(Info.self, qualifier: "short") { (name: String) in Info(String(name.prefix(1))) }
            registry.factory(Info.self, qualifier: "long") { (name: String) in Info("Dear \(name)") }
        }
        try context.load(module)
        #expect(try context.resolve(Info.self, with: "Ada", qualifier: "short").text == "A")
        #expect(try context.resolve(Info.self, with: "Ada", qualifier: "long").text == "Dear Ada")
        guard case .ambiguous = locatorError({ try context.resolve(Info.self, with: "Ada") })?.kind else {
            Issue.record("not ambiguous")
            return
        }
    }

    @Test func eachCall_makesANewOne() throws {
        try context.load(Module("Info") { $0.factory(Info.self) { (name: String) in Info(name) } })
        #expect(try context.resolve(Info.self, with: "a") !== context.resolve(Info.self, with: "a"))
    }

    @Test func factory_isInjected_andCalled() throws {
        struct Screen: Sendable {
            let info: Factory<Payload, Info>
            let numbered: Factory<Int, Info>
        }
        let module = Module("Info") { registry in
            registry.factory { (payload: Payload) in Info(payload.name) }
            registry.factory(qualifier: "numbered") { (number: Int) in Info("number \(number)") }
            registry.register(Screen.self, parameterQualifiers: [nil, "numbered"], Screen.init)
        }
        try context.load(module)
        let screen = try context.resolve(Screen.self)
        #expect(try screen.info(Payload(name: "Ada")).text == "Ada")
        #expect(try screen.numbered(3).text == "number 3")
    }

    @Test func factory_isRequestedDirectly_andThroughAWrapper() throws {
        struct Holder {
            @Dependency var info: Factory<Payload, Info>
        }
        try context.load(Module("Info") { $0.factory { (payload: Payload) in Info(payload.name) } })
        let info = try context.resolve(Factory<Payload, Info>.self)
        #expect(try info(Payload(name: "Ada")).text == "Ada")
        let holder = AppContext.withContext(context) { Holder() }
        #expect(try holder.info(Payload(name: "Bob")).text == "Bob")
    }

    @Test func injectedFactory_followsTheContext() throws {
        try context.load(Module("Info") { $0.factory { (payload: Payload) in Info("real \(payload.name)") } })
        let info = try context.resolve(Factory<Payload, Info>.self)
        try context.push(Module("Fake") { $0.factory { (payload: Payload) in Info("fake \(payload.name)") } })
        #expect(try info(Payload(name: "Ada")).text == "fake Ada")
        context.pop()
        #expect(try info(Payload(name: "Ada")).text == "real Ada")
    }

    @Test func factory_mayCallItself_withASmallerPayload() throws {
        final class Tree: Sendable {
            let child: Tree?
            init(_ child: Tree?) { self.child = child }
            var depth: Int { 1 + (child?.depth ?? 0) }
        }
        let module = Module("Trees") { registry in
            registry.factory(Tree.self) { (depth: Int, trees: Factory<Int, Tree>) in
                Tree(depth > 1 ? try trees(depth - 1) : nil)
            }
        }
        try context.load(module)
        #expect(try context.resolve(Tree.self, with: 10).depth == 10)
    }

    @Test func factoryAndRegistration_ofOneType_liveSideBySide() throws {
        let module = Module("Info") { registry in
            registry.factory(Info.self) { (name: String) in Info(name) }
            registry.register(Info.self, scope: .prototype) { Info("plain") }
        }
        try context.load(module)
        #expect(try context.resolve(Info.self).text == "plain")
        #expect(try context.resolve(Info.self, with: "x").text == "x")
        #expect(try context.resolveAll(Info.self).map(\.text) == ["plain"])
    }

}
