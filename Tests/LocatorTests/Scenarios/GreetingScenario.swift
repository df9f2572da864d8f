import Locator
import Testing

// Two screens get different generators of one protocol. The second works through the first, and neither is made before
// its screen greets. Another implementation is a change in one place.

private protocol GreetingGenerator: Sendable {
    func greeting(for name: String) -> String
}

private struct PlainGreeting: GreetingGenerator {
    func greeting(for name: String) -> String { "Hello, \(name)" }
}

private struct LoudGreeting: GreetingGenerator {
    let quiet: any GreetingGenerator

    func greeting(for name: String) -> String { quiet.greeting(for: name).uppercased() + "!" }
}

extension Qualifier {
    fileprivate static let plain: Qualifier = "plain"
    fileprivate static let loud: Qualifier = "loud"
}

private final class HomeScreen {
    @Dependency(qualifier: .plain) var generator: any GreetingGenerator

    func title() -> String { generator.greeting(for: "Ada") }
}

private final class StadiumScreen {
    @Dependency(qualifier: .loud) var generator: any GreetingGenerator

    func title() -> String { generator.greeting(for: "Ada") }
}

@Suite("Greeting: two screens, two generators, one through the other")
struct GreetingScenario {
    private let made = Log()
    private let context = AppContext()

    init() throws {
        let greetings = Module("Greetings") { [made] registry in
            registry.register((any GreetingGenerator).self, qualifier: .plain) {
                made("plain")
                return PlainGreeting()
            }
            registry.register((any GreetingGenerator).self, qualifier: .loud, parameterQualifiers: [.plain]) { quiet in
                made("loud")
                return LoudGreeting(quiet: quiet)
            }
        }
        try context.load(greetings)
    }

    @Test func screens_getTheirOwnGenerators() {
        let (home, stadium) = AppContext.withContext(context) { (HomeScreen(), StadiumScreen()) }
        #expect(home.title() == "Hello, Ada")
        #expect(stadium.title() == "HELLO, ADA!")
    }

    @Test func generators_areMadeWhenAScreenGreets() {
        let (home, stadium) = AppContext.withContext(context) { (HomeScreen(), StadiumScreen()) }
        #expect(made.entries == [])
        _ = stadium.title()
        #expect(made.entries == ["plain", "loud"])
        _ = home.title()
        _ = stadium.title()
        #expect(made.entries == ["plain", "loud"])
    }

    @Test func otherImplementation_reachesBothScreens_whenOnePlaceChanges() throws {
        struct Moin: GreetingGenerator {
            func greeting(for name: String) -> String { "Moin, \(name)" }
        }
        let (home, stadium) = AppContext.withContext(context) { (HomeScreen(), StadiumScreen()) }
        #expect(stadium.title() == "HELLO, ADA!")

        let north = Module("North") { $0.register((any GreetingGenerator).self, qualifier: .plain) { Moin() } }
        try context.load(north, priority: .high)

        #expect(home.title() == "Moin, Ada")
        #expect(stadium.title() == "MOIN, ADA!")
    }
}
