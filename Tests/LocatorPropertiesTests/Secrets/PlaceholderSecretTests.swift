import LocatorProperties
import Testing

@Suite("Values that placeholders add to a secret are masked in every explanation of it")
struct PlaceholderSecretTests {
    private static let environment = ["MYP": "ZXENV", "U": "user", "P": "ZXPASS", "HOST": "h"]

    @Test(
        "A partly masked value",
        arguments: [
            (#"{"x": "Server=h;Password=${env:MYP}"}"#, "x"),
            (#"{"x": {"password": "${env:MYP}"}}"#, "x"),
            (#"{"x": {"password": "${a}"}, "a": "${env:MYP}"}"#, "x"),
            (#"{"x": "{\"password\":\"${env:MYP}\"}"}"#, "x"),
            (#"{"x": "https://${env:MYP}@h"}"#, "x"),
            (#"{"x": "postgres://${env:U}:${env:P}@h/x"}"#, "x"),
            (#"{"x": {"a": ["https://${env:U}:${env:P}@${env:HOST}"]}}"#, "x"),
            (#"{"x": "Password=${a}", "a": "${env:DB_PW:ZX3}"}"#, "x"),
            (#"{"x": {"licence": {"pin": "${env:MYP}"}}}"#, "x.licence"),
            // A part of an object that contains such a text.
            (#"{"x": "${o}", "o": {"host": "h", "url": "https://${env:MYP}@h"}}"#, "x.host"),
            (#"{"x": "${o}", "o": {"url": "https://${env:MYP}@h"}}"#, "x.nothing"),
        ])
    func placeholders_areMasked(file: String, path: String) throws {
        let properties = try load(["": file], environment: Self.environment, secrets: ["x.licence.pin"])
        expectMasked(properties.explain(path))
    }

    @Test(
        "A text that shows a secret only together with its placeholders is masked as it is written",
        arguments: [
            (#"{"x": "${scheme} ZX", "scheme": "Bearer"}"#, "x"),
            (#"{"x": "${base}ZX@host/db", "base": "postgres://app:"}"#, "x"),
            (#"{"x": "http://h/?${q}=ZX", "q": "token"}"#, "x"),
            (#"{"x": "Server=h;${p:Password}=ZX"}"#, "x"),
            (#"{"x": {"list": [{"a": 1}, {"header": "${scheme} ZX"}]}, "scheme": "Bearer"}"#, "x"),
        ])
    func text_isMasked(file: String, path: String) throws {
        let properties = try load(["": file], environment: Self.environment)
        expectMasked(properties.explain(path))
        // A layer that is hidden is masked, too.
        let module = try Properties(overrides: ["x": 1], name: "module Fakes")
        expectMasked(
            Properties.stacked(above: [module], base: properties, below: []).explain(path), hasPlaceholders: false)
    }

    @Test("No layer of an explanation contains the secret that it masks")
    func layers_doNotContainSecrets() throws {
        let file = #"{"x": {"token": "ZX", "url": "https://u:ZX@h", "a": "${scheme} ZX", "b": "${s}"}, "s": "shown"}"#
        for scheme in ["Bearer", "Other"] {
            let text = file.replacing(scheme == "Other" ? "${scheme} ZX" : "", with: "")
            let properties = try load(["": text.replacing("}, \"s\"", with: "}, \"scheme\": \"\(scheme)\", \"s\"")])
            let explanation = properties.explain("x")
            let texts = explanation.layers.compactMap { $0.value?.text(showingSecrets: true) }
            #expect(texts.count == 1 && texts[0].contains("${s}") && !texts[0].contains("ZX"), "\(texts)")
            #expect(explanation.value?.text(showingSecrets: true).contains("ZX") == false)
        }
    }

    @Test("The default of a pair's value is masked, and its working directory is shown")
    func pair_isMasked() throws {
        let properties = try load(
            ["": #"{"x": "password=${a:ZX}", "y": "password=${env:NOPE:ZX}", "z": "in ${env:PWD}", "a": "ZX"}"#],
            environment: ["PWD": "/home"])
        for path in ["x", "y"] {
            let shown = [properties.explain(path).description, properties[path]?.description ?? ""]
            #expect(shown.allSatisfy { !$0.contains("ZX") }, "\(shown)")
        }
        #expect(properties["z"]?.description == "\"in /home\"")
    }

    @Test("The default of a placeholder for a value that is secret because of its text or of what it is built from")
    func defaultForSecret_isMasked() throws {
        let properties = try load(
            [
                "": #"""
                {"a": "${conn:ZX}", "conn": "Server=h;Password=p", "b": "${built:ZX}", "built": "${db.password}",
                 "db": {"password": "p"}, "c": "${plain:shown}", "plain": 1}
                """#
            ])
        for path in ["a", "b"] {
            let text = properties.explain(path).description
            #expect(!text.contains("ZX"), "\(text)")
        }
        #expect(properties.explain("c").description.contains("shown"))
    }

    @Test("A default that is not used")
    func unusedDefault_isMasked() throws {
        let properties = try load(["": #"{"x": "${a:${scheme} ZX}", "a": "b", "scheme": "Bearer"}"#])
        #expect(
            properties.explain("x").description == """
                x = "b"
                  from application.json:1:7 "<secret>"
                    ${a} = "b" (application.json:1:33)
                """)
    }

    @Test(
        "A placeholder without a value does not end the search",
        arguments: [
            "${nowhere} ${scheme} ZX", "${nowhere} ${a:${scheme} ZX}", "${a:${nowhere} ${scheme} ZX}",
            "${nowhere:${nope} ${scheme} ZX}", "${nowhere}${a:${scheme} ZX}",
        ])
    func missingValue_endsNoSearch(text: String) throws {
        let module = try Properties(
            overrides: ["o.a": "${nowhere}", "o.b": .string(text), "a": "b", "scheme": "Bearer"], name: "module Fakes")
        let properties = Properties.stacked(above: [module], base: try load(["": "{}"]), below: [])
        for path in ["o", "o.b"] {
            #expect(properties.explain(path).description.contains("ZX") == false, "\(properties.explain(path))")
        }
    }

    @Test("A default that is not used, and that leads back")
    func unusedDefault_inACycle() throws {
        let properties = try load([
            "": #"{"o": {"x": "${a:${o.y}}", "y": "${scheme} ZX${o.x}"}, "a": "b", "scheme": "Bearer"}"#
        ])
        #expect(!properties.explain("o").description.contains("ZX"))
    }

    @Test("An error about a part of such a text does not show the text")
    func error_isMasked() throws {
        let properties = try load(["": #"{"x": "${scheme} ZX", "scheme": "Bearer"}"#])
        #expect(
            message { _ = try properties.value("x.port", as: Int.self) } == """
                x.port is missing (expected Int), because x has no such part: found a string that is not shown, because it is \
                secret (application.json:1:7)
                """)
    }

    @Test(
        "A text that shows nothing of a secret is explained as it is written",
        arguments: ["https://${env:HOST}:8443/${env:U}", "Bearer ${env:P}"])
    func text_isShown(text: String) throws {
        let properties = try load(["": #"{"x": "\#(text)"}"#], environment: Self.environment)
        #expect(properties.explain("x").layers.first?.value == .string(text))
    }

    @Test("A value that cannot be built, because another placeholder has no value")
    func placeholders_areMaskedWithoutValue() throws {
        let module = try Properties(overrides: ["x": "Password=${env:MYP};${nowhere}"], name: "module Fakes")
        let base = try load(["": "{}"], environment: Self.environment)
        expectMasked(Properties.stacked(above: [module], base: base, below: []).explain("x"))
    }

    private func expectMasked(_ explanation: Explanation, hasPlaceholders: Bool = true) {
        #expect(explanation.placeholders.isEmpty != hasPlaceholders)
        for placeholder in explanation.placeholders where placeholder.value != nil {
            #expect(placeholder.value == "<secret>", "\(placeholder)")
        }
        var dumped = ""
        dump(explanation, to: &dumped)
        for text in [explanation.description, "\(explanation.placeholders)", dumped, String(reflecting: explanation)] {
            #expect(!text.contains("ZX"), "\(text)")
        }
    }

    @Test("A value that is shown in full also shows the values of its placeholders")
    func placeholders_areShown() throws {
        let properties = try load(
            ["": #"{"url": "http://${host}:${env:PORT}", "host": "h", "password": "p"}"#], environment: ["PORT": "80"])
        #expect(
            properties.explain("url").description == """
                url = "http://h:80"
                  from application.json:1:9 "http://${host}:${env:PORT}"
                    ${host} = "h" (application.json:1:47)
                    ${env:PORT} = "80" (environment variable PORT)
                """)
    }

    @Test("The full text of a partly masked explanation")
    func explanation_isMasked() throws {
        let properties = try load(["": #"{"cs": "Server=h;Password=${env:MYP}"}"#], environment: Self.environment)
        #expect(
            properties.explain("cs").description == """
                cs = "<secret>"
                  from application.json:1:8 "Server=h;Password=${env:MYP}"
                    ${env:MYP} = "<secret>" (environment variable MYP)
                """)
    }

    @Test(
        "The default of a secret whose path has a colon or a brace in quotes, or whose variable has a dollar sign",
        arguments: [
            "${['a:b'].password:ZX}", #"${["a}b"].token:ZX}"#, "x ${a['$'].secrets['\\':'].b:ZX}", "${['${'].jwt:ZX}",
            "${env:NO$PE_TOKEN:ZX}",
        ])
    func defaults_areMasked(text: String) throws {
        let properties = try Properties(["x": .string(text)])
        #expect(try properties.value("x", as: String.self).hasSuffix("ZX"))
        #expect(!"\(properties) \(properties.explain("x"))".contains("ZX"))
    }

    @Test(
        "A quote in a malformed path does not hide the default of a secret behind it",
        arguments: [
            "${it's} ${env:DB_PASSWORD:ZX} isn't ${y}", #"${x\"} ${env:DB_PASSWORD:ZX}"#,
            "${a['b} ${env:DB_PASSWORD:ZX} ['c']}", "${it['s} ${['a:b'].password:ZX}", "${it['s} ${['a}b'].pass:ZX}",
            "${it['s} ${file:/a['b:ZX}", "${it['s} ${['a:b'].pin:ZX}",
            // With a combining mark, the colon or slash is part of another character.
            "${it's} ${db.pass:\u{301}ZX}", "${it's} ${file:\u{301}a:ZX}",
        ])
    func apostrophe_hidesNoDefault(text: String) throws {
        let secrets = text.contains("pin") ? ["['a:b'].pin"] : []
        #expect(
            message { _ = try load(["": #"{"x": "\#(text)"}"#], secrets: secrets) }
                == "x: malformed path, which is not shown, because it belongs to a secret (application.json:1:7)")
        let list: JSONValue = ["secrets": .array(secrets.map { .string($0) })]
        #expect(try !"\(Properties(["x": .string(text), "locator": list]))".contains("ZX"))
    }

    @Test("A malformed placeholder that names no secret is shown")
    func malformedPlaceholder_isShown() {
        #expect(
            message { _ = try load(["": #"{"x": "http://${host[a]}:80"}"#], secrets: ["license.code"]) } == """
                x: malformed path "host[a]": expected an index or a quoted key at column 6, found "a" (application.json:1:7)
                """)
    }

    @Test("An error shows no default of a secret that begins with a combining mark")
    func mark_hidesNoDefault() throws {
        let file = #"{"o": {"a": 1}, "password": "x ${o:\u0301ZX}"}"#
        #expect(
            message { _ = try load(["": file]) }
                == "password: ${o:…} leads to an object, which cannot be part of a text (application.json:1:29)")
    }
}
