import LocatorProperties
import Testing

@Suite("Two keys that Swift treats as equal, because they differ only in Unicode form, are an error")
struct KeyFormTests {
    @Test(
        "In one text",
        arguments: [
            (
                "{\"\u{E9}\": 1, \"e\u{301}\": 2}",
                """
                f.json:1:10: expected a new key, found "e\u{301}" again in another Unicode form (U+0065 U+0301 here, \
                U+00E9 there); it is first at 1:2
                """
            ),
            (
                #"{"a": [{"x\u00e9y": 1, "b": 2, "xe\u0301y": 2}]}"#,
                """
                f.json:1:32: expected a new key, found "xe\u{301}y" again in another Unicode form (U+0065 U+0301 here, \
                U+00E9 there); it is first at 1:9
                """
            ),
            // The sign of the unit Kelvin is the letter K.
            (
                "{\"K\": 1,\n \"\u{212A}\": 2}",
                """
                f.json:2:2: expected a new key, found "\u{212A}" again in another Unicode form (U+212A here, U+004B \
                there); it is first at 1:2
                """
            ),
            (
                "{\"\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}\": 1, \"\u{D55C}\u{AE00}\": 2}",
                """
                f.json:1:15: expected a new key, found "\u{D55C}\u{AE00}" again in another Unicode form (U+D55C U+AE00 \
                here, U+1112 U+1161 U+11AB U+1100 … there); it is first at 1:2
                """
            ),
            // A key with the same code points is reported as a duplicate.
            (
                "{\"\u{E9}\": 1, \"e\u{301}\": 2, \"\u{E9}\": 3}",
                """
                f.json:1:10: expected a new key, found "e\u{301}" again in another Unicode form (U+0065 U+0301 here, \
                U+00E9 there); it is first at 1:2
                f.json:1:19: expected a new key, found "\u{E9}" again; it is first at 1:2
                """
            ),
        ])
    func text_isRefused(text: String, expected: String) {
        #expect(refusal(of: Array(text.utf8)) == expected)
    }

    @Test("In an object of many keys")
    func longObject_isRefused() {
        let keys = (0..<40).map { "\"key \($0) \u{E9}\": 0" } + ["\"key 7 e\u{301}\": 1"]
        #expect(
            refusal(of: Array("{\(keys.joined(separator: ","))}".utf8)) == """
                f.json:1:552: expected a new key, found "key 7 e\u{301}" again in another Unicode form \
                (U+0065 U+0301 here, U+00E9 there); it is first at 1:93
                """)
    }

    @Test("Keys that only look alike are different, and so are keys of different objects")
    func others_areRead() {
        // Compatibility forms, full width letters, and letters of other alphabets are not the same text.
        let text = #"{"\ufb01":1,"fi":2,"\uff4b":3,"k":4,"\u0430":5,"a":6,"\u00e9":{"\u00e9":7},"b":{"e\u0301":8}}"#
        #expect(refusal(of: Array(text.utf8)) == nil)
    }

    @Test("In a profile file over the base file")
    func profile_isRefused() {
        let files = [
            "": #"{"café": {"a": 1}, "b": {"café": 2}, "c": 3}"#, "p": "{\n\"b\": {\"cafe\u{301}\": 2}, \"c\": 3}",
        ]
        #expect(
            message { _ = try load(files, profiles: "p") } == """
                b.cafe\u{301}: application.json:1:34 has the same key in another Unicode form (U+0065 U+0301 here, \
                U+00E9 there); write both in the same form (application-p.json:2:16)
                """)
    }

    @Test("In the JSON of a variable")
    func variable_isRefused() {
        let files = ["": #"{"menu": {"café": 1}}"#]
        #expect(
            message { _ = try load(files, environment: ["S_MENU": "{\"cafe\u{301}\": 2}"], prefix: "S_") } == """
                menu.cafe\u{301}: application.json:1:19 has the same key in another Unicode form (U+0065 U+0301 here, \
                U+00E9 there); write both in the same form (environment variable S_MENU:1:11)
                """)
        #expect(
            message {
                _ = try load(files, environment: ["S_MENU": "{\"x\u{E9}\": 1, \"xe\u{301}\": 2}"], prefix: "S_")
            } == """
                menu: expected a new key, found "xe\u{301}" again in another Unicode form (U+0065 U+0301 here, U+00E9 \
                there); it is first at 1:2 (environment variable S_MENU:1:11)
                """)
    }

    @Test("In a later load and in settings written in code")
    func overlay_isRefused() throws {
        let lower = try load(["": #"{"café": 1}"#])
        let upper = try load(["": "{\"cafe\u{301}\": 2}"])
        #expect(
            message { _ = try lower.overlaid(by: upper) } == """
                cafe\u{301}: application.json:1:10 has the same key in another Unicode form (U+0065 U+0301 here, \
                U+00E9 there); write both in the same form (application.json:1:11)
                """)
        let object = JSONValue.object(JSONObject([("\u{E9}", 1), ("e\u{301}", 2)]))
        #expect(
            message { _ = try Properties(object) } == """
                e\u{301}: settings in code has the same key in another Unicode form (U+0065 U+0301 here, U+00E9 there); \
                write both in the same form (settings in code)
                """)
    }

    @Test("Removed keys and replaced arrays do not collide")
    func replaced_isRead() throws {
        let removed = try load(
            ["": #"{"café": 1, "l": [{"é": 1}]}"#, "p": "{\"caf\u{E9}\": null, \"l\": [{\"e\u{301}\": 2}]}"],
            profiles: "p")
        #expect(removed.paths == ["l[0].e\u{301}"])
    }
}

@Suite("A missing key names the same key in another Unicode form")
struct OtherFormTests {
    private struct Menu: Decodable {
        var café: Int
    }

    @Test("Wherever the key is read")
    func otherForm_isNamed() throws {
        let hint = "did you mean menu.cafe\u{301}? its Unicode form differs (U+00E9 here, U+0065 U+0301 there)"
        let properties = try load(["": "{\"menu\": {\"cafe\u{301}\": 1}}"])
        #expect(
            message { _ = try properties.value("menu.caf\u{E9}", as: Int.self) }
                == "menu.caf\u{E9} is missing (expected Int); \(hint)")
        #expect(
            message { _ = try properties.value("menu", as: Menu.self) }
                == "menu.caf\u{E9} is missing (expected Int); \(hint)")
        #expect(
            message { _ = try load(["": "{\"menu\": {\"cafe\u{301}\": 1}, \"a\": \"${menu.caf\u{E9}}\"}"]) }
                == "a: ${menu.caf\u{E9}} needs menu.caf\u{E9}, which is missing; \(hint) (application.json:1:29)")
        #expect(properties.explain("menu.caf\u{E9}").description == "menu.caf\u{E9} is missing; \(hint)")
    }
}
