import LocatorProperties
import Testing

@Suite("Private keys, header credentials, and data source names are masked wherever they are printed")
struct SecretFormTests {
    private static let header = "-----BEGIN PRIVATE KEY-----"
    private static let footer = "-----END PRIVATE KEY-----"

    @Test(
        "Masked",
        arguments: [
            ("\(header)\nMIIEv\nAAAA\n\(footer)\n", "\(header)<secret>\(footer)\n"),
            ("\(header)MIIEv\(footer)", "\(header)<secret>\(footer)"),
            (#"\#(header)\nMIIEv\n\#(footer)"#, "\(header)<secret>\(footer)"),
            // Incomplete keys, and keys after a certificate.
            ("\(header)\nMIIEv", "\(header)<secret>"),
            ("\(header)\nMIIEv\n-----BEGIN X-----", "\(header)<secret>"),
            (
                "-----BEGIN CERTIFICATE-----\nMIID\n-----END CERTIFICATE-----\n\(header)\nMIIEv\n\(footer)\n\(header)\nB\n\(footer)",
                "-----BEGIN CERTIFICATE-----\nMIID\n-----END CERTIFICATE-----\n\(header)<secret>\(footer)\n\(header)<secret>\(footer)"
            ),
            (
                "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nMIIEv==\n-----END RSA PRIVATE KEY-----",
                "-----BEGIN RSA PRIVATE KEY-----<secret>-----END RSA PRIVATE KEY-----"
            ),
            (
                "-----BEGIN PGP PRIVATE KEY BLOCK-----\nlQ\n-----END PGP PRIVATE KEY BLOCK-----",
                "-----BEGIN PGP PRIVATE KEY BLOCK-----<secret>-----END PGP PRIVATE KEY BLOCK-----"
            ),
            ("Bearer xyz", "Bearer <secret>"), ("bearer eyJh.eyJz.S-_~+/x==", "bearer <secret>"),
            (" Bearer  abc123 \n", " Bearer  <secret> \n"),
            ("failed with Bearer eyJhbGciOiJIUzI1NiJ9.e30, so", "failed with Bearer <secret>, so"),
            ("failed with Bearer abc123, so", "failed with Bearer <secret>, so"),
            ("send \"Bearer s3cr3t\" to it", "send \"Bearer <secret>\" to it"),
            ("Basic dXNlcjpwYXNz", "Basic <secret>"), ("basic OnBhc3M=", "basic <secret>"),
            ("Authorization: Bearer xyz", "Authorization: Bearer <secret>"),
            (
                "curl -H 'authorization: Basic dXNlcjpwYXNz' https://h",
                "curl -H 'authorization: Basic <secret>' https://h"
            ),
            (#"{"Authorization": "Bearer xyz", "a": 1}"#, #"{"Authorization": "Bearer <secret>", "a": 1}"#),
            ("Proxy-Authorization=Bearer xyz", "Proxy-Authorization=Bearer <secret>"),
            // Tokens with a separator, and other white space.
            ("Bearer 12|abcdef123456", "Bearer <secret>"), ("Bearer v1:abc123def456ghi789", "Bearer <secret>"),
            ("Authorization: Bearer 12|abcdef", "Authorization: Bearer <secret>"),
            ("curl -H 'Authorization: Bearer v1:abc123'", "curl -H 'Authorization: Bearer <secret>'"),
            ("Bearer\tabcdef1", "Bearer\t<secret>"),
            ("shop:pw@tcp(db:3306)/orders", "shop:<secret>@tcp(db:3306)/orders"),
            ("shop:p@w:/(x@tcp(db:3306)/orders?parseTime=true", "shop:<secret>@tcp(db:3306)/orders?parseTime=true"),
            ("shop:pw@unix(/tmp/mysql.sock)/orders", "shop:<secret>@unix(/tmp/mysql.sock)/orders"),
            ("shop:pw@tcp([::1]:3306)/", "shop:<secret>@tcp([::1]:3306)/"),
            ("shop:pw@tcp/orders", "shop:<secret>@tcp/orders"), ("shop:pw@/orders", "shop:<secret>@/orders"),
        ])
    func masked(text: String, expected: String) {
        #expect(Redaction.maskingURLs(in: text) == expected)
    }

    @Test(
        "Ordinary text is unchanged",
        arguments: [
            "-----BEGIN CERTIFICATE-----\nMIID\n-----END CERTIFICATE-----",
            "-----BEGIN PUBLIC KEY-----\nMIID\n-----END PUBLIC KEY-----",
            "----- Shop -----", "-----", "-----BEGIN ", "a PRIVATE KEY----- b", "---------------",
            "-----BEGIN of a long text about how to keep a key that nobody may read, a PRIVATE KEY-----x",
            "Bearer", "Bearer ", "Basic", "basic ", "Bearer token", "bearer authentication", "Bearer of bad news",
            "Bearer ${env:AUTH}", "Basic realm=\"shop\"",
            "Basic plan", "Basic", "Basic authentication", "Basic settings", "basic English", "Visual Basic", "BASIC 1",
            "a Bearer RFC6750 header", "a Bearer OAuth2.0 client", "the bearer 20251231 of it", "two bearer a1 lines",
            "A bearer xyz", "Authorization: none", "authorization: Bearer", "Forebearer x",
            "tcp(db:3306)/orders", "shop@tcp(db:3306)/orders", "shop:@tcp(db:3306)/orders", "me@host(1)/x",
            "mail: me@example(dot)com", "12:30 @home", "a:b@c", "alias:@/src", "see: me @/home", "key: @tcp",
            "npm:@scope/name@1.2.3", "git@github.com:shop/app.git", "a: b @/c", "10:20@tcp",
            "image: registry:5000/shop@sha256:abc",
        ])
    func leftAsItIs(text: String) {
        #expect(Redaction.maskingURLs(in: text) == text)
    }

    @Test("No output of the settings shows them")
    func settings_showNone() throws {
        let key = #""-----BEGIN PRIVATE KEY-----\nplanted\n-----END PRIVATE KEY-----""#
        let file = """
            {"a": \(key), "b": "Bearer planted", "c": "shop:planted@tcp(db:3306)/x", "d": "see ${b}",
            "l": ["Basic cGxhbnRlZDpw"], "e": "Bearer ${env:GIVEN}"}
            """
        let properties = try load(
            ["": file],
            environment: ["S_H__I": "Bearer planted", "S_H__J": #"{"x": "Bearer planted"}"#, "GIVEN": "planted"],
            prefix: "S_")
        var texts = ["\(properties)", String(reflecting: properties), ""]
        for path in ["a", "b", "c", "d", "e", "l", "l[0]", "h", "h.i", "h.j"] {
            texts.append("\(properties.explain(path))")
            texts.append("\(properties[path] ?? .null)")
            dump(properties[path] ?? .null, to: &texts[2])
            texts.append(message { _ = try properties.value(path, as: Int.self) } ?? "")
        }
        for text in texts {
            let shown = text.split(separator: "\n").filter { !$0.contains("${env:GIVEN} = ") }
            #expect(!shown.contains { $0.contains("planted") || $0.contains("cGxhbnRlZDpw") }, "\(text)")
        }
    }

    @Test("The lines of a private key in an array are masked, and the text around them is not")
    func linesOfKey_areMasked() throws {
        let properties = try load([
            "": """
            {"a": ["x", "-----BEGIN RSA PRIVATE KEY-----", "MIIEplanted", "planted==", "-----END RSA PRIVATE KEY-----", "y"],
            "b": ["-----BEGIN PRIVATE KEY-----", "planted"],
            "c": ["-----BEGIN CERTIFICATE-----", "MIID", "-----END CERTIFICATE-----"],
            "d": ["-----BEGIN PRIVATE KEY-----planted-----END PRIVATE KEY-----", "z"]}
            """
        ])
        #expect(
            properties["a"]?.description == """
                ["x","-----BEGIN RSA PRIVATE KEY-----","<secret>","<secret>","-----END RSA PRIVATE KEY-----","y"]
                """)
        #expect(properties["b"]?.description == #"["-----BEGIN PRIVATE KEY-----","<secret>"]"#)
        #expect(properties["c"]?.description == #"["-----BEGIN CERTIFICATE-----","MIID","-----END CERTIFICATE-----"]"#)
        #expect(
            properties["d"]?.description
                == #"["-----BEGIN PRIVATE KEY-----<secret>-----END PRIVATE KEY-----","z"]"#)
        #expect(!"\(properties)".contains("planted"))
        #expect(try properties.value("a", as: [String].self)[2] == "MIIEplanted")
    }

    @Test("An error about the profile variable does not show a value that is not a profile list")
    func profiles_showNone() throws {
        for (text, shown) in [
            ("https://me:planted@host", "https://me:<secret>@host"), ("Bearer planted", "Bearer <secret>"),
            ("me:planted@tcp(db)/x", "me:<secret>@tcp(db)/x"),
        ] {
            let error = try #require(
                { () -> PropertiesError? in
                    do throws(PropertiesError) {
                        _ = try load(["": "{}"], environment: ["LOCATOR_PROFILE": text])
                        return nil
                    } catch {
                        return error
                    }
                }())
            #expect(
                error.description == """
                    the environment variable LOCATOR_PROFILE names "\(shown)", which cannot be a profile; names consist of \
                    letters, digits, ".", "_" and "-"
                    """)
            var dumped = ""
            dump(error, to: &dumped)
            #expect(!dumped.contains("planted"))
        }
    }

    @Test("A text with JSON whose secret key is written with escapes is masked")
    func escapedKey_isMasked() throws {
        let properties = try load(["": ##"{"a": "{\"pass\\u0077ord\":\"hunter2\"}", "b": "{\"\\u0061\":\"shown\"}"}"##])
        #expect(!properties.description.contains("hunter2"))
        #expect(properties.description.contains("shown"))
    }

    @Test("A long text is searched once")
    func longText_isQuick() {
        let parts = [
            "-----BEGIN ", "-----BEGIN PRIVATE KEY-----", "Bearer ", "authorization: ", "a:b@tcp(", ")/", "@/", ":",
        ]
        for part in parts {
            let text = String(repeating: part, count: 100_000 / part.utf8.count)
            _ = Redaction.maskingURLs(in: text)
        }
    }
}
