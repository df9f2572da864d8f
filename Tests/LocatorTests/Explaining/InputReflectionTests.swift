import Locator
import Testing

@Suite("Printing and reflection never show the value that an object carries")
struct InputReflectionTests {
    private struct Info: Sendable {
        let password = "planted"
    }

    private struct Screen {
        @Dependency var info: Info
        @DependencyArray var all: [Info]
        @PropertyValue("server.password") var password: String
    }

    private func texts(_ value: some Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        return ["\(value)", String(reflecting: value), dumped] + Mirror(reflecting: value).children.map { "\($0)" }
    }

    @Test func input() {
        let input = Input.input(Info(), qualifier: "region")
        #expect("\(input)" == "input Info \"region\"")
        let all =
            texts(input) + texts([input]) + texts(Input.input("planted"))
            + texts(["a": Input.input(Info() as Any as! Info)])
        #expect(!all.contains { $0.contains("planted") })
    }

    @Test func wrappers() throws {
        let context = try AppContext().load(
            Module("Shop", properties: ["server.password": "planted"]) { registry in
                registry.register(Info.self) { Info() }
                registry.register(Int.self) { (_: Lazy<Info>, _: Provider<Info?>) in 1 }
            })
        AppContext.withContext(context) {
            let screen = Screen()
            #expect(screen.info.password == "planted" && screen.all.count == 1 && screen.password == "planted")
            #expect(!texts(screen).contains { $0.contains("planted") })
        }
        let handed = Screen(info: .value(Info()), all: .value([Info()]), password: .value("planted"))
        #expect(!texts(handed).contains { $0.contains("planted") })
        #expect(
            context.explain(Int.self).description.contains("needs Lazy<Info>\n    needs Provider<Info?>"))
    }
}
