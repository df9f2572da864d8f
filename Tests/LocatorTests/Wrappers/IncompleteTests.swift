import Foundation
import Locator
import TestSupport
import Testing

/// Complete once its injection has run.
private final class Piece: Sendable {
    let isComplete = Late(false)
}

/// Made from the value of a wrapper.
private final class Whole: Sendable {
    let part: Piece
    init(part: Piece) { self.part = part }
}

private struct Refusal: Error {}

@Suite("A wrapper never keeps an object whose injection has not run or has failed")
struct IncompleteTests {
    private let context = AppContext()
    private let failures = Late(1)

    /// A part whose injection fails as often as `failures` says.
    private func parts(_ scope: ScopeKind) -> Module {
        Module("Parts") { [failures] registry in
            scope.register(Piece.self, in: registry) {
                Piece()
            } injecting: { part in
                let left = failures.value ?? 0
                failures.value = left - 1
                if left > 0 { throw Refusal() }
                part.isComplete.value = true
            }
        }
    }

    @Test(arguments: WrapperKind.allCases, ScopeKind.onDemand)
    func failedInjection_isAnError_andTheNextReadGivesACompleteOne(_ kind: WrapperKind, _ scope: ScopeKind) throws {
        try context.load(parts(scope))
        let read = try kind.reader(of: Piece.self, in: context)
        #expect(throws: LocatorError.self) { try read() }
        let part = try read()
        #expect(part.isComplete.value == true)
        #expect(try read() === part)
        if scope == .singleton { #expect(try context.resolve(Piece.self) === part) }
    }

    @Test(arguments: WrapperKind.allCases, ScopeKind.onDemand)
    func failedInjection_ofWhatAClosureRead_isNotKept(_ kind: WrapperKind, _ scope: ScopeKind) throws {
        try context.load(parts(scope))
        let read = try kind.reader(of: Piece.self, in: context)
        try context.load(Module("Whole") { $0.register(Whole.self) { Whole(part: try read()) } })
        #expect(throws: LocatorError.self) { try context.resolve(Whole.self) }
        #expect(try read().isComplete.value == true)
        let whole = try context.resolve(Whole.self)
        #expect(try whole.part === read())
    }

    @Test(arguments: WrapperKind.allCases, ScopeKind.onDemand)
    func whatALaterInjectionMakesFromAnObjectWhoseInjectionHasFailed_isNotKept(
        _ kind: WrapperKind, _ scope: ScopeKind
    ) throws {
        try context.load(parts(scope))
        let read = try kind.reader(of: Piece.self, in: context)
        let module = Module("Whole") { registry in
            registry.register { () throws -> Whole in Whole(part: try read()) }
            registry.register([String: Whole].self) { () throws -> [String: Whole] in ["other": Whole(part: try read())]
            }
            .injecting { (_, _: Whole) in }
        }
        try context.load(module)
        #expect(throws: LocatorError.self) { try context.resolve([String: Whole].self) }
        #expect(context.existing([String: Whole].self) == nil)
        #expect(context.existing(Whole.self) == nil)
        let whole = try context.resolve(Whole.self)
        #expect(whole.part.isComplete.value == true)
        #expect(try whole.part === read())
    }

    @Test(arguments: WrapperKind.allCases, ScopeKind.onDemand)
    func requestThatFailsElsewhere_leavesACompleteOne(_ kind: WrapperKind, _ scope: ScopeKind) throws {
        failures.value = 0
        try context.load(parts(scope))
        let read = try kind.reader(of: Piece.self, in: context)
        let module = Module("Whole") { registry in
            registry.register(Whole.self) { () throws -> Whole in
                // Nothing has been injected yet, as in every unfinished instance. All readers see the same.
                let part = try read()
                #expect(part.isComplete.value != true)
                #expect(try read() === part)
                throw Refusal()
            }
        }
        try context.load(module)
        #expect(throws: LocatorError.self) { try context.resolve(Whole.self) }
        let part = try read()
        #expect(part.isComplete.value == true)
        #expect(try read() === part)
    }

    @Test(arguments: WrapperKind.allCases, ScopeKind.onDemand)
    func injectionThatReadsTheWrapper_getsTheSame(_ kind: WrapperKind, _ scope: ScopeKind) throws {
        failures.value = 0
        let seen = Late<Whole>()
        try context.load(parts(scope))
        let read = try kind.reader(of: Piece.self, in: context)
        let module = Module("Whole") { registry in
            registry.register(Whole.self) { Whole(part: try read()) }
                .injecting { _ in seen.value = Whole(part: try read()) }
        }
        try context.load(module)
        let whole = try context.resolve(Whole.self)
        #expect(seen.value?.part === whole.part)
        #expect(try read() === whole.part)
        #expect(whole.part.isComplete.value == true)
    }

    @Test(arguments: WrapperKind.allCases, ScopeKind.onDemand)
    func secondReader_getsACompleteOne(_ kind: WrapperKind, _ scope: ScopeKind) throws {
        let isInjecting = DispatchSemaphore(value: 0)
        let isReading = Late(false)
        let module = Module("Parts") { registry in
            scope.register(Piece.self, in: registry) {
                Piece()
            } injecting: { part in
                isInjecting.signal()
                // The other thread continues from here. Whether it waits is not visible.
                for _ in 0..<1000 where isReading.value == false { sched_yield() }
                for _ in 0..<100 { sched_yield() }
                part.isComplete.value = true
            }
        }
        for _ in 0..<10 {
            let context = try AppContext().load(module)
            isReading.value = false
            let read = try kind.reader(of: Piece.self, in: context)
            let parts = Tally<Piece>()
            try Crowd.run("second reader", threads: 2) { member in
                if member.number == 1 {
                    isInjecting.wait()
                    isReading.value = true
                }
                let part = try read()
                if part.isComplete.value != true { throw Refusal() }
                parts.append(part)
            }
            while isInjecting.wait(timeout: .now()) == .success {}
            #expect(parts.elements[0] === parts.elements[1])
            #expect(try read() === parts.elements[0])
        }
    }

    @Test(arguments: WrapperKind.allCases, ScopeKind.onDemand)
    func secondReader_getsWhatAClosureHasRead(_ kind: WrapperKind, _ scope: ScopeKind) throws {
        failures.value = 0
        for _ in 0..<10 {
            let context = try AppContext().load(parts(scope))
            let hasRead = DispatchSemaphore(value: 0)
            let isReading = Late(false)
            let read = try kind.reader(of: Piece.self, in: context)
            let module = Module("Whole") { registry in
                registry.register(Whole.self) { () throws -> Whole in
                    let part = try read()
                    hasRead.signal()
                    for _ in 0..<1000 where isReading.value == false { sched_yield() }
                    for _ in 0..<100 { sched_yield() }
                    return Whole(part: part)
                }
            }
            try context.load(module)
            let parts = Tally<Piece>()
            try Crowd.run("reader beside a maker", threads: 2) { member in
                if member.number == 0 {
                    parts.append(try context.resolve(Whole.self).part)
                    return
                }
                hasRead.wait()
                isReading.value = true
                let part = try read()
                if part.isComplete.value != true { throw Refusal() }
                parts.append(part)
            }
            #expect(parts.elements[0] === parts.elements[1])
            #expect(try read() === parts.elements[0])
        }
    }
}
