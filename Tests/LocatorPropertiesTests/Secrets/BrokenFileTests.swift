import LocatorProperties
import Testing

/// The error of an unreadable file quotes the wrong token, unless it is secret.
@Suite("The error of a broken file shows no secret, and lists other problems")
struct BrokenFileTests {
    @Test(arguments: [
        // Not listed, so it is quoted.
        (#"{"locator": {"secrets": ["db.key"]}, "db": {"port": oops}}"#, "found the word oops"),
        // Listed before and after it.
        (#"{"locator": {"secrets": ["db.key"]}, "db": {"key": oops}}"#, hidden),
        (#"{"db": {"key": oops}, "locator": {"secrets": ["db.key"]}}"#, hidden),
        (#"{"db": {"key": oops}, "locator": {"secr\u0065ts": ["db.key"]}}"#, hidden),
        (#"{"db": {"key": oops}, "locator": {"\u0073ecret\u0073": ["db.k\u0065y"]}}"#, hidden),
        ("{\"db\": {\"kex\": oops}, \"locator\": {\"secrets\"\t\r\n: [\"db.kex\"]}}", hidden),
        (#"{"db": {"key": oops}, "locator": {"secr\u0066ts": ["db.key"]}}"#, "found the word oops"),
        // A path with brackets in the list.
        (#"{"locator": {"secrets": ["a[0]", "db['k]']"]}, "a": [oops]}"#, hidden),
        (#"{"locator": {"secrets": ["a[0]", "db['k]']"]}, "db": {"k]": oops}}"#, hidden),
        (#"{"locator": {"secrets": ["a[0]", "db['k]']"]}, "b": oops}"#, "found the word oops"),
        // The word as a text is not a list.
        (#"{"a": "secrets", "b": oops}"#, "found the word oops"),
        // A list that cannot be read could name any setting.
        (#"{"locator": {"secrets": ["a", oops]}, "b": 1}"#, hidden),
        (#"{"locator": {"secrets": ["a["]}, "b": oops}"#, hidden),
        (#"{"locator": {"secrets": "a"}, "b": oops}"#, hidden),
        (#"{"locator": {"secrets": ["a""#, "found the end"),
        // The lines of a private key without quotes, and what follows it.
        (#"{"cert": ["-----BEGIN PRIVATE KEY-----", oops, "-----END PRIVATE KEY-----"]}"#, hidden),
        ("{\"cert\": \"-----BEGIN RSA PRIVATE KEY-----\",\noops", "expected a key in double quotes, \(hidden)"),
        (#"{"cert": ["-----BEGIN PRIVATE KEY-----", "x", "-----END PRIVATE KEY-----", oops]}"#, "found the word oops"),
        (#"{"cert": ["-----BEGIN CERTIFICATE-----", oops]}"#, "found the word oops"),
    ])
    func token_isQuoted_unlessSecret(text: String, expected: String) {
        let message = message { _ = try load(["": text]) } ?? ""
        #expect(message.contains(expected), "\(message)")
        #expect(message.contains("oops") == expected.contains("oops"))
    }

    @Test(
        "A variable or the program may list the setting",
        arguments: [
            (["T_LOCATOR__SECRETS": #"["db.kex"]"#], []), (["T_LOCATOR__SECRETS__0": "db"], []),
            (["T_LOCATOR": #"{"secrets": ["db"]}"#], []), ([:], ["db.kex"]),
        ] as [([String: String], [String])])
    func token_isHidden_ifListedElsewhere(environment: [String: String], secrets: [String]) {
        let message = message {
            _ = try load(
                ["": #"{"db": {"kex": oops}}"#], environment: environment, prefix: "T_", secrets: secrets)
        }
        #expect(message == "application.json:1:16: expected a value, \(hidden)")
    }

    @Test(
        "Another broken file, or a broken variable, may list the setting",
        arguments: [
            (#"{"locator": {"secrets": ["db.kex"]}, "x": 1,}"#, [:]),
            (#"{"locator": {"secrets": ["db.kex"]}, "x": 1, "x": 2}"#, [:]),
            (#"{"locator": {"secrets": [}, "x": 1}"#, [:]),
            ("{}", ["T_LOCATOR": #"{"secrets": ["db.kex"]"#]), ("{}", ["T_LOCATOR__SECRETS": #"["db.kex""#]),
        ] as [(String, [String: String])])
    func token_isHidden_ifListedInSomethingBroken(base: String, environment: [String: String]) {
        let message = message {
            _ = try load(
                ["": base, "p": #"{"db": {"kex": oops}}"#], profiles: ["p"], environment: environment, prefix: "T_")
        }
        #expect(message?.contains("application-p.json:1:16: expected a value, \(hidden)") == true, "\(message ?? "")")
        #expect(message?.contains("oops") == false)
    }
}

private let hidden = "found something else (not shown, it belongs to a secret)"
