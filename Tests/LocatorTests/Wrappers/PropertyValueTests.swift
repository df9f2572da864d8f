import Foundation
import Locator
import TestSupport
import Testing

private enum Level: String, Decodable { case debug, info }

private struct Server: Decodable, Equatable {
    let host: String
    let port: UInt16
    let tags: [String]
    let limits: [String: Double]
    let note: String?
}

private struct Settings {
    @PropertyValue("text") var text: String
    @PropertyValue("int") var int: Int
    @PropertyValue("int") var small: UInt8
    @PropertyValue("double") var double: Double
    @PropertyValue("flag") var flag: Bool
    @PropertyValue("level") var level: Level
    @PropertyValue("url") var url: URL
    @PropertyValue("date") var date: Date
    @PropertyValue("data") var data: Data
    @PropertyValue("duration") var duration: Duration
    @PropertyValue("decimal") var decimal: Decimal
    @PropertyValue("list") var list: [Int]
    @PropertyValue("list[1]") var second: Int
    @PropertyValue("set") var set: Set<String>
    @PropertyValue("dictionary") var dictionary: [String: [Int]]
    @PropertyValue("server") var server: Server
    @PropertyValue("server['host']") var host: String
    @PropertyValue("servers") var servers: [Server]
    @PropertyValue("text") var optional: String?
    @PropertyValue("missing") var missing: Server?
    @PropertyValue("null") var null: Int?
    @PropertyValue("missing", default: 3) var fallback: Int
    @PropertyValue("int", default: 3) var present: Int
    @PropertyValue("placeholder") var placeholder: String
    @PropertyValue("json") var json: JSONValue
}

@Suite("A property value is decoded on first access and follows the context")
struct PropertyValueTests {
    private let context = AppContext()
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder([
            "application.json": """
            {
              "text": "words", "int": 7, "double": 1.5, "flag": true, "level": "info", "url": "https://a.example/x",
              "date": "2019-04-01T08:00:00Z", "data": "aGk=", "duration": "1h30m", "decimal": 12.50,
              "list": [1, 2, 3], "set": ["a", "b", "a"], "dictionary": { "a": [1], "b": [] },
              "server": { "host": "a", "port": 80, "tags": ["x"], "limits": { "rate": 0.5 } },
              "servers": [{ "host": "b", "port": 81, "tags": [], "limits": {}, "note": "n" }],
              "null": null, "placeholder": "${text} and ${int}", "json": [1, { "a": null }]
            }
            """
        ])
        try context.loadProperties(from: folder.path, environment: [:])
    }

    @Test func everyDecodableKind_isRead() {
        let settings = AppContext.withContext(context) { Settings() }
        #expect(settings.text == "words")
        #expect(settings.int == 7)
        #expect(settings.small == 7)
        #expect(settings.double == 1.5)
        #expect(settings.flag)
        #expect(settings.level == .info)
        #expect(settings.url == URL(string: "https://a.example/x"))
        #expect(settings.date == Date(timeIntervalSince1970: 1_554_105_600))
        #expect(settings.data == Data("hi".utf8))
        #expect(settings.duration == .seconds(5400))
        #expect(settings.decimal == Decimal(string: "12.5"))
        #expect(settings.list == [1, 2, 3])
        #expect(settings.second == 2)
        #expect(settings.set == ["a", "b"])
        #expect(settings.dictionary == ["a": [1], "b": []])
        let server = Server(host: "a", port: 80, tags: ["x"], limits: ["rate": 0.5], note: nil)
        #expect(settings.server == server)
        #expect(settings.host == "a")
        #expect(settings.servers == [Server(host: "b", port: 81, tags: [], limits: [:], note: "n")])
        #expect(settings.optional == "words")
        #expect(settings.missing == nil)
        #expect(settings.null == nil)
        #expect(settings.fallback == 3)
        #expect(settings.present == 7)
        #expect(settings.placeholder == "words and 7")
        #expect(settings.json == [1, ["a": nil]])
    }

    @Test func value_followsThePush_andThePop() throws {
        let settings = AppContext.withContext(context) { Settings() }
        #expect(settings.int == 7)
        #expect(settings.placeholder == "words and 7")
        #expect(settings.missing == nil)
        let fakes: [String: JSONValue] = [
            "int": 8,
            "missing": ["host": "f", "port": 1, "tags": [], "limits": [:]],
        ]
        try context.push(Module("Fakes", properties: fakes))
        #expect(settings.int == 8)
        #expect(settings.placeholder == "words and 8")
        #expect(settings.missing?.host == "f")
        context.pop()
        #expect(settings.int == 7)
        #expect(settings.placeholder == "words and 7")
        #expect(settings.missing == nil)
    }

    @Test func value_followsAReload() throws {
        let settings = AppContext.withContext(context) { Settings() }
        #expect(settings.text == "words")
        try folder.write(#"{ "text": "other" }"#, to: "application.json")
        #expect(settings.text == "words")
        try context.reloadProperties()
        #expect(settings.text == "other")
        #expect(settings.present == 3)
    }

    @Test func default_servesWhereTheValueIsMissing_only() throws {
        struct Wrong {
            @PropertyValue("text", default: 3) var number: Int
            @PropertyValue("text") var optional: Int?
        }
        let wrong = AppContext.withContext(context) { Wrong() }
        #expect(locatorError({ try wrong.$number.resolved() }) != nil)
        #expect(locatorError({ try wrong.$optional.resolved() }) != nil)
    }

    @Test func decoding_happensOnce_whileNothingChanges() throws {
        struct Holder {
            @PropertyValue("int") var counted: Counted
        }
        let holder = AppContext.withContext(context) { Holder() }
        #expect(holder.counted.number == 7)
        #expect(holder.counted.number == 7)
        try context.push(.text("unrelated", properties: ["other": 1]))
        #expect(holder.counted.number == 7)
        #expect(Counted.decodings.value == 1)
    }

    private struct Counted: Decodable {
        static let decodings = Counter()
        let number: Int

        init(from decoder: any Decoder) throws {
            Self.decodings.next()
            number = try decoder.singleValueContainer().decode(Int.self)
        }
    }

    @Test func contextGivesTheSame_asItsWrappers() throws {
        #expect(try context.value("server.port", as: Int.self) == 80)
        let port: Int = try context.value("server.port")
        #expect(port == 80)
        #expect(try context.value("missing", as: Int?.self) == nil)
        #expect(try context.value("missing", default: 3) == 3)
        #expect(locatorError({ try context.value("missing", as: Int.self) }) != nil)
        #expect(locatorError({ try context.value("text", default: 3) }) != nil)
    }

    @Test func reset_readsTheValueOfTheContextAgain() throws {
        struct Holder {
            @PropertyValue("int") var number: Int
        }
        let context = try AppContext().load(Module("Settings", properties: ["int": 5]))
        let holder = AppContext.withContext(context) { Holder() }
        #expect(holder.number == 5)
        holder.$number.reset()
        #expect(holder.number == 5)
        try context.push(Module("Others", properties: ["int": 6]))
        holder.$number.reset()
        #expect(holder.number == 6)
    }

    @Test func givenValue_asksNoContext() {
        let settings = AppContext.withContext(AppContext()) { Settings(int: .value(1), missing: .value(nil)) }
        #expect(settings.int == 1)
    }
}
