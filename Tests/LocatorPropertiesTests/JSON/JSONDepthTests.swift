import LocatorProperties
import TestSupport
import Testing

@Suite("Deep nesting never overflows the stack")
struct JSONDepthTests {
    /// Each level of a recursion takes at least 100 bytes, and a thread of the tests has half a megabyte.
    private static let levels = 20_000

    @Test("The reader reads as many levels as its limit, and one more is an error")
    func read_throws_whenNestingIsDeeperThanLimit() throws {
        let limit = JSONValue.nestingLimit
        #expect(limit == 128)
        let brackets = String(repeating: "[", count: limit) + String(repeating: "]", count: limit)
        #expect(try JSONValue(parsing: brackets).text() == brackets)
        #expect(
            refusal(of: Array("[\(brackets)]".utf8))
                == "f.json:1:129: expected at most 128 levels of arrays and objects, found another")
    }

    @Test("20,000 brackets are an error", arguments: ["[", "{\"a\":", "[{\"a\":"])
    func read_throws_whenTextIsManyBrackets(bracket: String) {
        let message = refusal(of: Array(String(repeating: bracket, count: Self.levels).utf8))
        #expect(message?.hasSuffix("expected at most 128 levels of arrays and objects, found another") == true)
    }

    @Test("A deep tree is written, compared, hashed, copied, changed and freed", .oneThread)
    func deepTree_isHandled_whateverIsDoneWithIt() throws {
        let first = Self.deepTree(around: 1)
        let second = Self.deepTree(around: 1.0)
        let other = Self.deepTree(around: 2)
        #expect(first == second)
        #expect(first.hashValue == second.hashValue)
        #expect(first != other)
        #expect(Self.deepTree(around: 1, levels: Self.levels - 1) != first)
        #expect(first.text().utf8.count == Self.levels / 2 * 2 + Self.levels / 2 * 6 + 1)
        #expect(first.text(.pretty).utf8.count > Self.levels)
        var copy = try #require(first.objectValue)
        copy["b"] = true
        #expect(copy.count == 2)
        copy["a"] = nil
        #expect(copy == ["b": true])
    }

    @Test("A deep tree is freed except for a part that is still in use")
    func deepTree_isFreedAroundPart_whenPartIsShared() {
        var tree: JSONValue? = Self.deepTree(around: 1)
        var part = tree
        for _ in 0..<100 { part = part?["a"]?[0] }
        #expect(part != nil)
        tree = nil
        #expect(part?["a"]?[0]?["a"] != nil)
        part = nil
    }

    @Test("Decoding a deep tree into a type that follows it is an error")
    func decode_throws_whenTreeIsDeeperThanLimit() {
        let tree = Self.deepTree(around: 1)
        #expect {
            try tree.decode(Chain.self)
        } throws: { error in
            let message = (error as? PropertiesError)?.description ?? ""
            return message.hasSuffix(": expected at most 128 levels of nested values, found another")
        }
    }

    private struct Chain: Decodable {
        let a: [Chain]
    }

    private static func deepTree(around scalar: JSONValue, levels: Int = levels) -> JSONValue {
        var tree = scalar
        for level in 0..<levels {
            tree = level.isMultiple(of: 2) ? [tree] : ["a": tree]
        }
        return tree
    }
}
