import Foundation
import Locator
import Testing

@Suite("A type in many modules is found like one in few, at the same cost per module")
struct WideTypeTests {
    private final class Part: Sendable {
        let name: String
        init(_ name: String) { self.name = name }
    }
    private final class Other: Sendable {}
    private final class Whole: Sendable {
        let names: [String]
        init(_ parts: [Part]) { names = parts.map(\.name) }
    }
    private final class Group: Sendable {
        let parts: [Part]
        init(_ parts: [Part]) { self.parts = parts }
    }

    /// The calls of a predicate.
    private final class Questions: @unchecked Sendable {
        // Sendable: `names` is guarded by `lock`.
        private let lock = NSLock()
        private var names: [String] = []

        func selection(where isChosen: @escaping @Sendable (ModuleSelection.Candidate) -> Bool) -> ModuleSelection {
            .where { candidate in
                self.lock.withLock { self.names.append("\(candidate.name) \(candidate.priority)") }
                return isChosen(candidate)
            }
        }

        /// The requests since the last call, each once, sorted.
        func take() -> [String] {
            lock.withLock {
                defer { names = [] }
                return Set(names).sorted()
            }
        }
    }

    private static func module(_ number: Int, _ register: @escaping @Sendable (Registry) -> Void = { _ in }) -> Module {
        Module("M\(number)") { registry in
            registry.register(qualifier: .named("q\(number)")) { Part("q\(number)") }
                .alias((any Sendable).self, qualifier: .named("q\(number)")) { $0 }
            register(registry)
        }
    }

    /// Modules that each have the type under a qualifier, the last one also without a qualifier.
    private static func context(_ count: Int) throws -> AppContext {
        let context = AppContext()
        for number in 0..<count - 1 { try context.load(module(number)) }
        return try context.load(
            module(count - 1) { registry in
                registry.register { Part("plain") }
                registry.register(qualifier: "q0") { Part("hidden") }
            })
    }

    @Test("Every qualifier, no qualifier, and an unregistered qualifier", arguments: [2, 16, 17, 100])
    func qualifiers_areFound(count: Int) throws {
        let context = try Self.context(count)
        for number in 0..<count {
            let part = try context.resolve(Part.self, qualifier: .named("q\(number)"))
            #expect(part.name == "q\(number)")
            #expect(try context.resolve((any Sendable).self, qualifier: .named("q\(number)")) as? Part === part)
        }
        #expect(try context.resolve(Part.self).name == "plain")
        #expect(try context.resolve(Part?.self, qualifier: "none") == nil)
        #expect(try context.resolve(Part?.self, qualifier: "none") == nil)
    }

    @Test("A push in front of many modules, and its pop", arguments: [2, 16, 17, 100])
    func push_isInFront(count: Int) throws {
        let context = try Self.context(count)
        let parts = try (0..<count).map { try context.resolve(Part.self, qualifier: .named("q\($0)")) }
        try context.push(
            Module("Fakes") { registry in
                registry.register(qualifier: "q1") { Part("fake") }
                registry.register(qualifier: "new") { Part("new") }
            })
        #expect(try context.resolve(Part.self, qualifier: "q1").name == "fake")
        #expect((try context.resolve((any Sendable).self, qualifier: "q1") as? Part)?.name == "fake")
        #expect(try context.resolve(Part.self, qualifier: "new").name == "new")
        #expect(try context.resolve(Part.self, qualifier: "q0") === parts[0])
        context.pop()
        #expect(try context.resolve(Part?.self, qualifier: "new") == nil)
        for number in 0..<count {
            #expect(try context.resolve(Part.self, qualifier: .named("q\(number)")) === parts[number])
        }
    }

    @Test("Collections of some of the modules", arguments: [2, 16, 17, 100])
    func collections_areChosen(count: Int) throws {
        let context = try Self.context(count)
        let all = (0..<count).map { "q\($0)" } + ["plain", "hidden"]
        #expect(try context.resolveAll(Part.self).map(\.name) == all)
        #expect(try context.resolveAll(Part.self, from: .first).map(\.name) == ["q0"])
        #expect(try context.resolveAll(Part.self, from: .modules(named: "M1", "none")).first?.name == "q1")
        #expect(try context.resolveAll(Part.self, qualifier: "q0").map(\.name) == ["q0", "hidden"])
        #expect(try context.resolveAll(Part.self, qualifier: "q0", from: .first).map(\.name) == ["q0"])
        #expect(try context.resolveAll((any Sendable).self).count == count)
        try context.push(Module("Only") { $0.replaceAll(Part.self) })
        #expect(try context.resolveAll(Part.self).map(\.name) == [])
        #expect(try context.resolveAll(Part.self, from: .first).map(\.name) == [])
        #expect(try context.resolveAll(Part.self, from: .modules(named: "M1")).map(\.name) == [])
        context.pop()
        #expect(try context.resolveAll(Part.self).map(\.name) == all)
    }

    @Test("Decorators of many modules, and a pushed one")
    func decorators_wrapInOrder() throws {
        let context = try AppContext().load(Module("Part") { $0.register { Part("") } })
        for number in 0..<40 {
            try context.load(
                Module("D\(number)") { $0.decorate(Part.self) { Part("\($0.name) \(number)") } }, priority: .high)
        }
        let names = (0..<40).reversed().map { " \($0)" }.joined()
        let part = try context.resolve(Part.self)
        #expect(part.name == names)
        try context.push(Module("Over") { $0.decorate(Part.self) { Part("\($0.name)!") } })
        #expect(try context.resolve(Part.self).name == names + "!")
        context.pop()
        #expect(try context.resolve(Part.self) === part)
    }

    @Test("A selection is evaluated only for modules that have the type, on or off")
    func selection_isNotAskedOfOthers() throws {
        let context = AppContext()
        for number in 0..<50 {
            try context.load(Module("Other \(number)") { $0.register(qualifier: .named("\(number)")) { Other() } })
        }
        try context.load(
            Module("On") { $0.register { Part("on") } },
            Module("Off", when: .property("isOn")) { $0.register { Part("off") } },
            Module("Off, of another type", when: .property("isOn")) { $0.register { Other() } },
            Module(
                "Includer", including: [Module("Included") { $0.register { Part("included") } }],
                when: .property("isOn")))
        let questions = Questions()
        let selection = questions.selection { _ in true }
        #expect(try context.resolveAll(Part.self, from: selection).map(\.name) == ["on"])
        #expect(questions.take() == ["Included normal", "Off normal", "On normal"])
    }

    @Test("A push evaluates only the selections of its own types")
    func push_asksItsTypesOnly() throws {
        let questions = Questions()
        let selection = questions.selection { $0.name != "No" }
        let context = try AppContext().load(Module("Part") { $0.register { Part("part") } })
        for number in 0..<50 {
            try context.load(
                Module("Whole \(number)") { registry in
                    registry.register(qualifier: .named("\(number)")) { (resolver: Resolver) in
                        Whole(try resolver.resolveAll(Part.self, from: selection))
                    }
                })
        }
        let wholes = try (0..<50).map { try context.resolve(Whole.self, qualifier: .named("\($0)")) }
        _ = questions.take()
        try context.push(Module("Other") { $0.register { Other() } })
        #expect(questions.take() == [])
        for number in 0..<50 {
            #expect(try context.resolve(Whole.self, qualifier: .named("\(number)")) === wholes[number])
        }
        context.pop()
        try context.push(
            Module("Outer", including: [Module("Yes") { $0.register { Part("yes") } }]) { $0.register { Other() } })
        #expect(questions.take() == ["Yes high"])
        #expect(try context.resolve(Whole.self, qualifier: "0").names == ["yes", "part"])
        _ = questions.take()
        try context.push(Module("No") { $0.register { Part("no") } })
        #expect(questions.take() == ["No high"])
        #expect(try context.resolve(Whole.self, qualifier: "0").names == ["yes", "part"])
        context.pop()
        context.pop()
        for number in 0..<50 {
            #expect(try context.resolve(Whole.self, qualifier: .named("\(number)")) === wholes[number])
        }
    }

    @Test("A module that a setting turns on, and one pushed again at another priority, are selected")
    func selection_followsWhatComesIntoForce() throws {
        let off = Module("Off", when: .property("isOn")) { $0.register { Part("off") } }
        let part = Module("Part") { $0.register { Part("part") } }
        let context = try AppContext().load(part, off)
        try context.load(
            Module("Wholes") { registry in
                registry.register(qualifier: "high") { (resolver: Resolver) in
                    Whole(try resolver.resolveAll(Part.self, from: .where { $0.priority == .high }))
                }
                registry.register(qualifier: "off") { (resolver: Resolver) in
                    Whole(try resolver.resolveAll(Part.self, from: .where { $0.name == "Off" }))
                }
            })
        func names() throws -> [[String]] {
            [
                try context.resolve(Whole.self, qualifier: "high").names,
                try context.resolve(Whole.self, qualifier: "off").names,
            ]
        }
        #expect(try names() == [[], []])
        try context.push(Module("Settings", properties: ["isOn": true]))
        #expect(try names() == [[], ["off"]])
        try context.push(part)
        #expect(try names() == [["part"], ["off"]])
        context.pop()
        #expect(try names() == [[], ["off"]])
        context.pop()
        #expect(try names() == [[], []])
    }

    @Test("A child evaluates a selection only for its own modules that have the type")
    func child_asksItsTypesOnly() throws {
        let questions = Questions()
        let selection = questions.selection { _ in true }
        let context = try AppContext().load(
            Module("Part") { registry in
                registry.register { Part("part") }
                registry.register { (resolver: Resolver) in
                    Group(try resolver.resolveAll(Part.self, from: selection))
                }
            })
        let group = try context.resolve(Group.self)
        _ = questions.take()
        let beside = try context.child(pushing: Module("Other") { $0.register { Other() } })
        #expect(try beside.resolve(Group.self) === group)
        #expect(questions.take() == [])
        let own = try context.child(pushing: Module("Own") { $0.register { Part("own") } })
        #expect(try own.resolve(Group.self).parts.map(\.name) == ["own", "part"])
        #expect(questions.take().contains("Own high"))
        #expect(try context.resolve(Group.self) === group)
    }
}
