import Locator
import Testing

// The README shows parts of this file.

private struct Request: Sendable {
    let user: String
}

private final class Translations: Sendable {
    let hello = "Hello"
}

private final class Greeting: Sendable {
    let text: String
    init(request: Request, translations: Translations) { text = "\(translations.hello) \(request.user)" }
}

extension Scope {
    fileprivate static let request = Scope("request")
}

private let app = Module("App") { registry in
    registry.register(Translations.init)
    registry.register(scope: .request, Greeting.init)
}

private func handle(_ request: Request, in server: AppContext) throws -> String {
    let child = try server.child(
        opening: .request,
        pushing: Module("Request") { $0.register(instance: request) })
    return try child.resolve(Greeting.self).text
}

@Suite("The snippet about requests does what it says")
struct RequestSnippet {
    @Test("Each request has its own instances, and shares the server's")
    func requests() throws {
        let server = AppContext()
        try server.load(app)
        #expect(try handle(Request(user: "Ada"), in: server) == "Hello Ada")
        #expect(try handle(Request(user: "Ben"), in: server) == "Hello Ben")
        #expect(server.existing(Translations.self) != nil)
        #expect(server.existing(Greeting.self) == nil)
    }
}
