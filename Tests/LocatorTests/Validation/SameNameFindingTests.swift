import Locator
import Testing

private enum User { struct ID: Sendable {} }
private enum Order { struct ID: Sendable {} }
private protocol Store<Element>: Sendable { associatedtype Element }
private struct UserStore: Store { typealias Element = User.ID }

@Suite("Findings tell types with the same name apart")
struct SameNameFindingTests {
    @Test func types_areWrittenInFull() throws {
        let context = try AppContext().load(
            Module("Shop") { registry in
                registry.register(fileID: "Shop/Shop.swift", line: 2) { User.ID() }
                registry.register((any Store<User.ID>).self, fileID: "Shop/Shop.swift", line: 3) { UserStore() }
                registry.register(Int.self, fileID: "Shop/Shop.swift", line: 4) { (_: Order.ID?, _: [Order.ID]) in 1 }
                registry.register(UInt.self, fileID: "Shop/Shop.swift", line: 5) { (_: any Store<Order.ID>) in 1
                }
            })
        let order = "LocatorTests.Order.ID", user = "LocatorTests.User.ID", store = "LocatorTests.Store"
        #expect(
            context.validate().description == """
                Shop/Shop.swift:5: error: UInt needs any \(store)<\(order)>, which is not registered
                Shop/Shop.swift:3: note: near: any \(store)<\(user)>
                  fix: register it in a loaded module: registry.register((any \(store)<\(order)>).self) { … }
                Shop/Shop.swift:4: warning: Int gets nil for \(order), although something similar is registered
                Shop/Shop.swift:2: note: near: \(user)
                  fix: use what is registered, or register what is missing
                Shop/Shop.swift:4: warning: Int gets an empty array, because there are no registrations of \(order)
                Shop/Shop.swift:2: note: near: \(user)
                  fix: register an element, pass the array in a closure, or declare that it may be empty: \
                registry.mayBeEmpty(\(order).self)
                1 error, 2 warnings in 4 registrations
                """)
    }
}
