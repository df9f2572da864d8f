import Locator
import Testing

/// A recognizable text in one position of a secret.
///
/// A new position is one more entry of ``all``. Every output is searched for it.
struct Planting: Sendable, CustomTestStringConvertible {
    /// The text that no output may contain.
    static let text = "Pl4nted"
    /// The same as a number.
    static let number = "4711471147"

    /// The places where a text contains something that it must not.
    static func range(in text: String) -> Range<String.Index>? {
        text.firstRange(of: Self.text) ?? text.firstRange(of: number)
    }

    /// The position as text.
    var name: String
    /// The files by profile; "" is the base file.
    var files: [String: String]
    /// Paths to request, in addition to all existing ones.
    var paths: [String] = []
    var environment: [String: String] = [:]
    /// The files of a directory of secrets, `/run/secrets`.
    var directory: [String: String] = [:]
    /// What the program lists.
    var secrets: [String] = []
    /// The properties of a module above the files.
    var above: [String: JSONValue] = [:]
    /// The properties of a module below the files.
    var below: [String: JSONValue] = [:]
    /// Whether the program gets the text, instead of an error or another value.
    var isRead = true

    var testDescription: String { name }

    init(
        _ name: String, _ base: String, _ paths: String..., profile: String? = nil,
        environment: [String: String] = [:], directory: [String: String] = [:], secrets: [String] = [],
        above: [String: JSONValue] = [:],
        below: [String: JSONValue] = [:], isRead: Bool = true
    ) {
        self.name = name
        files = ["": base]
        files["dev"] = profile ?? "{}"
        self.paths = paths
        self.environment = environment
        self.directory = directory
        self.secrets = secrets
        self.above = above
        self.below = below
        self.isRead = isRead
    }

    static let all =
        keys + listed + forms + placeholders + builtTexts + variables + slipsInJSON + directories + modules + broken

    // MARK: Positions

    private static let keys = [
        Planting("key", #"{"db": {"password": "Pl4nted"}}"#, "db.password.x"),
        Planting("key of a number", #"{"pin": {"salt": 4711471147, "jwt": [4711471147.5]}}"#),
        Planting("object below a key", #"{"credentials": {"user": "Pl4nted", "list": ["Pl4nted", {"a": "Pl4nted"}]}}"#),
        Planting(
            "array below a key", #"{"a": [{"tokens": ["x", "Pl4nted"]}]}"#, "a[0].tokens[1].x", "a[0].tokens[1][0]"),
        Planting(
            "key that a profile overrides", #"{"db": {"pwd": "Pl4nted"}}"#, profile: #"{"db": {"pwd": "Pl4nted2"}}"#),
        Planting("key that is odd", #"{"a b": {"my 'api' key": "Pl4nted"}}"#),
        Planting("value that an object replaces", #"{"passphrase": "Pl4nted"}"#, "passphrase.a.b"),
    ]

    private static let listed = [
        Planting("listed by the program", #"{"licence": {"code": "Pl4nted", "x": 1}}"#, secrets: ["licence.code"]),
        Planting(
            "listed in the file", #"{"locator": {"secrets": ["a.b"]}, "a": {"b": {"c": ["Pl4nted"]}}}"#, "a.b.c[0].x"),
        Planting(
            "element that is listed", #"{"locator": {"secrets": ["pins[1]"]}, "pins": ["1", {"x": "Pl4nted"}]}"#,
            "pins[1].x.y"),
        Planting("listed in a profile", #"{"a": "Pl4nted"}"#, profile: #"{"locator": {"secrets": ["a"]}}"#),
        Planting("listed by a variable", #"{"a": "Pl4nted"}"#, environment: ["S_LOCATOR__SECRETS": #"["a"]"#]),
        Planting(
            "listed by a variable for the whole", #"{"a": "Pl4nted"}"#,
            environment: ["S_LOCATOR": #"{"secrets": ["a"]}"#]),
        Planting("listed by a module above", #"{"a": {"b": "Pl4nted"}}"#, above: ["locator.secrets": ["a"]]),
        Planting("listed by a module below", #"{"a": {"b": "Pl4nted"}}"#, below: ["locator.secrets": ["a.b"]]),
        Planting(
            "default of a placeholder to what a module lists", #"{"a": "x${b.c:Pl4nted}"}"#,
            above: ["locator.secrets": ["b"]]),
        Planting(
            "listed where a placeholder copies to",
            #"{"locator": {"secrets": ["copy.a"]}, "o": {"a": "x"}, "copy": "${o}"}"#,
            above: ["copy": ["a": "Pl4nted"]]),
    ]

    private static let forms = [
        Planting(
            "password of a URL", #"{"db": {"url": "postgres://me:Pl4nted@db/x"}, "urls": ["https://a:Pl4nted@b"]}"#),
        Planting("password of a URL with a slash", #"{"url": "postgres://me:a/Pl4nted@db/x"}"#),
        Planting("password of a URL with a number sign", #"{"url": "postgres://me:a#Pl4nted@db/x"}"#),
        Planting("password of a URL with a question mark", #"{"url": "https://me:a?Pl4nted@db/x"}"#),
        Planting("password of a URL with an at sign", #"{"url": "https://me:a@b/Pl4nted@db/x"}"#),
        Planting("token of a URL", #"{"url": "https://Pl4nted@host/x"}"#),
        Planting("token of a URL without a password", #"{"url": "https://Pl4nted:@host/x"}"#),
        Planting("query item of a URL", #"{"url": "https://host/x?page=1&api_key=Pl4nted"}"#),
        Planting("connection string", #"{"cs": "Server=db;User Id=me;Password=Pl4nted;Timeout=1"}"#),
        Planting("connection string with quotes", #"{"cs": "Server=db;Account Key='a;Pl4nted'"}"#),
        Planting("connection string of libpq", #"{"cs": "host=db password=Pl4nted port=1"}"#),
        Planting(
            "private key",
            #"{"a": "-----BEGIN RSA PRIVATE KEY-----\nPl4nted\n-----END RSA PRIVATE KEY-----\n", "b": ["${a}"]}"#, "a.x"
        ),
        Planting("private key that breaks off", #"{"a": "x -----BEGIN PRIVATE KEY-----\nPl4nted"}"#, "a[0]"),
        Planting("credentials of a header", #"{"a": "Bearer Pl4nted", "b": {"c": "x ${a}"}}"#, "a.x"),
        Planting("header with credentials", #"{"a": "Accept: x\r\nauthorization:  bearer Pl4nted\r\n"}"#, "a.x"),
        Planting("data source name", #"{"dsn": "me:Pl4nted@tcp(db:3306)/shop?x=1", "l": ["me:Pl4nted@/x"]}"#, "dsn.x"),
        Planting(
            "data source name in a variable", #"{"dsn": "x"}"#, "dsn.x",
            environment: ["S_DSN": "me:Pl4nted@tcp(db)/x", "S_H": "Bearer Pl4nted"]),
        Planting(
            "key with quotes and line breaks",
            #"{"a\n\"'\u202e": {"pass-word": "Pl4nted", "\u0000token": ["Pl4nted"]}}"#),
        Planting("JSON in a text", #"{"cs": "{\"db\": {\"password\": \"Pl4nted\"}}"}"#),
    ]

    private static let placeholders = [
        Planting("copy of a secret", #"{"db": {"password": "Pl4nted"}, "copy": "${db.password}"}"#, "copy.x"),
        Planting(
            "copy of an object", #"{"db": {"password": "Pl4nted"}, "copy": "${db}"}"#, "copy.password",
            "copy.password.x"),
        Planting(
            "copy of a copy",
            #"{"a": "${b}", "b": "${c.d}", "c": "${e}", "e": {"d": ["${f.token}"]}, "f": {"token": "Pl4nted"}}"#),
        Planting("text built from a secret", #"{"db": {"password": "Pl4nted"}, "text": "<${db.password}>"}"#),
        Planting("URL built from what is no secret", #"{"a": "Pl4", "b": "nted", "url": "https://me:${a}${b}@host"}"#),
        Planting(
            "URL built of parts that show none",
            #"{"a": "https://me:Pl4", "b": "nted@host", "url": "${a}${b}", "list": ["${url}"]}"#),
        Planting("template of a secret", #"{"password": "Pl4nted${x:}", "x": "1"}"#),
        Planting("default in a secret", #"{"db": {"password": "${env:DB_PASSWORD:Pl4nted}"}}"#),
        Planting("default of a secret variable", #"{"a": "x${env:DB_PASSWORD:Pl4nted}"}"#),
        Planting("default of a secret path", #"{"a": "${db.token:Pl4nted}"}"#),
        Planting("default of a default", #"{"a": "${x:y${env:API_KEY:Pl4nted}}"}"#),
        Planting(
            "default that does not serve", #"{"a": "${env:DB_PASSWORD:Pl4nted}"}"#, environment: ["DB_PASSWORD": "x"],
            isRead: false),
        Planting("default in a connection string", #"{"a": "Server=db;Password=${env:X:Pl4nted}"}"#),
        Planting("default in a URL", #"{"a": "postgres://me:${env:X:Pl4nted}@db/x"}"#),
        Planting(
            "secret variable", #"{"a": "x${env:API_TOKEN}", "b": "${env:API_TOKEN}"}"#,
            environment: ["API_TOKEN": "Pl4nted"]),
        Planting("URL in a variable", #"{"a": "${env:U}"}"#, environment: ["U": "https://me:Pl4nted@db"]),
        Planting(
            "JSON in a variable", #"{"a": "${env:J}"}"#, "a.password",
            environment: ["J": #"{"pass\u0077ord": "Pl4nted"}"#]),
    ]

    private static let builtTexts = [
        Planting(
            "variable in a connection string", #"{"cs": "Server=h;Password=${env:X}"}"#, environment: ["X": "Pl4nted"]),
        Planting(
            "variable below a secret key", #"{"db": {"password": "${env:X}", "port": 1}}"#, "db",
            environment: ["X": "Pl4nted"]),
        Planting("variable in JSON", #"{"a": "{\"password\":\"${env:X}\"}"}"#, environment: ["X": "Pl4nted"]),
        Planting("variable as the token of a URL", #"{"u": "https://${env:X}@h"}"#, environment: ["X": "Pl4nted"]),
        Planting(
            "variables in a URL", #"{"u": {"v": "postgres://${env:X}:${env:Y}@h/x"}}"#, "u",
            environment: ["X": "me", "Y": "Pl4nted"]),
    ]

    private static let slipsInJSON = [
        Planting("slip in JSON", "{}", "a.passwrd", environment: ["S_A": #"{"passwrd": "Pl4nted"}"#]),
        Planting(
            "slip deep in JSON", "{}", "new.db.passwrd", "new.list[0].tokne.x",
            environment: ["S_NEW": #"{"db": {"passwrd": "Pl4nted"}, "list": [{"tokne": ["Pl4nted"]}]}"#]),
        Planting(
            "slip in JSON over an object", #"{"a": {"host": "x"}}"#, "a.passwrd.x",
            environment: ["S_A": #"{"passwrd": "Pl4nted", "b": [{"api_kye": "Pl4nted"}]}"#]),
        Planting(
            "slip in JSON over a list", #"{"a": [{"host": "x"}]}"#, "a[0].passwrd", "a[1].passwrd",
            environment: ["S_A": #"[{"passwrd": "Pl4nted"}, {"passwrd": "Pl4nted"}]"#]),
        Planting(
            "slip in JSON over null", #"{"a": null}"#, "a.b.passwrd",
            environment: ["S_A__B": #"{"passwrd": "Pl4nted"}"#]),
        Planting(
            "slip in JSON over a text", #"{"a": ""}"#, "a.passwrd", environment: ["S_A": #"{"passwrd": "Pl4nted"}"#]),
        Planting(
            "slip in JSON of a placeholder", #"{"a": "${env:J}"}"#, "a.passwrd",
            environment: ["J": #"{"passwrd": "Pl4nted"}"#]),
        Planting(
            "slip of a listed path in JSON", #"{"licence": {"code": "x"}}"#, "licence.coed",
            environment: ["S_LICENCE": #"{"coed": "Pl4nted"}"#], secrets: ["licence.code"]),
        Planting(
            "slip of a listed path in added JSON", "{}", "licence.coed", "licence.coed.x",
            environment: ["S_LICENCE": #"{"coed": "Pl4nted"}"#], secrets: ["licence.code"]),
        Planting(
            "slip in JSON of what a module lists", #"{"licence": {"owner": "x"}}"#, "licence.coed",
            environment: ["S_LICENCE": #"{"coed": "Pl4nted"}"#], below: ["locator.secrets": ["licence.code"]]),
        Planting(
            "slip in added JSON of what a module lists", "{}", "licence.coed",
            environment: ["S_LICENCE": #"{"coed": "Pl4nted"}"#], below: ["locator.secrets": ["licence.code"]]),
        Planting(
            "slip in JSON beside a URL", "{}", "a.passwrd",
            environment: ["S_A": #"{"url": "https://u:p@h", "passwrd": "Pl4nted"}"#]),
        Planting("slip in added JSON that is broken", "{}", "a.b", environment: ["S_A": #"{"passwrd": Pl4nted}"#]),
        Planting(
            "slip in JSON that is broken", #"{"a": {"b": 1}}"#, environment: ["S_A": #"{"passwrd": Pl4nted}"#],
            isRead: false),
    ]

    private static let variables = [
        Planting(
            "variable", #"{"db": {"password": "x"}}"#, "db.password.x", environment: ["S_DB__PASSWORD": "Pl4nted"]),
        Planting("variable with a number", "{}", environment: ["S_DB__PASSWORD": "4711471147"]),
        Planting("copy of a number", #"{"a": "${b.salt}", "c": "x${b.salt}", "b": {"salt": 4711471147}}"#),
        Planting("variable that adds", "{}", "db.password.x", environment: ["S_DB__PASSWORD": "Pl4nted"]),
        Planting("variable with a listed path", #"{"a": "x"}"#, environment: ["S_A": "Pl4nted"], secrets: ["a"]),
        Planting("variable with a URL", #"{"a": "x"}"#, environment: ["S_A": "https://me:Pl4nted@db"]),
        Planting(
            "object that a variable adds", "{}", "db.password", "db.password.x",
            environment: ["S_DB": #"{"password": "Pl4nted", "n": 1}"#]),
        Planting(
            "object that a variable adds, listed", "{}", "db.a", environment: ["S_DB": #"{"a": ["Pl4nted"]}"#],
            secrets: ["db.a"]),
        Planting(
            "object that a variable replaces", #"{"db": {"host": "x"}}"#, "db.password.x",
            environment: ["S_DB": #"{"password": ["Pl4nted"]}"#]),
        Planting("slip of a word", "{}", environment: ["S_DB__PASSWRD": "Pl4nted"]),
        Planting("slip of two words", "{}", environment: ["S_API_KYE": "Pl4nted", "S_X__PASS_WRD": "Pl4nted"]),
        Planting(
            "slip of a listed path", #"{"licence": {"code": "x"}}"#, environment: ["S_LICENCE__COED": "Pl4nted"],
            secrets: ["licence.code"]),
        Planting(
            "JSON at a slip", "{}", "db.tokne.a", environment: ["S_DB__TOKNE": #"{"a": "Pl4nted"}"#]),
        Planting(
            "variable for what a module lists in another way", "{}", environment: ["S_LICENCE_CODE": "Pl4nted"],
            below: ["licence_code": "x", "locator.secrets": ["licence_code"]]),
        Planting(
            "variable over a module", "{}", environment: ["S_DB__PASSWORD": "Pl4nted"],
            below: ["db": ["password": "Pl4nted"]]),
    ]

    private static let directories = [
        Planting("file of a directory", "{}", "a.b", directory: ["a": "Pl4nted\n"]),
        Planting("file with a number", "{}", "a.b.c", directory: ["A__B": "4711471147"]),
        Planting("file for a setting that is there", #"{"a": {"b": 1}}"#, "a.b.c", directory: ["a/b": "Pl4nted"]),
        Planting("file with JSON", "{}", "a.b", "a[0]", directory: ["a": #"{"b": "Pl4nted"}"#]),
        Planting("file with a list", "{}", "a[0]", directory: ["a": #"["Pl4nted"]"#]),
        Planting("element of a list in a file", #"{"a": ["x"]}"#, "a[1].x", directory: ["A__1": "Pl4nted"]),
        Planting("copy of a file", #"{"b": "${a}", "c": "<${a}>", "d": ["${b}"]}"#, "b.x", directory: ["a": "Pl4nted"]),
        Planting(
            "placeholder to a file", #"{"x": "${file:/run/secrets/a}", "y": "<${file:/run/secrets/a}>"}"#, "x.y",
            directory: ["a": "Pl4nted"]),
        Planting(
            "placeholder to a file in a module", "{}", directory: ["a": "Pl4nted"],
            above: ["x": "${file:/run/secrets/a}"]),
        Planting("default of a placeholder to a file", #"{"x": "<${file:/run/secrets/none:Pl4nted}>"}"#),
        Planting(
            "default of a placeholder to a file that does not serve", #"{"x": "<${file:/run/secrets/a:Pl4nted}>"}"#,
            directory: ["a": "x"], isRead: false),
        Planting("element of a list in a variable", #"{"tokens": ["x"]}"#, environment: ["S_TOKENS__1": "Pl4nted"]),
        Planting("element of a list that is a slip", "{}", environment: ["S_A__0__PASSWRD": "Pl4nted"]),
        Planting(
            "listed by an element", #"{"a": "Pl4nted", "b": 1}"#,
            environment: ["S_LOCATOR__SECRETS__0": "b", "S_LOCATOR__SECRETS__1": "a"]),
        Planting("listed by a file", #"{"a": "Pl4nted"}"#, directory: ["locator.secrets[0]": "a"]),
    ]

    private static let modules = [
        Planting("module above", #"{"db": {"password": "Pl4nted"}}"#, above: ["db.password": "Pl4nted"]),
        Planting("module below", "{}", below: ["db": ["secret": ["Pl4nted"]], "url": "https://me:Pl4nted@x"]),
        Planting(
            "module with a placeholder", #"{"db": {"token": "Pl4nted"}}"#,
            above: ["text": "x${db.token}", "o": "${db}"]),
        Planting("module of what is listed", #"{"locator": {"secrets": ["a"]}}"#, above: ["a.b": ["Pl4nted"]]),
    ]

    private static let broken = [
        Planting("word instead of a value", #"{"db": {"password": Pl4nted}}"#, isRead: false),
        Planting("number that is none", #"{"db": {"password": 1Pl4nted}}"#, isRead: false),
        Planting("text that ends early", #"{"db": {"password": "a"Pl4nted}}"#, isRead: false),
        Planting("quote in the password of a URL", #"{"url": "https://me:a"Pl4nted@host"}"#, isRead: false),
        Planting("quotes around a part of a text", #"{"cs": "Server=h;Password="Pl4nted";a=1"}"#, isRead: false),
        Planting("number after a text", #"{"cs": "Server=h;Password="4711471147";a=1"}"#, isRead: false),
        Planting("array that is broken", #"{"tokens": ["a", Pl4nted]}"#, isRead: false),
        Planting("word at a listed path", #"{"a": {"b": Pl4nted}}"#, secrets: ["a.b"], isRead: false),
        Planting("word at a listed element", #"{"a": [1, [Pl4nted]]}"#, secrets: ["a[1]"], isRead: false),
        Planting(
            "word at a path that the file lists", #"{"a": {"b": Pl4nted}, "locator": {"secrets": ["a.b"]}}"#,
            isRead: false),
        Planting(
            "word at a path that the base lists", #"{"locator": {"secrets": ["a.b"]}}"#,
            profile: #"{"a": {"b": Pl4nted}}"#, isRead: false),
        Planting(
            "word at a path that a profile lists", #"{"a": {"b": Pl4nted}}"#,
            profile: #"{"locator": {"secrets": ["a.b"]}}"#, isRead: false),
        Planting(
            "word at a path that a variable lists", #"{"a": {"b": Pl4nted}}"#,
            environment: ["S_LOCATOR__SECRETS": #"["a.b"]"#], isRead: false),
        Planting(
            "variable that is no JSON", #"{"db": {"a": 1}}"#, environment: ["S_DB": #"{"password": Pl4nted}"#],
            isRead: false),
        Planting(
            "variable that is no JSON at a listed path", #"{"db": {"a": 1}}"#,
            environment: ["S_DB": #"{"a": Pl4nted}"#], secrets: ["db.a"], isRead: false),
        Planting(
            "variable for a secret that is no JSON", #"{"tokens": [1]}"#, environment: ["S_TOKENS": "[Pl4nted]"],
            isRead: false),
        Planting(
            "word at a path that a file lists", #"{"a": {"b": Pl4nted}}"#, directory: ["LOCATOR__SECRETS__0": "a.b"],
            isRead: false),
        Planting("file for an object", #"{"a": {"b": 1}}"#, directory: ["a": #"{"b": "Pl4nted"}"#], isRead: false),
        Planting("file for a part", #"{"a": 1}"#, directory: ["a.b": "Pl4nted"], isRead: false),
        Planting("two files", "{}", directory: ["a": "Pl4nted", "A": "Pl4nted"], isRead: false),
        Planting("file with a null character", "{}", directory: ["a": "Pl4nted\u{0}"], isRead: false),
        Planting("file that leaves a gap", "{}", directory: ["a[1]": "Pl4nted"], isRead: false),
        Planting("variable that leaves a gap", "{}", environment: ["S_TOKENS__1": "Pl4nted"], isRead: false),
        Planting("file that names no setting", "{}", directory: ["a..b": "Pl4nted"], isRead: false),
        Planting(
            "default of a placeholder to a file in no directory", #"{"x": "${file:/etc/x:Pl4nted}"}"#, isRead: false),
        Planting("placeholder that is none", #"{"password": "a${Pl4nted!b}"}"#, isRead: false),
        Planting("placeholder that is not closed", #"{"password": "a${Pl4nted"}"#, isRead: false),
        Planting(
            "default of a placeholder to an object", #"{"o": {}, "password": "a${o:Pl4nted}"}"#, isRead: false),
        Planting(
            "default of a placeholder within a placeholder that leads nowhere",
            #"{"a": "${db.token:Pl4nted${nowhere}}"}"#, isRead: false),
        Planting("circle", #"{"password": "Pl4nted${token}", "token": "${password}"}"#, isRead: false),
    ]
}
