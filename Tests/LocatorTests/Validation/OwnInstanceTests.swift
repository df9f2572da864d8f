import Locator
import Testing

private let file: StaticString = "Shop/Shop.swift"

private protocol Logger: Sendable {}
private struct Console: Logger {}
private final class Wrapper: Logger {
    init(_: any Logger) {}
}
private final class Later: Logger {
    init(_: Lazy<any Logger>) {}
}
private final class Joined: Logger {
    init(_: [any Logger]) {}
}

@Suite("For a registration that needs itself, the fix does not lead to an endless call")
struct OwnInstanceTests {
    private static let wrapping =
        "  fix: to wrap the other registrations of any Logger, write registry.decorate((any Logger).self) { base in … }; "
        + "otherwise, remove the dependency"

    private func error(_ register: @escaping @Sendable (Registry) -> Void) throws -> String? {
        let context = try AppContext().load(Module("Shop", register))
        return message { try context.resolve((any Logger).self, fileID: "Shop/Main.swift", line: 9) }
    }

    @Test("A wrapper with the key of the instance that it wraps")
    func wrapper() throws {
        let register: @Sendable (Registry) -> Void = { registry in
            registry.register((any Logger).self, fileID: file, line: 2, Wrapper.init)
        }
        #expect(
            try report(register) == """
                Shop/Shop.swift:2: error: any Logger depends on itself
                \(Self.wrapping)
                1 error in 1 registration
                """)
        #expect(
            try error(register) == """
                Shop/Shop.swift:2: any Logger depends on itself
                  any Logger (Shop/Shop.swift:2)
                  needs any Logger (Shop/Shop.swift:2)
                  requested: any Logger at Shop/Main.swift:9
                \(Self.wrapping)
                """)
    }

    @Test("A wrapper that resolves the instance that it wraps with a Resolver")
    func resolver() throws {
        #expect(
            try error { registry in
                registry.register((any Logger).self, fileID: file, line: 2) { (resolver: Resolver) in
                    Wrapper(try resolver.resolve())
                }
            } == """
                Shop/Shop.swift:2: any Logger depends on itself
                  any Logger (Shop/Shop.swift:2)
                  needs any Logger (Shop/Shop.swift:2)
                  requested: any Logger at Shop/Main.swift:9
                \(Self.wrapping)
                """)
    }

    @Test("A qualifier is part of the fix")
    func qualified() throws {
        #expect(
            try report { registry in
                registry.register(
                    (any Logger).self, qualifier: "file", parameterQualifiers: ["file"], fileID: file, line: 2,
                    Wrapper.init)
            } == """
                Shop/Shop.swift:2: error: any Logger "file" depends on itself
                  fix: to wrap the other registrations of any Logger "file", write \
                registry.decorate((any Logger).self, qualifier: "file") { base in … }; otherwise, remove the dependency
                1 error in 1 registration
                """)
    }

    @Test("An array with the instance that takes it")
    func array() throws {
        let register: @Sendable (Registry) -> Void = { registry in
            registry.register((any Logger).self, fileID: file, line: 2, Joined.init)
        }
        let fix =
            "  fix: give the other elements a qualifier, and take only these with `parameterQualifiers: [\"…\"]` in the "
            + "registration of any Logger"
        #expect(
            try report(register) == """
                Shop/Shop.swift:2: error: any Logger depends on itself
                \(fix)
                1 error in 1 registration
                """)
        #expect(
            try error(register) == """
                Shop/Shop.swift:2: any Logger depends on itself
                  any Logger (Shop/Shop.swift:2)
                  needs any Logger (Shop/Shop.swift:2)
                  requested: any Logger at Shop/Main.swift:9
                \(fix)
                """)
    }

    @Test("The fix for an array works")
    func followedFix() throws {
        #expect(
            try report { registry in
                registry.register((any Logger).self, qualifier: "part") { Console() }
                registry.register((any Logger).self, parameterQualifiers: ["part"], Joined.init)
            } == "nothing found in 2 registrations")
    }

    private static let lazies = [
        (Registering { $0.register((any Logger).self, fileID: file, line: 2, Later.init) }, "Lazy<any Logger>"),
        (
            Registering { registry in
                registry.register((any Logger).self, fileID: file, line: 2) { (_: Provider<any Logger>) in Console() }
            }, "Provider<any Logger>"
        ),
        (
            Registering { registry in
                registry.register((any Logger).self, fileID: file, line: 2) { (_: Lazy<(any Logger)?>) in Console() }
            }, "Lazy<(any Logger)?>"
        ),
    ]

    @Test("A Lazy or a Provider of itself is a warning, because a class may use it later", arguments: lazies)
    func later(registering: Registering, parameter: String) throws {
        #expect(
            try report(registering.register) == """
                Shop/Shop.swift:2: warning: any Logger takes a \(parameter) that resolves to itself
                  fix: to wrap the other registrations of any Logger, write \
                registry.decorate((any Logger).self) { base in … }; otherwise, use self
                1 warning in 1 registration
                """)
    }

    @Test("Through an alias")
    func alias() throws {
        #expect(
            try report { registry in
                registry.register(Later.self, fileID: file, line: 2, Later.init).alias((any Logger).self) { $0 }
            } == """
                Shop/Shop.swift:2: warning: Later takes a Lazy<any Logger> that resolves to itself
                  fix: to wrap the other registrations of Later, write registry.decorate(Later.self) { base in … }; \
                otherwise, use self
                1 warning in 1 registration
                """)
    }

    private static let decorating =
        "  fix: the first parameter is the wrapped instance: use it instead of requesting any Logger again"

    private static let decorators = [
        Registering { registry in
            registry.register((any Logger).self) { Console() }
            registry.decorate((any Logger).self, fileID: file, line: 2) { (_: any Logger, other: any Logger) in other }
        },
        // Another decorator around it.
        Registering { registry in
            registry.register((any Logger).self) { Console() }
            registry.decorate((any Logger).self, fileID: file, line: 2) { (_: any Logger, other: any Logger) in other }
            registry.decorate((any Logger).self, fileID: file, line: 3) { base in base }
        },
        // Of prototypes.
        Registering { registry in
            registry.register((any Logger).self, scope: .prototype) { Console() }
            registry.decorate((any Logger).self, fileID: file, line: 2) { (_: any Logger, other: any Logger) in other }
            registry.decorate((any Logger).self, fileID: file, line: 3) { base in base }
        },
    ]

    @Test("A decorator that requests its own key", arguments: decorators)
    func decorator(registering: Registering) throws {
        let finding = try #require(try AppContext().load(Module("Shop", registering.register)).validate().errors.first)
        #expect(finding.message.hasPrefix("the decorator of any Logger depends on itself"))
        #expect("  fix: \(finding.suggestion ?? "")" == Self.decorating)
        #expect(try error(registering.register)?.hasSuffix(Self.decorating) == true)
    }

    @Test("A decorator that requests its own key with a Resolver")
    func resolvingDecorator() throws {
        #expect(
            try error { registry in
                registry.register((any Logger).self) { Console() }
                registry.decorate((any Logger).self, fileID: file, line: 2) { (_: any Logger, resolver: Resolver) in
                    try resolver.resolve((any Logger).self)
                }
            } == """
                Shop/Shop.swift:2: any Logger depends on itself
                  decorator of any Logger (Shop/Shop.swift:2)
                  needs decorator of any Logger (Shop/Shop.swift:2)
                  requested: any Logger at Shop/Main.swift:9
                \(Self.decorating)
                """)
    }

    @Test("A decorator that takes its own key as a Lazy, which resolves to the decorator, is a warning")
    func lazyDecorator() throws {
        #expect(
            try report { registry in
                registry.register((any Logger).self) { Console() }
                registry.decorate((any Logger).self, fileID: file, line: 2) { (_, _: Lazy<any Logger>) in Console() }
                registry.decorate((any Logger).self, fileID: file, line: 3) { base in base }
            } == """
                Shop/Shop.swift:2: warning: the decorator of any Logger takes a Lazy<any Logger> that resolves to itself
                \(Self.decorating)
                1 warning in 1 registration
                """)
    }

    private static let sound = [
        // The instance has another qualifier, and is not decorated.
        Registering { registry in
            registry.register((any Logger).self) { Console() }
            registry.register((any Logger).self, qualifier: "other") { Console() }
            registry.decorate((any Logger).self, qualifier: "file", parameterQualifiers: ["other"]) {
                (_, _: Lazy<any Logger>) in Console()
            }
            registry.register((any Logger).self, qualifier: "file") { Console() }
        },
        // Each call makes another decorated instance.
        Registering { registry in
            registry.register((any Logger).self, scope: .prototype) { Console() }
            registry.decorate((any Logger).self) { (base: any Logger, _: Provider<any Logger>) in base }
        },
        // Each call makes another instance.
        Registering { registry in
            registry.register((any Logger).self, scope: .prototype) { (_: Provider<any Logger>) in Console() }
        },
        // The answer is the decorated instance.
        Registering { registry in
            registry.register((any Logger).self, Later.init)
            registry.decorate((any Logger).self) { base in base }
        },
        // A service that lists all others lists itself.
        Registering { registry in
            registry.register((any Logger).self) { (_: Lazy<[any Logger]>) in Console() }
        },
    ]

    @Test("Sound registrations are not reported", arguments: sound)
    func quiet(registering: Registering) throws {
        #expect(try report(registering.register).contains("nothing found"))
    }
}
