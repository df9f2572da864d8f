import Foundation
import Locator
import TestSupport
import Testing

private final class Page: Sendable {
    let isComplete = Late(false)
}

@Suite("A wrapper has one object for all readers until something that its making read changes")
struct OneHolderTests {
    /// How pages are registered, and where the answer comes from.
    enum Source: CaseIterable, Sendable {
        case prototype
        case graph
        case pushed
        case decorated
        case ofChild
    }

    private static func module(_ scope: ScopeKind) -> Module {
        Module("Pages") { registry in
            scope.register(Page.self, in: registry) {
                _ = try AppContext.current.resolve(Int?.self)
                return Page()
            } injecting: {
                $0.isComplete.value = true
            }
        }
    }

    private static func context(_ source: Source) throws -> AppContext {
        switch source {
        case .prototype: return try AppContext().load(module(.prototype))
        case .graph: return try AppContext().load(module(.graph))
        case .pushed: return try AppContext().push(module(.prototype)).context
        case .decorated:
            return try AppContext().load(module(.prototype), Module("Decorating") { $0.decorate(Page.self) { $0 } })
        case .ofChild: return try AppContext().load(module(.prototype)).child(pushing: Module("None") { _ in })
        }
    }

    @Test(arguments: WrapperKind.allCases, Source.allCases)
    func firstReads_ofManyThreads_giveOneObject(_ kind: WrapperKind, _ source: Source) throws {
        let context = try Self.context(source)
        let readers = try (0..<TestScale.count(1000)).map { _ in try kind.reader(of: Page.self, in: context) }
        let pages = (0..<4).map { _ in Tally<Page>() }
        try Crowd.run("first reads", threads: 4) { member in
            for read in readers {
                member.step("reading")
                pages[member.number].append(try read())
            }
        }
        let found = pages.map(\.elements)
        #expect(found.joined().allSatisfy { $0.isComplete.value == true })
        for (number, read) in readers.enumerated() {
            let page = try read()
            #expect(found.allSatisfy { $0[number] === page })
        }
    }

    /// The push changes nothing that the page was made from.
    @Test(arguments: WrapperKind.allCases)
    func firstReads_besideUnrelatedChanges_giveOneObject(_ kind: WrapperKind) throws {
        let context = try Self.context(.prototype)
        let readers = try (0..<TestScale.count(1000)).map { _ in try kind.reader(of: Page.self, in: context) }
        let pages = (0..<4).map { _ in Tally<Page>() }
        try Crowd.run("first reads beside pushes", threads: 4) { member in
            for read in readers {
                member.step("reading")
                if member.number == 3 {
                    try context.push(.text("unrelated"))
                    context.pop()
                }
                pages[member.number].append(try read())
            }
        }
        let found = pages.map(\.elements)
        for (number, read) in readers.enumerated() {
            let page = try read()
            #expect(found.allSatisfy { $0[number] === page })
        }
    }

    @Test(arguments: WrapperKind.allCases)
    func closureThatWasOvertakenByAnUnrelatedChange_getsWhatTheWrapperKeeps(_ kind: WrapperKind) throws {
        final class Book: Sendable {
            let page: Page
            init(page: Page) { self.page = page }
        }
        let context = try Self.context(.prototype)
        let read = try kind.reader(of: Page.self, in: context)
        let page = try read()
        let isOvertaken = Late(false)
        let module = Module("Book") { registry in
            registry.register(Book.self) { () throws -> Book in
                let done = DispatchSemaphore(value: 0)
                Thread {
                    isOvertaken.value = (try? context.push(.text("unrelated"))) != nil
                    done.signal()
                }
                .start()
                done.wait()
                return Book(page: try read())
            }
        }
        try context.load(module)
        #expect(try context.resolve(Book.self).page === page)
        #expect(isOvertaken.value == true)
        #expect(try read() === page)
        // A dependency of it changes.
        try context.push(Module("Int") { $0.register(Int.self) { 1 } })
        #expect(try read() !== page)
    }

    @Test(arguments: WrapperKind.allCases)
    func closureThatReadsItsOwnWrapper_isACycle_andLeavesNothing(_ kind: WrapperKind) throws {
        let (read, calls) = (Late<@Sendable () throws -> Page>(), Counter())
        let module = Module("Pages") { registry in
            registry.register(Page.self, scope: .prototype) { () throws -> Page in
                if calls.next() == 1 { _ = try read.value?() }
                return Page()
            }
        }
        let context = try AppContext().load(module)
        let reader = try kind.reader(of: Page.self, in: context)
        read.value = reader
        guard case .circularDependency? = locatorError({ try reader() })?.kind else {
            Issue.record("no cycle")
            return
        }
        let page = try reader()
        #expect(try reader() === page)
    }

    /// A selection may read the array that it selects for.
    @Test func arrayThatIsReadWhileItIsSelected_givesOneObject() throws {
        let (wrapper, calls, inner) = (Late<DependencyArray<Page>>(), Counter(), Late<[Page]>())
        let context = try Self.context(.prototype)
        let array = AppContext.withContext(context) {
            DependencyArray<Page>(
                from: .where { _ in
                    if calls.next() == 1 { inner.value = try? wrapper.value?.resolved() }
                    return true
                })
        }
        wrapper.value = array
        final class Book: Sendable {
            let pages: [Page]
            init(pages: [Page]) { self.pages = pages }
        }
        try context.load(Module("Book") { $0.register(Book.self) { Book(pages: try array.resolved()) } })
        let book = try context.resolve(Book.self)
        #expect(book.pages.count == 1)
        #expect(book.pages.first?.isComplete.value == true)
        #expect(inner.value?.first === book.pages.first)
        #expect(array().first === book.pages.first)
    }

    @Test(arguments: WrapperKind.allCases)
    func cycleOfWrappers_isAnErrorOnEachThread_andNoDeadlock(_ kind: WrapperKind) throws {
        final class Hen: Sendable { init(_ egg: Egg) {} }
        final class Egg: Sendable { init(_ hen: Hen) {} }
        let hens = Late<@Sendable () throws -> Hen>()
        let eggs = Late<@Sendable () throws -> Egg>()
        let module = Module("Cycle") { registry in
            registry.register(Hen.self, scope: .prototype) { () throws -> Hen in
                guard let read = eggs.value else { throw CancellationError() }
                return Hen(try read())
            }
            registry.register(Egg.self, scope: .prototype) { () throws -> Egg in
                guard let read = hens.value else { throw CancellationError() }
                return Egg(try read())
            }
        }
        let context = try AppContext().load(module)
        hens.value = try kind.reader(of: Hen.self, in: context)
        eggs.value = try kind.reader(of: Egg.self, in: context)
        try Crowd.run("cycle of wrappers", threads: 4) { member in
            for _ in 0..<20 {
                member.step("reading")
                let error =
                    member.number % 2 == 0
                    ? locatorError({ try hens.value?() }) : locatorError({ try eggs.value?() })
                guard case .circularDependency? = error?.kind else {
                    Issue.record("no cycle: \(error.map { "\($0)" } ?? "nothing")")
                    return
                }
            }
        }
    }

    @Test(arguments: WrapperKind.allCases)
    func cycleClosedByInjections_overWrappers_isNotADeadlock(_ kind: WrapperKind) throws {
        final class Hen: Sendable { let egg = Late<Egg>() }
        final class Egg: Sendable { let hen = Late<Hen>() }
        for _ in 0..<TestScale.count(400) {
            let hens = Late<@Sendable () throws -> Hen>()
            let eggs = Late<@Sendable () throws -> Egg>()
            let module = Module("Cycle") { registry in
                registry.register(Hen.self, scope: .prototype) { Hen() }
                    .injecting { hen in hen.egg.value = try eggs.value?() }
                registry.register(Egg.self, scope: .prototype) { Egg() }
                    .injecting { egg in egg.hen.value = try hens.value?() }
            }
            let context = try AppContext().load(module)
            hens.value = try kind.reader(of: Hen.self, in: context)
            eggs.value = try kind.reader(of: Egg.self, in: context)
            try Crowd.run("cycle of injections", threads: 4) { member in
                member.step("reading")
                let other =
                    member.number % 2 == 0
                    ? try hens.value?().egg.value?.hen.value?.egg.value : try eggs.value?().hen.value?.egg.value
                if other == nil { throw CancellationError() }
            }
            let (hen, egg) = (try hens.value?(), try eggs.value?())
            let (otherHen, otherEgg) = (try hens.value?(), try eggs.value?())
            #expect(otherHen === hen)
            #expect(otherEgg === egg)
        }
    }

    @Test(arguments: WrapperKind.allCases)
    func reset_whileAnotherThreadReads_letsGo(_ kind: WrapperKind) throws {
        let isMaking = DispatchSemaphore(value: 0)
        let mayGoOn = DispatchSemaphore(value: 0)
        let calls = Counter()
        let module = Module("Pages") { registry in
            registry.register(Page.self, scope: .prototype) { () -> Page in
                if calls.next() == 1 {
                    isMaking.signal()
                    mayGoOn.wait()
                }
                return Page()
            }
        }
        let context = try AppContext().load(module)
        let wrapper = AppContext.withContext(context) { Dependency<Page>() }
        let early = Late<Page>()
        try Crowd.run("reset while reading", threads: 2) { member in
            if member.number == 0 {
                early.value = wrapper()
            } else {
                isMaking.wait()
                wrapper.reset()
                mayGoOn.signal()
            }
        }
        let page = wrapper()
        #expect(page !== early.value)
        #expect(wrapper() === page)
    }

    @Test("A reset inside a closure discards what the closure has read before, once its injections have run")
    func resetAfterAReadInsideAClosure() throws {
        final class Book: Sendable {
            let page: Page
            init(page: Page) { self.page = page }
        }
        let context = try Self.context(.prototype)
        let page = AppContext.withContext(context) { Dependency<Page>() }
        let module = Module("Book") { registry in
            registry.register(Book.self) {
                let first = try page.resolved()
                page.reset()
                return Book(page: first)
            }
        }
        try context.load(module)
        let book = try context.resolve(Book.self)
        #expect(book.page.isComplete.value == true)
        let next = try page.resolved()
        #expect(next !== book.page)
        #expect(try page.resolved() === next)
    }

    /// A thread that waits for what a factory closure has read does not wait forever if the closure resets the wrapper.
    @Test func reset_insideAClosure_letsOthersGoOn() throws {
        final class Book: Sendable {
            let pages: [Page]
            init(pages: [Page]) { self.pages = pages }
        }
        for _ in 0..<max(10, TestScale.count(200)) {
            let hasRead = DispatchSemaphore(value: 0)
            let context = try Self.context(.prototype)
            let page = AppContext.withContext(context) { Dependency<Page>() }
            let module = Module("Book") { registry in
                registry.register(Book.self) { () throws -> Book in
                    let first = try page.resolved()
                    hasRead.signal()
                    for _ in 0..<20 { sched_yield() }
                    page.reset()
                    return Book(pages: [first, try page.resolved(), try page.resolved()])
                }
            }
            try context.load(module)
            try Crowd.run("reset inside a maker", threads: 2) { member in
                if member.number == 1 { hasRead.wait() }
                member.step("reading")
                let isComplete =
                    member.number == 1
                    ? try page.resolved().isComplete.value == true
                    : try context.resolve(Book.self).pages.allSatisfy { $0.isComplete.value == true }
                if !isComplete { throw CancellationError() }
            }
            let pages = try context.resolve(Book.self).pages
            #expect(pages[0] !== pages[1])
            #expect(pages[1] === pages[2])
        }
    }
}
