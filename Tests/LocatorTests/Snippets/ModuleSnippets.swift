import Locator
import Testing

// The articles show parts of this file.

private struct Store: Sendable {
    let number: Int
}

private struct StoreError: Error {
    let isTemporary: Bool
}

@Suite("The snippets about modules and errors do what they say")
struct ModuleSnippets {
    private let context = AppContext()

    @Test("Names and values known only at run time")
    func variables() throws {
        let (host, replicas) = ("localhost", 3)
        let stores = Module("Stores", properties: ["host": .init(host), "limits": ["reads": 5]]) { registry in
            for number in 1...replicas {
                registry.register(Store.self, qualifier: "replica \(number)") { Store(number: number) }
            }
        }
        try context.load(stores)
        #expect(try context.resolve(Store.self, qualifier: "replica 2").number == 2)
        #expect(try context.value("host", as: String.self) == host)
        #expect(try context.value("limits.reads", as: Int.self) == 5)
    }

    @Test("A push is always popped")
    func push() throws {
        let fakes = [Module.text("fake")]
        func test() throws {
            let push = try context.push(fakes)
            defer { push.pop() }
            #expect(try context.texts() == ["fake"])
        }
        try test()
        #expect(try context.texts() == [])
    }

    @Test("The error that a closure threw")
    func underlying() throws {
        try context.load(Module("Stores") { $0.register(Store.self) { throw StoreError(isTemporary: true) } })
        var attempts = 0
        while attempts < 3 {
            attempts += 1
            do throws(LocatorError) {
                _ = try context.resolve(Store.self)
            } catch {
                guard let cause = error.underlying as? StoreError, cause.isTemporary else { throw error }
            }
        }
        #expect(attempts == 3)
    }
}
