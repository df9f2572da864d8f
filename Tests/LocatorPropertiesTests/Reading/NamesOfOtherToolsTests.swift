import LocatorProperties
import Testing

/// Other tools write a path as one key, `"server.port": 8080`, and a variable as `${HOME}`.
@Suite("The path or variable syntax of other tools is reported with what to write here")
struct NamesOfOtherToolsTests {
    @Test func keyWithDots() throws {
        let properties = try load(["": #"{"server.port": 1, "a.b": {"c": 1}}"#])
        let fix = "a key in a file is not a path: write nested objects"
        #expect(
            message { _ = try properties.value("server.port", as: Int.self) }
                == "server.port is missing (expected Int); did you mean ['server.port']? \(fix)")
        #expect(
            "\(properties.explain("server.port"))" == "server.port is missing; did you mean ['server.port']? \(fix)")
    }

    @Test func sectionOfKeysWithDots() throws {
        struct Server: Decodable { let port: Int }
        let properties = try load(["": #"{"server.port": 1, "outer": {"mail.port": 2}, "mail.server.port": 3}"#])
        let fix = "a key in a file is not a path: write nested objects"
        #expect(
            message { _ = try properties.value("server", as: Server.self) }
                == "server is missing (expected Server); did you mean ['server.port']? \(fix)")
        #expect(
            message { _ = try properties.value("outer.mail", as: Server.self) }
                == "outer.mail is missing (expected Server); did you mean outer['mail.port']?")
    }

    @Test("If the program reads the path of another key, the error names the key")
    func otherKeyWithDots() throws {
        let properties = try load(["": #"{"com.shop": 1}"#])
        #expect(
            message { _ = try properties.value("['com.shp']", as: Int.self) }
                == "['com.shp'] is missing (expected Int); did you mean ['com.shop']?")
    }

    @Test(arguments: [
        ("HOME", "${HOME} needs HOME, which is missing; the variable is ${env:HOME}"),
        ("DB_URL_2", "${DB_URL_2} needs DB_URL_2, which is missing; the variable is ${env:DB_URL_2}"),
        ("env.HOME", "${env.HOME} needs env.HOME, which is missing; the variable is ${env:HOME}"),
        ("env.name", "${env.name} needs env.name, which is missing"),
        ("home", "${home} needs home, which is missing"),
        ("A.B", "${A.B} needs A.B, which is missing"),
    ])
    func variable(name: String, expected: String) {
        #expect(message { _ = try load(["": #"{"a": "${\#(name)}"}"#]) } == "a: \(expected) (application.json:1:7)")
    }

    @Test func variableThatIsNearASetting() {
        #expect(
            message { _ = try load(["": #"{"a": "${HOST}", "host": 1}"#]) }
                == "a: ${HOST} needs HOST, which is missing; did you mean host? the variable is ${env:HOST} "
                + "(application.json:1:7)")
    }
}
