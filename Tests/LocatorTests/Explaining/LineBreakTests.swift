import Locator
import Testing

@Suite("A line break in a name is escaped in each text")
struct LineBreakTests {
    private func context() throws -> AppContext {
        let on = Module("M\nx", fileID: "Shop/Shop.swift", line: 1) { registry in
            registry.register(Int.self, qualifier: "a\nb", fileID: "Shop/Shop.swift", line: 2) { 1 }
        }
        let off = Module("N\nx", when: .property("['k\nl']", equals: "v\nw"), fileID: "Shop/Shop.swift", line: 3) {
            $0.register(Bool.self, fileID: "Shop/Shop.swift", line: 4) { true }
        }
        return try AppContext().load(on, off, fileID: "Shop/Main.swift", line: 5)
    }

    @Test func explain() throws {
        let context = try context()
        #expect(
            context.explain(Int.self).description == #"""
                Int
                  resolves to Int "a\nb" (Shop/Shop.swift:2) in module "M\nx" (priority normal), .singleton
                """#)
        #expect(
            context.explain(Bool.self).description.contains(
                #"""
                  off: Bool (Shop/Shop.swift:4) is in module "N\nx", which is off unless setting "['k\nl']" equals "v\nw"

                """#))
    }

    @Test func dump() throws {
        #expect(
            try context().dump() == #"""
                modules, in lookup order
                  module "M\nx" (Shop/Shop.swift:1), priority normal, loaded at Shop/Main.swift:5
                    Int "a\nb" (Shop/Shop.swift:2) .singleton
                  module "N\nx" (Shop/Shop.swift:3), off unless setting "['k\nl']" equals "v\nw"
                instances, in the order they were made
                properties
                """#)
    }

    @Test func error() throws {
        let context = try context()
        #expect(
            message { try context.resolve(Bool.self, fileID: "Shop/Main.swift", line: 6) } == #"""
                Shop/Main.swift:6: Bool is not registered
                  off: Bool (Shop/Shop.swift:4) is in module "N\nx", which is off unless setting "['k\nl']" equals "v\nw"
                  fix: make the condition true, or register it in a loaded module: registry.register(Bool.self) { … }
                """#)
        #expect(
            message { try context.unload(Module("O\nx"), fileID: "Shop/Main.swift", line: 7) } == #"""
                Shop/Main.swift:7: module "O\nx" is not loaded
                  fix: unload only loaded modules
                """#)
    }
}
