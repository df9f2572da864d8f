import Locator
import Testing

private protocol Catalog: Sendable {
    var title: String { get }
}

private struct FakeCatalog: Catalog {
    let title: String
}

private final class Job: Sendable {}

private struct Item: Sendable, Equatable {
    let id: Int
    let name: String
}

/// A type with every parameter that resolves later.
private final class Shop: Sendable {
    let catalog: Lazy<any Catalog>
    let makeJob: Provider<Job>
    let item: Factory<(Int, String), Item>
    let open: AsyncFactory<String, Item>

    init(
        catalog: Lazy<any Catalog>, makeJob: Provider<Job>, item: Factory<(Int, String), Item>,
        open: AsyncFactory<String, Item>
    ) {
        self.catalog = catalog
        self.makeJob = makeJob
        self.item = item
        self.open = open
    }
}

@Suite("A type that resolves later can be created without a context")
struct UnitTestParameterTests {
    private let shop = Shop(
        catalog: .value(FakeCatalog(title: "Emma")),
        makeJob: Provider { Job() },
        item: Factory { (id, name) in Item(id: id, name: name) },
        open: AsyncFactory { name in
            await Task.yield()
            return Item(id: 0, name: name)
        })

    @Test func values_areThose_thatWerePassed() async throws {
        #expect(shop.catalog().title == "Emma")
        #expect(shop.catalog.value.title == "Emma")
        #expect(try shop.catalog.resolved().title == "Emma")
        #expect(try shop.makeJob() !== shop.makeJob())
        #expect(try shop.item(1, "Lamp") == Item(id: 1, name: "Lamp"))
        #expect(try shop.item((2, "Book")) == Item(id: 2, name: "Book"))
        #expect(try await shop.open("Lamp") == Item(id: 0, name: "Lamp"))
    }

    @Test func values_doNotDependOnTheContext() throws {
        let context = try AppContext().load(
            Module("Real") { registry in
                registry.register((any Catalog).self) { FakeCatalog(title: "real") }
                registry.register(Shop.self) { [shop] in shop }
            })
        try AppContext.withContext(context) { () throws in
            #expect(try context.resolve(Shop.self).catalog().title == "Emma")
            #expect(shop.catalog().title == "Emma")
        }
    }

    @Test func error_isThatOfTheClosure() async throws {
        let empty = AppContext()
        let provider = Provider { () throws(LocatorError) in
            try empty.resolve(Job.self, fileID: "Shop/Tests.swift", line: 3)
        }
        let factory = Factory { (_: Int) throws(LocatorError) in
            try empty.resolve(Job.self, fileID: "Shop/Tests.swift", line: 4)
        }
        let asyncFactory = AsyncFactory { (_: Int) async throws(LocatorError) in
            try empty.resolve(Job.self, fileID: "Shop/Tests.swift", line: 5)
        }
        #expect(message { try provider() }?.hasPrefix("Shop/Tests.swift:3: ") == true)
        #expect(message { try factory(1) }?.hasPrefix("Shop/Tests.swift:4: ") == true)
        #expect(await message { try await asyncFactory(1) }?.hasPrefix("Shop/Tests.swift:5: ") == true)
    }

    @Test func otherErrors_areTheUnderlyingOnes() async throws {
        struct OutOfPaper: Error {}
        let provider = Provider<Job> { throw OutOfPaper() }
        let factory = Factory<Int, Job> { _ in throw OutOfPaper() }
        let asyncFactory = AsyncFactory<Int, Job> { _ in
            await Task.yield()
            throw OutOfPaper()
        }
        #expect(message { try provider() } == "making Job failed: OutOfPaper()")
        #expect(message { try factory(1) } == "making Job failed: OutOfPaper()")
        #expect(await message { try await asyncFactory(1) } == "making Job failed: OutOfPaper()")
        #expect(locatorError { try provider() }?.underlying is OutOfPaper)
    }

    @MainActor @Test func asynchronousClosure_runsOnTheActorOfTheCaller() async throws {
        let factory = AsyncFactory { (name: String) in
            MainActor.assertIsolated()
            return Item(id: 0, name: name)
        }
        #expect(try await factory("Lamp").name == "Lamp")
    }

    @Test func reflection_showsNothing() {
        var text = ""
        dump(shop.makeJob, to: &text)
        dump(shop.item, to: &text)
        dump(shop.open, to: &text)
        dump(shop.catalog, to: &text)
        #expect(!text.contains("Emma"))
    }
}
