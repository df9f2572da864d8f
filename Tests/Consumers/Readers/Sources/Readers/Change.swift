import Foundation
import Locator

/// One kind of change, which ends objects while others read them.
struct Change: Sendable {
    let name: String
    /// How often it is made beside each reader.
    let count: Int
    let make: @Sendable (AppContext, Int) throws -> Void

    static let all = [
        Change(name: "push and pop", count: 20) { context, _ in
            try context.push(services("Fakes"))
            _ = try context.resolve(Pair.self)
            context.pop()
        },
        Change(name: "load and unload", count: 20) { context, _ in
            let module = services("Loaded")
            try context.load(module, priority: .high)
            _ = try context.resolve(Desk.self)
            try context.unload(module)
        },
        Change(name: "reset", count: 20) { context, _ in try context.reset() },
        Change(name: "reset of a scope", count: 20) { context, _ in try context.reset(.session) },
        Change(name: "reload", count: 20) { context, turn in
            try write(turn)
            try context.reloadProperties()
        },
        Change(name: "a child that ends", count: 20) { context, _ in
            let child = try context.child(opening: .session, .visit, pushing: services("Child"))
            _ = try child.resolve(Session.self)
            _ = try child.resolve(Visit.self)
        },
    ]

    /// The place of the reloaded files.
    static let folder = FileManager.default.temporaryDirectory.appendingPathComponent("readers-\(getpid())")

    static func write(_ turn: Int) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let text =
            #"{"server": {"name": "name \#(turn), a text that is too long to be kept in place", "ports": [1, 2, 3]}}"#
        try Data(text.utf8).write(to: folder.appendingPathComponent("application.json"), options: .atomic)
    }
}
