import Locator
import Testing

private let file: StaticString = "Shop/Shop.swift"

private struct A: Sendable {}
private struct B: Sendable {}
private struct C: Sendable {}
private struct D: Sendable {}
private struct E: Sendable {}
private protocol Page: Sendable {}
extension A: Page {}
extension B: Page {}

private let fix = "  fix: resolve one of them lazily (Lazy<…> or a wrapper), or pass it with .injecting"

private func wrapping(_ metatype: String, of key: String, otherwise: String = "remove the dependency") -> String {
    "  fix: to wrap the other registrations of \(key), write registry.decorate(\(metatype)) { base in … }; "
        + "otherwise, \(otherwise)"
}

@Suite("Validation finds registrations that need each other to be made")
struct CycleFindingTests {
    /// Injections of instances that `start()` makes.
    enum Injected: CaseIterable {
        case byFirst, byBoth, bySynchronous, byPrototype

        func register(in registry: Registry) {
            switch self {
            case .byFirst:
                registry.register(Ring.self, fileID: file, line: 2, async: { Ring() }).injecting { (_, _: Link) in }
                registry.register(Link.self, fileID: file, line: 3, async: { (_: Ring) in Link() })
            case .byBoth:
                registry.register(Ring.self, fileID: file, line: 2, async: { Ring() }).injecting { (_, _: Link) in }
                registry.register(Link.self, fileID: file, line: 3, async: { Link() }).injecting { (_, _: Ring) in }
            case .bySynchronous:
                registry.register(Ring.self, fileID: file, line: 2) { Ring() }.injecting { (_, _: Link) in }
                registry.register(Link.self, fileID: file, line: 3, async: { (_: Ring) in Link() })
            case .byPrototype:
                registry.register(Ring.self, scope: .prototype, fileID: file, line: 2) { Ring() }
                    .injecting { (_, _: Link) in }
                registry.register(Link.self, fileID: file, line: 3, async: { (_: Ring) in Link() })
            }
        }
    }

    private final class Ring: Sendable {}
    private final class Link: Sendable {}

    private static let fixOfStart =
        "fix: resolve one of them lazily (Lazy<…> or a wrapper); .injecting does not help here: start() shares an "
        + "instance only after its injections have run"

    @Test(arguments: Injected.allCases)
    func injection_doesNotBreakACycleOfAsynchronousClosures(_ injected: Injected) async throws {
        let context = try AppContext().load(
            Module("Cycle", fileID: file, line: 1) { registry in injected.register(in: registry) })
        #expect(
            context.validate().description == """
                Shop/Shop.swift:2: error: Ring depends on itself: Ring → Link → Ring
                Shop/Shop.swift:2: note: Ring needs Link
                Shop/Shop.swift:3: note: Link needs Ring
                  \(Self.fixOfStart)
                1 error in 2 registrations
                """)
        let text = try #require(await message { try await context.start() })
        #expect(text.contains(" depends on itself\n"))
        #expect(text.contains("Ring") && text.contains("Link"))
        #expect(text.hasSuffix(Self.fixOfStart))
    }

    @Test("Each of several cycles is reported, of whatever kind they are")
    func cycles_areReportedBesideOthers() throws {
        let context = try AppContext().load(
            Module("Cycles") { registry in
                registry.register(A.self) { (_: B) in A() }
                registry.register(B.self) { (_: A) in B() }
                Injected.byFirst.register(in: registry)
                registry.register(C.self, scope: .prototype) { C() }.injecting { (_, _: D) in }
                registry.register(D.self, scope: .prototype) { D() }.injecting { (_, _: C) in }
            })
        #expect(
            context.validate().errors.map(\.message) == [
                "A depends on itself: A → B → A",
                "making C never ends, because each of these is made anew: C → D → C",
                "Ring depends on itself: Ring → Link → Ring",
            ])
    }

    @Test func injection_breaksACycleWithOneAsynchronousClosure() async throws {
        let context = try AppContext().load(
            Module("Cycle") { registry in
                registry.register(Ring.self, async: { Ring() }).injecting { (_, _: Link) in }
                registry.register(Link.self) { (_: Ring) in Link() }
            })
        #expect(context.validate().findings.isEmpty)
        try await context.start()
        _ = try context.resolve(Link.self)
    }

    @Test func one_thatNeedsItself() throws {
        let text = try report { registry in
            registry.register(A.self, fileID: file, line: 2) { (a: A) in a }
        }
        #expect(
            text == """
                Shop/Shop.swift:2: error: A depends on itself
                \(wrapping("A.self", of: "A"))
                1 error in 1 registration
                """)
    }

    @Test func two_thatNeedEachOther() throws {
        let text = try report { registry in
            registry.register(A.self, fileID: file, line: 2) { (_: B) in A() }
            registry.register(B.self, fileID: file, line: 3) { (_: A) in B() }
            // It leads to the cycle, but is not part of it.
            registry.register(C.self, fileID: file, line: 4) { (_: A) in C() }
        }
        #expect(
            text == """
                Shop/Shop.swift:2: error: A depends on itself: A → B → A
                Shop/Shop.swift:2: note: A needs B
                Shop/Shop.swift:3: note: B needs A
                \(fix)
                1 error in 3 registrations
                """)
    }

    @Test func shortestCycle_ofAnEntanglement_withItsCuts() throws {
        let text = try report { registry in
            registry.register(A.self, fileID: file, line: 2) { (_: B) in A() }
            registry.register(B.self, fileID: file, line: 3) { (_: C, _: D) in B() }
            registry.register(C.self, fileID: file, line: 4) { (_: A) in C() }
            registry.register(D.self, fileID: file, line: 5) { (_: E) in D() }
            registry.register(E.self, fileID: file, line: 6) { (_: A) in E() }
        }
        #expect(
            text == """
                Shop/Shop.swift:2: error: A depends on itself: A → B → C → A
                Shop/Shop.swift:2: note: A needs B
                Shop/Shop.swift:3: note: B needs C
                Shop/Shop.swift:4: note: C needs A
                note: 5 registrations depend on each other; this is their shortest cycle
                Shop/Shop.swift:2: note: all of their cycles break if A resolves B lazily
                \(fix)
                1 error in 5 registrations
                """)
    }

    @Test func cycles_thatNoSingleCutBreaks() throws {
        let text = try report { registry in
            registry.register(A.self, fileID: file, line: 2) { (_: B) in A() }
            registry.register(B.self, fileID: file, line: 3) { (_: C) in B() }
            registry.register(C.self, fileID: file, line: 4) { (_: A, _: D) in C() }
            registry.register(D.self, fileID: file, line: 5) { (_: C) in D() }
        }
        #expect(
            text == """
                Shop/Shop.swift:4: error: C depends on itself: C → D → C
                Shop/Shop.swift:4: note: C needs D
                Shop/Shop.swift:5: note: D needs C
                note: 4 registrations depend on each other; this is their shortest cycle
                note: no single lazy dependency breaks all of their cycles
                \(fix)
                1 error in 4 registrations
                """)
    }

    @Test func separateCycles_areSeparateFindings() throws {
        let text = try report { registry in
            registry.register(A.self, fileID: file, line: 2) { (_: B) in A() }
            registry.register(B.self, fileID: file, line: 3) { (_: A) in B() }
            registry.register(C.self, fileID: file, line: 4) { (_: D, _: A) in C() }
            registry.register(D.self, fileID: file, line: 5) { (_: C) in D() }
        }
        #expect(
            text == """
                Shop/Shop.swift:2: error: A depends on itself: A → B → A
                Shop/Shop.swift:2: note: A needs B
                Shop/Shop.swift:3: note: B needs A
                \(fix)
                Shop/Shop.swift:4: error: C depends on itself: C → D → C
                Shop/Shop.swift:4: note: C needs D
                Shop/Shop.swift:5: note: D needs C
                \(fix)
                2 errors in 4 registrations
                """)
    }

    @Test func cycle_throughADecorator() throws {
        let text = try report { registry in
            registry.register(A.self, fileID: file, line: 2) { A() }
            registry.register(B.self, fileID: file, line: 3) { (_: A) in B() }
            registry.decorate(A.self, fileID: file, line: 4) { (base: A, _: B) in base }
        }
        #expect(
            text == """
                Shop/Shop.swift:4: error: the decorator of A depends on itself: \
                the decorator of A → B → the decorator of A
                Shop/Shop.swift:4: note: the decorator of A needs B
                Shop/Shop.swift:3: note: B needs the decorator of A
                \(fix)
                1 error in 2 registrations
                """)
    }

    @Test func cycle_throughAnAlias() throws {
        let text = try report { registry in
            registry.register(A.self, fileID: file, line: 2) { (_: B) in A() }
                .alias((any Page).self, fileID: file, line: 3) { $0 }
            registry.register(B.self, fileID: file, line: 4) { (_: any Page) in B() }
        }
        #expect(
            text == """
                Shop/Shop.swift:2: error: A depends on itself: A → B → the alias any Page → A
                Shop/Shop.swift:2: note: A needs B
                Shop/Shop.swift:4: note: B needs the alias any Page
                Shop/Shop.swift:3: note: the alias any Page forwards to A
                \(fix)
                1 error in 2 registrations
                """)
    }

    @Test func cycle_throughACollection_andAnOptional() throws {
        let collection = try report { registry in
            registry.register((any Page).self, fileID: file, line: 2) { A() }
            registry.register((any Page).self, fileID: file, line: 3) { (_: C) in B() }
            registry.register(C.self, fileID: file, line: 4) { (_: [any Page]) in C() }
        }
        #expect(
            collection == """
                Shop/Shop.swift:3: error: any Page depends on itself: any Page → C → any Page
                Shop/Shop.swift:3: note: any Page needs C
                Shop/Shop.swift:4: note: C needs any Page
                \(fix)
                1 error in 3 registrations
                """)
        let optional = try report { registry in
            registry.register(A.self, fileID: file, line: 2) { (_: B?) in A() }
            registry.register(B.self, fileID: file, line: 3) { (_: A) in B() }
        }
        #expect(
            optional == """
                Shop/Shop.swift:2: error: A depends on itself: A → B → A
                Shop/Shop.swift:2: note: A needs B
                Shop/Shop.swift:3: note: B needs A
                \(fix)
                1 error in 2 registrations
                """)
    }

    @Test(
        "An intended cycle is not a finding",
        arguments: [
            Registering { $0.register(A.self) { (_: Lazy<B>) in A() } },
            Registering { $0.register(A.self) { (_: Provider<B>) in A() } },
            Registering { $0.register(A.self) { (_: Lazy<[B]>) in A() } },
            Registering { $0.register(A.self) { (_: Provider<B?>) in A() } },
            Registering { $0.register(A.self) { A() }.injecting { (_: A, _: B) in } },
            Registering { $0.register(A.self, scope: .graph) { A() }.injecting { (_: A, _: B) in } },
            Registering { $0.register(A.self, scope: .prototype) { (_: Lazy<B>) in A() } },
        ])
    private func cycle_closedOnPurpose(_ row: Registering) throws {
        let text = try report { registry in
            row.register(registry)
            registry.register(B.self, scope: .prototype) { (_: A) in B() }
        }
        #expect(text == "nothing found in 2 registrations")
    }

    @Test func prototypes_thatInjectEachOther_haveNoEnd() throws {
        let text = try report { registry in
            registry.register(A.self, scope: .prototype, fileID: file, line: 2) { A() }
                .injecting { (_: A, _: B) in }
            registry.register(B.self, scope: .prototype, fileID: file, line: 3) { (_: A) in B() }
        }
        #expect(
            text == """
                Shop/Shop.swift:2: error: making A never ends, because each of these is made anew: A → B → A
                Shop/Shop.swift:2: note: A needs B
                Shop/Shop.swift:3: note: B needs A
                  fix: give one of them a shared scope, or resolve one of them lazily (Lazy<…> or a wrapper)
                1 error in 2 registrations
                """)
    }

    @Test func cycle_isAWarning_whenNoRequestLeadsToIt() throws {
        let front = Module("Front") { registry in
            registry.register(A.self, fileID: "Shop/Front.swift", line: 2) { A() }
        }
        let shop = Module("Shop") { registry in
            // The collection also has it.
            registry.register(A.self, fileID: file, line: 2) { (_: [A]) in A() }
        }
        #expect(
            try report(on: front, shop) == """
                Shop/Shop.swift:2: warning: A depends on itself
                  fix: give the other elements a qualifier, and take only these with `parameterQualifiers: ["…"]` in the \
                registration of A
                Shop/Shop.swift:2: warning: A in module "Shop" is hidden: another module comes first
                Shop/Front.swift:2: note: module "Front" (priority normal) comes first
                  fix: among modules of equal priority, the first one loaded wins: push the intended one, load the fallback with priority .low, remove one of them, or give them qualifiers
                2 warnings in 2 registrations
                """)
    }
}
