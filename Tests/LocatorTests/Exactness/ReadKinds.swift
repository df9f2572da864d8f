import Locator
import Testing

/// The dependency of the subjects in table tests.
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

    /// Requests a part in a method, after it was made.
    final class Reader: Sendable {
        let part = Dependency<any Part>()

        func read() -> String { part().name }
    }

    /// A type that is only available through an alias.
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

/// The made instance, which has the text of what was read.
final class Subject: Sendable {
    let text: String
    let disposals: Tally<String>

    init(_ text: String, _ disposals: Tally<String>) {
        self.text = text
        self.disposals = disposals
    }
}

/// One way to depend on a context, with modules that change the result and modules that do not.
struct ReadKind: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Reads something of the context, as text.
    let read: @Sendable (Resolver) throws -> String
    /// The modules at the beginning.
    let base: Module
    /// Modules that change the result, with the new text.
    let affecting: [(module: Module, text: String)]
    /// Similar modules that do not change the result.
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

    /// A context with the base and a subject, whose disposals are logged.
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

/// A module with only properties.
func settings(_ properties: [String: JSONValue]) -> Module {
    Module("Settings", properties: properties)
}
