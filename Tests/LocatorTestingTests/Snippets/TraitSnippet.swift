import Locator
import LocatorTesting
import Testing

// The README shows parts of this file.

private protocol Shelf: Sendable {
    var titles: [String] { get }
}

private struct RealShelf: Shelf {
    let titles = ["Frankenstein", "The Moonstone"]
}

private struct FakeShelf: Shelf {
    let titles = ["Emma"]
}

extension Module {
    fileprivate static let fakeShelf = Module("Fake shelf") { $0.register((any Shelf).self) { FakeShelf() } }
}

private let library: AppContext = {
    let context = AppContext()
    let real = Module("Library", properties: ["lending.days": 28]) { $0.register((any Shelf).self) { RealShelf() } }
    do { try context.load(real) } catch { Issue.record(error) }
    return context
}()

@Suite(.locator(.fakeShelf, properties: ["lending.days": 7], base: library))
private struct LendingTests {
    @Dependency var shelf: any Shelf
    @PropertyValue("lending.days") var days: Int

    @Test("The fake and the setting win")
    func fakes() {
        #expect(shelf.titles == ["Emma"])
        #expect(days == 7)
    }

    @Test("A test can add to the settings of its suite", .locator(properties: ["lending.days": 1]))
    func shortLoan() {
        #expect(days == 1)
    }
}
