import Foundation
import Locator
import Testing
import TestSupport

@Suite("A long request does not keep instances that come and go during it")
struct LongRequestTests {
    /// Counts its objects that are alive.
    private final class Token: Sendable {
        private let count: Living

        init(_ count: Living) {
            self.count = count
            count.change(by: 1)
        }

        deinit { count.change(by: -1) }
    }

    private final class Living: @unchecked Sendable {
        // Sendable: `number` is guarded by `lock`.
        private let lock = NSLock()
        private var number = 0

        var value: Int { lock.withLock { number } }
        func change(by difference: Int) { lock.withLock { number += difference } }
    }

    private final class Slow: Sendable {
        let before: Part
        let after: Part
        init(before: Part, after: Part) { (self.before, self.after) = (before, after) }
    }
    private final class Part: Sendable {
        let number: Int
        init(_ number: Int) { self.number = number }
    }
    private final class Whole: Sendable {
        init(_ part: Part) {}
    }

    private func module(_ number: Int, _ token: Token, isDecorated: Bool) -> Module {
        Module("Part \(number)") { registry in
            registry.register { withExtendedLifetime(token) { Part(number) } }
            if isDecorated { registry.decorate(Part.self) { part in withExtendedLifetime(token) { part } } }
        }
    }

    @Test("Modules that are pushed, used, and popped while a factory closure runs", arguments: [false, true])
    func modules_areReleased(isDecorated: Bool) throws {
        let (begun, ending) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let living = Living()
        let context = try AppContext().load(
            Module("Whole") { registry in
                registry.register { (part: Part) in Whole(part) }
                registry.register { (resolver: Resolver) in
                    let before = try resolver.resolve(Part.self)
                    begun.signal()
                    ending.wait()
                    return Slow(before: before, after: try resolver.resolve(Part.self))
                }
            })
        // The request begins under this push, and ends in its state, long after the pop.
        try context.push(module(-1, Token(living), isDecorated: isDecorated))
        let slow = Late<Slow>()
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            slow.value = try? context.resolve(Slow.self)
            done.signal()
        }
        thread.start()
        begun.wait()
        context.pop()
        var most = 0
        for number in 0..<2000 {
            try context.push(module(number, Token(living), isDecorated: isDecorated))
            _ = try context.resolve(Whole.self)
            context.pop()
            most = max(most, living.value)
        }
        // Some wait until a search is worthwhile.
        #expect(most < 300)
        ending.signal()
        done.wait()
        #expect(slow.value?.before.number == -1)
        #expect(slow.value?.after === slow.value?.before)
    }

    private protocol Numbered: Sendable {}
    private final class Novel: Numbered {}

    /// A request that waits inside its factory closure.
    private final class Waiting: Sendable {
        private let (begun, ending, done) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )

        func begin(_ qualifier: Qualifier, in context: AppContext) {
            Thread.detachNewThread { [self] in
                _ = try? context.resolve(Int.self, qualifier: qualifier)
                done.signal()
            }
            begun.wait()
        }

        func pause() {
            begun.signal()
            ending.wait()
        }

        func end() {
            ending.signal()
            done.wait()
        }
    }

    private func loadAndUnloadAnAlias(in context: AppContext, during first: Waiting) throws {
        let novels = Module("Novels") { $0.register(Novel.init).alias((any Numbered).self) { $0 } }
        try context.load(novels)
        first.begin("first", in: context)
        try context.push(Module("Fakes") { $0.register(Novel.init) })
        // The alias of the loaded module leads to the instance of the pushed one.
        _ = try context.resolve((any Numbered).self)
        try context.unload(novels)
        context.pop()
    }

    @Test("An alias to a pushed instance whose module ends before a later request")
    func alias_isReleased() throws {
        let (first, second) = (Waiting(), Waiting())
        let context = try AppContext().load(
            Module("Slow") { registry in
                registry.register(qualifier: "first") {
                    first.pause()
                    return 1
                }
                registry.register(qualifier: "second") {
                    second.pause()
                    return 2
                }
            })
        // Only the first request's state has the module of the alias.
        try loadAndUnloadAnAlias(in: context, during: first)
        second.begin("second", in: context)
        first.end()
        // The context searches what it has kept for requests.
        for _ in 0..<100 {
            try context.push(Module("Fakes") { $0.register(Novel.init) })
            _ = try context.resolve(Novel.self)
            context.pop()
        }
        second.end()
        #expect(try context.resolve((any Numbered)?.self) == nil)
    }
}
