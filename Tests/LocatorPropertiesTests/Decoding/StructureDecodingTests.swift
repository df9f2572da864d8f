import Foundation
import LocatorProperties
import Testing

@Suite("Every shape that Codable knows decodes")
struct StructureDecodingTests {
    private func decode<Value: Decodable>(_ text: String, as type: Value.Type = Value.self) throws -> Value {
        try JSONValue(parsing: text).decode(type)
    }

    private struct Server: Decodable, Equatable {
        struct Limits: Decodable, Equatable {
            var burst: Int
            var timeout: Duration?
        }

        enum CodingKeys: String, CodingKey {
            case url = "base-url"
            case limits, tags, replicas
        }

        var url: URL
        var limits: Limits
        var tags: Set<String>
        var replicas: [Limits]?
    }

    @Test("Structs, nested structs, arrays of objects, renamed keys, and optionals; unknown keys are ignored")
    func structs_decode() throws {
        let text = """
            {"base-url": "https://a.example", "limits": {"burst": 3, "timeout": "2s"}, "tags": ["a", "b", "a"],
             "replicas": [{"burst": 1}, {"burst": 2, "timeout": null}], "unknown": 0}
            """
        let server = Server(
            url: try #require(URL(string: "https://a.example")), limits: .init(burst: 3, timeout: .seconds(2)),
            tags: ["a", "b"], replicas: [.init(burst: 1), .init(burst: 2)])
        #expect(try decode(text) == server)
        #expect(try decode("[\(text), \(text)]") == [server, server])
        #expect(
            try decode("{\"base-url\":\"a:b\",\"limits\":{\"burst\":0},\"tags\":[]}", as: Server.self).replicas == nil)
    }

    private enum Level: String, Decodable, CodingKeyRepresentable { case debug, info }
    private enum Size: Int, Decodable { case small = 1, large = 10 }

    private enum Sink: Decodable, Equatable {
        case console
        case file(path: String, limit: Int?)
        case tcp(String, port: Int)
    }

    @Test("Enums, raw and with associated values")
    func enums_decode() throws {
        #expect(try decode("[\"info\", \"debug\"]") == [Level.info, .debug])
        #expect(try decode("[1, 10, 1e1]") == [Size.small, .large, .large])
        #expect(
            try decode("[{\"console\": {}}, {\"file\": {\"path\": \"a\"}}, {\"tcp\": {\"_0\": \"b\", \"port\": 1}}]")
                == [Sink.console, .file(path: "a", limit: nil), .tcp("b", port: 1)])
    }

    @Test("Dictionaries by String, Int and enum keys")
    func dictionaries_decode() throws {
        #expect(try decode("{\"a\": 1, \"b c\": 2}") == ["a": 1, "b c": 2])
        #expect(try decode("{\"1\": \"a\", \"-2\": \"b\"}") == [1: "a", -2: "b"])
        #expect(try decode("{\"info\": true}") == [Level.info: true])
        #expect(try decode("{\"a\": {\"b\": [1]}}") == ["a": ["b": [1]]])
        #expect(try decode("[1, \"a\", 10, \"b\"]") == [Size.small: "a", .large: "b"])
    }

    @Test(
        "Two names that are the same key are an error",
        arguments: [
            (#"{"1": "a", "01": "b"}"#, #""1" and "01""#),
            (#"{"x": "y", "+2": "b", "7": "c", "2": "a"}"#, #""+2" and "2""#),
            (#"{"0": "a", "-0": "b"}"#, #""0" and "-0""#),
        ])
    func integerKeys_areUnique(text: String, keys: String) throws {
        #expect(
            decodingMessage([Int: String].self, text)
                == "key: [Int: String] refused it: the keys \(keys) are the same Int (f.json:1:1)")
        #expect(
            decodingMessage([[String: [Int: String]]].self, "[{\"b\": \(text)}]")
                == "key[0].b: [Int: String] refused it: the keys \(keys) are the same Int (f.json:1:8)")
        #expect(try decode(text, as: [String: String].self).count >= 2)
    }

    private enum Shelf: Int, Decodable, CodingKeyRepresentable { case first = 1, second }

    private struct AnyCase: Decodable, Hashable, CodingKeyRepresentable {
        let codingKey: any CodingKey

        init?(codingKey: some CodingKey) { self.codingKey = codingKey }
        init(from decoder: any Decoder) throws { throw CancellationError() }
        static func == (left: Self, right: Self) -> Bool { left.name == right.name }
        func hash(into hasher: inout Hasher) { hasher.combine(name) }
        private var name: String { codingKey.stringValue.lowercased() }
    }

    @Test func otherKeys_areUnique() throws {
        #expect(try decode(#"{"1": "a", "2": "b"}"#) == [Shelf.first: "a", .second: "b"])
        #expect(
            decodingMessage([Shelf: String].self, #"{"1": "a", "01": "b"}"#)
                == #"key: [Shelf: String] refused it: the keys "1" and "01" are the same Shelf (f.json:1:1)"#)
        #expect(
            decodingMessage([AnyCase: Int].self, #"{"a": 1, "b": 2, "A": 3}"#)
                == #"key: [AnyCase: Int] refused it: the keys "a" and "A" are the same AnyCase (f.json:1:1)"#)
    }

    private class Animal: Decodable {
        var name: String
    }

    private final class Dog: Animal {
        var tricks: Int

        private enum CodingKeys: String, CodingKey { case tricks, parent }

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            tricks = try container.decode(Int.self, forKey: .tricks)
            try super.init(
                from: container.contains(.parent) ? container.superDecoder(forKey: .parent) : container.superDecoder())
        }
    }

    private final class Cat: Animal {
        var lives: Int

        private enum CodingKeys: String, CodingKey { case lives }

        required init(from decoder: any Decoder) throws {
            lives = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .lives)
            try super.init(from: decoder)
        }
    }

    @Test("Superclasses at the key super, at another key, or in the same object")
    func superclasses_decode() throws {
        #expect(try decode("{\"tricks\": 3, \"super\": {\"name\": \"Rex\"}}", as: Dog.self).name == "Rex")
        #expect(try decode("{\"tricks\": 3, \"parent\": {\"name\": \"Rex\"}}", as: Dog.self).tricks == 3)
        let cat = try decode("{\"lives\": 7, \"name\": \"Tom\"}", as: Cat.self)
        #expect(cat.name == "Tom")
        #expect(cat.lives == 7)
    }

    /// Reads `{"a": {"b": [1, [2, {"c": 3}], null, {"d": 4}]}}` by hand, with every function of every container.
    private struct ByHand: Decodable {
        private struct Key: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }

            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        private struct Inner: Decodable {
            var d: Int
        }

        var values: [Int] = []
        var paths: [String] = []

        init(from decoder: any Decoder) throws {
            let root = try decoder.container(keyedBy: Key.self)
            #expect(root.allKeys.map(\.stringValue) == ["a"])
            #expect(root.contains(Key(stringValue: "a")))
            #expect(!root.contains(Key(stringValue: "b")))
            #expect(try !root.decodeNil(forKey: Key(stringValue: "a")))
            let nested = try root.nestedContainer(keyedBy: Key.self, forKey: Key(stringValue: "a"))
            #expect(try nested.decodeIfPresent(Int.self, forKey: Key(stringValue: "x")) == nil)
            var list = try nested.nestedUnkeyedContainer(forKey: Key(stringValue: "b"))
            #expect(list.count == 4)
            values.append(try list.decode(Int.self))
            var pair = try list.nestedUnkeyedContainer()
            values.append(try pair.decode(Int.self))
            let deepest = try pair.nestedContainer(keyedBy: Key.self)
            values.append(try deepest.decode(Int.self, forKey: Key(stringValue: "c")))
            paths.append(deepest.codingPath.map(\.stringValue).joined(separator: "/"))
            #expect(pair.isAtEnd)
            #expect(try list.decodeNil())
            #expect(try !list.decodeNil())
            #expect(list.currentIndex == 3)
            let last = try list.superDecoder()
            paths.append(last.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: "/"))
            values.append(try Inner(from: last).d)
            #expect(list.isAtEnd)
            #expect(throws: DecodingError.self) { _ = try list.decode(Int.self) }
        }
    }

    @Test("Containers by hand, with their coding paths")
    func containers_decode_byHand() throws {
        let value = try decode("{\"a\": {\"b\": [1, [2, {\"c\": 3}], null, {\"d\": 4}]}}", as: ByHand.self)
        #expect(value.values == [1, 2, 3, 4])
        #expect(value.paths == ["a/b/1/1", "a/b/3"])
    }

    /// Tries one type after the other, like types with several forms.
    private enum Flexible: Decodable, Equatable {
        case number(Int)
        case text(String)
        case list([Flexible])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            do {
                self = .number(try container.decode(Int.self))
            } catch is DecodingError {
                if let text = try? container.decode(String.self) {
                    self = .text(text)
                } else {
                    self = .list(try container.decode([Flexible].self))
                }
            }
        }
    }

    @Test("A type may catch a DecodingError and try another form")
    func type_triesForms_oneAfterTheOther() throws {
        #expect(
            try decode("[1, \"a\", [2, [\"b\"]]]")
                == Flexible.list([.number(1), .text("a"), .list([.number(2), .list([.text("b")])])]))
    }

    @Test("An error that a type has caught is not reported if it then fails for another reason")
    func caughtError_isNotReported() {
        struct Server: Decodable {
            let port: String
            let host: String

            enum Key: CodingKey { case port, host }

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Key.self)
                if let number = try? container.decode(Int.self, forKey: .port) {
                    port = "\(number)"
                } else {
                    port = try container.decode(String.self, forKey: .port)
                }
                host = try container.decode(String.self, forKey: .host)
            }
        }
        #expect(
            decodingMessage([Server].self, #"[{"port": "auto"}, {"port": "auto"}]"#) == """
                key[0].host is missing (expected String) (f.json:1:2)
                key[1].host is missing (expected String) (f.json:1:20)
                """)
        #expect(decodingMessage(Server.self, #"{"host": "a"}"#) == "key.port is missing (expected String) (f.json:1:1)")
    }

    @Test("A JSONValue decodes unchanged from this decoder, and also from Foundation's")
    func jsonValue_decodes() throws {
        struct Holder: Decodable {
            var any: JSONValue
        }
        let text = "{\"any\": {\"a\": [1, -2, 0.5, true, null, \"x\", 18446744073709551615, 36893488147419103232, {}]}}"
        let expected: JSONValue = [
            "a": [1, -2, 0.5, true, nil, "x", 18_446_744_073_709_551_615, 36_893_488_147_419_103_232, [:]]
        ]
        let holder = try decode(text, as: Holder.self)
        #expect(holder.any == expected)
        #expect(holder.any["a"]?.position == JSONPosition(line: 1, column: 15))
        #expect(try JSONDecoder().decode(Holder.self, from: Data(text.utf8)).any == expected)
    }
}
