import LocatorProperties
import Testing

/// A password with an unescaped quote ends the text early, so that the rest of it is outside of the string.
@Suite("Text after a string with a quote in it is hidden, because it may be the rest of a secret")
struct QuoteInTextTests {
    @Test(arguments: [
        (#"{"cs": "Server=h;Password="hunter2";Timeout=1"}"#, "1:28", "'}'"),
        (#"{"url": "https://me:a"4711@host"}"#, "1:23", "'}'"),
        (#"{"urls": ["https://me:a" hunter2@host"]}"#, "1:26", "']'"),
        (#"{"a": "b"hunter2}"#, "1:10", "'}'"),
    ])
    func restOfText_isNotShown(text: String, place: String, end: String) {
        #expect(
            message { _ = try load(["": text]) } == """
                application.json:\(place): expected ',' or \(end), found something else after a string; \
                write \\" for a quote within it
                """)
    }

    @Test("A key without its closing quote ends where its value begins")
    func key() throws {
        #expect(
            message { _ = try load(["": #"{"license": {"code: "hunter2"}}"#], secrets: ["license.code"]) } == """
                application.json:1:22: expected ':' after the key, found something else after a string
                """)
    }

    @Test("A variable that contains more than one text")
    func variable() throws {
        let properties = try load(["": "{}"], environment: ["T_A": #"["a"hunter2"#], prefix: "T_")
        #expect(
            message { _ = try properties.value("a", as: [String].self) }
                == """
                a: expected [String] as JSON, found text that is not JSON: 1:5: expected ',' or ']', found \
                something else after a string; write \\" for a quote within it (environment variable T_A)
                """)
    }

    @Test(
        "A variable for an object that has a secret may be that secret",
        arguments: [#"{"db": {"password": "x"}}"#, #"{"db": {"list": [{"url": "https://me:x@host"}]}}"#])
    func variableForObject(file: String) {
        #expect(
            message { _ = try load(["": file], environment: ["T_DB": "hunter2"], prefix: "T_") } == """
                db: expected an object as JSON, such as T_DB='{"key": "value"}', found text that is not JSON \
                (environment variable T_DB)
                """)
    }

    @Test func variableForObjectWithoutSecrets_isShown() {
        #expect(
            message { _ = try load(["": #"{"db": {"port": 1}}"#], environment: ["T_DB": "{oops"], prefix: "T_") } == """
                db: expected a key in double quotes or '}', found the word oops; did you mean "oops"? \
                (environment variable T_DB:1:2)
                """)
    }
}
