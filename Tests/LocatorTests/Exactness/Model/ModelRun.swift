import Locator

/// A difference between the contexts and the reference.
struct ModelMismatch: Error, CustomStringConvertible {
    let step: Int
    let description: String
}

/// Runs a program with real contexts and the reference model at the same time.
final class ModelRun {
    private let program: ModelProgram
    private let world = ModelWorld()
    private let reference: Reference
    private let modules: ModelModules
    /// The contexts that have not ended, by number.
    private var contexts: [Int: AppContext] = [0: AppContext()]
    /// The files that each context reads.
    private var files: [Int: [MemoryFiles]] = [:]
    /// The contents of these files.
    ///
    /// Forks share the files of their original.
    private var contents: [ObjectIdentifier: [String: String]] = [:]
    /// Closures that read the wrappers of holders, in the same order as in the reference.
    private var holders: [() throws -> ModelNode.Part] = []
    private var forksOfChildren: Set<Int> = []
    /// The parent of a child that is being created.
    private var pending: ReferenceContext?
    /// The first serial number of each group of objects that were made together in any order.
    private var orders: [Int: Int] = [:]
    private var step = 0
    /// The number of the context of each object, by serial number.
    private var owners: [Int: Int] = [:]

    init(_ program: ModelProgram) {
        self.program = program
        reference = Reference(program)
        modules = ModelModules(program.modules, world)
        world.keepsAll = program.keepsAll
        world.readHolder = { [unowned self] in try readHolder(above: $0, $1) }
    }

    /// Whether the program did something outside its features and was stopped.
    var hasLeftFeatures: Bool { reference.hasLeftFeatures }

    /// Runs all steps, and throws at the first difference from the reference.
    func run() async throws(ModelMismatch) {
        for (index, step) in program.steps.enumerated() {
            self.step = index + 1
            do {
                try await run(step)
                if reference.hasLeftFeatures { return }
            } catch let mismatch as ModelMismatch {
                if reference.hasLeftFeatures { return }
                throw mismatch
            } catch {
                throw ModelMismatch(step: self.step, description: "\(error)")
            }
        }
        try end()
    }

    /// Ends the contexts and their wrappers, after which no object may be left.
    private func end() throws(ModelMismatch) {
        step += 1
        // A context ends after its children, and each round ends at least one.
        for _ in 0..<contexts.count {
            for number in contexts.keys.sorted().reversed() {
                try end(number)
                if reference.hasLeftFeatures { return }
            }
        }
        holders = []
        reference.holders = []
        if !program.keepsAll, !world.alive.isEmpty { throw mismatch("\(world.alive.sorted()) are left at the end") }
    }

    private func end(_ number: Int) throws(ModelMismatch) {
        guard let context = reference.contexts[number], !reference.hasChildren(context) else { return }
        reference.endContext(context)
        files[number] = nil
        let identity = contexts[number].map(ObjectIdentifier.init)
        contexts[number] = nil
        if reference.hasLeftFeatures { return }
        try compareDisposed(by: context, ended: identity)
    }

    private func mismatch(_ text: String) -> ModelMismatch {
        ModelMismatch(step: step, description: text)
    }

    // MARK: Steps

    private func run(_ step: ModelStep) async throws {
        guard let expected = reference.contexts[step.context] else { return }
        if case .end = step.action {
            // Nothing may hold the context here.
            if expected.number != 0 { try end(expected.number) }
        } else if let context = contexts[step.context] {
            try await run(step.action, context, expected)
        }
        guard !expected.isEnded else { return }
        try compareMakings()
        // A step may have had nothing to do.
        if !expected.disposals.isEmpty || !expected.ended.isEmpty {
            reference.use(expected)
            _ = contexts[step.context]?.existing(Int.self)
        }
        try compareDisposed(by: expected)
        if !program.features.contains(.lagging) { try compareAll() }
    }

    private func run(_ action: ModelStep.Action, _ context: AppContext, _ expected: ReferenceContext) async throws {
        let pushed = expected.roots.filter(\.isPushed)
        switch action {
        case .load(let ids, let priority):
            try load(ids, expected, priority, isPushed: false) {
                if ids.count == 2 {
                    try context.load(modules[ids[0]], modules[ids[1]], priority: Priority(priority))
                } else {
                    try context.load(modules[ids[0]], priority: Priority(priority))
                }
            }
        case .push(let id, let priority):
            try load([id], expected, priority, isPushed: true) {
                try context.push(modules[id], priority: Priority(priority))
            }
        case .unload(let id):
            guard (expected.roots + expected.snapshot).contains(where: { !$0.isPushed && $0.module == id }) else {
                return
            }
            if leavesRemainder(expected, { !$0.isPushed && $0.module == id }) { return }
            try context.unload(modules[id])
            reference.remove(from: expected) { !$0.isPushed && $0.module == id }
        case .pop:
            guard let latest = pushed.map(\.sequence).max() else { return }
            if leavesRemainder(expected, { $0.sequence == latest }) { return }
            context.pop()
            reference.remove(from: expected) { $0.sequence == latest }
        case .popModule(let id):
            guard let latest = pushed.filter({ $0.module == id }).map(\.sequence).max() else {
                // A pop does not remove pushes of a parent, or pushes that a fork has copied.
                reference.use(expected)
                if (try? context.pop(modules[id])) != nil { throw mismatch("M\(id) was popped, and was not pushed") }
                return
            }
            if leavesRemainder(expected, { $0.sequence == latest }) { return }
            try context.pop(modules[id])
            reference.remove(from: expected) { $0.sequence == latest }
        case .reset:
            try context.reset()
            reference.reset(expected)
        case .resetScope(let scope):
            let isOwn = expected.parent == nil || expected.opened.contains(scope)
            guard isOwn || program.features.contains(.scopesOfParents) else { return }
            do throws(LocatorError) {
                try context.reset(.modelScopes[scope])
            } catch {
                // No module uses the scope.
                guard case .nothingToReset = error.kind else { throw error }
                return reference.use(expected)
            }
            reference.reset(expected, scope: scope)
        case .unloadAll:
            let own = Set((expected.roots + expected.snapshot).map(\.sequence))
            if leavesRemainder(expected, { own.contains($0.sequence) }) { return }
            try context.unloadAll()
            reference.reset(expected)
            reference.remove(from: expected) { _ in true }
        case .reload(let values):
            guard expected.parent == nil, canReload(expected) else { return }
            guard let first = files[expected.number]?.first else { return try load(file: values, context, expected) }
            first.content = json(values)
            contents[ObjectIdentifier(first)] = values
            let real = Result { try context.reloadProperties() }
            let contents = (files[expected.number] ?? []).map { self.contents[ObjectIdentifier($0)] ?? [:] }
            try compareOutcome(
                real,
                outcome { () throws(ReferenceFailure) in
                    try reference.replaceFiles(of: expected, by: contents)
                })
        case .reloadAndStart(let values):
            guard expected.parent == nil, canReload(expected), let first = files[expected.number]?.first else { return }
            try await reloadAndStart(values, of: first, context, expected)
        case .loadFile(let values):
            guard expected.parent == nil, canReload(expected) else { return }
            try load(file: values, context, expected)
        case .resolve(let read):
            guard let type = read.type else { return }
            let real = Result { try modelTypes[type].ask(context, read).seen }
            try compare(real, outcome { () throws(ReferenceFailure) in try reference.resolve(read, in: expected) })
        case .makeWrapper(let spec):
            holders.append(try AppContext.withContext(context) { try spec.read(with: nil) })
            reference.holders.append(ReferenceWrapper(spec, expected))
        case .readWrapper(let number):
            try readWrapper(number)
        case .child(let number, let opening, let pushing, let mayKeep):
            let keeps = mayKeep && expected.parent == nil
            let scopes = opening.filter { isNamed(scope: $0, in: expected, pushing) }
            let inputs = self.inputs(of: scopes, openedBelow: expected, pushing, isLavish: number.isMultiple(of: 2))
            if inputs.count > 3 { return }
            try makeContext(
                number, expected, isFork: false, opening: scopes, giving: inputs, pushing, keepsSettings: keeps
            ) {
                let pushing = pushing.map { modules[$0] }
                let scopes = scopes.map { Scope.modelScopes[$0] }
                let inputs = inputs.map { modelTypes[$0.type].input($1, $0.named) }
                switch (scopes.count, inputs.count) {
                case (_, 0): break
                case (1, 1):
                    return try context.child(opening: scopes[0], and: inputs[0], pushing: pushing, keepsSettings: keeps)
                case (1, 2):
                    return try context.child(
                        opening: scopes[0], and: inputs[0], inputs[1], pushing: pushing, keepsSettings: keeps)
                case (1, 3):
                    return try context.child(
                        opening: scopes[0], and: inputs[0], inputs[1], inputs[2], pushing: pushing, keepsSettings: keeps
                    )
                case (_, 1):
                    return try context.child(
                        opening: scopes[0], scopes[1], and: inputs[0], pushing: pushing, keepsSettings: keeps)
                case (_, 2):
                    return try context.child(
                        opening: scopes[0], scopes[1], and: inputs[0], inputs[1], pushing: pushing, keepsSettings: keeps
                    )
                default:
                    return try context.child(
                        opening: scopes[0], scopes[1], and: inputs[0], inputs[1], inputs[2], pushing: pushing,
                        keepsSettings: keeps)
                }
                switch (scopes.count, pushing.count) {
                case (0, 0): return try context.child(keepsSettings: keeps)
                case (1, 0): return try context.child(opening: scopes[0], keepsSettings: keeps)
                case (_, 0): return try context.child(opening: scopes[0], scopes[1], keepsSettings: keeps)
                case (0, 1): return try context.child(pushing: pushing[0], keepsSettings: keeps)
                case (1, 1): return try context.child(opening: scopes[0], pushing: pushing[0], keepsSettings: keeps)
                case (_, 1):
                    return try context.child(opening: scopes[0], scopes[1], pushing: pushing[0], keepsSettings: keeps)
                case (0, _): return try context.child(pushing: pushing[0], pushing[1], keepsSettings: keeps)
                case (1, _):
                    return try context.child(opening: scopes[0], pushing: pushing[0], pushing[1], keepsSettings: keeps)
                default:
                    return try context.child(
                        opening: scopes[0], scopes[1], pushing: pushing[0], pushing[1], keepsSettings: keeps)
                }
            }
        case .fork(let number, let pushing):
            try makeContext(number, expected, isFork: true, opening: [], pushing) {
                let pushing = pushing.map { modules[$0] }
                switch pushing.count {
                case 0: return try context.fork()
                case 1: return try context.fork(pushing: pushing[0])
                default: return try context.fork(pushing: pushing[0], pushing[1])
                }
            }
        case .end: return
        case .start:
            let real: Result<Void, any Error>
            do {
                real = .success(try await context.start())
            } catch {
                real = .failure(error)
            }
            try compareOutcome(real, outcome { () throws(ReferenceFailure) in try reference.start(expected) })
            forgetOrder()
        case .setFlag(let flag, let isSet):
            if isSet {
                world.flags.insert(flag)
                reference.flags.insert(flag)
            } else {
                world.flags.remove(flag)
                reference.flags.remove(flag)
            }
        }
    }

    /// Reloads, and makes the asynchronous instances before that.
    private func reloadAndStart(
        _ values: [String: String], of file: MemoryFiles, _ context: AppContext, _ expected: ReferenceContext
    ) async throws {
        let before = file.content
        file.content = json(values)
        do {
            try await context.reloadAndStart()
        } catch {
            // It is unknown which closures have run. Nothing that existed has ended.
            file.content = before
            try compareExisting(context, expected, butNew: true)
            let serials = Set(world.makings.map(\.serial))
            guard world.disposed.allSatisfy({ serials.contains($0.serial) }) else {
                throw mismatch("\(world.disposed) were disposed of")
            }
            return reference.stop()
        }
        contents[ObjectIdentifier(file)] = values
        let contents = (files[expected.number] ?? []).map { self.contents[ObjectIdentifier($0)] ?? [:] }
        let result = outcome { () throws(ReferenceFailure) in
            reference.use(expected)
            try reference.replaceFiles(of: expected, by: contents, isStarting: true)
        }
        if case .failure(let failure) = result { throw mismatch("It should have failed: \(failure)") }
        forgetOrder()
    }

    /// Forgets in which order the latest objects were made.
    ///
    /// Independent factory closures run at the same time, so it is not defined.
    private func forgetOrder() {
        let serials = world.makings.map(\.serial)
        for serial in serials { orders[serial] = serials.min() }
    }

    /// Whether a module of a child names a scope.
    ///
    /// Otherwise the child cannot open it.
    private func isNamed(scope: Int, in context: ReferenceContext, _ pushing: [Int]) -> Bool {
        reference.reached(from: context.allRoots.map(\.module) + pushing).contains { module in
            program.modules[module].registrations.contains { $0.lifetime == .custom(scope) }
        }
    }

    /// Objects for the inputs of the scopes that a child is about to open.
    ///
    /// If `isLavish` is true, those whose key a module in front answers get one, too.
    private func inputs(
        of scopes: [Int], openedBelow context: ReferenceContext, _ pushing: [Int], isLavish: Bool
    ) -> [(key: ModelKey, node: ModelNode)] {
        if scopes.isEmpty { return [] }
        var keys: [ModelKey] = []
        for input in reference.inputs(of: scopes, openedBelow: context, pushing: pushing)
        where (isLavish || !input.isHidden) && !keys.contains(input.key) {
            keys.append(input.key)
        }
        return keys.map { ($0, ModelNode(inputIn: world)) }
    }

    /// Whether another load keeps modules of these loads, which are not the latest.
    private func leavesRemainder(_ context: ReferenceContext, _ isRemoved: (ReferenceContext.Root) -> Bool) -> Bool {
        if program.features.contains(.remainders) { return false }
        let others = reference.contexts.values.filter { $0.lineage.contains { $0 === context } }
        return others.contains { other in
            let roots = other.allRoots
            return !reference.reached(from: roots.filter(isRemoved).map(\.module))
                .isDisjoint(with: reference.reached(from: roots.filter { !isRemoved($0) }.map(\.module)))
        }
    }

    /// Whether a child would have conditions of its own.
    private func isUndecided(_ ids: [Int], of context: ReferenceContext) -> Bool {
        if context.parent == nil || program.features.contains(.followingConditions) { return false }
        return reference.unknown(ids, in: context).contains { program.modules[$0].condition != nil }
    }

    private func load(
        _ ids: [Int], _ context: ReferenceContext, _ priority: Int, isPushed: Bool, _ body: () throws -> Void
    ) throws {
        if isUndecided(ids, of: context) { return }
        let new = reference.unknown(ids, in: context)
        world.started = []
        let real = Result(catching: body)
        let runs = try startedRuns(new)
        try compareOutcome(
            real,
            outcome { () throws(ReferenceFailure) in
                try reference.load(ids, into: context, priority: priority, isPushed: isPushed, runs: runs)
            })
    }

    private func startedRuns(_ modules: [Int]) throws(ModelMismatch) -> [Int: Int] {
        let started = world.started
        world.started = []
        guard started.map(\.module) == modules else {
            throw mismatch("The closures of \(started.map(\.module)) ran, not \(modules)")
        }
        return Dictionary(started.map { ($0.module, $0.run) }) { $1 }
    }

    /// Creates a child or fork with a number.
    private func makeContext(
        _ number: Int, _ from: ReferenceContext, isFork: Bool, opening scopes: [Int],
        giving inputs: [(key: ModelKey, node: ModelNode)] = [], _ pushing: [Int], keepsSettings: Bool = false,
        _ body: () throws -> AppContext
    ) throws {
        if number == from.number || number == 0 { return }
        if !isFork, !program.features.contains(.followingConditions),
            reference.unknown(pushing, in: from).contains(where: { program.modules[$0].condition != nil })
        {
            return
        }
        if let old = reference.contexts[number] {
            guard !reference.hasChildren(old), !from.lineage.contains(where: { $0 === old }) else { return }
            try end(number)
        }
        world.started = []
        pending = isFork ? nil : from
        let real = Result(catching: body)
        pending = nil
        let started = world.started
        world.started = []
        let made = reference.makeContext(
            number, from: from, isFork: isFork, opening: Set(scopes), keepsSettings: keepsSettings)
        for (key, node) in inputs { made.inputs[key] = ReferenceNode(input: node.serial, of: made) }
        let new = reference.unknown(pushing, in: made)
        let result = outcome { () throws(ReferenceFailure) in
            try reference.load(
                pushing.reversed(), into: made, priority: 1000, isPushed: true,
                runs: Dictionary(started.map { ($0.module, $0.run) }) { $1 })
        }
        try compareOutcome(real, result)
        // Plain modules are pushed before the others, so the closures may run in another order.
        guard started.map(\.module).sorted() == new.sorted() else {
            throw mismatch("The closures of \(started.map(\.module)) ran, not \(new)")
        }
        if case .success(let context) = real {
            contexts[number] = context
            // A child that keeps its settings, and its forks, do not have the files of later loads.
            if isFork {
                files[number] = files[from.lineage.last?.number ?? 0].map { Array($0.prefix(made.files.count)) }
            }
            forksOfChildren.remove(number)
            if isFork, from.parent != nil || forksOfChildren.contains(from.number) { forksOfChildren.insert(number) }
            try compareMakings()
        } else {
            try compareMakings(by: made)
            reference.endContext(made)
            // The other ended objects belong to contexts that still exist.
            world.disposed.removeAll { owners[$0.serial] == number }
        }
    }

    private func canReload(_ context: ReferenceContext) -> Bool {
        program.features.contains(.filesOfChildren) || !forksOfChildren.contains(context.number)
    }

    private func load(file values: [String: String], _ context: AppContext, _ expected: ReferenceContext) throws {
        let file = MemoryFiles(json(values))
        contents[ObjectIdentifier(file)] = values
        let real = Result { _ = try context.loadProperties(file.source) }
        let result = outcome { () throws(ReferenceFailure) in
            try reference.replaceFiles(of: expected, by: expected.files + [values])
        }
        try compareOutcome(real, result)
        if case .success = result { files[expected.number, default: []].append(file) }
    }

    private func json(_ values: [String: String]) -> String {
        var nested: [String: [String: String]] = [:]
        var members: [String] = []
        for (path, value) in values.sorted(by: { $0.key < $1.key }) {
            let steps = path.split(separator: ".").map(String.init)
            if steps.count == 2 {
                nested[steps[0], default: [:]][steps[1]] = value
            } else {
                members.append("\"\(path)\": \"\(value)\"")
            }
        }
        for (path, values) in nested {
            let inner = values.map { "\"\($0)\": \"\($1)\"" }.joined(separator: ", ")
            members.append("\"\(path)\": {\(inner)}")
        }
        return "{\(members.joined(separator: ", "))}"
    }

    // MARK: Wrappers

    private func readWrapper(_ number: Int) throws {
        guard !holders.isEmpty else { return }
        let expected = reference.holders[number % holders.count]
        if expected.context.isEnded {
            guard program.features.contains(.holdersOfTheEnded), expected.isSettledForGood, let value = expected.value
            else { return }
            try compare(Result { try holders[number % holders.count]().seen }, .success(value))
            return
        }
        let real = Result { try holders[number % holders.count]().seen }
        try compare(real, outcome { () throws(ReferenceFailure) in try reference.read(expected) })
        try compareDisposed(by: expected.context)
    }

    private func readHolder(above type: Int, _ relation: ReadSpec.Relation) throws -> ModelNode.Part {
        let current = AppContext.current
        let number = contexts.first { $0.value === current }?.key
        let context =
            number.flatMap { reference.contexts[$0] } ?? ReferenceContext(number: 0, parent: pending, opened: [])
        let index = reference.holders.lastIndex { holder in
            guard !holder.context.isEnded, holder.spec.read.type ?? .max > type else { return false }
            return context.relation(to: holder.context) == relation
        }
        return try index.map { try holders[$0]() } ?? .nothing
    }

    // MARK: Comparing

    /// The result of the reference, or its failure.
    private func outcome<Value>(
        _ body: () throws(ReferenceFailure) -> Value
    ) -> Result<Value, ReferenceFailure> {
        do throws(ReferenceFailure) {
            return .success(try body())
        } catch {
            return .failure(error)
        }
    }

    /// Compares what was made: by which factory closure, in which context, how often, and from what.
    ///
    /// `new` is the context that a failed step tried to create.
    private func compareMakings(by new: ReferenceContext? = nil) throws(ModelMismatch) {
        let numbers = Dictionary(contexts.map { (ObjectIdentifier($1), $0) }) { $1 }
        var open = reference.makings
        reference.makings = []
        var expected: [Int: ReferenceNode] = [:]
        let makings = world.makings
        world.makings = []
        func bind(_ making: SeenMaking, _ index: Int) {
            let node = open.remove(at: index)
            node.serial = making.serial
            expected[making.serial] = node
            owners[making.serial] = node.context.number
            // Instances that are not shared may be made several times. Their owner tells them apart.
            for (part, seen) in zip(node.parts, making.parts) {
                guard case .node(let part) = part, case .node(let serial) = seen, part.serial == nil,
                    let index = open.firstIndex(where: { $0 === part }),
                    let making = makings.first(where: { $0.serial == serial }), expected[serial] == nil,
                    matches(making, part)
                else { continue }
                bind(making, index)
            }
        }
        func matches(_ making: SeenMaking, _ node: ReferenceNode) -> Bool {
            node.maker == making.maker && node.run == making.run
                && node.context.number == numbers[making.context] ?? new?.number
                && zip(node.parts, making.parts).allSatisfy { part, seen in
                    guard case .node(let part) = part, case .node(let serial) = seen else { return true }
                    return part.serial == serial || part.serial == nil && expected[serial] == nil
                }
        }
        for isUnique in [true, false] {
            for making in makings where expected[making.serial] == nil {
                let indices = open.indices.filter { matches(making, open[$0]) }
                if isUnique, indices.count != 1 { continue }
                guard let index = indices.first else {
                    let context = (numbers[making.context] ?? new?.number).map { "C\($0)" } ?? "an unknown context"
                    throw mismatch(
                        "object \(making.serial) was made by \(making.maker) (run \(making.run)) in \(context), and "
                            + "should not be; expected: \(open.map(\.text))")
                }
                bind(making, index)
            }
        }
        guard open.isEmpty else { throw mismatch("\(open.map(\.text)) should have been made") }
        for making in makings {
            guard let node = expected[making.serial] else { continue }
            let parts = node.parts.map(\.seen)
            guard parts == making.parts else {
                throw mismatch("\(node.text) was made from \(making.parts), not from \(parts)")
            }
        }
        let injected = world.injected
        world.injected = []
        defer { reference.injected = [] }
        for (serial, part) in injected {
            guard let index = reference.injected.firstIndex(where: { $0.node.serial == serial }) else {
                throw mismatch("object \(serial) got an injection of \(part), and should not")
            }
            let (node, expected) = reference.injected.remove(at: index)
            guard expected.seen == part else {
                throw mismatch("\(node.text) got an injection of \(part), not of \(expected.seen)")
            }
        }
        guard reference.injected.isEmpty else {
            throw mismatch("\(reference.injected.map(\.node.text)) should have got injections")
        }
    }

    /// Compares what was disposed of.
    ///
    /// `used` must have disposed of everything that has ended in it. Other contexts may wait for their next request.
    private func compareDisposed(
        by used: ReferenceContext, ended: ObjectIdentifier? = nil
    ) throws(ModelMismatch) {
        var real: [Int: [Int]] = [:]
        for (serial, _) in world.disposed {
            guard let owner = owners[serial] else { throw mismatch("object \(serial) was disposed of, unexpectedly") }
            real[owner, default: []].append(serial)
        }
        world.disposed = []
        let contexts = used.isEnded ? [used] + reference.contexts.values : Array(reference.contexts.values)
        for context in contexts {
            context.disposals += context.ended.map { $0.map { $0.serial ?? 0 } }
            context.ended = []
        }
        for context in contexts {
            let serials = real.removeValue(forKey: context.number) ?? []
            let due = context.disposals
            if serials.isEmpty, context !== used { continue }
            let all = due.flatMap(\.self)
            let orders = { (serials: [Int]) in serials.map { self.orders[$0] ?? $0 } }
            let isEqual =
                Set(serials) == Set(all) && serials.count == all.count
                && isOrder(orders(serials)[...], ofGroups: due.map(orders)[...])
            guard isEqual else { throw mismatch("C\(context.number) disposed of \(serials), not of \(due)") }
            context.disposals = []
        }
        guard real.isEmpty else { throw mismatch("\(real) were disposed of by contexts that have ended") }
    }

    /// Whether groups were disposed of in this order.
    ///
    /// If several changes ended objects, each change may be disposed of on its own, or some changes together, latest
    /// first.
    private func isOrder(_ orders: ArraySlice<Int>, ofGroups groups: ArraySlice<[Int]>) -> Bool {
        if groups.isEmpty { return orders.isEmpty }
        return groups.indices.contains { last in
            let together = groups[...last].flatMap(\.self)
            let first = orders.prefix(together.count)
            let isRight =
                last == groups.startIndex && first.elementsEqual(together)
                || first.elementsEqual(together.sorted().reversed())
            return isRight && isOrder(orders.dropFirst(together.count), ofGroups: groups[(last + 1)...])
        }
    }

    private var keys: [ModelKey] {
        (0..<program.typeCount).flatMap { type in
            [nil, "a", "b"].map { ModelKey(type: type, qualifier: $0) }
        }
    }

    /// Compares the existing instances of all contexts.
    private func compareAll() throws(ModelMismatch) {
        for (number, context) in contexts.sorted(by: { $0.key < $1.key }) {
            guard let expected = reference.contexts[number] else { continue }
            try compareExisting(context, expected)
            try compareDisposed(by: expected)
        }
        try compareAlive()
    }

    /// Compares the existing instances of a context, all or only those that the reference has.
    private func compareExisting(
        _ context: AppContext, _ expected: ReferenceContext, butNew: Bool = false
    ) throws(ModelMismatch) {
        for key in keys {
            let real = modelTypes[key.type].existing(context, key.qualifier)?.serial
            let node = reference.existing(key, in: expected)
            if real == node?.serial || butNew && node == nil { continue }
            throw mismatch(
                "C\(expected.number) has \(real.map { "object \($0)" } ?? "nothing") for \(key), not "
                    + (node?.text ?? "nothing"))
        }
    }

    /// If only contexts hold instances, exactly the instances that they keep are alive.
    private func compareAlive() throws(ModelMismatch) {
        guard !program.keepsAll, !program.hasHolders else { return }
        var reached: Set<Int> = []
        func visit(_ part: ReferenceNode.Part) {
            switch part {
            case .node(let node): visit(node)
            case .nodes(let nodes): nodes.forEach(visit)
            case .text, .nothing, .failed: break
            }
        }
        func visit(_ node: ReferenceNode) {
            guard reached.insert(node.serial ?? 0).inserted else { return }
            node.parts.forEach(visit)
            node.injected.forEach(visit)
        }
        for context in reference.contexts.values { context.inputs.values.forEach(visit) }
        let instances = reference.contexts.values.flatMap { $0.instances + $0.loads.flatMap(\.kept) }
        for instance in instances where reference.lifetime(of: instance.slot) != .weak {
            if case .configuration = instance.slot { continue }
            if let node = instance.node { visit(node) }
        }
        guard world.alive == reached else {
            throw mismatch(
                "\(world.alive.subtracting(reached).sorted()) are alive, and should not be; "
                    + "\(reached.subtracting(world.alive).sorted()) should be")
        }
    }

    private func compareOutcome<Value, Other>(
        _ real: Result<Value, any Error>, _ expected: Result<Other, ReferenceFailure>
    ) throws(ModelMismatch) {
        switch (real, expected) {
        case (.success, .success): return
        case (.success, .failure(let failure)): throw mismatch("It should have failed: \(failure)")
        case (.failure(let error), .success): throw mismatch("It failed: \(error)")
        case (.failure(let error), .failure(let failure)):
            guard ReferenceFailure(error) == failure else {
                throw mismatch("It failed for another reason than \(failure): \(error)")
            }
        }
    }

    private func compare(
        _ real: Result<SeenPart, any Error>, _ expected: Result<ReferenceNode.Part, ReferenceFailure>
    ) throws(ModelMismatch) {
        try compareOutcome(real, expected)
        try compareMakings()
        guard case .success(let real) = real, case .success(let expected) = expected else { return }
        guard real == expected.seen else { throw mismatch("\(real) was given, not \(expected.seen)") }
    }
}

extension ReferenceNode {
    fileprivate var text: String {
        (serial.map { "object \($0)" } ?? "a new object") + " (by \(maker), run \(run), in C\(context.number))"
    }
}

extension ReferenceNode.Part {
    /// The part with objects replaced by their serial numbers.
    fileprivate var seen: SeenPart {
        switch self {
        case .node(let node): .node(node.serial ?? 0)
        case .nodes(let nodes): .nodes(nodes.map { $0.serial ?? 0 })
        case .text(let text): .text(text)
        case .nothing: .nothing
        case .failed: .failed
        }
    }
}

extension ReferenceFailure {
    /// The kind of a real error, or nil if the reference has no such kind.
    fileprivate init?(_ error: any Error) {
        switch error {
        case let failure as ModelFailure: self = .failed(maker: failure.maker)
        case let error as LocatorError:
            switch error.kind {
            case .missing, .payloadNeeded, .payloadMismatch: self = .missing
            case .ambiguous: self = .ambiguous
            case .properties: self = .properties
            case .notStarted: self = .notStarted
            case .scopeNotOpened: self = .notOpened
            case .inputNotGiven: self = .notGiven
            case .initializationFailed(_, let cause): self.init(cause)
            default: return nil
            }
        default: return nil
        }
    }
}
