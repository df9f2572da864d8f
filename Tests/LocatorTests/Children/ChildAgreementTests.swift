import Locator
import TestSupport
import Testing

/// Rare cases in which a child and its parent could disagree about what is the same.
@Suite("A child and its parent agree on what they share")
struct ChildAgreementTests {
    final class Part: Sendable {
        let text: String

        init(_ text: String = "") {
            self.text = text
        }
    }

    final class Whole: Sendable {
        let parts: [Part]

        init(_ parts: [Part]) {
            self.parts = parts
        }
    }

    struct Failure: Error {}

    static let request = Scope("request")
    static let session = Scope("session")

    /// A singleton that catches the failure of a part of scope `request`, which fails if the setting `fails` is true.
    static let lenient = Module("Lenient", properties: ["fails": true]) { registry in
        registry.register(scope: request) { (resolver: Resolver) in
            if try resolver.value("fails", as: Bool.self) { throw Failure() }
            return Part("made")
        }
        registry.register { (resolver: Resolver) in
            Whole((try? resolver.resolve(Part.self)).map { [$0] } ?? [])
        }
    }

    @Test func child_makesItsOwn_whenTheParentCaughtTheFailureOfAPartOfAScopeItOpens() throws {
        let context = try AppContext().load(Self.lenient)
        let above = try context.resolve(Whole.self)
        let opening = try context.child(opening: Self.request)
        #expect(try opening.resolve(Whole.self) !== above)
        let other = try context.child()
        #expect(try other.resolve(Whole.self) === above)
    }

    @Test func childOfAChild_makesItsOwn_whenAContextAboveGaveThePart() throws {
        let whole = Module("Whole") { registry in
            registry.register(scope: Self.session) { (part: Part) in Whole([part]) }
        }
        let context = try AppContext().load(
            whole, Module("Part") { $0.register(scope: Self.request) { Part("made") } })
        let child = try context.child(opening: Self.session)
        let grandchild = try child.child(opening: Self.request)
        let above = try child.resolve(Whole.self)
        let below = try grandchild.resolve(Whole.self)
        #expect(above !== below)
        #expect(below.parts[0] === (try grandchild.resolve(Part.self)))
    }

    @Test func child_givesOneOfEach_afterTheSettingsOfItsParentBecameItsOwn() throws {
        let parts = Module("Parts") { registry in
            registry.register { (resolver: Resolver) in Part(try resolver.value("text", default: "none")) }
            registry.register { (resolver: Resolver) in Whole([try resolver.resolve(Part.self)]) }
        }
        func text(_ text: JSONValue) -> Module { Module("Text", properties: ["text": text]) }
        let context = try AppContext().load(parts)
        let child = try context.child(pushing: text("new"))
        let own = try child.resolve(Part.self)
        try context.push(text("new"))
        _ = try context.resolve(Whole.self)
        #expect(try child.resolve(Part.self) === own)
        #expect(try child.resolve(Whole.self).parts[0] === own)
    }

    /// The parent's closure fails at first, and succeeds while that of the child runs.
    @Test func child_makesItsOwn_afterItHasSharedAnInstanceDuringTheMakingOfAPart() throws {
        let runs = Counter()
        let family = Late<(parent: AppContext, child: AppContext)>()
        let module = Module("Module", properties: ["fails": true]) { registry in
            registry.register { (resolver: Resolver) in
                let run = runs.next()
                if run == 1, try resolver.value("fails", as: Bool.self) { throw Failure() }
                if run == 2, let family = family.value {
                    let isShared = try onThread {
                        let whole = try family.parent.resolve(Whole.self)
                        return try family.child.resolve(Whole.self) === whole
                    }
                    #expect(isShared)
                }
                return Part("\(run)")
            }
            registry.register { (part: Part) in Whole([part]) }
        }
        let parent = try AppContext().load(module)
        let child = try parent.child(pushing: Module("Child", properties: ["fails": false]))
        family.value = (parent, child)
        let own = try child.resolve(Part.self)
        #expect(own.text == "2")
        #expect(try child.resolve(Whole.self).parts[0] === own)
    }

    @Test func child_startsItsOwn_whenItHasAnOlderPart() async throws {
        let parts = Module("Parts", properties: ["text": "old"]) { registry in
            registry.register { (resolver: Resolver) in Part(try resolver.value("text")) }
            registry.register(Whole.self, async: { (part: Part) async in Whole([part]) })
        }
        let new = Module("New", properties: ["text": "new"])
        let context = try AppContext().load(parts)
        let child = try context.child(pushing: new)
        let own = try child.resolve(Part.self)
        try context.push(new)
        try await context.start()
        #expect(throws: LocatorError.self) { try child.resolve(Whole.self) }
        try await child.start()
        #expect(try child.resolve(Whole.self).parts[0] === own)
        #expect(try context.resolve(Whole.self).parts[0] !== own)
    }

    @Test func child_sharesWhatReadASelection_withModulesOfItsOwn() throws {
        let wholes = Module("Wholes") { registry in
            registry.register { Part("one") }
            registry.register { (resolver: Resolver) in
                Whole(try resolver.resolveAll(Part.self, from: .where { $0.name == "Wholes" }))
            }
        }
        let context = try AppContext().load(wholes)
        let child = try context.child(pushing: Module("Other") { $0.register { Part("other") } })
        let grandchild = try child.child(pushing: .text("own"))
        let above = try context.resolve(Whole.self)
        #expect(above.parts.map(\.text) == ["one"])
        #expect(try child.resolve(Whole.self) === above)
        #expect(try grandchild.resolve(Whole.self) === above)
        #expect(grandchild.existing(Whole.self) === above)
    }

    @Test func selection_countsNothingOfOtherModules() throws {
        // Both aliases forward to the pushed part. The module in which it would be ambiguous is not asked.
        let loaded = Module("Loaded") { $0.register { Part("loaded") }.alias((any Sendable).self) { $0 } }
        let pushed = Module("Pushed") { $0.register { Part("pushed") }.alias((any Sendable).self) { $0 } }
        let unclear = Module("Unclear") { registry in
            registry.register(Int.self) { 1 }.alias((any Sendable).self) { $0 }
            registry.register(Int.self) { 2 }
        }
        let context = try AppContext().load(loaded, unclear)
        try context.push(pushed)
        let all = try context.resolveAll((any Sendable).self, from: .where { $0.name == "Loaded" })
        #expect(all.map { ($0 as? Part)?.text } == ["pushed"])
        let wrapper = AppContext.withContext(context) {
            DependencyArray<any Sendable>(from: .where { $0.name == "Loaded" })
        }
        #expect(wrapper.explain().answers.count == 1)
    }

    @Test func request_getsOneGraphInstance_evenIfTheParentMakesSeveralForIt() throws {
        final class Graph: Sendable {}
        final class First: Sendable {
            let graph: Graph
            init(_ graph: Graph) { self.graph = graph }
        }
        final class Second: Sendable {
            let graph: Graph
            init(_ graph: Graph) { self.graph = graph }
        }
        final class Both {
            let graphs: [Graph]
            init(_ first: First, _ second: Second) { graphs = [first.graph, second.graph] }
        }
        let module = Module("Graphs") { registry in
            registry.register(scope: .graph, Graph.init)
            registry.register(First.init)
            registry.register(Second.init)
            registry.register(scope: .prototype, Both.init)
        }
        let context = try AppContext().load(module)
        let graphs = try context.child(pushing: .text("own")).resolve(Both.self).graphs
        #expect(graphs[0] === graphs[1])
    }

    @Test func wrapper_keepsItsValue_whenTheChildBecameFullWhileItWasRead() throws {
        let module = Module("Part") { registry in
            registry.register(scope: Self.request) { (resolver: Resolver) in
                Part(try resolver.resolve(String?.self) ?? "nothing")
            }
        }
        let context = try AppContext().load(module)
        let wrapper: Dependency<Part>
        do {
            let child = try context.child(opening: Self.request)
            wrapper = AppContext.withContext(child) { Dependency<Part>() }
            #expect(wrapper().text == "nothing")
        }
        #expect(try wrapper.resolved().text == "nothing")
    }

    @Test(
        "A child of a child has one instance, even if its parent has made something from one of the contexts above",
        arguments: [false, true])
    func ownInstance_isInWhatTheParentHasMade(isSelected: Bool) throws {
        final class Element: Sendable {}
        final class Extra: Sendable {}
        final class Both: Sendable {
            let element: Element
            init(element: Element, extra: Extra) { self.element = element }
        }
        let flag = Module("Flag", properties: ["flag": true])
        let server = try AppContext().load(
            Module("Elements", when: .property("flag", equals: true)) { $0.register { Element() } },
            Module("Boths") { registry in
                if isSelected {
                    registry.register { (resolver: Resolver, extra: Extra) in
                        let elements = try resolver.resolveAll(Element.self, from: .where { $0.name == "Elements" })
                        return Both(element: elements[0], extra: extra)
                    }
                } else {
                    registry.register(Both.init)
                }
            })
        let session = try server.child(pushing: Module("Extra") { $0.register { Extra() } })
        let request = try session.child(pushing: flag)
        let element = try request.resolve(Element.self)
        try server.load(flag)
        #expect(try session.resolve(Both.self).element === (try server.resolve(Element.self)))
        #expect(try request.resolve(Element.self) === element)
        #expect(try request.resolve(Both.self).element === element)
    }
}
