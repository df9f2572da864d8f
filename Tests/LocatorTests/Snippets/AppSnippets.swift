import Foundation
import Locator
import Observation
import TestSupport
import Testing

// The article about apps shows parts of this file.

private struct User: Sendable, Equatable {
    let name: String
}

private protocol Library: Sendable {
    func titles(of user: User) async throws -> [String]
}

private struct RemoteLibrary: Library {
    func titles(of user: User) async throws -> [String] { ["Frankenstein"] }
}

private struct FakeLibrary: Library {
    func titles(of user: User) async throws -> [String] { ["Emma", "for \(user.name)"] }
}

private actor Downloads {
    let user: User
    private let log: Log
    init(user: User, log: Log) {
        self.user = user
        self.log = log
    }
    nonisolated func cancelAll() { log("cancelled for \(user.name)") }
}

extension Scope {
    /// From login to logout.
    fileprivate static let session = Scope("session", requiresOpening: true)
}

private let app = Module("App") { registry in
    registry.register((any Library).self, RemoteLibrary.init)
    registry.register(Player.self, onMainActor: Player.init)
}

private let session = Module("Session") { registry in
    registry.input(User.self, scope: .session)  // passed in at login
    registry.register(scope: .session, Downloads.init)
        .onDispose { downloads in downloads.cancelAll() }
}

/// Loads the settings and the modules, and reports everything that is missing.
private func prepare(_ context: AppContext, settings folder: URL) throws {
    try context.loadProperties(from: folder, default: "prod").load(app, session)
    try context.validate().orThrow()
}

/// A service on the main actor that need not be `Sendable`.
@MainActor
private final class Player {
    private(set) var title: String?

    func play(_ title: String) { self.title = title }
}

@MainActor @Observable
private final class ShelfModel {
    @ObservationIgnored @Dependency private var library: any Library
    @ObservationIgnored @Dependency private var user: User
    @ObservationIgnored @Dependency private var player: Player
    private(set) var titles: [String] = []
    private(set) var problem: String?

    func load() async {
        do {
            titles = try await library.titles(of: user)
        } catch {
            problem = "\(error)"
        }
    }

    func play() { titles.first.map(player.play) }
}

/// What the root view shows: the shelf of a user, or the login.
@MainActor @Observable
private final class AppModel {
    private(set) var shelf: ShelfModel?
    @ObservationIgnored private var session: AppContext?

    func logIn(_ user: User, in context: AppContext) throws {
        let session = try context.child(opening: .session, giving: user)
        shelf = AppContext.withContext(session) { ShelfModel() }
        self.session = session  // a wrapper does not keep its context
    }

    func logOut() {
        shelf = nil
        session = nil  // disposes of everything that belongs to the session
    }
}

@Suite("The snippets about apps do what they say")
@MainActor
struct AppSnippets {
    private let log = Log()

    private func context() throws -> AppContext {
        let log = log
        return try AppContext().load(app, session, Module("Log") { $0.register(instance: log) })
    }

    @Test("An app loads its settings and modules before the first view")
    func launch() throws {
        let folder = try TemporaryFolder([
            "application.json": #"{"server": {"port": 8080}}"#, "application-prod.json": #"{"server": {"port": 443}}"#,
        ])
        let log = log
        let context = try AppContext().load(Module("Log") { $0.register(instance: log) })
        try prepare(context, settings: URL(fileURLWithPath: folder.path))
        #expect(context.isRegistered(Player.self))
        #expect(try context.value("server.port", as: Int.self) == 443)
    }

    @Test("A model lives from login to logout")
    func login() async throws {
        let context = try context()
        #expect(context.validate().errors.isEmpty)
        let model = AppModel()
        try model.logIn(User(name: "Ada"), in: context)
        let shelf = try #require(model.shelf)
        await shelf.load()
        shelf.play()
        #expect(shelf.titles == ["Frankenstein"])
        #expect(try context.resolve(Player.self).title == "Frankenstein")
    }

    @Test("Logout ends what belongs to the session")
    func logout() throws {
        let context = try context()
        let session = try context.child(opening: .session, giving: User(name: "Ada"))
        _ = try session.resolve(Downloads.self)
        #expect(locatorError({ try context.resolve(Downloads.self) }) != nil)
        try session.reset()
        #expect(log.entries == ["cancelled for Ada"])
    }

    @Test("A preview has a fork of its own")
    func preview() async throws {
        let context = try context()
        let fakes = Module("Preview") { registry in
            registry.register((any Library).self) { FakeLibrary() }
            registry.register(User.self, scope: .session) { User(name: "Ada") }
        }
        let preview = try context.fork(pushing: fakes).child(opening: .session)
        let model = AppContext.withContext(preview) { ShelfModel() }
        await model.load()
        #expect(model.titles == ["Emma", "for Ada"])
    }
}
