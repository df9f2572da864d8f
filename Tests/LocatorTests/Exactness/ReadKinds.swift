import Locator
import Testing

/// What the subjects of the table tests depend on.
enum Parts {
    protocol Part: Sendable {
        var name: String { get }
    }

    final class Named: Part {
        let name: String

        init(_ name: String) {
            self.name = name
        }
    }

    final class Wrapped: Part {
        let base: any Part
        let name: String

        init(_ base: any Part, _ name: String) {
            self.base = base
            self.name = "\(name)(\(base.name))"
        }
    }

    /// Asks for a part when a method is called, after it was made.
    final class Reader: Sendable {
        let part = Dependency<any Part>()

        func read() -> String { part().name }
    }

    /// A type whose key nothing but an alias answers.
    protocol Shown: Sendable {
        var name: String { get }
    }

    final class Original: Shown {
        let name: String

        init(_ name: String) {
            self.name = name
        }
    }

    struct Product: Sendable {
        let name: String
    }

    struct Order: Sendable {
        let number: Int
    }

    struct Server: ConfigProperty {
        static let path = "server"
        let host: String
    }
}

/// What is made, and says what its making read.
final class Subject: Sendable {
    let text: String
    let disposals: Tally<String>

    init(_ text: String, _ disposals: Tally<String>) {
        self.text = text
        self.disposals = disposals
    }
}

/// One way in which a making depends on its context, a module that changes what it reads and one that does not.
struct ReadKind: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// What the making reads, as text.
    let read: @Sendable (Resolver) throws -> String
    /// What is there to be read at first.
    let base: Module
    /// Modules that change what is read, with the text that the making then gives.
    let affecting: [(module: Module, text: String)]
    /// Modules that do not, although they are near.
    let unrelated: [Module]

    init(
        _ name: String, base: Module, affecting: [(module: Module, text: String)], unrelated: [Module],
        read: @escaping @Sendable (Resolver) throws -> String
    ) {
        testDescription = name
        self.base = base
        self.affecting = affecting
        self.unrelated = unrelated
        self.read = read
    }

    /// A context with the base and a subject, whose disposals are noted.
    func context(_ disposals: Tally<String>) throws -> AppContext {
        let read = read
        let subject = Module("Subject") { registry in
            registry.register(Subject.self) { (resolver: Resolver) in
                Subject(try read(resolver), disposals)
            }
            .onDispose { $0.disposals.append($0.text) }
        }
        return try AppContext().load(base, subject)
    }
}

/// A module that registers a part.
func part(
    _ name: String, qualifier: Qualifier? = nil, scope: Scope = .singleton,
    properties: [String: JSONValue] = [:], named module: String = "Part"
) -> Module {
    Module(module, properties: properties) { registry in
        registry.register((any Parts.Part).self, qualifier: qualifier, scope: scope) { Parts.Named(name) }
    }
}

/// A module that has only properties.
func settings(_ properties: [String: JSONValue]) -> Module {
    Module("Settings", properties: properties)
}
