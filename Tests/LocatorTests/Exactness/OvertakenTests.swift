import Locator
import TestSupport
import Testing

extension Scope {
    fileprivate static let session = Scope("session")
}

private final class Disk: Sendable {
    let level: Int
    init(level: Int) { self.level = level }
}

private final class Books: Sendable {
    let disk: Disk
    init(disk: Disk) { self.disk = disk }
}

private final class Customers: Sendable {
    let disk: Disk
    init(disk: Disk) { self.disk = disk }
}

private final class Slow: Sendable {}

private final class Shop: Sendable {
    let books: Books
    let customers: Customers
    init(books: Books, _: Slow, customers: Customers) {
        self.books = books
        self.customers = customers
    }
}

/// Requests the disk between two pauses.
private final class Last: Sendable {}
private final class Visitor: Sendable {
    let disk: Disk
    init(_: Slow, disk: Disk, _: Last) { self.disk = disk }
}

@Suite("A request sees one state and one object per registration, even if changes overtake it", .watchdog)
struct OvertakenTests {
    private let log = Log()
    private let context = AppContext()
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder(["application.json": #"{ "level": 1 }"#])
        try context.loadProperties(from: folder.path, environment: [:])
    }

    private struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let isPushed: Bool
        let run: @Sendable (AppContext, Module, TemporaryFolder) throws -> Void

        init(
            _ name: String, isPushed: Bool = false,
            _ run: @escaping @Sendable (AppContext, Module, TemporaryFolder) throws -> Void
        ) {
            testDescription = name
            self.isPushed = isPushed
            self.run = run
        }
    }

    private static let changes = [
        Change("unload") { context, module, _ in try context.unload(module) },
        Change("pop", isPushed: true) { context, _, _ in context.pop() },
        Change("pop of a module", isPushed: true) { context, module, _ in try context.pop(module) },
        Change("reset") { context, _, _ in try context.reset() },
        Change("reset of a scope") { context, _, _ in try context.reset(.session) },
        Change("reload") { context, _, folder in
            try folder.write(#"{ "level": 2 }"#, to: "application.json")
            try context.reloadProperties()
        },
        Change("unloadAll") { context, _, _ in try context.unloadAll() },
    ]

    private var disk: Module {
        Module("Disk") { [log] registry in
            registry.register(Disk.self, scope: .session) { (resolver: Resolver) in
                log("make disk")
                return Disk(level: try resolver.value("level"))
            }
            .onDispose { _ in log("dispose of disk") }
        }
    }

    /// Runs a function on a new thread and waits for it.
    private static func elsewhere(_ body: @escaping @Sendable () throws -> Void) throws {
        try Crowd.run("a change", threads: 1) { member in
            member.step()
            try body()
        }
    }

    private func shop(slow: @escaping @Sendable () throws -> Void) -> Module {
        Module("Shop") { [log] registry in
            registry.register(Books.init).onDispose { _ in log("dispose of books") }
            registry.register(Customers.init).onDispose { _ in log("dispose of customers") }
            registry.register(Shop.init).onDispose { _ in log("dispose of shop") }
            registry.register(Slow.self, scope: .prototype) {
                try slow()
                return Slow()
            }
        }
    }

    private func load(_ disk: Module, for change: Change, in context: AppContext) throws {
        if change.isPushed { try context.push(disk) } else { try context.load(disk) }
    }

    private static let disposals = ["dispose of shop", "dispose of customers", "dispose of books", "dispose of disk"]

    @Test("Nothing is made twice, and nothing in use is disposed of", arguments: changes)
    private func request_getsOneObject(change: Change) throws {
        let disk = disk
        let (log, context, folder) = (log, context, folder)
        try context.load(
            shop {
                try Self.elsewhere { try change.run(context, disk, folder) }
                log("changed")
            })
        try load(disk, for: change, in: context)
        let shop = try context.resolve(Shop.self)
        #expect(shop.books.disk === shop.customers.disk)
        #expect(log.take() == ["make disk", "changed"] + Self.disposals)
        #expect(context.existing(Shop.self) == nil)
    }

    @Test("An earlier instance that holds the object also counts", arguments: changes)
    private func request_getsTheObjectOfItsParts(change: Change) throws {
        let disk = disk
        let (log, context, folder) = (log, context, folder)
        try context.load(
            shop {
                try Self.elsewhere { try change.run(context, disk, folder) }
                log("changed")
            })
        try load(disk, for: change, in: context)
        _ = try context.resolve(Books.self)
        let shop = try context.resolve(Shop.self)
        #expect(shop.books.disk === shop.customers.disk)
        #expect(log.take() == ["make disk", "changed"] + Self.disposals)
    }

    @Test("A failing request disposes of what it used", arguments: changes)
    private func failingRequest_disposes(change: Change) throws {
        struct Refusal: Error {}
        let disk = disk
        let (log, context, folder) = (log, context, folder)
        try context.load(
            shop {
                try Self.elsewhere { try change.run(context, disk, folder) }
                log("changed")
                throw Refusal()
            })
        try load(disk, for: change, in: context)
        #expect(message { try context.resolve(Shop.self) } != nil)
        #expect(log.take() == ["make disk", "changed", "dispose of books", "dispose of disk"])
    }

    @Test("An instance that no request uses is disposed of immediately", arguments: changes)
    private func unusedInstance_isDisposedOfAtOnce(change: Change) throws {
        let disk = disk
        let (log, context, folder) = (log, context, folder)
        try context.load(
            Module("Other") { registry in
                registry.register(Int.self) {
                    try Self.elsewhere { try change.run(context, disk, folder) }
                    log("changed")
                    return 1
                }
            })
        try load(disk, for: change, in: context)
        _ = try context.resolve(Disk.self)
        #expect(try context.resolve(Int.self) == 1)
        #expect(log.take() == ["make disk", "dispose of disk", "changed"])
    }

    @Test("Two threads in the same overtaken state get one object, disposed of after both finish", arguments: changes)
    private func twoThreads_getOneObject(change: Change) throws {
        let disk = disk
        let (log, context, folder) = (log, context, folder)
        let (begun, changed, given, returned) = (Gate(2), Gate(2), Gate(2), Gate(2))
        try context.load(
            shop {
                begun.arriveAndWait()
                try Self.elsewhere { try change.run(context, disk, folder) }
                log("changed")
                changed.arriveAndWait()
                given.arriveAndWait()
            })
        let visit = Module("Visit") { registry in
            registry.register(Slow.self, qualifier: "visitor", scope: .prototype) {
                begun.arriveAndWait()
                changed.arriveAndWait()
                return Slow()
            }
            registry.register(Last.self, scope: .prototype) {
                given.arriveAndWait()
                returned.arriveAndWait()
                log("visitor is complete")
                return Last()
            }
            registry.register(Visitor.self, parameterQualifiers: ["visitor", nil, nil], Visitor.init)
        }
        try context.load(visit)
        try load(disk, for: change, in: context)
        let disks = Tally<Disk>()
        try Crowd.run("two requests", threads: 2) { member in
            member.step()
            if member.number == 0 {
                let shop = try context.resolve(Shop.self)
                disks.append(shop.books.disk)
                disks.append(shop.customers.disk)
                returned.arriveAndWait()
            } else {
                disks.append(try context.resolve(Visitor.self).disk)
            }
        }
        #expect(Set(disks.elements.map(ObjectIdentifier.init)).count == 1)
        #expect(
            log.take() == [
                "make disk", "changed", "dispose of shop", "dispose of customers", "dispose of books",
                "visitor is complete", "dispose of disk",
            ])
    }

    @Test("A prototype is also made from one object", arguments: changes, [false, true])
    private func prototype_getsOneObject(change: Change, isWarm: Bool) throws {
        let disk = disk
        let (log, context, folder) = (log, context, folder)
        let isChanging = Late(false)
        let shop = Module("Shop") { registry in
            registry.register(Books.self, scope: .prototype, Books.init)
            registry.register(Customers.self, scope: .prototype, Customers.init)
            registry.register(Shop.self, scope: .prototype, Shop.init)
            registry.register(Slow.self, scope: .prototype) {
                if isChanging.value == true {
                    try Self.elsewhere { try change.run(context, disk, folder) }
                    log("changed")
                }
                return Slow()
            }
        }
        try context.load(shop)
        try load(disk, for: change, in: context)
        if isWarm {
            for _ in 1...3 { _ = try AppContext.withContext(context) { try context.resolve(Shop.self) } }
        }
        isChanging.value = true
        let made = try AppContext.withContext(context) { try context.resolve(Shop.self) }
        #expect(made.books.disk === made.customers.disk)
        #expect(log.take() == ["make disk", "changed", "dispose of disk"])
    }

    @Test("A child's request that a change of its parent overtakes gets one object", arguments: changes)
    private func childsRequest_getsOneObject(change: Change) throws {
        let disk = disk
        let (log, context, folder) = (log, context, folder)
        let shop = shop {
            try Self.elsewhere { try change.run(context, disk, folder) }
            log("changed")
        }
        try load(disk, for: change, in: context)
        let child = try context.child(pushing: shop)
        let made = try child.resolve(Shop.self)
        #expect(made.books.disk === made.customers.disk)
        #expect(log.take() == ["make disk", "changed"] + Self.disposals)
    }

    @Test("In an overtaken request, an instance that a child gets from its parent is the parent's and is kept")
    func childsRequest_sharesWhatIsStillTheSame() throws {
        let (log, context) = (log, context)
        try context.load(disk)
        let child = try context.child(
            pushing: Module("Visitors") { registry in
                registry.register(Visitor.init).onDispose { _ in log("dispose of visitor") }
                registry.register(Last.self, scope: .prototype) { Last() }
                registry.register(Slow.self, scope: .prototype) {
                    try Self.elsewhere { try context.push(.text("unrelated")) }
                    return Slow()
                }
            })
        let reader = AppContext.withContext(child) { Dependency<Disk>() }
        let visitor = try child.resolve(Visitor.self)
        #expect(try child.resolve(Visitor.self) === visitor)
        #expect(try reader.resolved() === visitor.disk)
        #expect(try context.resolve(Disk.self) === visitor.disk)
        #expect(try child.resolve(Disk.self) === visitor.disk)
        #expect(log.take() == ["make disk"])
    }

    @Test("An instance that a child makes only for an overtaken request does not stay")
    func childsRequest_leavesNothingBeside() throws {
        let (log, context, folder) = (log, context, folder)
        try context.load(disk)
        let child = try context.child(
            pushing: Module("Visitors") { registry in
                registry.register(scope: .prototype, Visitor.init)
                registry.register(Last.self, scope: .prototype) { Last() }
                registry.register(Slow.self, scope: .prototype) {
                    try Self.elsewhere {
                        try folder.write(#"{ "level": 2 }"#, to: "application.json")
                        try context.reloadProperties()
                    }
                    return Slow()
                }
            })
        #expect(try child.resolve(Visitor.self).disk.level == 1)
        try Self.elsewhere {
            try folder.write(#"{ "level": 1 }"#, to: "application.json")
            try context.reloadProperties()
        }
        _ = log.take()
        #expect(try child.resolve(Disk.self) === context.resolve(Disk.self))
    }

    @Test func push_thatOvertakes_setsAside() throws {
        let (log, context) = (log, context)
        let isPushing = Late(true)
        let fakes = Module("Fakes") { $0.register(Disk.self, scope: .session) { Disk(level: 7) } }
        try context.load(
            shop {
                if isPushing.value == true { try Self.elsewhere { try context.push(fakes) } }
            }, disk)
        let shop = try context.resolve(Shop.self)
        isPushing.value = false
        #expect(shop.books.disk === shop.customers.disk)
        #expect(try context.resolve(Shop.self).books.disk.level == 7)
        context.pop()
        #expect(try context.resolve(Shop.self) === shop)
        #expect(
            log.take() == ["make disk", "dispose of shop", "dispose of customers", "dispose of books"])
    }
}
