import Locator
import Testing

@Suite("Modules are searched by priority, then in load order")
struct LookupOrderTests {
    @Test func firstModule_answersFirst_whenLoadedTogether() throws {
        let context = try AppContext().load(.text("a"), .text("b"), .text("c"))
        #expect(try context.resolve(String.self) == "a")
        #expect(try context.texts() == ["a", "b", "c"])
    }

    @Test func earlierModule_answersFirst_whenPrioritiesAreEqual() throws {
        let context = try AppContext().load(.text("a")).load(.text("b")).load(.text("c"))
        #expect(try context.texts() == ["a", "b", "c"])
    }

    @Test(
        "A module with higher priority is searched first, whenever it was loaded",
        arguments: [
            ([("a", 500), ("b", 1000)], ["b", "a"]),
            ([("a", 1000), ("b", 500)], ["a", "b"]),
            ([("a", 100), ("b", 500), ("c", 1000)], ["c", "b", "a"]),
            ([("a", 501), ("b", 502), ("c", 501)], ["b", "a", "c"]),
            ([("a", -1), ("b", 0), ("c", 100)], ["c", "b", "a"]),
        ] as [([(String, Int)], [String])])
    func priority_decides(loads: [(String, Int)], expected: [String]) throws {
        let context = AppContext()
        for (name, priority) in loads { try context.load(.text(name), priority: Priority(priority)) }
        #expect(try context.texts() == expected)
        #expect(try context.resolve(String.self) == expected.first)
    }

    @Test func namedPriorities_haveTheirNumbers() {
        let named: [Priority] = [.low, .normal, .profile, .high]
        #expect(named.map(\.value) == [100, 500, 750, 1000])
        #expect(named.map(\.description) == ["low", "normal", "profile", "high"])
        #expect(Priority(42).description == "42")
        #expect(Priority.low < .normal)
    }

    @Test func pushedModule_isInFrontOfItsEquals() throws {
        let context = try AppContext().load(.text("normal")).load(.text("high"), priority: .high)
        try context.push(.text("first"))
        try context.push(.text("second"))
        #expect(try context.texts() == ["second", "first", "high", "normal"])
        context.pop()
        #expect(try context.texts() == ["first", "high", "normal"])
        context.pop()
        #expect(try context.texts() == ["high", "normal"])
    }

    @Test func pushedModule_isAtTheGivenPriority() throws {
        let context = try AppContext().load(.text("normal")).load(.text("high"), priority: .high)
        try context.push(.text("pushed"), priority: .normal)
        #expect(try context.texts() == ["high", "pushed", "normal"])
    }

    @Test func laterLoad_isBehindAPush_whenPrioritiesAreEqual() throws {
        let context = try AppContext().load(.text("a"))
        try context.push(.text("pushed"), priority: .normal)
        try context.load(.text("b"))
        #expect(try context.texts() == ["pushed", "a", "b"])
    }

    @Test func moduleThatAChildLoads_isBehindThoseOfItsParent_evenIfTheParentLoadsThemLater() throws {
        let context = try AppContext().load(.text("first"))
        let child = try context.child()
        try child.load(.text("child"))
        try context.load(.text("later"))
        #expect(try child.texts() == ["first", "later", "child"])
        #expect(try child.resolve(String.self) == "first")
    }

    @Test func registrationsOfOneModule_keepTheirOrder() throws {
        let module = Module("Texts") { registry in
            for text in ["one", "two", "three"] { registry.register(String.self, qualifier: .named(text)) { text } }
        }
        let context = try AppContext().load(module)
        #expect(try context.texts() == ["one", "two", "three"])
    }

    @Test func order_isTheSame_forALargeContext_everyTime() throws {
        let names = (0..<200).map { "module \($0)" }
        for _ in 0..<5 {
            let context = AppContext()
            for name in names { try context.load(.text(name)) }
            #expect(try context.texts() == names)
        }
    }
}
