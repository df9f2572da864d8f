import Locator

extension ReadKind {
    /// Reads of properties, and reads over wrappers, `Lazy`, providers and factories.
    static var values: [ReadKind] { properties + injections }

    private static var properties: [ReadKind] {
        [
            ReadKind(
                "property", base: settings(["server.host": "a"]),
                affecting: [(settings(["server.host": "b"]), "b")],
                unrelated: [settings(["server.port": "b"]), settings(["host": "b"]), settings(["server.host": "a"])]
            ) { try $0.value("server.host") },
            ReadKind(
                "property default", base: settings(["server.port": 1]),
                affecting: [(settings(["server.host": "b"]), "b")],
                unrelated: [settings(["server.port": 2]), settings(["server.hosts": "b"])]
            ) { try $0.value("server.host", default: "none") },
            ReadKind(
                "optional property", base: settings(["server.port": 1]),
                affecting: [(settings(["server.host": "b"]), "b")], unrelated: [settings(["server.port": 2])]
            ) { try $0.value("server.host", as: String?.self) ?? "none" },
            ReadKind(
                "property of many", base: settings(["server.host": "a", "server.port": "1"]),
                affecting: [
                    (settings(["server.host": "b"]), "host=b,port=1"),
                    (settings(["server.path": "c"]), "host=a,path=c,port=1"),
                ],
                unrelated: [settings(["client.host": "b"]), settings(["server.port": "1"])]
            ) {
                try $0.value("server", as: [String: String].self).map { "\($0)=\($1)" }.sorted()
                    .joined(separator: ",")
            },
            ReadKind(
                "element of an array", base: settings(["hosts": ["z", "a"]]),
                affecting: [
                    (settings(["hosts": ["y", "b"]]), "b"), (settings(["hosts": ["b"]]), "none"),
                    (settings(["hosts.first": "b"]), "none"), (settings(["hosts": "b"]), "none"),
                ],
                unrelated: [settings(["hosts": ["y", "a"]]), settings(["host": ["y", "b"]])]
            ) { (try? $0.value("hosts[1]")) ?? "none" },
            ReadKind(
                "placeholder", base: settings(["url": "http://${server.host}:${server.port:80}", "server.host": "a"]),
                affecting: [
                    (settings(["server.host": "b"]), "http://b:80"), (settings(["server.port": "8"]), "http://a:8"),
                    (settings(["url": "x"]), "x"),
                ],
                unrelated: [settings(["server.path": "b"]), settings(["server.host": "a"])]
            ) { try $0.value("url") },
            ReadKind(
                "placeholder over a placeholder",
                base: settings(["url": "${host}", "host": "${name:${fallback:a}}"]),
                affecting: [(settings(["name": "b"]), "b"), (settings(["host": "d"]), "d")],
                unrelated: [settings(["names": "b"])]
            ) { try $0.value("url") },
            ReadKind(
                "ConfigProperty", base: settings(["server.host": "a"]),
                affecting: [
                    (settings(["server.host": "b"]), "b"),
                    (Module("Registered") { $0.register(Parts.Server.self) { Parts.Server(host: "c") } }, "c"),
                ],
                unrelated: [settings(["client.host": "b"]), settings(["server.host": "a"])]
            ) { try $0.resolve(Parts.Server.self).host },
            ReadKind(
                "qualifierBy",
                base: Module("Base", properties: ["kind": "q"]) { registry in
                    registry.register((any Parts.Part).self, qualifier: "q") { Parts.Named("a") }
                    registry.register((any Parts.Part).self, qualifier: "r") { Parts.Named("b") }
                },
                affecting: [(settings(["kind": "r"]), "b"), (part("c", qualifier: "q"), "c")],
                unrelated: [part("c"), part("c", qualifier: "s"), settings(["kinds": "r"])]
            ) { try $0.resolve((any Parts.Part).self, qualifier: .property("kind")).name },
        ]
    }

    private static var injections: [ReadKind] {
        let factory = Module("Factory") { registry in
            registry.factory(Parts.Product.self) { (order: Parts.Order, part: (any Parts.Part)?) in
                Parts.Product(name: "\(order.number)\(part?.name ?? "")")
            }
        }
        let otherFactory = Module("Other factory") { registry in
            registry.factory(Parts.Product.self) { (order: Parts.Order) in Parts.Product(name: "other") }
        }
        let textFactory = Module("Text factory") { registry in
            registry.factory(Parts.Product.self) { (text: String) in Parts.Product(name: text) }
        }
        let reader = Module("Reader", including: [part("a")]) { registry in
            registry.register(Parts.Reader.self) { Parts.Reader() }
        }
        return [
            ReadKind(
                "factory", base: factory, affecting: [(otherFactory, "other"), (part("a"), "1a")],
                unrelated: [textFactory, settings(["x": 1])]
            ) { try $0.resolve(Parts.Product.self, with: Parts.Order(number: 1)).name },
            ReadKind(
                "injected factory", base: factory, affecting: [(otherFactory, "other"), (part("a"), "1a")],
                unrelated: [textFactory]
            ) { resolver in
                let make = try resolver.resolve(Factory<Parts.Order, Parts.Product>.self)
                return try make(Parts.Order(number: 1)).name
            },
            ReadKind(
                "provider", base: part("a"), affecting: [(part("b"), "b")],
                unrelated: [part("b", qualifier: "q")]
            ) { resolver in try resolver.resolve(Provider<any Parts.Part>.self)().name },
            ReadKind(
                "Lazy, read inside the maker", base: part("a"), affecting: [(part("b"), "b")],
                unrelated: [part("b", qualifier: "q")]
            ) { resolver in try resolver.resolve(Lazy<any Parts.Part>.self)().name },
            ReadKind(
                "array and optional through the resolver", base: part("a"),
                affecting: [(part("b"), "b,a;b")], unrelated: [settings(["x": 1])]
            ) { resolver in
                let all: [any Parts.Part] = try resolver.resolve()
                let one: (any Parts.Part)? = try resolver.resolve((any Parts.Part)?.self)
                return all.map(\.name).joined(separator: ",") + ";" + (one?.name ?? "none")
            },
            ReadKind(
                "wrapper read inside the maker", base: part("a"), affecting: [(part("b"), "b")],
                unrelated: [part("b", qualifier: "q")]
            ) { _ in Parts.Reader().read() },
            ReadKind(
                "wrapper of a dependency, read by its method", base: reader, affecting: [(part("b"), "b")],
                unrelated: [part("b", qualifier: "q"), settings(["x": 1])]
            ) { try $0.resolve(Parts.Reader.self).read() },
            ReadKind(
                "settled wrapper of a dependency, read by its method", base: reader,
                affecting: [(part("b"), "b")], unrelated: [part("b", qualifier: "q"), settings(["x": 1])]
            ) { resolver in
                let reader = try resolver.resolve(Parts.Reader.self)
                return [reader.read(), reader.read(), reader.read()].last ?? ""
            },
            ReadKind(
                "wrapped property inside the maker", base: settings(["a": "1"]),
                affecting: [(settings(["a": "2"]), "2")], unrelated: [settings(["b": "2"]), settings(["a": "1"])]
            ) { _ in try PropertyValue<String>("a").resolved() },
            ReadKind(
                "wrapped array inside the maker", base: part("a"), affecting: [(part("b"), "b,a")],
                unrelated: [settings(["b": "2"])]
            ) { _ in
                try DependencyArray<any Parts.Part>().resolved().map(\.name).joined(separator: ",")
            },
            ReadKind(
                "failing wrapper inside the maker", base: settings([:]), affecting: [(part("b"), "b")],
                unrelated: [settings(["b": "2"])]
            ) { _ in
                do { return try Dependency<any Parts.Part>().resolved().name } catch { return "none" }
            },
        ]
    }
}
