import Locator
import Testing

// The README and the article about scopes show parts of this file.

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
    // The article shows this without `fileprivate`.
    fileprivate static let request = Scope("request", requiresOpening: true)
}

private let app = Module("App") { registry in
    registry.register(Translations.init)
    registry.input(Request.self, scope: .request)  // passed in for each request
    registry.register(scope: .request, Greeting.init)  // takes the Request and the Translations
}

private func handle(_ request: Request, in server: AppContext) throws -> String {
    try server.within(.request, giving: request) { child in
        try child.resolve(Greeting.self).text
    }
}

@Suite("The snippet about requests does what it says")
struct RequestSnippet {
    @Test("Each request has its own instances, and shares the server's")
    func requests() throws {
        let server = AppContext()
        try server.load(app)
        #expect(server.validate().findings.isEmpty)
        #expect(try handle(Request(user: "Ada"), in: server) == "Hello Ada")
        #expect(try handle(Request(user: "Ben"), in: server) == "Hello Ben")
        #expect(server.existing(Translations.self) != nil)
        #expect(server.existing(Greeting.self) == nil)
    }

    private protocol Clock: Sendable { var hour: Int { get } }
    private struct Noon: Clock { let hour = 12 }

    @Test("Inputs may have a qualifier or a protocol type")
    func inputs() throws {
        let server = try AppContext().load(app).load(
            Module("Clocks") { registry in
                registry.input(String.self, qualifier: "region", scope: .request)
                registry.input((any Clock).self, scope: .request)
            })
        let request = Request(user: "Ada")
        let noon = Noon()
        let child = try server.child(
            opening: .request, giving: request, and: .input("eu", qualifier: "region"),
            .input(noon, as: (any Clock).self))
        #expect(try child.resolve((any Clock).self).hour == 12)
        #expect(try child.resolve(String.self, qualifier: "region") == "eu")
    }
}
