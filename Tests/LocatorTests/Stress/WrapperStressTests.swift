import Foundation
import Locator
import TestSupport
import Testing

/// Many threads read the same wrappers.
///
/// All readers of a wrapper get the same instance, and it is complete.
@Suite struct WrapperStressTests {
    private struct Refusal: Error {}

    /// Complete once its injection has run.
    ///
    /// A thread that reads it earlier races with the injection, which the thread sanitizer reports.
    private final class Piece: @unchecked Sendable {
        // Sendable: only its injection changes it, before other threads get it.
        private(set) var isComplete = false
        func complete() { isComplete = true }
    }

    /// Made from the values of a holder's wrappers.
    private final class Whole: Sendable {
        let pieces: [Piece]
        init(_ pieces: [Piece]) { self.pieces = pieces }
    }

    /// Fails now and then, on any thread.
    private final class Fate: Sendable {
        private let calls = Counter()
        let period: Int
        init(period: Int) { self.period = period }

        func decide() throws {
            if period > 0, calls.next() % period == 0 { throw Refusal() }
        }
    }

    private func pieces(_ scope: ScopeKind, _ fate: Fate) -> Module {
        Module("Pieces") { registry in
            scope.register(Piece.self, in: registry) {
                _ = try AppContext.current.resolve(Int?.self)
                return Piece()
            } injecting: { piece in
                sched_yield()
                try fate.decide()
                piece.complete()
            }
        }
    }

    /// All threads read one wrapper after the other, some of them inside a factory closure.
    private func run(
        _ scope: ScopeKind, fate: Fate, isPushed: Bool, _ change: @Sendable @escaping (AppContext) throws -> Void
    ) throws {
        let kinds = WrapperKind.allCases
        let context = AppContext()
        if isPushed {
            try context.push(pieces(scope, fate))
        } else {
            try context.load(pieces(scope, fate))
        }
        let readers = try (0..<max(20, TestScale.count(2000))).map { number in
            try kinds[number % kinds.count].reader(of: Piece.self, in: context)
        }
        let position = Late(0)
        let wholes = Module("Wholes") { registry in
            registry.register(Whole.self, scope: .prototype) { () throws -> Whole in
                let read = readers[position.value ?? 0]
                let piece = try read()
                sched_yield()
                return Whole([piece, try read()])
            }
        }
        try context.load(wholes)
        let found = Tally<(reader: Int, piece: ObjectIdentifier)>()
        let kept = Tally<Piece>()
        let incomplete = Counter()
        let gates = readers.map { _ in Gate(5) }
        try Crowd.run("wrapper stress", threads: 5) { member in
            for (number, read) in readers.enumerated() {
                member.step("reader \(number)")
                if member.number == 3 { position.value = number }
                gates[number].arriveAndWait()
                if member.number == 4 {
                    try change(context)
                    continue
                }
                for _ in 0..<2 {
                    let pieces: [Piece]
                    do {
                        pieces = member.number == 3 ? try context.resolve(Whole.self).pieces : [try read()]
                    } catch {
                        continue
                    }
                    for piece in pieces {
                        if !piece.isComplete { incomplete.next() }
                        found.append((number, ObjectIdentifier(piece)))
                        // Kept alive, so that no other object gets its address.
                        kept.append(piece)
                    }
                }
            }
        }
        #expect(incomplete.value == 0)
        let byReader = Dictionary(grouping: found.elements, by: \.reader).mapValues { Set($0.map(\.piece)).count }
        #expect(byReader.values.allSatisfy { $0 == 1 }, "\(byReader.filter { $0.value > 1 })")
        withExtendedLifetime(kept.elements) {}
    }

    @Test(arguments: ScopeKind.onDemand, [true, false])
    func readers_getOneCompleteObject(_ scope: ScopeKind, _ isPushed: Bool) throws {
        try run(scope, fate: Fate(period: 0), isPushed: isPushed) { _ in }
    }

    @Test(arguments: ScopeKind.onDemand, [true, false])
    func readers_getOneCompleteObject_whenInjectionsFail(_ scope: ScopeKind, _ isPushed: Bool) throws {
        try run(scope, fate: Fate(period: 3), isPushed: isPushed) { _ in }
    }

    @Test(arguments: ScopeKind.onDemand)
    func readers_getOneCompleteObject_besideUnrelatedPushes(_ scope: ScopeKind) throws {
        try run(scope, fate: Fate(period: 0), isPushed: false) { context in
            try context.push(.text("unrelated"))
            context.pop()
        }
    }

    /// Changes while threads read: every value is complete, and in the end each wrapper has its context's instance.
    @Test(arguments: ScopeKind.onDemand)
    func readers_getCompleteObjects_besideResetsAndChildren(_ scope: ScopeKind) throws {
        let fate = Fate(period: 7)
        let context = try AppContext().load(pieces(scope, fate), .naming(Scope("request"), ScopeKind.sessionScope))
        let child = try context.child(opening: Scope("request"))
        let grandchild = try child.child(pushing: .text("own"))
        let contexts = [context, child, grandchild]
        let readers = try (0..<24).map { number in
            let kind = WrapperKind.allCases[number % 4]
            return (contexts[number % 3], try kind.reader(of: Piece.self, in: contexts[number % 3]))
        }
        let incomplete = Counter()
        try Crowd.run("wrappers beside resets", threads: 5) { member in
            for round in 0..<TestScale.count(4000) {
                member.step("round \(round)")
                if member.number == 0 {
                    switch round % 4 {
                    case 0: try context.reset()
                    case 1: try context.push(Module("Int") { $0.register(Int.self) { 1 } })
                    case 2: context.pop()
                    default: try child.reset(ScopeKind.sessionScope)
                    }
                    continue
                }
                let read = readers[(round + member.number * 5) % readers.count].1
                if let piece = try? read(), !piece.isComplete { incomplete.next() }
            }
        }
        #expect(incomplete.value == 0)
        for (context, read) in readers {
            let (read, resolved) = (try settled(read), try settled { try context.resolve(Piece.self) })
            #expect(read.isComplete)
            if scope == .singleton || scope == .session { #expect(read === resolved) }
        }
    }

    /// The result of a reader, which is repeated until it does not fail.
    private func settled(_ read: () throws -> Piece) throws -> Piece {
        for _ in 0..<10 {
            if let piece = try? read() { return piece }
        }
        return try read()
    }

    /// A context that ends while threads read.
    ///
    /// A wrapper that has a value keeps it.
    @Test(arguments: ScopeKind.onDemand, [true, false])
    func readers_goOn_afterTheirContextHasGone(_ scope: ScopeKind, _ isPushed: Bool) throws {
        for _ in 0..<max(10, TestScale.count(500)) {
            let fate = Fate(period: 0)
            let held = Late(AppContext())
            try held.value?.load(.naming(ScopeKind.sessionScope))
            if isPushed {
                try held.value?.push(pieces(scope, fate))
            } else {
                try held.value?.load(pieces(scope, fate))
            }
            let readers = try WrapperKind.allCases.map { try $0.reader(of: Piece.self, in: #require(held.value)) }
            let child = Late(try held.value?.child(opening: ScopeKind.sessionScope))
            let ofChild = try WrapperKind.allCases.map { try $0.reader(of: Piece.self, in: #require(child.value)) }
            let gate = Gate(4)
            try Crowd.run("context that goes", threads: 4) { member in
                let before = try (readers + ofChild).map { try $0() }
                gate.arriveAndWait()
                if member.number == 0 {
                    child.value = nil
                    held.value = nil
                }
                for (read, piece) in zip(readers + ofChild, before) {
                    member.step("reading")
                    if try read() !== piece { throw Refusal() }
                }
            }
        }
    }
}
