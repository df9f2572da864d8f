import Locator
import TestSupport
import Testing

extension Scope {
    fileprivate static let request = Scope("request", requiresOpening: true)
}

private final class Store: Sendable {
    let url: String
    init(url: String) { self.url = url }
}

private final class Work: Sendable {
    let store: Store
    init(store: Store) { self.store = store }
}

private final class Job: Sendable {
    let work: Work
    init(work: Work) { self.work = work }
}

/// A lean child that was overtaken by a reload noted an instance that was gone by a stand-in, and could run the dispose
/// hooks of its registration on that.
@Suite("A reload in the middle of a lean child's request")
struct LeanReloadTests {
    @Test("Instances that the parent's reload ends are disposed of once, and no other hook runs")
    func reloadInsideOfARequest_disposesOnce() throws {
        let files = MemoryFiles(#"{ "url": "db1" }"#)
        let log = Log()
        let context = AppContext()
        let isReloading = Late(false)
        let shop = Module("Shop") { registry in
            registry.register(Store.self) { (resolver: Resolver) in Store(url: try resolver.value("url")) }
                .onDispose { log("dispose of \($0.url)") }
            registry.register(scope: .request, Work.init)
            registry.register(Job.self, scope: .request) { (work: Work) in
                if isReloading.value == true {
                    files.content = #"{ "url": "db2" }"#
                    try onThread { try context.reloadProperties() }
                    // From here on, it needs a session.
                    _ = try AppContext.current.value("url", as: String.self)
                }
                return Job(work: work)
            }
        }
        try context.loadProperties(files.source).load(shop)
        // What the parent has ready makes the children lean.
        for _ in 0..<3 { _ = try context.child(opening: .request).resolve(Job.self) }
        _ = try context.resolve(Store.self)
        let child = try context.child(opening: .request)
        _ = try child.resolve(Work.self)
        isReloading.value = true
        #expect(try child.resolve(Job.self).work.store.url == "db1")
        #expect(log.take() == ["dispose of db1"])
        isReloading.value = false
        #expect(try child.resolve(Job.self).work.store.url == "db2")
    }
}
