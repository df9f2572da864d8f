import Locator
import Testing

// Modules that include each other need a type annotation, because the compiler cannot infer a cycle.
extension Module {
    fileprivate static let head: Module = .text("head", including: [.tail])
    fileprivate static let tail: Module = .text("tail", including: [.head])
    fileprivate static let narcissus: Module = .text("narcissus", including: [.narcissus])
}

@Suite("An included module comes right after its includer, once, and leaves with the last includer")
struct IncludingTests {
    private let shared = Module.text("shared")

    @Test func included_areBehindTheirIncluder() throws {
        let including = Module.text("a", including: [.text("b"), .text("c")])
        let context = try AppContext().load(including, .text("d"))
        #expect(try context.texts() == ["a", "b", "c", "d"])
    }

    @Test func includedOfIncluded_areBehindTheirOwnIncluder() throws {
        let inner = Module.text("b", including: [.text("c")])
        let context = try AppContext().load(.text("a", including: [inner, .text("d")]))
        #expect(try context.texts() == ["a", "b", "c", "d"])
    }

    @Test func diamond_bringsTheSharedModuleOnce() throws {
        let left = Module.text("left", including: [shared])
        let right = Module.text("right", including: [shared])
        let context = try AppContext().load(.text("top", including: [left, right]))
        #expect(try context.texts() == ["top", "left", "shared", "right"])
    }

    @Test func modulesThatIncludeEachOther_areLoadedOnce() throws {
        #expect(try AppContext().load(.head).texts() == ["head", "tail"])
        #expect(try AppContext().load(.tail).texts() == ["tail", "head"])
        #expect(try AppContext().load(.narcissus).texts() == ["narcissus"])
    }

    @Test func cycleOfIncludes_leavesWithItsRoot() throws {
        let context = try AppContext().load(.head)
        try context.unload(.head)
        #expect(try context.texts() == [])
    }

    @Test func included_haveThePriorityOfTheirIncluder() throws {
        let context = try AppContext().load(.text("normal"))
        try context.load(.text("high", including: [shared]), priority: .high)
        try context.load(.text("low", including: [.text("lowest")]), priority: .low)
        #expect(try context.texts() == ["high", "shared", "normal", "low", "lowest"])
    }

    @Test func included_leaveWithTheLastIncluder() throws {
        let first = Module.text("first", including: [shared])
        let second = Module.text("second", including: [shared])
        let context = try AppContext().load(first, second)
        #expect(try context.texts() == ["first", "shared", "second"])
        try context.unload(first)
        #expect(try context.texts() == ["second", "shared"])
        try context.unload(second)
        #expect(try context.texts() == [])
    }

    @Test func included_stay_whenTheyWereLoadedByThemselves() throws {
        let including = Module.text("including", including: [shared])
        let context = try AppContext().load(shared).load(including)
        #expect(try context.texts() == ["shared", "including"])
        try context.unload(including)
        #expect(try context.texts() == ["shared"])
    }

    @Test func loadedByThemselves_included_stayWithTheirIncluder() throws {
        let including = Module.text("including", including: [shared])
        let context = try AppContext().load(shared).load(including)
        try context.unload(shared)
        #expect(try context.texts() == ["including", "shared"])
    }

    @Test func included_arePushedAndPoppedWithTheirIncluder() throws {
        let context = try AppContext().load(.text("base"))
        try context.push(.text("pushed", including: [shared]))
        #expect(try context.texts() == ["pushed", "shared", "base"])
        context.pop()
        #expect(try context.texts() == ["base"])
    }

    @Test func included_areAdded_once_perStay() throws {
        let runs = Counter()
        let counted = Module("Counted") { _ in runs.next() }
        let context = try AppContext().load(
            .text("a", including: [counted, counted]), .text("b", including: [counted]))
        #expect(runs.value == 1)
        try context.unloadAll()
        try context.load(counted)
        #expect(runs.value == 2)
    }

    @Test func included_cannotBeUnloadedByThemselves() throws {
        let context = try AppContext().load(
            .text("including", including: [shared]), fileID: "Shop/Main.swift", line: 3)
        #expect(
            message { try context.unload(shared, fileID: "Shop/Shop.swift", line: 9) } == """
                Shop/Shop.swift:9: module "shared" is not loaded
                  it was loaded as a part of module "including" at Shop/Main.swift:3
                  fix: unload module "including" instead
                """)
        #expect(try context.texts() == ["including", "shared"])
    }

    @Test func properties_ofIncludedModules_count() throws {
        let settings = Module("Settings", properties: ["size": 3])
        let context = try AppContext().load(.text("a", including: [settings]))
        #expect(try context.value("size", as: Int.self) == 3)
    }
}
