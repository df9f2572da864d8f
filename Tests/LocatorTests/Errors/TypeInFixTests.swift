import Locator
import Testing

private protocol Store<Item>: Sendable { associatedtype Item }
private protocol Closable: Sendable {}
private struct Pair<each Value: Sendable>: Sendable {}
private struct Box<Value: Sendable>: Sendable {}
private struct `default`: Sendable {}

@Suite("A fix writes types as in source code, so that it compiles")
struct TypeInFixTests {
    private struct Row: Sendable {
        let type: any Any.Type
        let text: String
    }

    private static let rows = [
        Row(type: Pair<Int, String>.self, text: "Pair<Int, String>.self"),
        Row(type: Box<Pair<Int, Pair<Bool>>>.self, text: "Box<Pair<Int, Pair<Bool>>>.self"),
        Row(type: (any Closable & Store<Int>).self, text: "(any Closable & Store<Int>).self"),
        Row(
            type: (any Store<Pair<Int, (Int, Bool)>> & Closable).self,
            text: "(any Closable & Store<Pair<Int, (Int, Bool)>>).self"),
        Row(type: (any Store<any Store<Bool>>).self, text: "(any Store<any Store<Bool>>).self"),
        Row(type: `default`.self, text: "`default`.self"),
    ]

    @Test(arguments: rows)
    private func fix_compiles(row: Row) throws {
        func text<Value>(_ type: Value.Type) throws -> String? {
            let context = try AppContext().load(Module("Shop"))
            return message { try context.resolve(type, fileID: "Shop/Main.swift", line: 6) }
        }
        let fix = "\n  fix: register it in a loaded module: registry.register(\(row.text)) { … }"
        #expect(try text(row.type)?.hasSuffix(fix) == true)
    }
}
