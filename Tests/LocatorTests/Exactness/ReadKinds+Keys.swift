import Locator

extension ReadKind {
    /// Reads of keys, collections, decorators and aliases.
    static var keys: [ReadKind] { singles + collections + layers }

    private static var other: Module {
        Module("Other") { $0.register(Parts.Original.self) { Parts.Original("other") } }
    }

    private static var singles: [ReadKind] {
        [
            ReadKind(
                "key found", base: part("a"), affecting: [(part("b"), "b")],
                unrelated: [part("q", qualifier: "q"), other, settings(["a": 1])]
            ) { try $0.resolve((any Parts.Part).self).name },
            ReadKind(
                "key found with a qualifier", base: part("a", qualifier: "q"),
                affecting: [(part("b", qualifier: "q"), "b")],
                unrelated: [part("b"), part("b", qualifier: "r"), other]
            ) { try $0.resolve((any Parts.Part).self, qualifier: "q").name },
            ReadKind(
                "key found only with a qualifier", base: part("a", qualifier: "q"),
                affecting: [(part("b"), "b"), (part("c", qualifier: "r"), "c")], unrelated: [other]
            ) { try $0.resolve((any Parts.Part).self).name },
            ReadKind(
                "key not found", base: other, affecting: [(part("a"), "a"), (part("b", qualifier: "q"), "b")],
                unrelated: [other]
            ) { try $0.resolve((any Parts.Part)?.self)?.name ?? "none" },
            ReadKind(
                "key not found, with a qualifier", base: part("a"), affecting: [(part("b", qualifier: "q"), "b")],
                unrelated: [other, part("b")]
            ) { try $0.resolve((any Parts.Part)?.self, qualifier: "q")?.name ?? "none" },
            ReadKind(
                "failed, and the error was caught",
                base: Module("Base") { registry in
                    registry.register(Parts.Original.self) { (part: any Parts.Part) in Parts.Original(part.name) }
                },
                affecting: [(part("b"), "b")], unrelated: [settings(["a": 1])]
            ) { resolver in
                do { return try resolver.resolve(Parts.Original.self).name } catch { return "failed" }
            },
            ReadKind(
                "ambiguous, and the error was caught",
                base: Module("Base") { registry in
                    registry.register((any Parts.Part).self) { Parts.Named("a") }
                    registry.register((any Parts.Part).self) { Parts.Named("b") }
                },
                affecting: [(part("c"), "c")], unrelated: [other, part("d", qualifier: "d")]
            ) { resolver in
                do { return try resolver.resolve((any Parts.Part).self).name } catch { return "ambiguous" }
            },
            ReadKind(
                "prototype", base: prototype("a"), affecting: [(prototype("b"), "b")], unrelated: [other]
            ) { try $0.resolve((any Parts.Part).self).name },
            ReadKind(
                "prototype that reads",
                base: Module("Base") { registry in
                    registry.register(Parts.Original.self, scope: .prototype) { (part: any Parts.Part) in
                        Parts.Original(part.name)
                    }
                    registry.register((any Parts.Part).self) { Parts.Named("a") }
                },
                affecting: [(part("b"), "b")], unrelated: [part("b", qualifier: "q")]
            ) { try $0.resolve(Parts.Original.self).name },
            ReadKind(
                "graph part that reads",
                base: Module("Base") { registry in
                    registry.register(Parts.Original.self, scope: .graph) { (part: (any Parts.Part)?) in
                        Parts.Original(part?.name ?? "none")
                    }
                },
                affecting: [(part("b"), "b")], unrelated: [settings(["x": 1])]
            ) { resolver in
                let first = try resolver.resolve(Parts.Original.self)
                let second = try resolver.resolve(Parts.Original.self)
                return first === second ? first.name : "two"
            },
            ReadKind(
                "shared part that reads",
                base: Module("Base") { registry in
                    registry.register(Parts.Original.self) { (part: (any Parts.Part)?) in
                        Parts.Original(part?.name ?? "none")
                    }
                },
                affecting: [(part("b"), "b")], unrelated: [settings(["x": 1])]
            ) { try $0.resolve(Parts.Original.self).name },
        ]
    }

    private static func prototype(_ name: String) -> Module {
        Module("Prototype") { registry in
            registry.register((any Parts.Part).self, scope: .prototype) { Parts.Named(name) }
        }
    }

    private static var collections: [ReadKind] {
        let pair = Module("Pair") { registry in
            registry.register((any Parts.Part).self) { Parts.Named("a") }
            registry.register((any Parts.Part).self, qualifier: "q") { Parts.Named("b") }
        }
        let replacing = Module("Replacing") { $0.replaceAll((any Parts.Part).self) }
        return [
            ReadKind(
                "collection", base: pair,
                affecting: [(part("c"), "c,a,b"), (part("c", qualifier: "r"), "c,a,b"), (replacing, "")],
                unrelated: [other, settings(["a": 1])]
            ) { try $0.resolveAll((any Parts.Part).self).map(\.name).joined(separator: ",") },
            ReadKind(
                "collection of a qualifier", base: pair,
                affecting: [(part("c", qualifier: "q"), "c,b"), (replacing, "")],
                unrelated: [other, part("c"), part("c", qualifier: "r")]
            ) { try $0.resolveAll((any Parts.Part).self, qualifier: "q").map(\.name).joined(separator: ",") },
            ReadKind(
                "empty collection", base: other, affecting: [(part("c"), "c")], unrelated: [other]
            ) { try $0.resolveAll((any Parts.Part).self).map(\.name).joined(separator: ",") },
            ReadKind(
                "collection of the first module", base: pair, affecting: [(part("c"), "c")], unrelated: [other]
            ) { try $0.resolveAll((any Parts.Part).self, from: .first).map(\.name).joined(separator: ",") },
            ReadKind(
                "collection of named modules", base: pair,
                affecting: [(part("c", named: "Pair"), "c,a,b"), (replacing, "")],
                unrelated: [other, part("c", named: "Elsewhere")]
            ) {
                try $0.resolveAll((any Parts.Part).self, from: .modules(named: "Pair")).map(\.name)
                    .joined(separator: ",")
            },
            ReadKind(
                "collection of chosen modules", base: pair,
                affecting: [(part("c", named: "Paired"), "c,a,b"), (replacing, "")], unrelated: [other]
            ) {
                try $0.resolveAll((any Parts.Part).self, from: .where { $0.name.hasPrefix("Pair") }).map(\.name)
                    .joined(separator: ",")
            },
            ReadKind(
                "map", base: pair, affecting: [(part("c", qualifier: "q"), "q=c"), (replacing, "")],
                unrelated: [other]
            ) {
                try $0.resolveMap((any Parts.Part).self).map { "\($0)=\($1.name)" }.sorted().joined(separator: ",")
            },
        ]
    }

    private static var layers: [ReadKind] {
        let decorating = Module("Decorating") { registry in
            registry.decorate((any Parts.Part).self) { base in Parts.Wrapped(base, "d") }
        }
        let decorated = Module("Decorated", including: [part("a")]) { registry in
            registry.decorate((any Parts.Part).self) { (base, setting: Settings) in
                Parts.Wrapped(base, setting.text)
            }
            registry.register(Settings.self, scope: .prototype) { (resolver: Resolver) in
                Settings(text: try resolver.value("decoration", default: "plain"))
            }
        }
        let aliased = Module("Aliased") { registry in
            registry.register(Parts.Original.self) { Parts.Original("a") }.alias((any Parts.Shown).self) { $0 }
        }
        let original = Module("Original") { registry in
            registry.register(Parts.Original.self) { Parts.Original("b") }
        }
        let shown = Module("Shown") { registry in
            registry.register((any Parts.Shown).self) { Parts.Original("c") }
        }
        return [
            ReadKind(
                "decorator chain", base: part("a"), affecting: [(decorating, "d(a)")],
                unrelated: [
                    other,
                    Module("Elsewhere") { registry in
                        registry.decorate((any Parts.Part).self, qualifier: "q") { Parts.Wrapped($0, "q") }
                    },
                ]
            ) { try $0.resolve((any Parts.Part).self).name },
            ReadKind(
                "decorator that reads", base: decorated,
                affecting: [
                    (settings(["decoration": "gold"]), "gold(a)"), (decorating, "d(plain(a))"), (part("b"), "b"),
                ],
                unrelated: [settings(["decorations": "gold"])]
            ) { try $0.resolve((any Parts.Part).self).name },
            ReadKind(
                "decorated collection", base: decorated,
                affecting: [(settings(["decoration": "gold"]), "gold(a)"), (part("b"), "b,plain(a)")],
                unrelated: [settings(["decorations": "gold"])]
            ) { try $0.resolveAll((any Parts.Part).self).map(\.name).joined(separator: ",") },
            ReadKind(
                "alias", base: aliased, affecting: [(original, "b"), (shown, "c")],
                unrelated: [part("b"), settings(["a": 1])]
            ) { try $0.resolve((any Parts.Shown).self).name },
            ReadKind(
                "collection of aliases", base: aliased, affecting: [(original, "b"), (shown, "c,a")],
                unrelated: [part("b")]
            ) { try $0.resolveAll((any Parts.Shown).self).map(\.name).joined(separator: ",") },
        ]
    }

    private struct Settings: Sendable {
        let text: String
    }
}
