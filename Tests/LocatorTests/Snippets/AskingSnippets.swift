import Foundation
import Locator
import TestSupport
import Testing

// The article about the ways to ask shows parts of this file.

private protocol Storage: Sendable {
    var name: String { get }
}

private struct MemoryStorage: Storage {
    let name = "memory"
}

private struct DiskStorage: Storage {
    let name: String
    init(settings: StorageSettings) { name = settings.folder }
}

private struct StorageSettings: ConfigProperty {
    static let path = "storage"
    let folder: String
}

private protocol Logger: Sendable {
    var target: String { get }
}

private struct FileLogger: Logger {
    let target = "file"
}

private struct ConsoleLogger: Logger {
    let target = "console"
}

extension Qualifier {
    fileprivate static let file: Qualifier = "file"
    fileprivate static let console: Qualifier = "console"
}

private struct Job: Sendable {
    let id: UUID
}

/// Runs each job once; a job is a prototype, so each call of the provider creates one.
private final class Queue: Sendable {
    private let makeJob: Provider<Job>

    init(makeJob: Provider<Job>) {
        self.makeJob = makeJob
    }

    func next() throws -> Job { try makeJob() }
}

private final class Audit: Sendable {
    private let logger = Dependency<any Logger>(qualifier: .console)

    var target: String { logger().target }
}

private final class Room: Sendable {
    let window = Late<Window>()
}

private final class Window: Sendable {
    let room: Room
    init(room: Room) { self.room = room }
}

private struct Identifiers: Sendable {
    let next: @Sendable () -> UUID
}

@Suite("The snippets about the ways to resolve do what they say")
struct AskingSnippets {
    private let context = AppContext()

    @Test("A resolver decides at run time", arguments: [(true, "memory"), (false, "/var/shop")])
    func resolver(inMemory: Bool, name: String) throws {
        let storage = Module("Storage") { registry in
            registry.register(DiskStorage.init)
            registry.register((any Storage).self) { (resolver: Resolver) in
                if try resolver.value("storage.inMemory", default: false) { return MemoryStorage() }
                return try resolver.resolve(DiskStorage.self)
            }
        }
        let settings = Module(
            "Settings", properties: ["storage": ["inMemory": .init(inMemory), "folder": "/var/shop"]])
        try context.load(storage, settings)
        #expect(try context.resolve((any Storage).self).name == name)
    }

    @Test("A provider returns a new instance each time")
    func provider() throws {
        let jobs = Module("Jobs") { registry in
            registry.register(Queue.init)
            registry.register(Job.self, scope: .prototype) { (identifiers: Identifiers) in Job(id: identifiers.next()) }
            registry.register(Identifiers.self) { Identifiers(next: { UUID() }) }
        }
        try context.load(jobs)
        let queue = try context.resolve(Queue.self)
        #expect(try queue.next().id != queue.next().id)

        let id = UUID(uuidString: "6F1A3C0E-2E5B-4B0A-9D6E-5D2F5F3B7C11") ?? UUID()
        let fixed = Module("Fixed identifiers") { registry in
            registry.register(Identifiers.self) { Identifiers(next: { id }) }
        }
        try context.push(fixed)
        #expect(try context.resolve(Queue.self).next().id == id)
    }

    @Test("A typed qualifier works wherever a qualifier is expected")
    func qualifiers() throws {
        let logging = Module("Logging") { registry in
            registry.register((any Logger).self, qualifier: .file) { FileLogger() }
            registry.register((any Logger).self, qualifier: .console) { ConsoleLogger() }
        }
        try context.load(logging)
        let logger = try context.resolve((any Logger).self, qualifier: .file)
        #expect(logger.target == "file")
        #expect(AppContext.withContext(context) { Audit() }.target == "console")
    }

    @Test("An injection runs after both were created")
    func injecting() throws {
        let house = Module("House") { registry in
            registry.register(Room.init)
                .injecting { (room, window: Window) in room.window.value = window }
            registry.register(Window.init)
        }
        try context.load(house)
        let room = try context.resolve(Room.self)
        #expect(room.window.value?.room === room)
        room.window.value = nil
    }
}
