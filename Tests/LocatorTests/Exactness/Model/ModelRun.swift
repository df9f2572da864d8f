import Locator

/// Where reality and the reference part.
struct ModelMismatch: Error, CustomStringConvertible {
    let step: Int
    let description: String
}

/// A program run against a real context and the reference at the same time.
final class ModelRun {
    private let program: ModelProgram
    private let world = ModelWorld()
    private let reference: Reference
    private var context: AppContext? = AppContext()
    private let modules: ModelModules
    private var files: [MemoryFiles] = []
    private var wrappers: [(real: () throws -> ModelNode?, expected: ReferenceWrapper)] = []
    private var step = 0
    /// What was live when each push was made, while everything since can be undone.
    private var balances: [(module: Int, before: [ModelKey: Int])] = []

    init(_ program: ModelProgram) {
        self.program = program
        reference = Reference(program)
        modules = ModelModules(program.modules, world)
        world.keepsAll = program.keepsAll
    }

    /// Runs all steps; throws where reality and the reference part.
    func run() throws(ModelMismatch) {
        for (index, step) in program.steps.enumerated() {
            self.step = index + 1
            do {
                try run(step)
                try compareAll()
            } catch let mismatch as ModelMismatch {
                throw mismatch
            } catch {
                throw ModelMismatch(step: self.step, description: "\(error)")
            }
        }
        try end()
    }

    /// The context, its wrappers and the run end: nothing may be left.
    private func end() throws(ModelMismatch) {
        step += 1
        reference.disposed = []
        reference.reset(scope: nil)
        context = nil
        try compareDisposed()
        wrappers = []
        if !program.keepsAll, !world.alive.isEmpty { throw mismatch("\(world.alive.sorted()) are left at the end") }
    }

    private func mismatch(_ text: String) -> ModelMismatch {
        ModelMismatch(step: step, description: text)
    }

    // MARK: Steps

    private func run(_ step: ModelStep) throws {
        guard let context else { return }
        reference.disposed = []
        let isLoaded = { (module: Int) in self.reference.roots.contains { !$0.isPushed && $0.module == module } }
        let pushed = reference.roots.filter(\.isPushed)
        switch step {
        case .load(let ids, let priority):
            try load(ids, priority, isPushed: false) {
                if ids.count == 2 {
                    try context.load(modules[ids[0]], modules[ids[1]], priority: Priority(priority))
                } else {
                    try context.load(modules[ids[0]], priority: Priority(priority))
                }
            }
            balances = []
        case .push(let id, let priority):
            let before = existing()
            balances.append((id, before))
            let count = reference.roots.count
            try load([id], priority, isPushed: true) {
                try context.push(modules[id], priority: Priority(priority))
            }
            if reference.roots.count == count { try takeBalance() }
        case .unload(let id):
            guard isLoaded(id) else { return }
            try context.unload(modules[id])
            reference.remove { !$0.isPushed && $0.module == id }
            balances = []
        case .pop:
            guard let latest = pushed.map(\.sequence).max() else { return }
            context.pop()
            reference.remove { $0.sequence == latest }
            try takeBalance()
        case .popModule(let id):
            guard let latest = pushed.filter({ $0.module == id }).map(\.sequence).max() else { return }
            let isTop = latest == pushed.map(\.sequence).max()
            try context.pop(modules[id])
            reference.remove { $0.sequence == latest }
            if isTop { try takeBalance() } else { balances = [] }
        case .reset:
            try context.reset()
            reference.reset(scope: nil)
            balances = []
        case .resetScope:
            try context.reset(.modelScope)
            reference.reset(scope: .custom)
            balances = []
        case .unloadAll:
            try context.unloadAll()
            reference.reset(scope: nil)
            reference.remove { _ in true }
            balances = []
        case .reload(let values):
            guard let first = files.first else { return try load(file: values) }
            first.content = json(values)
            let real = Result { try context.reloadProperties() }
            try compareOutcome(real, Result { try reference.replaceFiles { $0[0] = values } })
            balances = []
        case .loadFile(let values):
            try load(file: values)
        case .resolve(let read):
            try resolve(read)
        case .makeWrapper(let key):
            let real = AppContext.withContext(context) { modelTypes[key.type].wrapper(key.named) }
            wrappers.append((real, ReferenceWrapper(key)))
        case .readWrapper(let number):
            guard !wrappers.isEmpty else { return }
            let (real, expected) = wrappers[number % wrappers.count]
            let realResult = Result { try real() }
            let result = Result { try reference.read(expected) }
            try compare(realResult.map(ModelNode.Part.init), result.map(ReferenceNode.Part.init))
        }
    }

    private func load(_ ids: [Int], _ priority: Int, isPushed: Bool, _ body: () throws -> Void) throws {
        let new = reference.unknown(ids)
        world.started = []
        let real = Result(catching: body)
        guard world.started == new else { throw mismatch("The closures of \(world.started) ran, not \(new)") }
        let runs = world.runs
        let expected = Result { try reference.load(ids, priority: priority, isPushed: isPushed, runs: runs) }
        try compareOutcome(real, expected)
    }

    private func load(file values: [String: String]) throws {
        let file = MemoryFiles(json(values))
        let real = Result { _ = try context?.loadProperties(file.source) }
        let expected = Result { try reference.replaceFiles { $0.append(values) } }
        try compareOutcome(real, expected)
        if case .success = expected { files.append(file) }
        balances = []
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

    private func resolve(_ read: ReadSpec) throws {
        guard let context, let type = read.type else { return }
        let real = Result { try modelTypes[type].ask(context, read) }
        let expected = Result { try reference.resolve(read) }
        try compare(real, expected)
    }

    // MARK: Comparing

    private var keys: [ModelKey] {
        (0..<program.typeCount).flatMap { type in
            [nil, "a", "b"].map { ModelKey(type: type, qualifier: $0) }
        }
    }

    /// The serial number of what is made already, by key.
    private func existing() -> [ModelKey: Int] {
        guard let context else { return [:] }
        var existing: [ModelKey: Int] = [:]
        for key in keys { existing[key] = modelTypes[key.type].existing(context, key.qualifier)?.serial }
        return existing
    }

    /// After a push and its pop, whatever was there before is there again: the promise itself, without the reference.
    private func takeBalance() throws(ModelMismatch) {
        guard let before = balances.popLast()?.before else { return }
        let after = existing()
        for (key, serial) in before where after[key] != serial {
            throw mismatch("\(key) was \(serial) before the push and is \(after[key].map(String.init) ?? "gone") now")
        }
    }

    private func compareAll() throws(ModelMismatch) {
        guard let context else { return }
        try compareDisposed()
        if world.latestSerial != reference.nodeCount {
            throw mismatch("\(world.latestSerial) were made, not \(reference.nodeCount)")
        }
        for key in keys {
            let real = modelTypes[key.type].existing(context, key.qualifier)
            switch (real, reference.existing(key)) {
            case (nil, nil): continue
            case (let real?, let expected?): try compare(real, expected)
            case (let real?, nil): throw mismatch("\(key) is there, as \(real.text), and should not be")
            case (nil, let expected?): throw mismatch("\(key) is not there, and should be as \(expected.text)")
            }
        }
        try compareAlive()
    }

    private func compareDisposed() throws(ModelMismatch) {
        let real = world.disposed.map(\.serial)
        let expected = reference.disposed.map(\.serial)
        world.disposed = []
        guard real == expected else { throw mismatch("\(real) were disposed of, not \(expected)") }
    }

    /// Where nothing but the context holds anything, exactly what it keeps is alive.
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
            guard reached.insert(node.serial).inserted else { return }
            node.parts.forEach(visit)
            node.injected.forEach(visit)
        }
        for instance in reference.instances { visit(instance.node) }
        guard world.alive == reached else {
            throw mismatch(
                "\(world.alive.subtracting(reached).sorted()) are alive, and should not be; "
                    + "\(reached.subtracting(world.alive).sorted()) should be")
        }
    }

    private func compareOutcome<Value, Other>(
        _ real: Result<Value, any Error>, _ expected: Result<Other, any Error>
    ) throws(ModelMismatch) {
        switch (real, expected) {
        case (.success, .success), (.failure, .failure): return
        case (.success, .failure): throw mismatch("It should have failed")
        case (.failure(let error), .success): throw mismatch("It failed: \(error)")
        }
    }

    private func compare(
        _ real: Result<ModelNode.Part, any Error>, _ expected: Result<ReferenceNode.Part, any Error>
    ) throws(ModelMismatch) {
        try compareOutcome(real, expected)
        guard case .success(let real) = real, case .success(let expected) = expected else { return }
        try compare(real, expected, in: "the answer")
    }

    private func compare(
        _ real: ModelNode.Part, _ expected: ReferenceNode.Part, in place: String
    ) throws(ModelMismatch) {
        switch (real, expected) {
        case (.node(let real), .node(let expected)):
            try compare(real, expected)
        case (.nodes(let real), .nodes(let expected)) where real.count == expected.count:
            for (real, expected) in zip(real, expected) { try compare(real, expected) }
        case (.text(let real), .text(let expected)) where real == expected: return
        case (.nothing, .nothing), (.failed, .failed): return
        default: throw mismatch("\(place) has \(real), not \(expected)")
        }
    }

    private func compare(_ real: ModelNode, _ expected: ReferenceNode) throws(ModelMismatch) {
        guard real.serial == expected.serial else { throw mismatch("\(real.text) was given, not \(expected.text)") }
        guard real.maker == expected.maker, real.run == expected.run, real.parts.count == expected.parts.count,
            real.injected.count == expected.injected.count
        else {
            throw mismatch("\(real.text) was made, not \(expected.text)")
        }
        for (real, part) in zip(real.parts, expected.parts) { try compare(real, part, in: expected.text) }
        for (real, part) in zip(real.injected, expected.injected) { try compare(real, part, in: expected.text) }
    }
}

extension ModelNode.Part {
    fileprivate init(_ node: ModelNode?) {
        self = node.map(Self.node) ?? .nothing
    }
}

extension ReferenceNode.Part {
    fileprivate init(_ node: ReferenceNode?) {
        self = node.map(Self.node) ?? .nothing
    }
}

extension ModelNode {
    fileprivate var text: String { "object \(serial) (by \(maker), run \(run))" }
}

extension ReferenceNode {
    fileprivate var text: String { "object \(serial) (by \(maker), run \(run))" }
}
