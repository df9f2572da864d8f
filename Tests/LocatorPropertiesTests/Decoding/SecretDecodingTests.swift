import Foundation
import LocatorProperties
import Testing

@Suite("No error shows a secret")
struct SecretDecodingTests {
    private struct Database: Decodable {
        var host: Int
        var password: Int
        var apiKey: Bool
        var pins: [Int]
    }

    private static let text = """
        {"host": "db", "password": "hunter2", "apiKey": 424242, "pins": ["1234"]}
        """

    @Test("A value at a secret path is described only by its kind")
    func message_hasKindOnly_whenKeyIsSecret() throws {
        let error = #expect(throws: PropertiesError.self) {
            try JSONValue(parsing: Self.text).decode(Database.self)
        }
        #expect(
            error?.problems.map(\.description) == [
                "host: expected Int, found string \"db\" (line 1, column 10)",
                "password: expected Int, found a string that is not shown, because it is secret (line 1, column 28)",
                "apiKey: expected Bool, found a number that is not shown, because it is secret (line 1, column 49)",
                "pins[0]: expected Int, found string \"1234\"; drop the quotes (line 1, column 66)",
            ])
    }

    @Test("The case that a misspelled secret comes near is not named")
    func case_isNotNamed() {
        enum Level: String, Decodable, CaseIterable { case debug, info }
        #expect(
            decodingMessage([String: Level].self, #"{"level": "debgu"}"#)
                == #"key.level: expected Level ("debug" or "info"), found string "debgu"; did you mean "debug"? (f.json:1:11)"#
        )
        #expect(
            decodingMessage([String: Level].self, #"{"token": "debgu"}"#)
                == #"key.token: expected Level ("debug" or "info"), found a string that is not shown, because it is secret (f.json:1:11)"#
        )
    }

    @Test("A type that decodes the text of a secret with this library does not show it")
    func message_hasNoSecret_whenTypeDecodesItself() throws {
        struct Inner: Decodable {
            var pin: Int
        }
        struct Parsing: Decodable {
            enum Key: CodingKey { case token }

            init(from decoder: any Decoder) throws {
                let text = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .token)
                _ = try JSONValue(parsing: text).decode(Inner.self)
            }
        }
        struct Reading: Decodable {
            enum Key: CodingKey { case token }

            init(from decoder: any Decoder) throws {
                let text = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .token)
                let properties = try Properties(["pin": .string(text)])
                _ = try properties.value("pin", as: Int.self)
                _ = try properties.value(text, as: Int.self)
            }
        }
        let cases: [(any Decodable.Type, String)] = [
            (Parsing.self, #"{"token": "{\"pin\": \"hunter2\"}"}"#), (Parsing.self, #"{"token": "hunter2"}"#),
            (Reading.self, #"{"token": "hunter2"}"#),
        ]
        for (type, text) in cases {
            func message<Value: Decodable>(_ type: Value.Type) -> String { decodingMessage(type, text) }
            let shown = message(type)
            #expect(!shown.contains("hunter2"))
            #expect(shown.hasPrefix("key: \(type) refused it: "))
        }
    }

    @Test("A listed path and a marked node are also secret")
    func message_hasKindOnly_whenPathIsListedOrNodeIsMarked() throws {
        let context = DecodingContext(
            secrets: SecretRules(listed: [PropertyPath([.key("db"), .key("pins"), .index(0)])]))
        let error = #expect(throws: PropertiesError.self) {
            try JSONValue(parsing: "{\"pins\": [\"1234\"]}").decode([String: [Int]].self, at: "db", in: context)
        }
        #expect(
            error?.description
                == "db.pins[0]: expected Int, found a string that is not shown, because it is secret (line 1, column 11)"
        )
        var marked: JSONValue = "hunter2"
        marked.flags.insert(.secret)
        let second = #expect(throws: PropertiesError.self) { try marked.decode(Int.self) }
        #expect(second?.description == "expected Int, found a string that is not shown, because it is secret")
    }

    private struct Indiscreet: Decodable {
        init(from decoder: any Decoder) throws {
            let values = try decoder.singleValueContainer().decode([String: String].self)
            let text = values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: text))
        }
    }

    private struct Loud: Error, CustomStringConvertible {
        var description: String
    }

    private struct Blurting: Decodable {
        init(from decoder: any Decoder) throws {
            do {
                _ = try Indiscreet(from: decoder)
            } catch DecodingError.dataCorrupted(let context) {
                throw Loud(description: context.debugDescription)
            }
        }
    }

    private struct Shouting: Decodable {
        init(from decoder: any Decoder) throws {
            throw Loud(description: "bad: \(try decoder.singleValueContainer().decode(String.self))")
        }
    }

    @Test("A type's own error text is masked if it quotes a secret")
    func foreignText_isMasked() {
        #expect(
            decodingMessage(Indiscreet.self, "{\"host\": \"db\", \"password\": \"hunter2\"}")
                == "key: Indiscreet refused it: host=db password=<secret> (f.json:1:1)")
        #expect(
            decodingMessage([String: Shouting].self, "{\"token\": \"hunter2\"}")
                == "key.token: Shouting refused it: <secret> (f.json:1:11)")
        #expect(
            decodingMessage([String: Shouting].self, "{\"url\": \"https://me:hunter2@host\"}")
                == "key.url: Shouting refused it: bad: https://me:<secret>@host (f.json:1:9)")
    }

    @Test("A secret is also masked without the white space around it")
    func foreignText_isMasked_ifItIsTrimmed() {
        struct Trimming: Decodable {
            init(from decoder: any Decoder) throws {
                let values = try decoder.singleValueContainer().decode([String: String].self)
                throw Loud(
                    description: "bad: \(values["password"]?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "")")
            }
        }
        #expect(
            decodingMessage(Trimming.self, #"{"password": " hunter2\n"}"#)
                == "key: Trimming refused it: bad: <secret> (f.json:1:1)")
    }

    @Test(
        "Secrets that contain each other, or the mask, are masked as a whole",
        arguments: [
            (#"{"password": "hunter", "token": "hunter2"}"#, "password=<secret> token=<secret>"),
            (#"{"password": "hunter2", "token": "hunter"}"#, "password=<secret> token=<secret>"),
            (#"{"password": "abc", "token": "bcd", "x": "abcde"}"#, "password=<secret> token=<secret> x=<secret>e"),
            (#"{"password": "secret", "token": "e"}"#, "password=<secret> tok<secret>n=<secret>"),
            (#"{"password": "<", "token": ">", "x": "y"}"#, "password=<secret> token=<secret> x=y"),
            (
                #"{"jwt": "<secret>", "password": "<secret>", "salt": "<secret>"}"#,
                "jwt=<secret> password=<secret> salt=<secret>"
            ),
            (
                #"{"password": "hunter2", "url": "https://me:hunter2@h/"}"#,
                "password=<secret> url=https://me:<secret>@h/"
            ),
        ])
    func foreignText_isMasked_whereSecretsOverlap(json: String, expected: String) {
        #expect(decodingMessage(Indiscreet.self, json) == "key: Indiscreet refused it: \(expected) (f.json:1:1)")
        #expect(decodingMessage(Blurting.self, json) == "key: Blurting refused it: \(expected) (f.json:1:1)")
    }

    @Test("The listed parts of a text of the environment are masked as those of a file")
    func foreignText_isMasked_whenTextIsJSON() throws {
        let properties = try load(
            ["": "{}"],
            environment: ["S_A": #"{"host": "db", "pin": "hunter2"}"#, "S_B": #"[{"pin": "hunter2"}]"#],
            prefix: "S_", secrets: ["a.pin", "b[0].pin"])
        #expect(
            message { _ = try properties.value("a", as: Indiscreet.self) }
                == "a: Indiscreet refused it: host=db pin=<secret> (environment variable S_A)")
        #expect(
            message { _ = try properties.value("b", as: [Indiscreet].self) }
                == "b[0]: Indiscreet refused it: pin=<secret> (environment variable S_B)")
    }

    private struct Pointing: Decodable {
        init(from decoder: any Decoder) throws {
            let values = try decoder.singleValueContainer().decode([String: String].self)
            let keys = (values["path"] ?? "").split(separator: ",").map {
                Key(stringValue: values[String($0)] ?? String($0))
            }
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath + keys, debugDescription: "no"))
        }
    }

    @Test("A secret in the coding path of a type's own error is masked, and the names of settings are not")
    func codingPath_isMasked() {
        #expect(
            decodingMessage(Pointing.self, #"{"password": "hunter2", "path": "password"}"#)
                == "key['<secret>']: Pointing refused it: no (f.json:1:1)")
        #expect(
            decodingMessage(Pointing.self, #"{"token": "host", "host": "db", "path": "host,port"}"#)
                == "key.db.port: Pointing refused it: no (f.json:1:1)")
        #expect(
            decodingMessage(Pointing.self, #"{"password": "path", "path": "password"}"#)
                == "key.path: Pointing refused it: no (f.json:1:30)")
    }

    private struct Picky: Decodable {
        init(from decoder: any Decoder) throws {
            let url = try decoder.singleValueContainer().decode(URL.self)
            throw Loud(description: "\(url.user ?? "nobody") has the password \(url.password ?? "")")
        }
    }

    @Test("A password is masked without the URL that contains it")
    func foreignText_isMasked_whenItQuotesAPart() {
        #expect(
            decodingMessage(Picky.self, #""https://me:hunter2@host""#)
                == "key: Picky refused it: me has the password <secret> (f.json:1:1)")
        #expect(
            decodingMessage([String: Picky].self, #"{"a": "https://me:hunter2@host"}"#)
                == "key.a: Picky refused it: me has the password <secret> (f.json:1:7)")
    }

    private struct Telling: Decodable {
        enum Key: CodingKey { case pin, password }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            let pin = try container.decodeIfPresent(Double.self, forKey: .pin)
            let password = try container.decodeIfPresent(String.self, forKey: .password)
            throw Loud(
                description: "\(pin.map { "\(Int($0)) or \($0)" } ?? password ?? "") "
                    + (password ?? "").replacing("/", with: "\\/"))
        }
    }

    @Test("A secret is masked in other forms, too")
    func foreignText_isMasked_whenItQuotesAnotherForm() {
        #expect(
            decodingMessage(Picky.self, #""postgres://me:hunter%212@host""#)
                == "key: Picky refused it: me has the password <secret> (f.json:1:1)")
        // A listed or secret path, such as `pin` in the settings of a bank.
        #expect(
            decodingMessage([String: Telling].self, #"{"secret": {"pin": 1234.0}}"#)
                == "key.secret: Telling refused it: <secret> or <secret>  (f.json:1:12)")
        #expect(
            decodingMessage(Telling.self, #"{"password": "hun/ter2"}"#)
                == "key: Telling refused it: <secret> <secret> (f.json:1:1)")
        #expect(
            decodingMessage([Converting].self, #"[{"token": "6f1a3c0e-2e5b-4b0a-9d6e-5d2f5f3b7c11"}]"#)
                == "key[0]: Converting refused it: <secret> or <secret> (f.json:1:2)")
        #expect(
            decodingMessage([Converting].self, #"[{"token": "pä-ss"}]"#)
                == "key[0]: Converting refused it: none or <secret> (f.json:1:2)")
    }

    @Test("A password in a URL is masked as a type decodes it")
    func foreignText_isMasked_whenItQuotesTheDecodedForm() {
        struct Decoded: Decodable {
            init(from decoder: any Decoder) throws {
                let text = try decoder.singleValueContainer().decode(String.self)
                let password = text.split(separator: ":").last?.split(separator: "@").first ?? ""
                throw Loud(description: "cannot use \(String(password).removingPercentEncoding ?? "it")")
            }
        }
        for password in ["a%20b%c3%A9%21", "%41b%2Fc"] {
            #expect(
                decodingMessage([String: Decoded].self, #"{"url": "https://me:\#(password)@host"}"#)
                    == "key.url: Decoded refused it: cannot use <secret> (f.json:1:9)")
        }
    }

    @Test("The size of data is no form of a secret, but a rounded number is")
    func otherForms() throws {
        #expect(
            decodingMessage([Sized].self, #"[{"token": "c2U="}]"#)
                == #"key[0]: Sized refused it: 2 of 32 bytes, "<secret>", 0.0 (f.json:1:2)"#)
        #expect(
            decodingMessage([Sized].self, #"[{"token": 12345678901234567}]"#)
                == #"key[0]: Sized refused it: 2 of 32 bytes, "<secret>", <secret> (f.json:1:2)"#)
    }

    private struct Sized: Decodable {
        enum Key: CodingKey { case token }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            let number = try container.decode(JSONValue.self, forKey: .token).numberValue
            throw Loud(description: "2 of 32 bytes, \"<secret>\", \(number?.doubleValue ?? 0)")
        }
    }

    private struct Converting: Decodable {
        enum Key: CodingKey { case token }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            let uuid = try? container.decode(UUID.self, forKey: .token)
            let url = try container.decode(URL.self, forKey: .token)
            throw Loud(description: "\(uuid?.uuidString ?? "none") or \(url)")
        }
    }

    @Test("The value that could not be encoded is not described")
    func encodingError_isShownWithoutItsValue() {
        let context = EncodingError.Context(
            codingPath: [Key(stringValue: "a"), Key(stringValue: "b")], debugDescription: "it is closed")
        #expect(
            ForeignErrorText.of(EncodingError.invalidValue(Account(), context))
                == "EncodingError.invalidValue. Path: a.b. Debug description: it is closed")
    }

    @Test("A decoder's message about a value below a secret key is masked")
    func decodingError_isMaskedBelowASecretKey() {
        func text(_ keys: String...) -> String {
            let context = DecodingError.Context(
                codingPath: keys.map(Key.init), debugDescription: "Cannot initialize Level from hunter2")
            return ForeignErrorText.of(DecodingError.dataCorrupted(context))
        }
        #expect(
            text("db", "password", "level")
                == "DecodingError.dataCorrupted. Path: db.password.level. Debug description: <secret>")
        #expect(text("db", "level").contains("Cannot initialize Level from hunter2"))
        let context = EncodingError.Context(codingPath: [Key(stringValue: "token")], debugDescription: "not hunter2")
        #expect(
            ForeignErrorText.of(EncodingError.invalidValue(Account(), context))
                == "EncodingError.invalidValue. Path: token. Debug description: <secret>")
    }

    private struct Account {
        var password = "hunter2"
    }

    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
