import Locator
import TestSupport
import Testing

private protocol Voice: Sendable {
    var says: String { get }
}

private final class Plain: Voice {
    let says: String
    init(_ says: String = "hi") { self.says = says }
}

private final class Wrapped: Voice {
    let base: any Voice
    let sign: String
    var says: String { "\(sign)\(base.says)\(sign)" }

    init(_ base: any Voice, _ sign: String) {
        self.base = base
        self.sign = sign
    }
}

@Suite("A decorator wraps every registration of its key in its own module and the modules after it")
struct DecoratorTests {
    private let context = AppContext()
    private let made = Log()

    private func decorating(_ sign: String, qualifier: Qualifier? = nil) -> Module {
        Module("Decorating \(sign)") { [made] registry in
            registry.decorate((any Voice).self, qualifier: qualifier) { base in
                made("\(sign) around \(base.says)")
                return Wrapped(base, sign)
            }
        }
    }

    private let voice = Module("Voice") { registry in
        registry.register((any Voice).self) { Plain() }
    }

    private func says() throws -> String { try context.resolve((any Voice).self).says }

    @Test func decorator_wraps_inItsOwnModule() throws {
        let module = Module("Both") { registry in
            registry.decorate((any Voice).self) { Wrapped($0, "*") }
            registry.register((any Voice).self) { Plain() }
        }
        try context.load(module)
        #expect(try says() == "*hi*")
    }

    @Test func decorator_wraps_modulesBehindIt_only() throws {
        try context.load(voice, decorating("*"))
        #expect(try says() == "hi")
        let other = AppContext()
        try other.load(decorating("*"), voice)
        #expect(try other.resolve((any Voice).self).says == "*hi*")
    }

    @Test func decorators_stack_inWrittenOrder_thenThoseInFrontAround() throws {
        let two = Module("Two") { registry in
            registry.decorate((any Voice).self) { Wrapped($0, "1") }
            registry.decorate((any Voice).self) { Wrapped($0, "2") }
        }
        try context.load(decorating("3"), two, voice)
        #expect(try says() == "321hi123")
    }

    @Test func pushedDecorator_wraps_untilItIsPopped() throws {
        try context.load(voice)
        let base = try context.resolve((any Voice).self) as? Plain
        try context.push(decorating("*"))
        let wrapped = try #require(try context.resolve((any Voice).self) as? Wrapped)
        #expect(wrapped.base as? Plain === base)
        try context.push(decorating("!"))
        #expect(try says() == "!*hi*!")
        context.pop()
        #expect(try context.resolve((any Voice).self) as? Wrapped === wrapped)
        context.pop()
        #expect(try context.resolve((any Voice).self) as? Plain === base)
    }

    @Test func decorator_runsOnce_perSharedInstance() throws {
        try context.load(decorating("*"), voice)
        #expect(try context.resolve((any Voice).self) as? Wrapped === context.resolve((any Voice).self) as? Wrapped)
        #expect(try context.resolveAll((any Voice).self).count == 1)
        #expect(made.entries == ["* around hi"])
    }

    @Test func decorator_wrapsEachPrototype() throws {
        let voices = Module("Voices") { $0.register((any Voice).self, scope: .prototype) { Plain() } }
        try context.load(decorating("*"), voices)
        #expect(try context.resolve((any Voice).self) as? Wrapped !== context.resolve((any Voice).self) as? Wrapped)
        #expect(made.entries.count == 2)
    }

    @Test func decorator_wrapsElementsOfCollections() throws {
        let voices = Module("Voices") { registry in
            registry.register((any Voice).self, qualifier: "a") { Plain("a") }
            registry.register((any Voice).self, qualifier: "b") { Plain("b") }
        }
        try context.load(decorating("*"), voices)
        #expect(try context.resolveAll((any Voice).self).map(\.says) == ["*a*", "*b*"])
        #expect(
            try context.resolveAll((any Voice).self)[0] as? Wrapped
                === context.resolve((any Voice).self, qualifier: "a") as? Wrapped)
        #expect(try context.resolveMap((any Voice).self).mapValues(\.says) == ["a": "*a*", "b": "*b*"])
    }

    @Test func qualifiedDecorator_wrapsItsQualifierOnly() throws {
        let voices = Module("Voices") { registry in
            registry.register((any Voice).self) { Plain("plain") }
            registry.register((any Voice).self, qualifier: "a") { Plain("a") }
            registry.register((any Voice).self, qualifier: "b") { Plain("b") }
        }
        try context.load(decorating("*", qualifier: "a"), voices)
        #expect(try context.resolveAll((any Voice).self).map(\.says) == ["plain", "*a*", "b"])
    }

    @Test func decorator_takesFurtherDependencies() throws {
        let module = Module("Signs") { registry in
            registry.register(String.self, qualifier: "sign") { "~" }
            registry.decorate((any Voice).self, parameterQualifiers: ["sign"]) { (base, sign: String) in
                Wrapped(base, sign)
            }
        }
        try context.load(module, voice)
        #expect(try says() == "~hi~")
        try context.push(Module("Fake") { $0.register(String.self, qualifier: "sign") { "#" } })
        #expect(try says() == "#hi#")
        context.pop()
        #expect(try says() == "~hi~")
    }

    @Test func decoratorWithoutABase_addsNothing() throws {
        try context.load(decorating("*"))
        #expect(try context.resolve((any Voice)?.self) == nil)
        #expect(try context.resolveAll((any Voice).self).isEmpty)
    }

    @Test func dependents_getTheWrapped() throws {
        struct Speaker: Sendable { let voice: any Voice }
        try context.load(voice, Module("Speaker") { $0.register(Speaker.init) })
        #expect(try context.resolve(Speaker.self).voice.says == "hi")
        try context.push(decorating("*"))
        #expect(try context.resolve(Speaker.self).voice.says == "*hi*")
        context.pop()
        #expect(try context.resolve(Speaker.self).voice.says == "hi")
    }

    @Test func aliasedInstance_isWrapped_byDecoratorsOfBothKeys() throws {
        let aliased = Module("Aliased") { registry in
            registry.register(Plain.self) { Plain() }.alias((any Voice).self) { $0 }
            registry.decorate(Plain.self) { Plain("very " + $0.says) }
        }
        try context.load(decorating("*"), aliased)
        #expect(try says() == "*very hi*")
        #expect(try context.resolve(Plain.self).says == "very hi")
    }

    /// Both aliases forward to the replacement, which is one element.
    @Test func replacementOfTwoAliasedInstances_isWrappedOnce() throws {
        func aliased(_ name: String) -> Module {
            Module(name) { $0.register(Plain.self) { Plain(name) }.alias((any Voice).self) { $0 } }
        }
        try context.load(decorating("*"), decorating("!"), aliased("a"), aliased("b"))
        let all = { [context] in try context.resolveAll((any Voice).self).map(\.says) }
        #expect(try all() == ["*!a!*"])
        let push = try context.push(Module("Fake") { $0.register(Plain.self) { Plain("fake") } })
        #expect(try all() == ["*!fake!*"])
        push.pop()
        #expect(try all() == ["*!a!*"])
    }

    @Test func factoryProducts_areWrapped() throws {
        let factories = Module("Factories") { registry in
            registry.factory((any Voice).self) { (text: String) in Plain(text) }
        }
        try context.load(decorating("*"), factories)
        #expect(try context.resolve((any Voice).self, with: "x").says == "*x*")
    }

    @Test func throwingDecorator_isAnError_andRunsAgain() throws {
        struct Hoarse: Error {}
        let isHoarse = Late(true)
        let module = Module("Hoarse") { registry in
            registry.decorate((any Voice).self) { base in
                if isHoarse.value == true { throw Hoarse() }
                return Wrapped(base, "*")
            }
        }
        try context.load(module, voice)
        #expect(locatorError({ try says() }) != nil)
        isHoarse.value = false
        #expect(try says() == "*hi*")
    }

    @Test func onDispose_getsTheBase() throws {
        let log = Log()
        let disposing = Module("Disposing") { registry in
            registry.register((any Voice).self) { Plain() }.onDispose { log("dispose of \($0.says)") }
        }
        try context.load(decorating("*"), disposing)
        #expect(try says() == "*hi*")
        try context.reset()
        #expect(log.entries == ["dispose of hi"])
    }
}
