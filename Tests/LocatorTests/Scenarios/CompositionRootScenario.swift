import Locator
import Testing

// Three services share one database and one uploader. A program that wants no global resolves the whole at its start
// and passes it on through initializers. One that prefers wrappers gets the same objects from them.

private final class Database: Sendable {}

private final class Uploader: Sendable {}

private final class NotesService: Sendable {
    let database: Database
    let uploader: Uploader

    init(database: Database, uploader: Uploader) {
        self.database = database
        self.uploader = uploader
    }
}

private final class PhotosService: Sendable {
    let database: Database
    let uploader: Uploader

    init(database: Database, uploader: Uploader) {
        self.database = database
        self.uploader = uploader
    }
}

private final class SettingsService: Sendable {
    let database: Database

    init(database: Database) {
        self.database = database
    }
}

/// Everything the views need.
private struct Services: Sendable {
    let notes: NotesService
    let photos: PhotosService
    let settings: SettingsService
}

extension Module {
    fileprivate static let app = Module("App") { registry in
        registry.register(Database.init)
        registry.register(Uploader.init)
        registry.register(NotesService.init)
        registry.register(PhotosService.init)
        registry.register(SettingsService.init)
        registry.register(Services.init)
    }
}

/// A view that gets its dependencies as parameters.
private struct RootView {
    let services: Services
    var notes: NotesView { NotesView(notes: services.notes) }
}

private struct NotesView {
    let notes: NotesService
}

/// A view that resolves its dependencies.
private struct WrappedView {
    @Dependency var notes: NotesService
    @Dependency var photos: PhotosService
    @Dependency var settings: SettingsService
}

@Suite("Composition root: passed down, or found through wrappers")
struct CompositionRootScenario {
    @Test func services_shareDatabaseAndUploader() throws {
        let services = try AppContext().load(.app).resolve(Services.self)
        #expect(services.notes.database === services.photos.database)
        #expect(services.notes.database === services.settings.database)
        #expect(services.notes.uploader === services.photos.uploader)
    }

    @Test func views_getTheServicesThroughInitializers() throws {
        // In a program: `@main struct App { let root = … }`. No context is stored, and none is global.
        let root = try RootView(services: AppContext().load(.app).resolve())
        #expect(root.notes.notes === root.services.notes)
    }

    @Test func wrappers_giveTheSameObjects() throws {
        let context = try AppContext().load(.app)
        let services = try context.resolve(Services.self)
        let view = AppContext.withContext(context) { WrappedView() }
        #expect(view.notes === services.notes)
        #expect(view.photos === services.photos)
        #expect(view.settings === services.settings)
    }

    @Test func separateContexts_shareNothing() throws {
        let first = try AppContext().load(.app).resolve(Services.self)
        let second = try AppContext().load(.app).resolve(Services.self)
        #expect(first.notes !== second.notes)
        #expect(first.notes.database !== second.notes.database)
    }
}
