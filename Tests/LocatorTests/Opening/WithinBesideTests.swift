import Dispatch
import Foundation
import Locator
import TestSupport
import Testing

@Suite("A closure's child ends immediately, no matter what other threads make in other contexts")
struct WithinBesideTests {
    private final class Connection: Sendable {}
    private struct Page {}
    private struct Report {}
    private final class Ledger: Sendable {}
    private final class Summary: Sendable {
        init(_ ledger: Ledger) {}
    }
    private struct CloseFailed: Error {}

    private static let request = Scope("request")

    /// Where another thread makes a report.
    enum Place: CaseIterable {
        case server, anotherChild, child
        /// In another child, whose instance needs one of the server.
        case serverForAnotherChild

        func context(_ server: AppContext, _ child: AppContext) throws -> AppContext {
            switch self {
            case .server: server
            case .anotherChild, .serverForAnotherChild: try server.child(opening: WithinBesideTests.request)
            case .child: child
            }
        }
    }

    /// What the child has made, apart from the connection.
    enum Use: CaseIterable {
        case nothing, prototype, grandchild, push
    }

    @Test(arguments: Place.allCases, Use.allCases)
    func hookError_isThrown(_ place: Place, _ use: Use) throws {
        let (begun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let isSlow = Late(false)
        let log = Log()
        let server = try AppContext().load(
            Module("Server") { registry in
                registry.register(scope: Self.request) { Connection() }.onDispose { _ in
                    log("closed")
                    throw CloseFailed()
                }
                registry.register(scope: .prototype) { Page() }
                @Sendable func wait() {
                    if isSlow.value != true { return }
                    begun.signal()
                    mayEnd.wait()
                }
                registry.register(scope: .prototype) {
                    wait()
                    return Report()
                }
                registry.register {
                    wait()
                    return Ledger()
                }
                registry.register(scope: Self.request, Summary.init)
            })
        _ = try (server.resolve(Page.self), server.resolve(Report.self))
        isSlow.value = true
        let ended = DispatchSemaphore(value: 0)
        func serve() throws {
            try server.within(Self.request) { child in
                let other = try place.context(server, child)
                Thread.detachNewThread {
                    if place == .serverForAnotherChild {
                        _ = try? other.resolve(Summary.self)
                    } else {
                        _ = try? other.resolve(Report.self)
                    }
                    ended.signal()
                }
                begun.wait()
                _ = try child.resolve(Connection.self)
                switch use {
                case .nothing: break
                case .prototype: _ = try child.resolve(Page.self)
                case .push: try child.push(Module("Mine") { $0.register { 1 } })
                case .grandchild: _ = try child.child().resolve(Connection.self)
                }
            }
        }
        if place == .child {
            // The other request may use the connection, so it is closed after the end of that request.
            try? serve()
            #expect(log.entries == [])
        } else {
            let error = locatorError { try serve() }
            guard case .hooksFailed? = error?.kind else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(log.entries == ["closed"])
        }
        mayEnd.signal()
        ended.wait()
        #expect(log.entries == ["closed"])
    }
}
