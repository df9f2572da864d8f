import Foundation
import Locator
import Testing

private struct Busy: Error, Equatable {
    let seconds: Int
}

private struct Database: Sendable {}
private struct Store: Sendable {
    let database: Database
}
private struct Page: Sendable {
    let store: Store
}

@Suite("An error of this library gives access to the underlying error")
struct UnderlyingErrorTests {
    private static let module = Module("M") { registry in
        registry.register(Database.self) { throw Busy(seconds: 3) }
        registry.register(Store.init)
        registry.register(Page.init)
    }

    @Test func errorOfAClosure_isReached_fromWhateverNeedsIt() throws {
        let context = try AppContext().load(Self.module)
        #expect(locatorError { try context.resolve(Database.self) }?.underlying as? Busy == Busy(seconds: 3))
        #expect(locatorError { try context.resolve(Page.self) }?.underlying as? Busy == Busy(seconds: 3))
    }

    @Test func errorOfAClosure_isReached_throughARequestInsideOfAClosure() throws {
        let asking = Module("Asking") { registry in
            registry.register(Int.self) { (resolver: Resolver) in
                _ = try resolver.resolve(Page.self)
                return 1
            }
        }
        let context = try AppContext().load(Self.module, asking)
        #expect(locatorError { try context.resolve(Int.self) }?.underlying as? Busy == Busy(seconds: 3))
    }

    @Test func errorOfAProperty_isReached() throws {
        let error = locatorError { try AppContext().value("server.port", as: Int.self) }
        #expect(error?.underlying is PropertiesError)
    }

    @Test func text_isThatOfFoundation() throws {
        let error = try #require(locatorError { try AppContext().resolve(Int.self) } as (any Error)?)
        #expect(error.localizedDescription == "\(error)")
        let report = try AppContext().load(Module("M") { $0.register(Store.init) }).validate()
        let invalid = try #require(#expect(throws: ValidationError.self) { try report.orThrow() } as (any Error)?)
        #expect(invalid.localizedDescription == "\(invalid)")
    }

    @Test func otherErrors_haveNone() throws {
        let error = try #require(locatorError { try AppContext().resolve(Int.self) })
        #expect(error.underlying == nil)
        switch error.kind {
        case .missing(let key): #expect(key == Key(Int.self))
        default: Issue.record("\(error)")
        }
    }
}
