import LocatorProperties
import TestSupport
import Testing

@Suite("JSON objects keep the order of their keys")
struct JSONObjectTests {
    @Test("Keys come in the order in which they were written or added", arguments: [0, 1, 12, 13, 14, 100, 5000])
    func keys_areInOrder(count: Int) throws {
        let keys = (0..<count).map { "key\($0 &* 7919 % 10007)" }
        let text = "{" + keys.map { "\"\($0)\":\"\($0)\"" }.joined(separator: ",") + "}"
        let read = try #require(try JSONValue(parsing: text).objectValue)
        let made = JSONObject(keys.map { ($0, .string($0)) })
        for object in [read, made] {
            #expect(object.keys == keys)
            #expect(object.map(\.key) == keys)
            #expect(object.count == count)
            for key in keys { #expect(object[key]?.stringValue == key) }
            #expect(object["none"] == nil)
        }
        #expect(read == made)
        #expect(read == JSONObject(keys.reversed().map { ($0, .string($0)) }))
        #expect(read.hashValue == JSONObject(keys.reversed().map { ($0, .string($0)) }).hashValue)
    }

    @Test("A duplicate key is found among many", arguments: [2, 12, 13, 14, 40, 1000])
    func read_throws_whenKeyIsThereTwice(count: Int) {
        let lines = (0..<count).map { "\"key\($0 == count - 1 ? count / 2 - 1 : $0)\": 0" }
        let message = refusal(of: Array(("{\n" + lines.joined(separator: ",\n") + "}").utf8))
        #expect(
            message
                == "f.json:\(count + 1):1: expected a new key, found \"key\(count / 2 - 1)\" again; "
                + "it is first at \(count / 2 + 1):1")
    }

    @Test("A copy does not change with the original")
    func copy_stays_whenOriginalChanges() {
        var object: JSONObject = ["a": 1, "b": 2]
        let copy = object
        object["a"] = 3
        object["c"] = 4
        object["b"] = nil
        #expect(object == ["a": 3, "c": 4])
        #expect(object.keys == ["a", "c"])
        #expect(copy == ["a": 1, "b": 2])
    }

    @Test("After random changes, an object equals an ordered dictionary")
    func object_behavesLikeDictionary_whateverChanges() {
        var generator = SeededGenerator(for: "object_behavesLikeDictionary_whateverChanges")
        for _ in 0..<TestScale.count(200) {
            var object = JSONObject()
            var model: [(key: String, value: Int)] = []
            for step in 0..<200 {
                let key = "k\(Int.random(in: 0..<40, using: &generator))"
                let place = model.firstIndex { $0.key == key }
                if Int.random(in: 0..<4, using: &generator) == 0 {
                    object[key] = nil
                    if let place { model.remove(at: place) }
                } else {
                    object[key] = .number(JSONNumber(step))
                    if let place { model[place].value = step } else { model.append((key, step)) }
                }
            }
            #expect(object.keys == model.map(\.key))
            #expect(object.map(\.value) == model.map { .number(JSONNumber($0.value)) })
            for (key, value) in model { #expect(object[key] == .number(JSONNumber(value))) }
        }
    }
}
