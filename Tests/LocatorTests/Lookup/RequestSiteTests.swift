import Locator
import Testing

private let file: StaticString = "Shop/Shop.swift"

/// What a prototype knows about the type that requests it.
private struct Label: Sendable, Hashable, CustomStringConvertible {
    let type: String?
    let place: String

    init(_ site: RequestSite) {
        type = site.type.map { "\($0)" }
        place = "\(site.location)"
        precondition(site.typeName == (site.type.map { Key($0).description } ?? site.location.fileID))
    }

    init(type: String?, place: String) {
        self.type = type
        self.place = place
    }

    var description: String { "\(type ?? "nil") at \(place)" }
}

private protocol Shelf: Sendable {
    var label: Label { get }
}

private struct Holder: Shelf {
    let label: Label
}

private struct Other: Sendable {
    let labels: [Label]
}

@Suite("A prototype may depend on the type that requests it")
struct RequestSiteTests {
    private let context = AppContext()
    private let labels = Module("Labels") { registry in
        registry.register(scope: .prototype, fileID: file, line: 1) { (site: RequestSite) in Label(site) }
    }

    private func load(_ register: @escaping @Sendable (Registry) -> Void) throws {
        try context.load(labels, Module("Holders", register))
    }

    @Test func registration_isTheHolder_withItsPlace() throws {
        try load { registry in
            registry.register((any Shelf).self, fileID: file, line: 2, Holder.init)
            registry.register(Other.self, fileID: file, line: 3) { (one: Label, shelf: any Shelf) in
                Other(labels: [one, shelf.label])
            }
        }
        #expect(
            try context.resolve(Other.self).labels.map(\.description) == [
                "Other at Shop/Shop.swift:3", "Shelf at Shop/Shop.swift:2",
            ])
        #expect(try context.resolve((any Shelf).self).label.place == "Shop/Shop.swift:2")
        #expect(context.validate().description == "nothing found in 3 registrations")
    }

    @Test func typeName_isWhatAProgrammerWrites_orTheFile() throws {
        let names = Module("Names") { registry in
            registry.register(scope: .prototype) { (site: RequestSite) in site.typeName }
            registry.register((any Shelf).self) { (name: String) in Holder(label: Label(type: name, place: "")) }
        }
        try context.load(names)
        #expect(try context.resolve((any Shelf).self).label.type == "any Shelf")
        #expect(try context.resolve(String.self, fileID: "Shop/Main.swift", line: 3) == "Shop/Main.swift")
    }

    @Test func plainRequestsAndWrappers_haveNoType() throws {
        struct Screen {
            @Dependency(fileID: "Shop/Screen.swift", line: 5) var label: Label
            @DependencyArray(fileID: "Shop/Screen.swift", line: 6) var labels: [Label]
            @Dependency(fileID: "Shop/Screen.swift", line: 7) var optional: Label?
        }
        try load { _ in }
        #expect(try context.resolve(Label.self, fileID: file, line: 9).description == "nil at Shop/Shop.swift:9")
        #expect(
            try context.resolveAll(Label.self, fileID: file, line: 9).map(\.description) == ["nil at Shop/Shop.swift:9"]
        )
        let screen = AppContext.withContext(context) { Screen() }
        for _ in 0..<2 {
            #expect(screen.label.description == "nil at Shop/Screen.swift:5")
            #expect(screen.labels.map(\.description) == ["nil at Shop/Screen.swift:6"])
            #expect(screen.optional?.description == "nil at Shop/Screen.swift:7")
        }
    }

    @Test func wrapperReadInAClosure_hasNoType_andAResolverHasThatOfItsClosure() throws {
        final class Screen: Sendable {
            let label = Dependency<Label>(fileID: "Shop/Screen.swift", line: 5)
            let read: Label
            init() { read = label() }
        }
        try load { registry in
            registry.register(Screen.self) { Screen() }
            registry.register(Other.self, fileID: file, line: 3) { (resolver: Resolver) in
                Other(labels: [try resolver.resolve(Label.self), try AppContext.current.resolve(Label.self)])
            }
        }
        #expect(try context.resolve(Screen.self).read.description == "nil at Shop/Screen.swift:5")
        #expect(
            try context.resolve(Other.self).labels.map(\.description) == [
                "Other at Shop/Shop.swift:3", "Other at Shop/Shop.swift:3",
            ])
    }

    @Test func lazyProviderOptionalAndCollection_giveTheirHolder() throws {
        struct Later: Sendable {
            let lazy: Lazy<Label>
            let provider: Provider<Label>
            let optionalProvider: Provider<Label?>
            let all: Lazy<[Label]>
            let now: [Label]
        }
        try load { registry in
            registry.register(Later.self, fileID: file, line: 4) {
                (
                    lazy: Lazy<Label>, provider: Provider<Label>, optional: Label?, labels: [Label],
                    optionalProvider: Provider<Label?>, all: Lazy<[Label]>
                ) in
                Later(
                    lazy: lazy, provider: provider, optionalProvider: optionalProvider, all: all,
                    now: labels + [optional].compactMap(\.self))
            }
            registry.register(Other.self, fileID: file, line: 5) { (later: Later) in
                Other(labels: [try later.provider(), later.lazy()])
            }
        }
        let expected = "Later at Shop/Shop.swift:4"
        // The first use is in another factory closure, which does not request it.
        #expect(try context.resolve(Other.self).labels.map(\.description) == [expected, expected])
        let later = try context.resolve(Later.self)
        let labels =
            [later.lazy(), try later.provider()] + [try later.optionalProvider()].compactMap(\.self) + later.all()
            + later.now
        #expect(labels.map(\.description) == Array(repeating: expected, count: 6))
        let plain = try context.resolve(Provider<Label>.self, fileID: file, line: 9)
        #expect(try plain().description == "nil at Shop/Shop.swift:9")
    }

    @Test func factories_tellTheirHolder_andAreOne() async throws {
        struct Maker: Sendable {
            let make: Factory<Int, Other>
            let later: AsyncFactory<String, Other>
        }
        try load { registry in
            registry.factory(Other.self, fileID: file, line: 6) { (number: Int, site: RequestSite, label: Label) in
                Other(labels: [Label(site), label])
            }
            registry.factory(
                Other.self, fileID: file, line: 7,
                async: { (name: String, site: RequestSite, label: Label) in
                    Other(labels: [Label(site), label])
                })
            registry.register(Maker.self, fileID: file, line: 8, Maker.init)
        }
        let maker = try context.resolve(Maker.self)
        #expect(
            try maker.make(1).labels.map(\.description) == ["Maker at Shop/Shop.swift:8", "Other at Shop/Shop.swift:6"])
        #expect(
            try await maker.later("").labels.map(\.description) == [
                "Maker at Shop/Shop.swift:8", "Other at Shop/Shop.swift:7",
            ])
        #expect(
            try await context.resolve(Other.self, with: 1, fileID: file, line: 9).labels[0].description == """
                nil at Shop/Shop.swift:9
                """)
        #expect(
            try await context.resolve(Other.self, with: "", fileID: file, line: 9).labels[0].description == """
                nil at Shop/Shop.swift:9
                """)
    }

    @Test func aliasesAndDecoratorsOfThePrototype_passTheRequestThrough() throws {
        let module = Module("Shelves") { registry in
            registry.register(scope: .prototype, fileID: file, line: 2) { (site: RequestSite) in
                Holder(label: Label(site))
            }
            .alias((any Shelf).self) { $0 }
            registry.decorate(Holder.self) { $0 }
            registry.decorate((any Shelf).self) { $0 }
            registry.register(Other.self, fileID: file, line: 3) { (shelf: any Shelf, holder: Holder) in
                Other(labels: [shelf.label, holder.label])
            }
        }
        try context.load(module)
        #expect(
            try context.resolve(Other.self).labels.map(\.description) == [
                "Other at Shop/Shop.swift:3", "Other at Shop/Shop.swift:3",
            ])
        #expect(
            try context.resolve((any Shelf).self, fileID: file, line: 9).label.description == "nil at Shop/Shop.swift:9"
        )
    }

    @Test func decoratorAndInjection_requestForTheirOwner() throws {
        final class Late: @unchecked Sendable {
            // Sendable: the test alone uses it, after it was made.
            var label: Label?
        }
        try load { registry in
            registry.register((any Shelf).self, fileID: file, line: 2) { Holder(label: Label(type: "none", place: "")) }
            registry.decorate((any Shelf).self, fileID: file, line: 3) { (_, label: Label) in Holder(label: label) }
            registry.register(Late.self, fileID: file, line: 4) { Late() }.injecting { (late, label: Label) in
                late.label = label
            }
            registry.register(Other.self, fileID: file, line: 5) { (shelf: any Shelf, late: Late) in
                Other(labels: [shelf.label])
            }
        }
        #expect(try context.resolve(Other.self).labels.map(\.description) == ["Shelf at Shop/Shop.swift:3"])
        #expect(try context.resolve(Late.self).label?.description == "Late at Shop/Shop.swift:4")
    }

    @Test func prototypeInAPrototype_hasTheInnerHolder_eachTime() throws {
        try load { registry in
            registry.register(scope: .prototype, fileID: file, line: 2) { (label: Label) in Holder(label: label) }
            registry.register(Other.self, fileID: file, line: 3) { (one: Holder, label: Label) in
                Other(labels: [one.label, label])
            }
            registry.register([String: Label].self, fileID: file, line: 4) { (label: Label) in ["": label] }
        }
        let expected = ["Holder at Shop/Shop.swift:2", "Other at Shop/Shop.swift:3"]
        #expect(try context.resolve(Other.self).labels.map(\.description) == expected)
        // Each holder gets its own, with and without a lock.
        for _ in 0..<3 { #expect(try context.resolve(Holder.self).label.description == expected[0]) }
        #expect(try context.resolve([String: Label].self)[""]?.place == "Shop/Shop.swift:4")
    }

    @Test func hooks_requestForNoType() throws {
        let seen = Log()
        try load { registry in
            registry.register(scope: .modelScopes[0], fileID: file, line: 2) {
                Holder(label: Label(type: nil, place: ""))
            }
            .onDispose { _ in
                seen("\(try AppContext.current.resolve(Label.self, fileID: "Shop/Hook.swift", line: 1))")
            }
            registry.register(Other.self, fileID: file, line: 3) { (resolver: Resolver) in
                // A hook that runs inside a factory closure, which resets another context.
                let inner = AppContext()
                let module = Module("Inner") { registry in
                    registry.register(scope: .modelScopes[1]) { 1 }.onDispose { _ in
                        seen("\(try resolver.resolve(Label.self, fileID: "Shop/Hook.swift", line: 2))")
                    }
                }
                try inner.load(module)
                _ = try inner.resolve(Int.self)
                try inner.reset(.modelScopes[1])
                return Other(labels: [])
            }
        }
        _ = try context.resolve(Holder.self)
        try context.reset(.modelScopes[0])
        #expect(seen.take() == ["nil at Shop/Hook.swift:1"])
        _ = try context.resolve(Other.self)
        #expect(seen.take() == ["nil at Shop/Hook.swift:2"])
    }

    @Test func child_givesItsHolder() throws {
        try load { registry in
            registry.register(scope: .modelScopes[0], fileID: file, line: 2) { (label: Label) in Holder(label: label) }
        }
        for _ in 0..<2 {
            let child = try context.child(opening: .modelScopes[0])
            #expect(try child.resolve(Holder.self).label.description == "Holder at Shop/Shop.swift:2")
            #expect(try child.resolve(Label.self, fileID: file, line: 9).description == "nil at Shop/Shop.swift:9")
        }
    }

    // MARK: Where it cannot be

    @Test func elsewhere_itIsARegistrationProblem() {
        let module = Module("Wrong") { registry in
            registry.register(Int.self, fileID: file, line: 1) { (_: RequestSite) in 1 }
            registry.register(Double.self, scope: .graph, fileID: file, line: 2) { (_: RequestSite) in 1 }
            registry.register(String.self, fileID: file, line: 3, async: { (_: RequestSite) in "" })
            registry.register(Bool.self, fileID: file, line: 4, onMainActor: { (_: Int, _: RequestSite) in true })
            registry.decorate(Int.self, fileID: file, line: 5) { (base, _: RequestSite) in base }
            registry.register(Int8.self, scope: .prototype, fileID: file, line: 6) { 1 }
                .injecting { (_, _: RequestSite) in }
            registry.register(Int16.self, fileID: file, line: 7) { (_: RequestSite?) in 1 }
            registry.register(Int32.self, fileID: file, line: 8) { (_: Lazy<RequestSite>) in 1 }
        }
        #expect(
            message { try AppContext().load(module) } == """
                Shop/Shop.swift:1: Int cannot take a RequestSite: all requests share one instance
                  fix: give it scope .prototype, or remove the parameter
                Shop/Shop.swift:2: Double cannot take a RequestSite: all requests share one instance
                  fix: give it scope .prototype, or remove the parameter
                Shop/Shop.swift:3: String cannot take a RequestSite: all requests share one instance
                  fix: give it scope .prototype, or remove the parameter
                Shop/Shop.swift:4: Bool cannot take a RequestSite: all requests share one instance
                  fix: give it scope .prototype, or remove the parameter
                Shop/Shop.swift:5: the decorator of Int cannot take a RequestSite: \
                only the closure of a prototype or a factory can
                  fix: take it in the closure of a prototype, or remove the parameter
                Shop/Shop.swift:6: .injecting of Int8 cannot take a RequestSite: \
                only the closure of a prototype or a factory can
                  fix: take it in the closure of a prototype, or remove the parameter
                Shop/Shop.swift:7: Int16 cannot take a RequestSite: all requests share one instance
                  fix: give it scope .prototype, or remove the parameter
                Shop/Shop.swift:8: Int32 cannot take a RequestSite: all requests share one instance
                  fix: give it scope .prototype, or remove the parameter
                """)
        #expect(
            message {
                try AppContext().load(
                    Module("Itself") { $0.register(RequestSite.self, fileID: file, line: 1) { fatalError() } })
            } == """
                Shop/Shop.swift:1: RequestSite cannot be registered: the context makes it
                  fix: register the type that it wraps, or remove the registration
                """)
    }

    @Test func requestedItself_itIsAnError() throws {
        try load { registry in
            registry.register(Double.self, scope: .prototype) { (site: RequestSite?) in site == nil ? 1 : 2 }
        }
        #expect(
            message { try context.resolve(RequestSite.self, fileID: file, line: 9) } == """
                Shop/Shop.swift:9: RequestSite is not registered
                  fix: take it as a parameter of the closure of a prototype or a factory
                """)
        #expect(try context.resolve(Double.self) == 2)
    }

    @Test func qualifier_hasNoUse() throws {
        let module = Module("Labels") { registry in
            registry.register(scope: .prototype, parameterQualifiers: ["file"], fileID: file, line: 1) {
                (site: RequestSite) in
                Label(site)
            }
        }
        #expect(
            try AppContext().load(module).validate().description == """
                Shop/Shop.swift:1: error: Label gives a qualifier for its RequestSite, which cannot have one
                  fix: pass nil at its position in `parameterQualifiers:`
                1 error in 1 registration
                """)
    }
}
