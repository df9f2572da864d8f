import LocatorProperties
import Testing

@Suite("Secrets in the text of an error of the program are masked")
struct ErrorTextTests {
    private struct Refused: Error, CustomStringConvertible {
        let description: String
    }

    @Test(
        "Labels",
        arguments: [
            ("password: hunter2", "password: <secret>"), ("password:hunter2", "password:<secret>"),
            ("login failed, password: hunter2.", "login failed, password: <secret>."),
            ("password: hunter2 was rejected", "password: <secret> was rejected"),
            ("password: swordfish was rejected", "password: <secret> was rejected"),
            ("user: me\npassword: a,b;c!\nhost: db", "user: me\npassword: <secret>\nhost: db"),
            ("password: /x", "password: <secret>"), ("db.password: 1234", "db.password: <secret>"),
            ("clientSecret: x", "clientSecret: <secret>"), ("passwords: hunter2", "passwords: <secret>"),
            ("tokens: 12, passcodes: 1234x", "tokens: 12, passcodes: <secret>"),
            ("API key: abc-1, user: me", "API key: <secret>, user: me"), ("smtp pass: 12", "smtp pass: <secret>"),
            ("Login(user: me, password: hunter2)", "Login(user: me, password: <secret>)"),
            (#"Login(user: "me", password: "hunter 2")"#, #"Login(user: "me", password: "<secret>")"#),
            (#"Login(password: Optional("hunter2"))"#, #"Login(password: Optional("<secret>"))"#),
            (#"Login(password: \"hunter2\")"#, #"Login(password: \"<secret>")"#),
            ("token: pässwort", "token: <secret>"),
            // In quotes, any word is a value.
            (#"Login(user: "me", password: "missing")"#, #"Login(user: "me", password: "<secret>")"#),
            ("password: 'expected'", "password: '<secret>'"),
            (#"Login(password: Optional("none"))"#, #"Login(password: Optional("<secret>"))"#),
        ])
    func labels_areFollowedByAMask(text: String, expected: String) {
        #expect(ForeignErrorText.of(Refused(description: text)) == expected)
    }

    @Test(
        "Headers",
        arguments: [
            ("Authorization: Token abc", "Authorization: Token <secret>"),
            ("sent Authorization: Token abc, got 401", "sent Authorization: Token <secret>, got 401"),
            ("Authorization: Bearer abc", "Authorization: Bearer <secret>"),
            ("Authorization: Basic dXNlcjpwYXNz", "Authorization: Basic <secret>"),
            ("Authorization: abc123", "Authorization: <secret>"),
            ("401 for Basic dXNlcjpwYXNz at host", "401 for Basic <secret> at host"),
        ])
    func headers_areMasked(text: String, expected: String) {
        #expect(ForeignErrorText.of(Refused(description: text)) == expected)
    }

    @Test(
        "Logins and addresses",
        arguments: [
            ("me:pw@host", "me:<secret>@host"),
            ("cannot reach me:pw@db.local:5432", "cannot reach me:<secret>@db.local:5432"),
            ("(me:p@w@[::1]/x)", "(me:<secret>@[::1]/x)"),
            ("url=first.last:pw@10.0.0.1", "url=first.last:<secret>@10.0.0.1"),
            ("redis://me:pw@host failed", "redis://me:<secret>@host failed"),
            ("https://h/x?key=abc&token=def", "https://h/x?key=<secret>&token=<secret>"),
            ("GET /x?key=abc&token=def failed", "GET /x?key=<secret>&token=<secret> failed"),
        ])
    func addresses_areMasked(text: String, expected: String) {
        #expect(ForeignErrorText.of(Refused(description: text)) == expected)
    }

    @Test(
        "Ordinary text is unchanged",
        arguments: [
            "token: expected }", "unexpected token: }", "Unexpected token: identifier", "password: missing",
            "password is missing", "Invalid API key: check the settings", "no token: please log in", "password: \"\"",
            "password:", "too many tokens: 4096",
            "db.password: expected String, found number 7", "TokenError: connection refused", "primary key: 12",
            "AuthTokenService: timed out", "Sources/Token.swift:12:5: error", "Token::parse failed", "token://host",
            "key: value", "tokenizer: bpe", "passed: 5", "Authorization: none", "authorization: Bearer",
            "Authorization: Bearer token required", "secret: <secret>",
            "mailto:me@example.com", "email:me@example.com", "see: me@example.com", "npm:@scope/name@1.2.3",
            "npm:left-pad@1.3.0", "git@github.com:shop/app.git", "image: registry:5000/shop@sha256:abc",
            "image nginx:1.25@sha256:abc", "10:20@tcp", "12:30 @home", "a file:12 for me@b.de", "Basic plan",
            "https://h/x?keys=a&monkey=b&page=2", "key=a",
        ])
    func ordinaryText_isUnchanged(text: String) {
        #expect(ForeignErrorText.of(Refused(description: text)) == text)
    }

    @Test("An error about settings stays as it is, because it shows no values of secrets")
    func errorAboutSettings_isUnchanged() throws {
        let properties = try Properties(overrides: ["o.a": 1, "password": "x ${o:y}"], name: "module Fakes")
        do throws(PropertiesError) {
            _ = try properties.value("password", as: String.self)
            Issue.record("An object was part of a text")
        } catch {
            #expect(
                ForeignErrorText.of(error)
                    == "password: ${o:…} leads to an object, which cannot be part of a text (module Fakes)")
        }
    }

    @Test("A long text is searched once")
    func longText_isQuick() {
        for part in [
            "password: ", "password:", "password:/", "password:}", "password: '", "a:", ",a:b@", "key: \"",
            "Authorization: ", "token token: x ", "\\",
        ] {
            let text = String(repeating: part, count: 100_000 / part.utf8.count)
            _ = ForeignErrorText.of(Refused(description: text))
        }
    }
}
