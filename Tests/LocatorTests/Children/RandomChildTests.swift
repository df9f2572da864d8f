import Foundation
import Locator
import Testing

/// Random programs over a context and its children, twice: once with children that stay lean for as long as they can,
/// once with children that are full from the start.
///
/// Whatever a program can see has to be the same: who is given, in which order what is made and disposed of, each error.
@Suite struct `A lean child and a full one` {
    private static let seed =
        ProcessInfo.processInfo.environment["LOCATOR_TEST_SEED"].flatMap { UInt64($0) }
        ?? UInt64.random(in: 0...UInt64(UInt32.max))

    @Test(arguments: 0..<2)
    func `do the same in random programs`(_ part: Int) {
        let count = TestScale.count(20_000) / 2 + 1
        let first = Self.seed &+ UInt64(part * count)
        print("RandomChildTests \(part): LOCATOR_TEST_SEED=\(first), \(count) programs")
        for number in 0..<count {
            let seed = first &+ UInt64(number)
            var generator = SeededGenerator(seed: seed)
            let program = ChildProgram(using: &generator)
            let lean = ChildRun(program, isLean: true).trace()
            let full = ChildRun(program, isLean: false).trace()
            guard lean != full else { continue }
            let step = zip(lean, full).prefix { $0 == $1 }.count
            Issue.record(
                """
                LOCATOR_TEST_SEED=\(seed) replays it first
                \(program)
                step \(step)
                lean: \(lean.dropFirst(step).first ?? "ended")
                full: \(full.dropFirst(step).first ?? "ended")
                """)
            return
        }
    }
}

/// The types that a program registers and asks for; each may be made from those before it.
private enum ChildType: Int, CaseIterable, CustomStringConvertible {
    case first, second, third, fourth, fifth

    var description: String { ["first", "second", "third", "fourth", "fifth"][rawValue] }
}

private enum First {}
private enum Second {}
private enum Third {}
private enum Fourth {}
private enum Fifth {}

/// An instance, which says what it was made from.
private final class ChildPart<Name>: Sendable {
    let text: String
    init(_ text: String) { self.text = text }
}

/// No weak ones: that one has ended is noticed when somebody looks, and a full child looks more often.
private enum ChildLifetime: Int, CaseIterable {
    case singleton, request, session, prototype, graph
}

/// How a type is registered in one module.
private struct ChildRegistration: CustomStringConvertible {
    let type: ChildType
    let lifetime: ChildLifetime
    /// Whether it takes the two types before it, the one before it, or none.
    let parameterCount: Int
    /// Whether the second parameter is asked for at run time.
    let isDynamic: Bool
    let hasHook: Bool
    /// Whether the maker throws in every second call.
    let failsSometimes: Bool

    var description: String {
        "\(type) \(lifetime) of \(parameterCount)\(isDynamic ? " at run time" : "")\(hasHook ? " with a hook" : "")"
            + (failsSometimes ? " that fails" : "")
    }

    init(_ type: ChildType, using generator: inout some RandomNumberGenerator) {
        self.type = type
        let isRequest = Bool.random(using: &generator)
        lifetime = isRequest ? .request : ChildLifetime.allCases.randomElement(using: &generator) ?? .request
        parameterCount = min(type.rawValue, Int.random(in: 0...2, using: &generator))
        isDynamic = Int.random(in: 0..<6, using: &generator) == 0
        hasHook = Int.random(in: 0..<6, using: &generator) == 0
        failsSometimes = Int.random(in: 0..<10, using: &generator) == 0
    }
}

private enum ChildStep {
    case open(Int, opensSession: Bool, pushes: Int?)
    case end(Int)
    /// Of a child, or of the parent where the number is nil.
    case resolve(ChildType, Int?)
    case resolveAll(ChildType, Int?)
    case existing(ChildType, Int?)
    case hold(ChildType, Int)
    case readHeld
    case push(Int, Int?)
    case pop(Int?)
    case load(Int)
    case unload(Int)
    case reset(String?, Int?)
}

private struct ChildProgram: CustomStringConvertible {
    var modules: [[ChildRegistration]]
    var steps: [ChildStep]

    init(using generator: inout some RandomNumberGenerator) {
        modules = (0..<3).map { number in
            ChildType.allCases.compactMap { type in
                if number > 0, Bool.random(using: &generator) { return nil }
                return ChildRegistration(type, using: &generator)
            }
        }
        // What is ready in the parent is given by lean children, so it is asked for there first.
        steps = ChildType.allCases.flatMap { type -> [ChildStep] in
            Bool.random(using: &generator) ? [.resolve(type, nil), .resolve(type, nil)] : []
        }
        for _ in 0..<Int.random(in: 5...25, using: &generator) {
            let child = Int.random(in: 0..<2, using: &generator)
            let anyone = Int.random(in: 0..<4, using: &generator) == 0 ? nil : child
            let module = Int.random(in: 1..<3, using: &generator)
            let type = ChildType.allCases.randomElement(using: &generator) ?? .first
            switch Int.random(in: 0..<26, using: &generator) {
            case 0..<5:
                let pushes = Int.random(in: 0..<6, using: &generator) == 0 ? module : nil
                steps.append(.open(child, opensSession: Bool.random(using: &generator), pushes: pushes))
            case 5: steps.append(.end(child))
            case 6..<17: steps.append(.resolve(type, anyone))
            case 17: steps.append(.resolveAll(type, anyone))
            case 18: steps.append(.existing(type, anyone))
            case 19: steps.append(.hold(type, child))
            case 20: steps.append(.readHeld)
            case 21, 22: steps.append(.push(module, anyone))
            case 23: steps.append(.pop(anyone))
            case 24: steps.append(Bool.random(using: &generator) ? .load(module) : .unload(module))
            default:
                let scope = ["request", "session", nil].randomElement(using: &generator) ?? nil
                steps.append(.reset(scope, anyone))
            }
        }
    }

    var description: String {
        let modules = modules.enumerated().map { "module \($0): " + $1.map(\.description).joined(separator: ", ") }
        return (modules + steps.enumerated().map { "\($0): \($1)" }).joined(separator: "\n")
    }
}

/// One run of a program.
private final class ChildRun {
    private let program: ChildProgram
    private let isLean: Bool
    private let events = Log()
    private let made = Counter()
    private let parent = AppContext()
    private var children: [Int: AppContext] = [:]
    private var modules: [Module] = []
    private var loaded: Set<Int> = []
    private var pushes: [Int?: Int] = [:]
    private var held: [() -> String] = []

    init(_ program: ChildProgram, isLean: Bool) {
        self.program = program
        self.isLean = isLean
    }

    /// What happened, step by step.
    func trace() -> [String] {
        modules = program.modules.enumerated().map { number, registrations in
            let run = Registrations(registrations: registrations, events: events, made: made, module: number)
            return Module("module \(number)") { run.register(in: $0) }
        }
        var trace: [String] = []
        do { try parent.load(modules[0]) } catch { return ["\(error)"] }
        for step in program.steps {
            let result: String
            do { result = try run(step) } catch { result = "\(error)" }
            trace.append("\(step): \(result) \(events.take())")
        }
        held = []
        for child in 0..<2 { children[child] = nil }
        trace.append("the end \(events.take())")
        return trace
    }

    private func context(_ child: Int?) -> AppContext {
        child.flatMap { children[$0] } ?? parent
    }

    private func run(_ step: ChildStep) throws -> String {
        switch step {
        case .open(let number, let opensSession, let pushed):
            pushes[number] = nil
            let scopes = (Scope("request"), Scope("session"))
            let child =
                switch (opensSession, pushed) {
                case (true, let module?): try parent.child(opening: scopes.0, scopes.1, pushing: modules[module])
                case (true, nil): try parent.child(opening: scopes.0, scopes.1)
                case (false, let module?): try parent.child(opening: scopes.0, pushing: modules[module])
                case (false, nil): try parent.child(opening: scopes.0)
                }
            if !isLean { _ = child.existing(Int.self) }
            children[number] = child
            return "opened"
        case .end(let number):
            children[number] = nil
            pushes[number] = nil
            return "ended"
        case .resolve(let type, let child):
            return try with(type) { try self.text($0, in: self.context(child)) }
        case .resolveAll(let type, let child):
            return try with(type) { try self.texts($0, in: self.context(child)) }
        case .existing(let type, let child):
            return try with(type) { self.existing($0, in: self.context(child)) }
        case .hold(let type, let child):
            return try with(type) { self.hold($0, in: self.context(child)) }
        case .readHeld:
            return held.map { $0() }.joined(separator: " ")
        case .push(let module, let child):
            let number = child.flatMap { children[$0] == nil ? nil : $0 }
            try context(child).push(modules[module])
            pushes[number, default: 0] += 1
            return "pushed"
        case .pop(let child):
            let number = child.flatMap { children[$0] == nil ? nil : $0 }
            guard let count = pushes[number], count > 0 else { return "nothing to pop" }
            pushes[number] = count - 1
            context(child).pop()
            return "popped"
        case .load(let module):
            loaded.insert(module)
            try parent.load(modules[module], priority: .high)
            return "loaded"
        case .unload(let module):
            guard loaded.remove(module) != nil else { return "not loaded" }
            try parent.unload(modules[module])
            return "unloaded"
        case .reset(let scope, let child):
            if let scope { try context(child).reset(Scope(scope)) } else { try context(child).reset() }
            return "reset"
        }
    }

    private func with(_ type: ChildType, _ body: (any Any.Type) throws -> String) throws -> String {
        switch type {
        case .first: try body(ChildPart<First>.self)
        case .second: try body(ChildPart<Second>.self)
        case .third: try body(ChildPart<Third>.self)
        case .fourth: try body(ChildPart<Fourth>.self)
        case .fifth: try body(ChildPart<Fifth>.self)
        }
    }

    private func text(_ type: any Any.Type, in context: AppContext) throws -> String {
        func text<Value>(_ type: Value.Type) throws -> String {
            (try context.resolve(type, fileID: "Shop/Main.swift", line: 7) as? any Described)?.text ?? "?"
        }
        return try _openExistential(type, do: text)
    }

    private func texts(_ type: any Any.Type, in context: AppContext) throws -> String {
        func texts<Value>(_ type: Value.Type) throws -> String {
            try context.resolveAll(type).map { ($0 as? any Described)?.text ?? "?" }.joined(separator: " ")
        }
        return try _openExistential(type, do: texts)
    }

    private func existing(_ type: any Any.Type, in context: AppContext) -> String {
        func existing<Value>(_ type: Value.Type) -> String {
            (context.existing(type) as? any Described)?.text ?? "none"
        }
        return _openExistential(type, do: existing)
    }

    private func hold(_ type: any Any.Type, in context: AppContext) -> String {
        func hold<Value>(_ type: Value.Type) -> String {
            let wrapper = AppContext.withContext(context) { Dependency<Value>() }
            held.append {
                do { return (try wrapper.resolved() as? any Described)?.text ?? "?" } catch { return "\(error)" }
            }
            return held[held.count - 1]()
        }
        return _openExistential(type, do: hold)
    }
}

private protocol Described { var text: String { get } }
extension ChildPart: Described {}

/// Registers what a module of a program has.
private struct Registrations: Sendable {
    private let all: [ChildRegistration]
    private let events: Log
    private let made: Counter
    private let module: Int

    init(registrations: [ChildRegistration], events: Log, made: Counter, module: Int) {
        all = registrations
        self.events = events
        self.made = made
        self.module = module
    }

    func register(in registry: Registry) {
        for registration in all {
            switch registration.type {
            case .first: register(First.self, Never.self, Never.self, registration, in: registry)
            case .second: register(Second.self, First.self, Never.self, registration, in: registry)
            case .third: register(Third.self, Second.self, First.self, registration, in: registry)
            case .fourth: register(Fourth.self, Third.self, Second.self, registration, in: registry)
            case .fifth: register(Fifth.self, Fourth.self, Third.self, registration, in: registry)
            }
        }
    }

    private func register<Name, One, Two>(
        _ name: Name.Type, _ one: One.Type, _ two: Two.Type, _ registration: ChildRegistration, in registry: Registry
    ) {
        let make = maker(name, registration)
        switch (registration.parameterCount, registration.isDynamic) {
        case (0, _):
            add(registration, in: registry) { try make([]) }
        case (1, false):
            add(registration, in: registry) { (one: ChildPart<One>) in try make([one.text]) }
        case (1, true):
            add(registration, in: registry) { (resolver: Resolver) in
                try make([try resolver.resolve(ChildPart<One>.self).text])
            }
        case (_, false):
            add(registration, in: registry) { (one: ChildPart<One>, two: ChildPart<Two>) in
                try make([one.text, two.text])
            }
        case (_, true):
            add(registration, in: registry) { (one: ChildPart<One>, resolver: Resolver) in
                try make([one.text, try resolver.resolve(ChildPart<Two>.self).text])
            }
        }
    }

    private struct Failure: Error {}

    private func maker<Name>(
        _ name: Name.Type, _ registration: ChildRegistration
    ) -> @Sendable ([String]) throws -> ChildPart<Name> {
        let (events, made, module) = (events, made, module)
        let (type, fails) = ("\(registration.type)", registration.failsSometimes)
        return { parts in
            let number = made.next()
            if fails, number.isMultiple(of: 2) {
                events("\(type) fails")
                throw Failure()
            }
            let part = ChildPart<Name>("\(type) \(number) of \(module) (\(parts.joined(separator: ", ")))")
            events("made \(part.text)")
            return part
        }
    }

    private func add<Name, each Parameter>(
        _ registration: ChildRegistration, in registry: Registry,
        _ make: @escaping @Sendable (repeat each Parameter) throws -> ChildPart<Name>
    ) {
        let events = events
        func hooked(_ scope: Scope) {
            let added = registry.register(ChildPart<Name>.self, scope: scope, make)
            if registration.hasHook { added.onDispose { events("disposed of \($0.text)") } }
        }
        switch registration.lifetime {
        case .singleton: hooked(.singleton)
        case .request: hooked(Scope("request"))
        case .session: hooked(Scope("session"))
        case .prototype: registry.register(ChildPart<Name>.self, scope: .prototype, make)
        case .graph: registry.register(ChildPart<Name>.self, scope: .graph, make)
        }
    }
}
