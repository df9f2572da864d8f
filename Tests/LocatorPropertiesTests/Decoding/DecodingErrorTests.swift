import LocatorProperties
import Testing

@Suite("An error names everything that is wrong, with its path and place")
struct DecodingErrorTests {
    private enum Level: String, Decodable, CaseIterable { case debug, info, error }
    private enum Size: Int, Decodable { case small = 1, large = 10 }

    private struct Server: Decodable {
        var host: String
        var port: UInt16
        var level: Level
        var timeout: Duration
        var limits: Limits
        var tags: [String]
        var note: String?

        struct Limits: Decodable {
            var burst: Int
            var rate: Double
        }
    }

    @Test("All missing keys of a type and its nested types are listed, with similar keys")
    func missingKeys_areListedTogether() {
        #expect(
            decodingMessage(Server.self, "{\"hots\": \"a\",\n \"limits\": {\"Rate\": 1}}") == """
                key.host is missing (expected String); did you mean key.hots? (f.json:1:1)
                key.port is missing (expected UInt16) (f.json:1:1)
                key.level is missing (expected Level ("debug", "info" or "error")) (f.json:1:1)
                key.timeout is missing (expected Duration (such as "250ms" or "1h30m")) (f.json:1:1)
                key.limits.burst is missing (expected Int) (f.json:2:12)
                key.limits.rate is missing (expected Double); did you mean key.limits.Rate? (f.json:2:12)
                key.tags is missing (expected [String]) (f.json:1:1)
                """)
    }

    private enum Shape: Decodable {
        case circle(radius: Int)
        case square
    }

    @Test(
        "The key that is no case of an enumeration is named",
        arguments: [
            (#"{"circel": {"radius": 1}}"#, #"it has no case "circel""#),
            (#"{"circle": {"radius": 1}, "square": {}}"#, "expected a case as the only key, found 2 keys"),
            ("{}", "expected a case as the only key, found 0 keys"),
        ])
    func unknownCase_isNamed(json: String, reason: String) {
        #expect(decodingMessage(Shape.self, json) == "key: Shape refused it: \(reason) (f.json:1:1)")
    }

    @Test("Wrong values are listed with the missing keys")
    func wrongValues_areListedTogether() {
        #expect(
            decodingMessage(
                Server.self,
                """
                {"host": 1, "port": 65536, "level": "loud", "timeout": 5, "limits": [], "tags": ["a", 2, null], "note": 3}
                """) == """
                    key.host: expected String, found number 1 (f.json:1:10)
                    key.port: expected UInt16, found number 65536 (f.json:1:21)
                    key.level: expected Level ("debug", "info" or "error"), found string "loud" (f.json:1:37)
                    key.timeout: expected Duration (such as "250ms" or "1h30m"), found number 5 (f.json:1:56)
                    key.limits: expected Limits (an object), found an array (f.json:1:69)
                    key.tags[1]: expected String, found number 2 (f.json:1:87)
                    key.tags[2]: expected String, found null (f.json:1:90)
                    key.note: expected String, found number 3 (f.json:1:105)
                    """)
    }

    private enum Mode: String, Decodable { case fast, SLOW }

    @Test(
        "The error for an unknown raw value names a similar known one",
        arguments: [
            ("Debug", #"expected Level ("debug", "info" or "error"), found string "Debug"; did you mean "debug"?"#),
            ("eror", #"expected Level ("debug", "info" or "error"), found string "eror"; did you mean "error"?"#),
        ])
    func nearRawValue_isNamed(text: String, expected: String) {
        #expect(decodingMessage(Level.self, "\"\(text)\"") == "key: \(expected) (f.json:1:1)")
    }

    @Test(
        "If the type does not list its cases, a difference in case is named",
        arguments: [
            ("Fast", #"found string "Fast"; did you mean "fast"?"#),
            ("Slow", #"found string "Slow"; did you mean "SLOW"?"#),
            ("fats", #"found string "fats""#),
        ])
    func otherCase_isNamed(text: String, expected: String) {
        #expect(decodingMessage(Mode.self, "\"\(text)\"") == "key: expected Mode, \(expected) (f.json:1:1)")
    }

    @Test("Messages", arguments: rows)
    func error_hasMessage(message: @Sendable (String) -> String, text: String, expected: String) {
        #expect(message(text) == expected)
    }

    private struct OutOfRange: Error, CustomStringConvertible {
        var number: Int
        var description: String { "\(number) is out of range" }
    }

    private struct Percentage: Decodable {
        init(from decoder: any Decoder) throws {
            let number = try decoder.singleValueContainer().decode(Int.self)
            guard (0...100).contains(number) else { throw OutOfRange(number: number) }
        }
    }

    private struct Even: Decodable {
        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if try container.decode(Int.self) % 2 != 0 {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "it is odd")
            }
        }
    }

    private struct Mix: Decodable {
        var shares: [Percentage]
        var even: Even
    }

    @Test("An error of a type's own initializer is reported with its path and place")
    func typesOwnError_isPlaced() {
        #expect(
            decodingMessage(Mix.self, "{\"shares\": [1, 200, 300], \"even\": 7}") == """
                key.shares[1]: Percentage refused it: 200 is out of range (f.json:1:16)
                key.shares[2]: Percentage refused it: 300 is out of range (f.json:1:21)
                key.even: Even refused it: it is odd (f.json:1:35)
                """)
        #expect(
            decodingMessage(Percentage.self, "101") == "key: Percentage refused it: 101 is out of range (f.json:1:1)")
    }

    private struct Alike: Decodable {
        var ab: Percentage
        var a: Percentage
    }

    @Test("Equal errors of two fields, one named like the beginning of the other, are both listed")
    func equalErrors_areBothListed_whenPathsAreAlike() {
        #expect(
            decodingMessage(Alike.self, "{\"ab\": 200, \"a\": 200}") == """
                key.ab: Percentage refused it: 200 is out of range (f.json:1:8)
                key.a: Percentage refused it: 200 is out of range (f.json:1:18)
                """)
    }

    @Test("The error carries fields for programs")
    func error_hasFields() throws {
        let value = try JSONValue(parsing: "{\"port\": \"80a\"}")
        let error = #expect(throws: PropertiesError.self) {
            try value.decode([String: Int].self, at: "server", in: DecodingContext())
        }
        #expect(
            error
                == PropertiesError(
                    PropertiesProblem(
                        .value(.mismatch(expected: "Int", found: .string("80a"))), path: "server.port",
                        position: JSONPosition(line: 1, column: 10))))
    }

    @Test("A value without a file is named by its path from the root")
    func error_hasNoFile_whenValueStandsAlone() throws {
        let value: JSONValue = ["a": [["b": "x"]]]
        let error = #expect(throws: PropertiesError.self) { try value.decode([String: [[String: Int]]].self) }
        #expect(error?.description == "a[0].b: expected Int, found string \"x\"")
    }

    @Test("At most a hundred problems are listed")
    func problems_areLimited_whenThereAreVeryMany() throws {
        let value = JSONValue.array(Array(repeating: "x", count: 100_000))
        let error = #expect(throws: PropertiesError.self) { try value.decode([Int].self) }
        #expect(error?.problems.count == 100)
        #expect(error?.problems.first?.description == "[0]: expected Int, found string \"x\"")
        #expect(error?.problems.last?.description == "[99]: expected Int, found string \"x\"")
    }

    private struct Observed: Decodable {
        /// Set and read by one test only.
        nonisolated(unsafe) static weak var decoder: AnyObject?

        init(from decoder: any Decoder) throws {
            Self.decoder = decoder as AnyObject
            throw OutOfRange(number: 1)
        }
    }

    @Test("Nothing of a failed decoding stays in memory")
    func decoders_areFreed_whenDecodingFails() {
        #expect(
            decodingMessage([Observed].self, "[1]") == "key[0]: Observed refused it: 1 is out of range (f.json:1:2)")
        #expect(Observed.decoder == nil)
    }

    private final class Endless: Decodable {
        let next: Endless
    }

    @Test("Decoding a type that contains itself endlessly comes to an end")
    func error_isFound_whenTypeIsEndless() {
        #expect(decodingMessage(Endless.self, "{}") == "key.next is missing (expected Endless) (f.json:1:1)")
    }

    private struct Fleet: Decodable {
        enum Key: CodingKey { case hosts, limits }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            var hosts = try container.nestedUnkeyedContainer(forKey: .hosts)
            _ = try hosts.decode(String.self)
            _ = try container.nestedContainer(keyedBy: Key.self, forKey: .limits)
        }
    }

    @Test("A missing nested container is an object or an array")
    func missingContainer_isNamed() {
        #expect(decodingMessage(Fleet.self, "{}") == "key.hosts is missing (expected an array) (f.json:1:1)")
        #expect(
            decodingMessage(Fleet.self, #"{"hosts": ["a"]}"#)
                == "key.limits is missing (expected an object) (f.json:1:1)")
    }

    private class Animal: Decodable {
        var name: String
    }

    private final class Dog: Animal {
        enum Key: CodingKey { case age }

        required init(from decoder: any Decoder) throws {
            try super.init(from: try decoder.container(keyedBy: Key.self).superDecoder())
        }
    }

    @Test("A missing superclass is missing, and one that is null is not")
    func missingSuperclass_isNamed() {
        #expect(
            decodingMessage(Dog.self, #"{"supre": {"name": "Rex"}}"#)
                == "key.super is missing (expected an object); did you mean key.supre? (f.json:1:1)")
        #expect(
            decodingMessage(Dog.self, #"{"super": null}"#)
                == "key.super: expected an object, found null (f.json:1:11)")
        #expect(
            decodingMessage(Dog.self, #"{"super": {}}"#)
                == "key.super.name is missing (expected String) (f.json:1:11)")
    }

    private class Wrapper: Decodable {
        let fleet: Fleet

        required init(from decoder: any Decoder) throws {
            fleet = try decoder.singleValueContainer().decode(Fleet.self)
        }
    }

    private final class Wrapped: Wrapper {
        enum Key: CodingKey { case fleet }

        required init(from decoder: any Decoder) throws {
            try super.init(from: try decoder.container(keyedBy: Key.self).superDecoder(forKey: .fleet))
        }
    }

    @Test("A missing superclass that decodes another type is missing, too")
    func missingWrapper_isNamed() {
        #expect(
            decodingMessage(Wrapped.self, #"{"flete": {}}"#)
                == "key.fleet is missing (expected Fleet (an object)); did you mean key.flete? (f.json:1:1)")
        #expect(
            decodingMessage(Wrapped.self, #"{"fleet": null}"#)
                == "key.fleet: expected Fleet (an object), found null (f.json:1:11)")
        #expect(
            decodingMessage(Wrapped.self, #"{"fleet": {}}"#)
                == "key.fleet.hosts is missing (expected an array) (f.json:1:11)")
    }

    private struct Pool: Decodable {
        enum Key: CodingKey { case size, name }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            let size = try container.decode(Int.self, forKey: .size)
            // The type continues with a placeholder. If it trapped, the program would end.
            guard size > 0 else { throw OutOfRange(number: size) }
            _ = try container.decode(String.self, forKey: .name)
        }
    }

    private struct Limits: Decodable {
        var range: Range

        struct Range: Decodable {
            init(from decoder: any Decoder) throws {
                enum Keys: CodingKey { case low, high }
                let container = try decoder.container(keyedBy: Keys.self)
                let low = try container.decode(Int.self, forKey: .low)
                if try container.decode(Int.self, forKey: .high) <= low {
                    throw DecodingError.dataCorruptedError(
                        forKey: .high, in: container, debugDescription: "high must be above low")
                }
            }
        }
    }

    @Test(
        "A type's message about a part is not reported if another part is a stand-in",
        arguments: [
            (#"{"low": 1}"#, "key.range.high is missing (expected Int) (f.json:1:11)"),
            (
                #"{"low": 1, "high": "2"}"#,
                #"key.range.high: expected Int, found string "2"; drop the quotes (f.json:1:30)"#
            ),
            (
                #"{"low": "1", "high": -2}"#,
                #"key.range.low: expected Int, found string "1"; drop the quotes (f.json:1:19)"#
            ),
            (#"{"low": 3, "high": 2}"#, "key.range.high: Range refused it: high must be above low (f.json:1:30)"),
        ])
    func placeholder_isNotRefused(range: String, problem: String) {
        #expect(decodingMessage(Limits.self, #"{"range": \#(range)}"#) == problem)
    }

    @Test("If a type throws an error for a stand-in, the missing parts are also reported")
    func placeholder_mayBeRefused() {
        #expect(
            decodingMessage([String: Pool].self, #"{"a": {"name": "a"}}"#)
                == "key.a.size is missing (expected Int) (f.json:1:7)")
        let error = #expect(throws: PropertiesError.self) { try JSONValue(parsing: "{}").decode(Pool.self) }
        #expect(error?.description == "size is missing (expected Int) (line 1, column 1)")
        #expect(
            decodingMessage([String: Pool].self, #"{"a": {"size": 0}}"#)
                == "key.a: Pool refused it: 0 is out of range (f.json:1:7)")
    }

    private final class Tree: Decodable {
        let parts: [Tree?]

        enum Key: CodingKey { case a, b, c, number }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            parts = [Key.a, .b, .c].map { try? container.decode(Tree.self, forKey: $0) }
            _ = try container.decode(Int.self, forKey: .number)
        }
    }

    // Without a limit, this takes longer than the universe has existed.
    @Test("Decoding a type that contains itself several times comes to an end")
    func error_isFound_whenTypeContainsItselfSeveralTimes() {
        #expect(
            decodingMessage(Tree.self, #"{"number": "x"}"#)
                == "key.number: expected Int, found string \"x\" (f.json:1:12)")
    }

    private static let rows: [Row] = [
        ({ decodingMessage(Int.self, $0) }, "\"80a\"", "key: expected Int, found string \"80a\" (f.json:1:1)"),
        ({ decodingMessage(Size.self, $0) }, "2", "key: expected Size, found number 2 (f.json:1:1)"),
        ({ decodingMessage(Size.self, $0) }, "\"a\"", "key: expected Int, found string \"a\" (f.json:1:1)"),
        (
            { decodingMessage([String: [Size]].self, $0) }, "{\"a.b\": [1, 3]}",
            "key['a.b'][1]: expected Size, found number 3 (f.json:1:13)"
        ),
        (
            { decodingMessage(Server?.self, $0) }, "3",
            "key: expected Server (an object), found number 3 (f.json:1:1)"
        ),
        (
            { decodingMessage([[Int]].self, $0) }, "[[1], 2]",
            "key[1]: expected [Int] (an array), found number 2 (f.json:1:7)"
        ),
        (
            { decodingMessage(Set<Int>.self, $0) }, "{}",
            "key: expected Set<Int> (an array), found an object (f.json:1:1)"
        ),
        (
            { decodingMessage([Level: Int].self, $0) }, "{\"debug\": 1}",
            "key: expected [Level: Int] (an array, because Level does not conform to CodingKeyRepresentable), "
                + "found an object (f.json:1:1)"
        ),
        (
            { decodingMessage([Int: Int].self, $0) }, "{\"a\": 1}",
            "key.a: [Int: Int] refused it: Expected Int key but found String key instead. (f.json:1:7)"
        ),
        (
            { decodingMessage(Int.self, $0) },
            "12345678901234567890123456789012345678901234567890123456789012345678901",
            "key: expected Int, found number 1234567890123456789012345678901234567890123456789012345678901234… (f.json:1:1)"
        ),
        (
            { decodingMessage(Int.self, $0) }, "\"a\\nb\\u001b[0m\"",
            "key: expected Int, found string \"a\\nb\\u{001B}[0m\" (f.json:1:1)"
        ),
        (
            { decodingMessage(Int.self, $0) }, "\"https://me:pw@host/\"",
            "key: expected Int, found string \"https://me:<secret>@host/\" (f.json:1:1)"
        ),
    ]

    private typealias Row = (@Sendable (String) -> String, String, String)
}
