import Dispatch
import Foundation
import Locator
import LocatorProperties

/// An instance of a program, which knows what it was made from.
final class FamilyPart: @unchecked Sendable {
    // Sendable: a program runs on one thread at a time.
    let text: String
    /// The instance that this one decorates.
    private let inner: FamilyPart?
    private var parts: [FamilyPart]
    private var ownInjection = ""
    private var isDisposed = false

    init(_ text: String, of inner: FamilyPart? = nil, _ parts: [FamilyPart]) {
        self.text = text
        self.inner = inner
        self.parts = parts
    }

    /// What the injections have read.
    var injected: String { inner?.injected ?? ownInjection }

    func inject(_ results: [FamilyResult]) {
        ownInjection = results.text
        parts += results.flatMap(\.parts)
    }

    func dispose() { isDisposed = true }

    /// This instance, or one that it was made from, that has been disposed of.
    var disposedPart: FamilyPart? {
        var open = [self]
        var seen: Set<ObjectIdentifier> = []
        while let next = open.popLast() {
            if next.isDisposed { return next }
            // Injections close cycles.
            if seen.insert(ObjectIdentifier(next)).inserted { open += next.parts + [next.inner].compactMap(\.self) }
        }
        return nil
    }
}

/// The wrappers of one context.
private struct FamilyWrappers {
    let one: [Dependency<FamilyPart>]
    let optional: [Dependency<FamilyPart?>]
    let all: [DependencyArray<FamilyPart>]

    init(in context: AppContext) {
        let qualifiers = (0..<FamilyProgram.keyCount).map { Qualifier.named("\($0)") }
        (one, optional, all) = AppContext.withContext(context) {
            (
                qualifiers.map { Dependency(qualifier: $0) }, qualifiers.map { Dependency(qualifier: $0) },
                qualifiers.map { DependencyArray(qualifier: $0) }
            )
        }
    }
}

/// The result of a request.
enum FamilyResult {
    case one(FamilyPart)
    case none
    case all([FamilyPart])
    case setting(String)
    case failure

    var text: String {
        switch self {
        case .one(let part): part.text
        case .none: "none"
        case .all(let parts): "[\(parts.map(\.text).joined(separator: ","))]"
        case .setting(let value): value
        case .failure: "-"
        }
    }

    var parts: [FamilyPart] {
        switch self {
        case .one(let part): [part]
        case .all(let parts): parts
        case .none, .setting, .failure: []
        }
    }
}

extension [FamilyResult] {
    var text: String { map { "(\($0.text))" }.joined() }
}

final class FamilyRun: @unchecked Sendable {
    // Sendable: a program runs on one thread at a time.
    private let program: FamilyProgram
    private var reference: FamilyReference
    private var contexts: [Int: AppContext] = [:]
    private var wrappers: [Int: FamilyWrappers] = [:]
    /// The modules of each context.
    private var modules: [[Module]] = []
    private let file: MemoryFiles
    private var observation: ContextObservation?
    /// What another thread does while a closure runs, and how many closures run before.
    private var interruption: (after: Int, change: () -> Void)?
    /// Signaled when the other thread has made its change.
    private let hasEnded = DispatchSemaphore(value: 0)

    init(_ program: FamilyProgram) {
        self.program = program
        reference = FamilyReference(program)
        file = MemoryFiles(Self.json(program.file))
    }

    private static func json(_ settings: [Int: Int]) -> String {
        "{\(settings.map { "\"s\($0)\": \"\($1)\"" }.joined(separator: ", "))}"
    }

    /// Loads the first module, and opens the children.
    private func begin() throws {
        let shared = makeModules()
        modules = (0..<5).map { _ in program.sharesModules ? shared : makeModules() }
        let parent = try AppContext().load(modules[0][0], .naming(Scope("request"), Scope("session")))
        try parent.loadProperties(file.source)
        if program.isObserved { observation = parent.observe { _ in } }
        let child = try parent.child(opening: Scope("request"))
        for (number, context) in [parent, child, try child.child(opening: Scope("session"))].enumerated() {
            use(context, as: number)
        }
    }

    private func use(_ context: AppContext, as number: Int) {
        contexts[number] = context
        wrappers[number] = FamilyWrappers(in: context)
    }

    private func context(_ number: Int) -> AppContext {
        guard let context = contexts[number] else { preconditionFailure("A closed context is not used") }
        return context
    }

    // MARK: Modules

    private func makeModules() -> [Module] {
        program.modules.enumerated().map { number, module in
            let settings = module.settings.map { ("s\($0)", JSONValue("\($1)")) }
            let condition = module.condition.map { Condition.property("s\($0.setting)", equals: "\($0.value)") }
            return Module(
                "\(number)", properties: Dictionary(uniqueKeysWithValues: settings), when: condition
            ) { [self] registry in
                for registration in module.registrations { register(registration, of: number, in: registry) }
                for (index, decorator) in module.decorators.enumerated() {
                    registry.decorate(FamilyPart.self, qualifier: .named("\(decorator.key)")) {
                        (inner: FamilyPart, resolver: Resolver) in
                        let reads = try self.results(of: module.decorators[index].reads, resolver)
                        return FamilyPart("d\(number){\(inner.text)}\(reads.text)", of: inner, reads.flatMap(\.parts))
                    }
                }
                if module.replacesAll { registry.replaceAll(FamilyPart.self) }
            }
        }
    }

    private func register(_ registration: FamilyRegistration, of module: Int, in registry: Registry) {
        let name = "\(module).\(registration.key)"
        let reads = registration.reads
        let kinds = registration.parameters.map(\.kind)
        @Sendable func part(_ parameters: [FamilyResult], _ resolver: Resolver? = nil) throws -> FamilyPart {
            self.interrupt()
            let results = parameters + (try resolver.map { try self.results(of: reads, $0) } ?? [])
            return FamilyPart(name + results.text, results.flatMap(\.parts))
        }
        func register<each Parameter>(_ make: @escaping @Sendable (repeat each Parameter) throws -> FamilyPart) {
            var qualifiers: [Qualifier?] = registration.parameters.map { .named("\($0.key)") }
            if !qualifiers.isEmpty, !reads.isEmpty { qualifiers.append(nil) }
            add(registration, of: module, in: registry, qualifiers, make)
        }
        switch (kinds, reads.isEmpty) {
        case ([], true): register { try part([]) }
        case ([], false): register { (resolver: Resolver) in try part([], resolver) }
        case ([.one], true): register { (first: FamilyPart) in try part([.one(first)]) }
        case ([.one], false):
            register { (first: FamilyPart, resolver: Resolver) in try part([.one(first)], resolver) }
        case ([.optional], true): register { (first: FamilyPart?) in try part([first.map { .one($0) } ?? .none]) }
        case ([.optional], false):
            register { (first: FamilyPart?, resolver: Resolver) in
                try part([first.map { .one($0) } ?? .none], resolver)
            }
        case ([.all], true): register { (first: [FamilyPart]) in try part([.all(first)]) }
        case ([.all], false):
            register { (first: [FamilyPart], resolver: Resolver) in try part([.all(first)], resolver) }
        case (_, true):
            register { (first: FamilyPart, second: FamilyPart) in try part([.one(first), .one(second)]) }
        case (_, false):
            register { (first: FamilyPart, second: FamilyPart, resolver: Resolver) in
                try part([.one(first), .one(second)], resolver)
            }
        }
    }

    private func add<each Parameter>(
        _ registration: FamilyRegistration, of module: Int, in registry: Registry, _ qualifiers: [Qualifier?],
        _ make: @escaping @Sendable (repeat each Parameter) throws -> FamilyPart
    ) {
        let (key, injections) = (Qualifier.named("\(registration.key)"), registration.injections)
        let aliases = program.modules[module].aliases.filter { alias, target in
            target == registration.key && !program.modules[module].registrations.contains { $0.key == alias }
        }.keys.sorted()
        let inject: @Sendable (FamilyPart, Resolver) throws -> Void = { part, resolver in
            part.inject(try self.results(of: injections, resolver))
        }
        func finish(_ registration: UnretainedRegistration<FamilyPart>) {
            for alias in aliases { registration.alias(FamilyPart.self, qualifier: .named("\(alias)")) { $0 } }
            if !injections.isEmpty { registration.injecting(inject) }
        }
        func finish(_ registration: Registration<FamilyPart>) {
            for alias in aliases { registration.alias(FamilyPart.self, qualifier: .named("\(alias)")) { $0 } }
            if !injections.isEmpty { registration.injecting(inject) }
            registration.onDispose { $0.dispose() }
        }
        func add(_ scope: Scope) {
            finish(
                registry.register(
                    FamilyPart.self, qualifier: key, scope: scope, parameterQualifiers: qualifiers, make))
        }
        func add(_ scope: UnretainedScope) {
            finish(
                registry.register(
                    FamilyPart.self, qualifier: key, scope: scope, parameterQualifiers: qualifiers, make))
        }
        switch registration.lifetime {
        case .singleton: add(.singleton)
        case .request: add(Scope("request"))
        case .session: add(Scope("session"))
        case .weak: add(.weak)
        case .graph: add(.graph)
        case .prototype:
            finish(
                registry.register(
                    FamilyPart.self, qualifier: key, scope: .prototype, parameterQualifiers: qualifiers, make))
        }
    }

    private func interrupt() {
        guard let (after, change) = interruption else { return }
        interruption = after == 0 ? nil : (after - 1, change)
        if after == 0 { change() }
    }

    // MARK: Reading in factory closures

    private func results(of reads: [FamilyRead], _ resolver: Resolver) throws -> [FamilyResult] {
        try reads.map { read in
            do {
                return try result(of: read, resolver)
            } catch {
                if read.isCaught { return .failure }
                throw error
            }
        }
    }

    private func result(of read: FamilyRead, _ resolver: Resolver) throws -> FamilyResult {
        switch read.way {
        case .resolver: try result(.named("\(read.key)"), read.kind, resolver)
        case .wrapper: try result(of: FamilyWrappers(in: AppContext.current), read.key, read.kind)
        case .wrapperOfMember: try result(ofWrapper: read.key, read.kind, in: read.member)
        case .contextOfMember: try result(read.key, read.kind, context(read.member))
        case .setting: .setting(try resolver.value(read.path))
        case .wrapperOfSetting: .setting(try PropertyValue<String>(read.path).resolved())
        case .settingOfMember: .setting(try context(read.member).value(read.path))
        case .qualifierOfSetting: try result(.property(read.path), read.kind, resolver)
        }
    }

    private func result(
        _ qualifier: Qualifier, _ kind: FamilyRead.Kind, _ resolver: Resolver
    ) throws -> FamilyResult {
        switch kind {
        case .one: .one(try resolver.resolve(FamilyPart.self, qualifier: qualifier))
        case .optional: try resolver.resolve(FamilyPart?.self, qualifier: qualifier).map { .one($0) } ?? .none
        case .all: .all(try resolver.resolveAll(FamilyPart.self, qualifier: qualifier))
        }
    }

    private func result(_ key: Int, _ kind: FamilyRead.Kind, _ context: AppContext) throws -> FamilyResult {
        let qualifier = Qualifier.named("\(key)")
        return switch kind {
        case .one: .one(try context.resolve(FamilyPart.self, qualifier: qualifier))
        case .optional: try context.resolve(FamilyPart?.self, qualifier: qualifier).map { .one($0) } ?? .none
        case .all: .all(try context.resolveAll(FamilyPart.self, qualifier: qualifier))
        }
    }

    private func result(ofWrapper key: Int, _ kind: FamilyRead.Kind, in number: Int) throws -> FamilyResult {
        guard let wrappers = wrappers[number] else { preconditionFailure("A closed context is not used") }
        return try result(of: wrappers, key, kind)
    }

    private func result(of wrappers: FamilyWrappers, _ key: Int, _ kind: FamilyRead.Kind) throws -> FamilyResult {
        switch kind {
        case .one: .one(try wrappers.one[key].resolved())
        case .optional: try wrappers.optional[key].resolved().map { .one($0) } ?? .none
        case .all: .all(try wrappers.all[key].resolved())
        }
    }

    // MARK: Steps

    /// Ends the contexts, whose factory closures hold this object.
    private func end() {
        wrappers = [:]
        contexts = [:]
        modules = []
        observation = nil
    }

    /// The first wrong result.
    func firstMistake() throws -> String? {
        try begin()
        defer { end() }
        for (number, step) in program.steps.enumerated() {
            if let mistake = try mistake(in: step) { return "step \(number): \(mistake)" }
        }
        return nil
    }

    private func mistake(in step: FamilyStep) throws -> String? {
        switch step {
        case .push(let module, let number):
            if reference.isOpen(number) { try push(module, number) }
        case .pop(let number):
            if reference.pushed[number]?.popLast() != nil { context(number).pop() }
        case .load(let module):
            if reference.loaded.contains(module) { return nil }
            try context(0).load(modules[0][module])
            reference.loaded.append(module)
        case .unload(let module):
            guard let position = reference.loaded.firstIndex(of: module) else { return nil }
            try context(0).unload(modules[0][module])
            reference.loaded.remove(at: position)
        case .reload(let settings):
            file.content = Self.json(settings)
            try context(0).reloadProperties()
            reference.file = settings
        case .reset(let scope, let number):
            guard reference.isOpen(number) else { return nil }
            if let scope { try context(number).reset(Scope(scope)) } else { try context(number).reset() }
        case .pushAndPop(let module, let number, let key, let asked):
            if reference.isOpen(number), reference.isOpen(asked) {
                return try mistakeInPushAndPop(module, number, key, asked)
            }
        case .resolve(let key, let kind, let number):
            guard reference.isOpen(number) else { return nil }
            return mistake(key, kind, number) { try result(key, kind, context(number)) }
                ?? mistake(key, kind, number) { try result(key, kind, context(number)) }.map { "again: \($0)" }
        case .read(let key, let kind, let number):
            guard reference.isOpen(number) else { return nil }
            return mistake(key, kind, number) { try result(ofWrapper: key, kind, in: number) }.map { "wrapper: \($0)" }
        case .resolveAll(let number):
            guard reference.isOpen(number) else { return nil }
            let result = try? FamilyResult.all(context(number).resolveAll(FamilyPart.self))
            return mistake(result, reference.textOfAll(in: number))
        case .fork(let number, let key):
            guard reference.isOpen(number) else { return nil }
            let fork = try context(number).fork()
            return mistake(key, .one, number) { try result(key, .one, fork) }
        case .open(let number, let parent, let opensRequest, let pushing):
            end(visitor: number)
            let pushes = pushing.map { modules[number][$0] }
            let child =
                opensRequest
                ? try context(parent).child(opening: Scope("request"), pushing: pushes)
                : try context(parent).child(pushing: pushes)
            use(child, as: number)
            reference.parents[number] = parent
            reference.pushed[number] = pushing.reversed()
        case .end(let number): end(visitor: number)
        case .overtake(let change, let after, let read, let number):
            if reference.isOpen(number) { return try mistakeInOvertaking(change, after, read, number) }
        }
        return nil
    }

    /// Requests a key while another thread makes a change, and requests it again after the change.
    private func mistakeInOvertaking(
        _ change: FamilyStep, _ after: Int, _ read: FamilyRead, _ number: Int
    ) throws -> String? {
        // The request sees the state of its start.
        let expected = reference.text(of: read.key, read.kind, in: number)
        let injected = read.kind == .one ? reference.injected(for: read.key, in: number) : nil
        var outcome = Result<String?, any Error>.success(nil)
        interruption = (after, { outcome = self.onOtherThread { try self.mistake(in: change) } })
        let result = try? result(read.key, read.kind, context(number))
        if interruption != nil {
            interruption = nil
            outcome = Result { try mistake(in: change) }
        }
        if let mistake = try outcome.get() { return mistake }
        if result?.text != expected {
            return "overtaken: \(result?.text ?? "an error") instead of \(expected ?? "an error")"
        }
        if let part = result?.parts.first, let injected, part.injected != injected {
            return "overtaken: \(part.text) with \(part.injected) instead of \(injected)"
        }
        return mistake(read.key, read.kind, number) { try self.result(read.key, read.kind, context(number)) }
            .map { "after: \($0)" }
    }

    private func onOtherThread<Value>(_ body: @escaping () throws -> Value) -> Result<Value, any Error> {
        nonisolated(unsafe) var result: Result<Value, any Error>?
        nonisolated(unsafe) let body = body
        let thread = Thread {
            result = Result(catching: body)
            self.hasEnded.signal()
        }
        thread.start()
        hasEnded.wait()
        guard let result else { preconditionFailure("The thread has stored its result") }
        return result
    }

    private func push(_ module: Int, _ number: Int) throws {
        try context(number).push(modules[number][module])
        reference.pushed[number]?.append(module)
    }

    private func end(visitor number: Int) {
        contexts[number] = nil
        wrappers[number] = nil
        reference.end(number)
    }

    /// Requests a key before, during, and after a push.
    private func mistakeInPushAndPop(_ module: Int, _ number: Int, _ key: Int, _ asked: Int) throws -> String? {
        let before = try? result(key, .one, context(asked))
        try push(module, number)
        if let mistake = mistake(key, .one, asked, { try result(key, .one, context(asked)) }) {
            return "pushed: \(mistake)"
        }
        context(number).pop()
        reference.pushed[number]?.removeLast()
        let after = try? result(key, .one, context(asked))
        if let mistake = mistake(key, .one, asked, { try result(key, .one, context(asked)) }) {
            return "popped: \(mistake)"
        }
        if before?.parts.first !== after?.parts.first, isShared(key, asked) { return "not the same" }
        return nil
    }

    private func isShared(_ key: Int, _ number: Int) -> Bool {
        switch reference.registration(for: key, in: number)?.lifetime {
        case .graph, .prototype: false
        case .singleton, .request, .session, .weak, nil: true
        }
    }

    private func mistake(
        _ key: Int, _ kind: FamilyRead.Kind, _ number: Int, _ request: () throws -> FamilyResult
    ) -> String? {
        let result = try? request()
        if let mistake = mistake(result, reference.text(of: key, kind, in: number)) { return mistake }
        guard kind == .one, let part = result?.parts.first, let injected = reference.injected(for: key, in: number)
        else { return nil }
        return part.injected == injected ? nil : "\(part.text) with \(part.injected) instead of \(injected)"
    }

    private func mistake(_ result: FamilyResult?, _ expected: String?) -> String? {
        if result?.text != expected { return "\(result?.text ?? "an error") instead of \(expected ?? "an error")" }
        if let part = result?.parts.lazy.compactMap(\.disposedPart).first { return "\(part.text) has been disposed of" }
        return nil
    }
}
