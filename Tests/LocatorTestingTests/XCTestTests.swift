import Locator
import XCTest

/// The pattern for XCTest: each test runs in a fork of its own, entered in `invokeTest`.
final class AccountTests: XCTestCase {
    @Dependency private var account: Account

    override func invokeTest() {
        do {
            let fork = try Self.app.fork(pushing: .fakes)
            AppContext.withContext(fork) {
                _account = Dependency()
                super.invokeTest()
            }
        } catch {
            XCTFail("\(error)")
        }
    }

    func testUsesTheFake() throws {
        XCTAssertEqual(account.mailer.name, "fake")
        XCTAssertEqual(try AppContext.current.resolve(Account.self).mailer.name, "fake")
        XCTAssertEqual(try Self.app.resolve(Account.self).mailer.name, "real")
    }

    func testHasInstancesOfItsOwn() throws {
        XCTAssertNil(AppContext.current.existing(Account.self))
    }

    private static let app: AppContext = {
        let context = AppContext()
        let real = Module("Real") { registry in
            registry.register((any Mailer).self) { RealMailer() }
            registry.register(Account.init)
        }
        do { try context.load(real) } catch { XCTFail("\(error)") }
        return context
    }()
}
