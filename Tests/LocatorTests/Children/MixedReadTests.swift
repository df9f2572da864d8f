import Locator
import TestSupport
import Testing

@Suite("An instance that has read two answers in a child, before and after a change, is not kept")
struct MixedReadTests {
    private struct Word: Sendable { let text: String }
    private final class Line: Sendable {
        let text: String
        init(_ text: String) { self.text = text }
    }

    /// What is read in the child.
    enum Kind: CaseIterable {
        case setting, prototype

        func read(in child: AppContext) throws -> String {
            switch self {
            case .setting: try child.value("word")
            case .prototype: try child.resolve(Word.self).text
            }
        }
    }

    private static func words(_ text: String) -> Module {
        Module("Words", properties: ["word": .string(text)]) { registry in
            registry.register(scope: .prototype) { Word(text: text) }
        }
    }

    @Test("Even if the child then has the first answer again", arguments: Kind.allCases)
    func pushAndPop(_ kind: Kind) throws {
        let kept = Late<AppContext>()
        let isFirst = Late<Bool>()
        isFirst.value = true
        let parent = try AppContext().load(
            Module("Lines") { registry in
                registry.register { () throws -> Line in
                    let child = try #require(kept.value)
                    let first = try kind.read(in: child)
                    let changes = isFirst.value == true
                    isFirst.value = false
                    if changes { try onThread { _ = try child.push(Self.words("new")) } }
                    let second = try kind.read(in: child)
                    if changes { try onThread { child.pop() } }
                    return Line("\(first), \(second)")
                }
            })
        let child = try parent.child()
        try child.load(Self.words("old"))
        kept.value = child
        #expect(try parent.resolve(Line.self).text == "old, new")
        let line = try parent.resolve(Line.self)
        #expect(line.text == "old, old")
        #expect(try parent.resolve(Line.self) === line)
    }
}
