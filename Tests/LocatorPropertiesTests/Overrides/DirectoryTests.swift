import Foundation
import LocatorProperties
import TestSupport
import Testing

@Suite("A directory has one file for each setting, and overrides the profile files")
struct DirectoryTests {
    @Test(
        "A file's name is a path or a variable name; folders nest",
        arguments: [
            ("server.password", "server.password"), ("SERVER__PASSWORD", "server.password"),
            ("server/password", "server.password"), ("server/PASSWORD", "server.password"),
            ("SERVER/password", "server.password"), ("a/b/c.d/E__F", "a.b.c.d.e.f"),
            ("SERVER__MAX_CONNECTIONS", "server.maxConnections"), ("server.max_connections", "server.max_connections"),
            ("server.password.extra", nil), ("tls.key", "tls.key"), ("TLS_KEY", "tlsKey"), ("123", "123"),
            ("logging['com.shop'].level", "logging['com.shop'].level"),
            ("LOGGING__COM_SHOP__LEVEL", "logging['com.shop'].level"), ("hosts[1]", "hosts[1]"),
            ("HOSTS__1", "hosts[1]"), ("hosts/1", "hosts[1]"), ("hosts[2].name", "hosts[2].name"),
            ("hosts/0", "hosts[0]"), ("Server", "Server"),
        ] as [(String, String?)])
    func name_isThatOfASetting(name: String, path: String?) throws {
        let base = #"""
            {"server": {"password": "x", "maxConnections": 1}, "logging": {"com.shop": {"level": "x"}}, "hosts": [1, 2]}
            """#
        let disk = try SettingsDisk(base, [name: "new"])
        guard let path else { return #expect(throwsError { _ = try disk.load() }) }
        let properties = try disk.load()
        #expect(try properties.value(path, as: String.self) == "new")
        #expect(properties.explain(path).origin?.description == "\(disk.secrets)/\(name)")
    }

    @Test(
        "One line break at the end and a byte order mark are dropped, and nothing else",
        arguments: [
            ("x", "x"), ("x\n", "x"), ("x\r\n", "x"), ("x\n\n", "x\n"), ("x\r", "x\r"), ("x\n\r\n", "x\n"), ("", ""),
            ("\n", ""), (" x ", " x "), ("a\nb\n", "a\nb"),
            ("\u{FEFF}x\n", "x"), ("\u{FEFF}", ""), ("\u{FEFF}\u{FEFF}x", "\u{FEFF}x"), ("x\u{FEFF}", "x\u{FEFF}"),
            ("${server.port} $${x}", "${server.port} $${x}"), (#"{"a": 1}"#, #"{"a": 1}"#),
        ])
    func text_isTakenAsItIs(text: String, expected: String) throws {
        let properties = try SettingsDisk("{}", ["a": text]).load()
        #expect(try properties.value("a", as: String.self).unicodeScalars.elementsEqual(expected.unicodeScalars))
    }

    @Test("The text converts to a requested number or Bool, but never to an array or object")
    func text_isNeverJSON() throws {
        let disk = try SettingsDisk(
            #"{"copy": "${list}", "text": "[${list}]"}"#,
            ["port": "8080\n", "flag": "true", "wait": "250ms", "list": "[1,2]", "object": #"{"a": 1}"#])
        let properties = try disk.load(.directory(disk.secrets, secret: false))
        #expect(try properties.value("port", as: Int.self) == 8080)
        #expect(try properties.value("flag", as: Bool.self))
        #expect(try properties.value("wait", as: Duration.self) == .milliseconds(250))
        #expect(try properties.value("list[0]", as: Int?.self) == nil)
        #expect(try properties.value("object.a", as: Int?.self) == nil)
        for path in ["list", "copy"] {
            let origin = path == "copy" ? "application.json:1:10" : "\(disk.secrets)/list"
            #expect(
                message { _ = try properties.value(path, as: [Int].self) }
                    == #"\#(path): expected [Int] (an array), found text "[1,2]" (\#(origin))"#)
        }
        #expect(throwsError { _ = try properties.value("text", as: [[Int]].self) })
        #expect(throwsError { _ = try properties.value("object", as: [String: Int].self) })
    }

    @Test("Later sources override earlier ones")
    func sources_haveAnOrder() throws {
        let disk = try SettingsDisk(
            #"{"a": "file", "b": "file", "c": "file", "hosts": ["x"]}"#,
            ["a": "secret", "b": "secret", "HOSTS__1": "y"])
        try disk.write("other", to: "other/a")
        let environment = ["S_B": "S", "S_C": "S", "T_C": "T", "S_HOSTS__2": "z"]
        let directory = PropertyOverrides.directory(disk.secrets, secret: false)
        func read(_ overrides: PropertyOverrides) throws -> String {
            try disk.load(overrides, environment: environment).resolvedText
        }
        #expect(
            try read([directory, .environment(prefix: "S_")])
                == #"a="secret" b="S" c="S" hosts[0]="x" hosts[1]="y" hosts[2]="z""#)
        #expect(
            try read([.environment(prefix: "T_"), directory])
                == #"a="secret" b="secret" c="T" hosts[0]="x" hosts[1]="y""#)
        #expect(
            try read([
                directory, .environment(prefix: "S_"), [.environment(prefix: "T_"), .directory(disk.path("other"))],
            ])
                == #"a="<secret>" b="S" c="T" hosts[0]="x" hosts[1]="y" hosts[2]="z""#)
        #expect(try read([]) == #"a="file" b="file" c="file" hosts[0]="x""#)
    }

    @Test("A value is secret by default, and explained with its file")
    func value_isSecret() throws {
        let disk = try SettingsDisk(
            #"{"licence": {"code": "none"}, "x": "<${licence.code}>"}"#, ["licence.code": "AB-12"])
        let secret = try disk.load()
        #expect(
            secret.explain("licence.code").description == """
                licence.code = "<secret>"
                  from \(disk.secrets)/licence.code "<secret>"
                  over application.json:1:22 "none"
                """)
        #expect(secret.isSecret("x"))
        #expect(try secret.value("x", as: String.self) == "<AB-12>")
        let open = try disk.load(.directory(disk.secrets + "/", secret: false))
        #expect(
            open.explain("licence.code").description == """
                licence.code = "AB-12"
                  from \(disk.secrets)/licence.code "AB-12"
                  over application.json:1:22 "none"
                """)
        #expect(open["x"] == "<AB-12>")
    }

    @Test("A value that overrides a secret is secret, and one below it is not")
    func override_ofASecret_isOne() throws {
        let disk = try SettingsDisk(#"{"code": "none"}"#, ["code": "AB", "NEW": "CD"])
        let environment = ["S_CODE": "EF", "S_NEW": "GH"]
        let properties = try disk.load(
            [.directory(disk.secrets), .environment(prefix: "S_")], environment: environment)
        #expect(properties.resolvedText == #"code="<secret>" new="<secret>""#)
        #expect(
            properties.explain("code").description == """
                code = "<secret>"
                  from environment variable S_CODE "<secret>"
                  over \(disk.secrets)/code "<secret>"
                  over application.json:1:10 "none"
                """)
        #expect(try properties.value("code", as: String.self) == "EF")
        let parts = try SettingsDisk(#"{"o": {"a": 1, "b": 2}, "l": [1, 2, 3]}"#, ["o.a": "x", "l[1]": "y"])
        let json = ["S_O": #"{"a": {"b": 3}, "b": 4, "c": 5}"#, "S_L": "[6, 7]"]
        #expect(
            try parts.load([.directory(parts.secrets), .environment(prefix: "S_")], environment: json).resolvedText
                == #"o.a.b="<secret>" o.b=4 o.c=5 l[0]=6 l[1]="<secret>""#)
    }

    @Test("A file also overrides a module's settings below the profile files")
    func file_overridesModuleBelow() throws {
        let disk = try SettingsDisk("{}", ["MAIL__API_URL": "new", "mail.port": "1"])
        let base = try disk.load(.directory(disk.secrets, secret: false))
        let module = try Properties(overrides: ["mail.apiURL": "old", "mail.port": 2], name: "module Mail")
        let properties = Properties.stacked(above: [], base: base, below: [module])
        #expect(properties["mail.apiURL"] == "new")
        #expect(properties["mail.port"] == "1")
        #expect(properties.explain("mail.apiURL").origin?.description == "\(disk.secrets)/MAIL__API_URL")
    }

    @Test("Files with names similar to settings are warnings")
    func name_isNear() throws {
        let disk = try SettingsDisk(
            #"{"server": {"password": "", "maxConnections": 1}}"#,
            ["server.pasword": "1", "SERVER__PASWORD2": "2", "server.max-connections": "3", "mail.host": "4"])
        #expect(
            try disk.load().environmentWarnings.map {
                $0.description.replacingOccurrences(of: disk.secrets, with: "…")
            } == [
                "…/server.max-connections overrides nothing and adds server.max-connections; did you mean server.maxConnections?",
                "…/server.pasword overrides nothing and adds server.pasword; did you mean server.password?",
                "…/SERVER__PASWORD2 overrides nothing and adds server.pasword2; did you mean SERVER__PASSWORD for server.password?",
            ])
    }

    @Test("A missing directory is an error that says what to do, unless it is optional")
    func directory_isMissing() throws {
        let disk = try SettingsDisk(#"{"a": 1}"#)
        let path = disk.path("nowhere")
        #expect(
            disk.failure(.directory(path)) == """
                …/nowhere: there is no such directory; it was looked for at …/nowhere. Mount it there, or allow it \
                to be missing: .directory(…, optional: true)
                """)
        #expect(try disk.load(.directory(path, optional: true))["a"] == 1)
        #expect(
            disk.failure(.directory(disk.path("Config/application.json")))
                == "…/Config/application.json: expected a folder, found a file; give the folder that contains it")
        try disk.link("dangling", to: "nowhere")
        #expect(
            disk.failure(.directory(disk.path("dangling"), optional: true))
                == "…/dangling: it is a link to nowhere, which does not exist")
    }

    @Test("Two files for one setting, or for part of one, are an error that names both")
    func setting_hasTwoFiles() throws {
        func failure(_ names: String...) throws -> String? {
            try SettingsDisk(#"{"server": {}}"#, Dictionary(uniqueKeysWithValues: names.map { ($0, "x") })).failure()
        }
        #expect(
            try failure("server.password", "SERVER__PASSWORD")
                == "…/secrets/server.password: server.password has another file, …/secrets/SERVER__PASSWORD; remove one of them"
        )
        #expect(
            try failure("server/password", "server.password")
                == "…/secrets/server/password: server.password has another file, …/secrets/server.password; remove one of them"
        )
        #expect(
            try failure("mail", "mail.password")
                == "…/secrets/mail.password: mail has another file, …/secrets/mail; remove one of them")
        #expect(
            try failure("MAIL", "mail/password") == """
                …/secrets/mail/password: mail has another file, …/secrets/MAIL; remove one of them
                """)
        // A whole and a part are recognized in any spelling.
        for names in [["mail", "MAIL__PASSWORD"], ["mail", "MAIL/password"]] {
            #expect(
                try failure(names[0], names[1])
                    == "…/secrets/\(names[1]): mail has another file, …/secrets/\(names[0]); remove one of them")
        }
        #expect(
            try failure("maxSize", "MAX_SIZE__B")
                == "…/secrets/MAX_SIZE__B: maxSize has another file, …/secrets/maxSize; remove one of them")
        // Names that differ only in case belong to different settings.
        #expect(try failure("a.b", "A.b", "a.B") == nil)
        let disk = try SettingsDisk(#"{"server": {"port": 1}, "Server": {"port": 2}}"#, ["SERVER__PORT": "3"])
        #expect(
            disk.failure()
                == "SERVER stands for two keys, server (application.json:1:12) and Server (application.json:1:35); rename one of them"
        )
    }

    @Test("Two keys may share a variable if no file is named like one")
    func keys_shareAVariable() throws {
        let file = #"{"server": {"port": 0, "maxCount": 1, "max_count": 2}}"#
        #expect(try SettingsDisk(file, ["server.port": "8080"]).load().value("server.port") == 8080)
    }

    @Test("The elements of an array may have files of both forms")
    func elements_haveFilesOfBothForms() throws {
        let files = ["hosts[0]": "a", "HOSTS__1": "b", "hosts[2]": "c", "hosts/3": "d", "HOSTS__4__NAME": "e"]
        for base in ["{}", #"{"hosts": ["x"]}"#] {
            let disk = try SettingsDisk(base, files)
            let properties = try disk.load(.directory(disk.secrets, secret: false))
            #expect(properties["hosts"]?.text() == #"["a","b","c","d",{"name":"e"}]"#)
        }
    }

    @Test("A file for an object or array is an error, regardless of its contents")
    func file_isForAnObject() throws {
        let disk = try SettingsDisk(
            #"{"server": {"port": 1}, "hosts": []}"#, ["server": #"{"port": 2}"#, "HOSTS": "[1]"])
        #expect(
            disk.failure() == """
                hosts: expected an array, found the text of a file, which is not read as JSON; give each part a file of its own (…/secrets/HOSTS)
                server: expected an object, found the text of a file, which is not read as JSON; give each part a file of its own (…/secrets/server)
                """)
    }

    @Test("Hidden files are skipped, and other names that are not settings are an error")
    func name_isNone() throws {
        let hidden = [".hidden": "x", "..data_tmp": "x", ".git/config": "x"]
        #expect(try SettingsDisk("{}", hidden).load().paths == [])
        #expect(
            try SettingsDisk("{}", ["my file": "x", "a..b": "x", "SERVER__": "x"]).failure()?.split(separator: "\n").map
            {
                $0.prefix { $0 != ":" }
            } == ["…/secrets/SERVER__", "…/secrets/a..b", "…/secrets/my file"])
        #expect(
            try SettingsDisk("{}", ["my file": "x"]).failure() == """
                …/secrets/my file: the name is not that of a setting: expected a path such as server.port, or SERVER__PORT; \
                a file that is not a setting has a name that begins with a dot
                """)
    }

    @Test("A list of secrets is read from its elements, never from JSON")
    func list_isInFiles() throws {
        let disk = try SettingsDisk(#"{"a": 1, "b": 2}"#, ["locator/secrets/0": "a", "locator.secrets[1]": "b"])
        let properties = try disk.load(.directory(disk.secrets, secret: false))
        #expect(properties.resolvedText.hasPrefix(#"a="<secret>" b="<secret>""#))
        let json = try SettingsDisk(#"{"a": 1}"#, ["locator.secrets": #"["a"]"#])
        #expect(
            json.failure(.directory(json.secrets, secret: false))
                == #"locator.secrets: expected an array of paths, found text "[\"a\"]" (…/secrets/locator.secrets)"#)
    }

    @Test("A later load keeps the directory of an earlier one")
    func directory_isKeptByALaterLoad() throws {
        let disk = try SettingsDisk(#"{"a": "x"}"#, ["a": "secret", "B": "secret"])
        let later = try load(["": #"{"a": "y", "b": "z", "c": "c"}"#])
        let properties = try disk.load(.directory(disk.secrets, secret: false)).overlaid(by: later)
        #expect(
            properties.explain("b").description == """
                b = "secret"
                  from \(disk.secrets)/B "secret"
                  over Config/application.json:1:17 "z"
                """)
        #expect(
            properties.explain("a").layers.map(\.origin.description) == [
                "\(disk.secrets)/a", "Config/application.json:1:7", "\(disk.path("Config"))/application.json:1:7",
            ])
        #expect(properties.resolvedText == #"a="secret" b="secret" c="c""#)
    }

    private func throwsError(_ body: () throws -> Void) -> Bool { message(body) != nil }
}
