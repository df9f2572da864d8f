import Locator
import Testing

@Suite("Qualifiers and properties can be chosen at run time")
struct VariablesTests {
    @Test func qualifier_takesInterpolatedText() throws {
        let module = Module("Replicas") { registry in
            for number in 1...3 {
                registry.register(String.self, qualifier: "replica \(number)") { "text \(number)" }
            }
        }
        let context = try AppContext().load(module)
        let number = 2
        #expect(try context.resolve(String.self, qualifier: "replica \(number)") == "text 2")
        let name = "replica 3"
        #expect(try context.resolve(String.self, qualifier: .named(name)) == "text 3")
    }

    @Test func properties_takeVariablesAndNestedObjects() throws {
        let (host, ports) = ("localhost", [80, 443])
        let module = Module(
            "Settings",
            properties: [
                "server": ["host": .init(host), "limits": ["requests.perSecond": 5]], "server.ports": .init(ports),
            ])
        let context = try AppContext().load(module)
        #expect(try context.value("server.host", as: String.self) == host)
        #expect(try context.value("server.ports", as: [Int].self) == ports)
        #expect(try context.value("server.limits['requests.perSecond']", as: Int.self) == 5)
    }

    @Test func sameKeys_meanTheSameInAModuleAndInALiteral() throws {
        let values: [(path: String, read: String)] = [("a.b", "a.b"), ("a['b.c']", "a['b.c']"), ("d", "d")]
        for (path, read) in values {
            let literal: Properties = Properties(dictionaryLiteral: (path, 1))
            let context = try AppContext().load(Module("M", properties: [path: 1]))
            #expect(try literal.value(read, as: Int.self) == 1)
            #expect(try context.value(read, as: Int.self) == 1)
        }
    }
}
