import Locator
import Synchronization
import Testing

private final class Count: Sendable {
    let alive = Atomic(0)
    var value: Int { alive.load(ordering: .relaxed) }
}

private class Counted: @unchecked Sendable {
    // Sendable: the field is constant.
    private let count: Count

    init(_ count: Count) {
        self.count = count
        count.alive.add(1, ordering: .relaxed)
    }

    deinit { count.alive.subtract(1, ordering: .relaxed) }
}

/// Has a wrapper of a prototype that holds what was made from it.
private final class Owner: Counted, @unchecked Sendable {
    let page = Dependency<Page>()
}

/// Is made from the owner, and does not hold it.
private final class Piece: Counted, @unchecked Sendable {}

private final class Page: Sendable {
    let part: Piece
    init(_ part: Piece) { self.part = part }
}

@Suite("An instance that has ended does not keep what it was made from")
struct EndedReadTests {
    enum Ending: CaseIterable {
        case release, reset, shutdown, unload
    }

    private func use(_ count: Count, _ ending: Ending, isInjected: Bool) async throws {
        let module = Module("Pages") { registry in
            registry.register { Owner(count) }
            if isInjected {
                registry.register { Piece(count) }.injecting { (_, _: Owner) in }
            } else {
                registry.register { (_: Owner) in Piece(count) }
            }
            registry.register(scope: .prototype, Page.init)
        }
        let context = try AppContext().load(module)
        let owner = try context.resolve(Owner.self)
        #expect(owner.page().part === owner.page().part)
        switch ending {
        case .release: break
        case .reset: try context.reset()
        case .shutdown: try await context.shutdown()
        case .unload: try context.unload(module)
        }
    }

    @Test(arguments: Ending.allCases, [false, true])
    func wrapperOfAPrototype(ending: Ending, isInjected: Bool) async throws {
        let count = Count()
        try await use(count, ending, isInjected: isInjected)
        #expect(count.value == 0)
    }
}
