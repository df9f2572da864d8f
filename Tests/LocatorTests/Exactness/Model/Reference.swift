/// An object that the reference expects.
final class ReferenceNode {
    enum Part {
        case node(ReferenceNode)
        case nodes([ReferenceNode])
        case text(String)
        case nothing
        case failed
    }

    let maker: Int
    let run: Int
    let parts: [Part]
    var injected: [Part] = []
    /// The serial number that the real object must have: nodes are counted in the order of their making.
    let serial: Int
    let peer: ReferenceWrapper?

    init(maker: Int, run: Int, parts: [Part], peer: ModelKey?, serial: Int) {
        self.serial = serial
        self.maker = maker
        self.run = run
        self.parts = parts
        self.peer = peer.map(ReferenceWrapper.init)
    }
}

/// The shared instances that a making read, directly and through what is not shared.
final class ReferenceRecord {
    var parts: [ReferenceInstance] = []
    var nested: [ReferenceRecord] = []

    var all: [ReferenceInstance] { parts + nested.flatMap(\.all) }
}

/// A shared instance.
final class ReferenceInstance {
    let slot: ReferenceSlot
    /// What it was made of.
    let tree: Int
    let node: ReferenceNode
    let record: ReferenceRecord
    /// The latest load or push that its making saw.
    let birth: Int
    var isGone = false

    init(slot: ReferenceSlot, tree: Int, node: ReferenceNode, record: ReferenceRecord, birth: Int) {
        self.slot = slot
        self.tree = tree
        self.node = node
        self.record = record
        self.birth = birth
    }
}

/// A wrapper: it keeps its value for as long as asking again would give the same.
final class ReferenceWrapper {
    let key: ModelKey
    var value: ReferenceNode??
    var tree: ReferenceTree.Part?
    var record = ReferenceRecord()

    init(_ key: ModelKey) {
        self.key = key
    }
}

/// The reference: it recomputes everything from the stack of modules.
///
/// An instance is kept while what it was made of is what would be made now, or would be once some of what was loaded
/// last is undone. It is given out exactly while it is what would be made now.
final class Reference {
    struct Root {
        let module: Int
        let priority: Int
        let isPushed: Bool
        let sequence: Int
    }

    struct Failure: Error {}

    let specs: ReferenceSpecs
    private let trees = ReferenceTrees()
    private(set) var roots: [Root] = []
    private var sequence = 0
    /// The modules that are loaded or included, whether their conditions hold or not.
    private var known: Set<Int> = []
    private var runs: [Int: Int] = [:]
    /// The files, later ones over earlier ones.
    private var files: [[String: String]] = []
    private(set) var state: ReferenceState
    /// The shared instances, in the order of their making.
    private(set) var instances: [ReferenceInstance] = []
    /// What is disposed of by the current step, in order.
    var disposed: [ReferenceNode] = []
    private(set) var nodeCount = 0
    private var session: Session?

    /// One outermost request.
    private final class Session {
        var graph: [ReferenceSlot: (node: ReferenceNode, record: ReferenceRecord)] = [:]
        var injections: [(node: ReferenceNode, reads: [ReadSpec], record: ReferenceRecord)] = []
    }

    init(_ program: ModelProgram) {
        specs = ReferenceSpecs(program.modules)
        state = ReferenceState(modules: [], files: [:], specs: specs, trees: trees)
    }

    // MARK: Changes

    /// The modules that a load would have to take in, in the order in which their closures run.
    func unknown(_ modules: [Int]) -> [Int] {
        var new: [Int] = []
        var seen: Set<Int> = []
        func visit(_ module: Int) {
            guard seen.insert(module).inserted else { return }
            if !known.contains(module) { new.append(module) }
            for included in specs.modules[module].included { visit(included) }
        }
        for module in modules { visit(module) }
        return new
    }

    /// Loads or pushes modules.
    ///
    /// `runs` tells which run of its closure each new module is in.
    func load(_ modules: [Int], priority: Int, isPushed: Bool, runs newRuns: [Int: Int]) throws {
        let new = unknown(modules)
        var roots = roots
        let first = sequence + 1
        for module in modules {
            if !isPushed, roots.contains(where: { !$0.isPushed && $0.module == module }) { continue }
            sequence += 1
            let root = Root(module: module, priority: priority, isPushed: isPushed, sequence: sequence)
            let position = roots.firstIndex { isPushed ? $0.priority <= priority : $0.priority < priority }
            roots.insert(root, at: position ?? roots.endIndex)
        }
        if sequence < first { return }
        for module in new {
            known.insert(module)
            runs[module] = newRuns[module]
        }
        let oldModules = Set(state.modules.map(\.spec.id))
        change(roots)
        do {
            for module in state.modules where !oldModules.contains(module.spec.id) { try makeAlways(module.spec) }
        } catch {
            remove { $0.sequence >= first }
            throw error
        }
    }

    /// Takes off roots, and the modules that none names or includes any more.
    func remove(_ isRemoved: (Root) -> Bool) {
        let left = roots.filter { !isRemoved($0) }
        var reached: Set<Int> = []
        func visit(_ module: Int) {
            guard reached.insert(module).inserted else { return }
            for included in specs.modules[module].included { visit(included) }
        }
        for root in left { visit(root.module) }
        known.formIntersection(reached)
        change(left)
    }

    /// Exchanges the files; the modules that come into force with them are made what is made at once.
    func replaceFiles(_ change: (inout [[String: String]]) -> Void) throws {
        let oldFiles = files
        let oldModules = Set(state.modules.map(\.spec.id))
        change(&files)
        state = makeState(roots)
        do {
            for module in state.modules where !oldModules.contains(module.spec.id) { try makeAlways(module.spec) }
        } catch {
            files = oldFiles
            self.change(roots)
            throw error
        }
        self.change(roots)
    }

    private func makeAlways(_ module: ModuleSpec) throws {
        for registration in module.registrations where registration.lifetime == .always {
            guard let slot = state.decoratedSlot(registration, of: module.id) else { continue }
            _ = try request { record in try obtain(slot, record) }
        }
    }

    /// A condition sees the files and the modules without a condition.
    private func makeState(_ roots: [Root]) -> ReferenceState {
        let seen = makeState(roots) { specs.modules[$0].condition == nil }
        return makeState(roots) { module in
            specs.modules[module].condition.map { seen.property($0.path) == $0.value } ?? true
        }
    }

    private func makeState(_ roots: [Root], _ isInForce: (Int) -> Bool) -> ReferenceState {
        var modules: [ReferenceState.Module] = []
        var seen: Set<Int> = []
        func add(_ module: Int, _ priority: Int) {
            guard known.contains(module), isInForce(module), seen.insert(module).inserted else { return }
            modules.append(.init(spec: specs.modules[module], run: runs[module] ?? 0, priority: priority))
            for included in specs.modules[module].included { add(included, priority) }
        }
        for root in roots { add(root.module, root.priority) }
        let merged = files.reduce(into: [:]) { base, file in base.merge(file) { $1 } }
        return ReferenceState(modules: modules, files: merged, specs: specs, trees: trees)
    }

    private func change(_ roots: [Root]) {
        self.roots = roots
        state = makeState(roots)
        let knownRuns = Set(known.map { runs[$0] ?? 0 })
        var earlier: [Int: ReferenceState] = [:]
        end(
            instances.filter { instance in
                guard knownRuns.isSuperset(of: instance.slot.runs) else { return true }
                if isLive(instance) { return false }
                let sequences = [instance.birth] + roots.map(\.sequence).filter { $0 > instance.birth }
                return !sequences.contains { sequence in
                    let state =
                        earlier[sequence] ?? makeState(roots.filter { $0.sequence <= sequence })
                    earlier[sequence] = state
                    return state.gives(instance)
                }
            })
    }

    /// Ends the instances of a scope, or all.
    func reset(scope: RegistrationSpec.Lifetime?) {
        end(instances.filter { scope == nil || lifetime(of: $0.slot) == scope })
    }

    /// Ends instances and all that was made from them, latest first.
    private func end(_ ended: [ReferenceInstance]) {
        for instance in ended { instance.isGone = true }
        var changed = true
        while changed {
            changed = false
            for instance in instances where !instance.isGone && instance.record.all.contains(where: \.isGone) {
                instance.isGone = true
                changed = true
            }
        }
        let gone = instances.filter(\.isGone)
        instances.removeAll(where: \.isGone)
        disposed += gone.reversed().filter { instance in
            guard case .registration = instance.slot else { return false }
            return lifetime(of: instance.slot) != .weak
        }
        .map(\.node)
    }

    func lifetime(of slot: ReferenceSlot) -> RegistrationSpec.Lifetime {
        specs.registrations[slot.base]?.lifetime ?? .prototype
    }

    /// Whether the instance is what would be made now.
    func isLive(_ instance: ReferenceInstance) -> Bool {
        !instance.isGone && state.gives(instance)
    }

    // MARK: Requests

    /// What a request gives where it is made already.
    func existing(_ key: ModelKey) -> ReferenceNode? {
        guard case .slot(let slot) = state.single(key) else { return nil }
        return instances.first { $0.slot == slot.shared && isLive($0) }?.node
    }

    func resolve(_ read: ReadSpec) throws -> ReferenceNode.Part {
        try request { record in try part(read, [], record) }
    }

    func read(_ wrapper: ReferenceWrapper) throws -> ReferenceNode? {
        try request { record in try read(wrapper, record) }
    }

    private func request<Result>(_ body: (ReferenceRecord) throws -> Result) throws -> Result {
        let session = Session()
        self.session = session
        defer { self.session = nil }
        let result = Swift.Result { try body(ReferenceRecord()) }
        var position = 0
        while position < session.injections.count {
            let (node, reads, record) = session.injections[position]
            position += 1
            for read in reads { node.injected.append(try part(read, node.parts, record)) }
        }
        return try result.get()
    }

    private func part(
        _ read: ReadSpec, _ earlier: [ReferenceNode.Part], _ record: ReferenceRecord
    ) throws -> ReferenceNode.Part {
        switch read {
        case .one(let key), .lazy(let key): return .node(try one(state.single(key), record))
        case .optional(let key), .wrapper(let key):
            if case .missing = state.single(key) { return .nothing }
            return .node(try one(state.single(key), record))
        case .product(let key, let text): return .node(try one(state.factory(key, text: text), record))
        case .all(let key, let selection):
            let elements = state.elements(key, selection)
            if elements.ambiguous != nil { throw Failure() }
            return .nodes(try elements.selected.map { try obtain($0.slot, record) })
        case .chosen(let type, let path):
            guard let qualifier = state.property(path) else { throw Failure() }
            return .node(try one(state.single(ModelKey(type: type, qualifier: qualifier)), record))
        case .property(let path): return .text(state.property(path) ?? "none")
        case .properties(let path): return .text(state.properties(under: path))
        case .peer(let position):
            guard earlier.indices.contains(position), let peer = earlier[position].firstNode?.peer else {
                return .nothing
            }
            return try self.read(peer, record).map(ReferenceNode.Part.node) ?? .nothing
        case .caught(let read):
            do { return try part(read, earlier, record) } catch { return .failed }
        }
    }

    private func one(_ answer: ReferenceState.Answer, _ record: ReferenceRecord) throws -> ReferenceNode {
        guard case .slot(let slot) = answer else { throw Failure() }
        return try obtain(slot, record)
    }

    private func read(_ wrapper: ReferenceWrapper, _ outer: ReferenceRecord) throws -> ReferenceNode? {
        let tree = state.part(.optional(wrapper.key), []).part
        if let value = wrapper.value, wrapper.tree == tree, wrapper.record.all.allSatisfy({ !$0.isGone }) {
            outer.nested.append(wrapper.record)
            return value
        }
        let record = ReferenceRecord()
        outer.nested.append(record)
        let value = try part(.optional(wrapper.key), [], record).firstNode
        wrapper.value = .some(value)
        wrapper.tree = tree
        wrapper.record = record
        return value
    }

    private func obtain(_ slot: ReferenceSlot, _ outer: ReferenceRecord) throws -> ReferenceNode {
        if case .alias(_, _, _, let inner) = slot { return try obtain(inner, outer) }
        switch lifetime(of: slot) {
        case .singleton, .always, .custom, .weak:
            if let instance = instances.first(where: { $0.slot == slot && isLive($0) }) {
                outer.parts.append(instance)
                return instance.node
            }
            let record = ReferenceRecord()
            do {
                let node = try make(slot, record)
                let instance = ReferenceInstance(
                    slot: slot, tree: state.tree(slot), node: node, record: record,
                    birth: roots.map(\.sequence).max() ?? 0)
                instances.append(instance)
                outer.parts.append(instance)
                return node
            } catch {
                outer.nested.append(record)
                throw error
            }
        case .graph:
            if let found = session?.graph[slot] {
                outer.nested.append(found.record)
                return found.node
            }
            let record = ReferenceRecord()
            outer.nested.append(record)
            let node = try make(slot, record)
            session?.graph[slot] = (node, record)
            return node
        case .prototype:
            return try make(slot, outer)
        }
    }

    private func makeNode(_ id: Int, _ run: Int, _ parts: [ReferenceNode.Part], _ peer: ModelKey?) -> ReferenceNode {
        nodeCount += 1
        return ReferenceNode(maker: id, run: run, parts: parts, peer: peer, serial: nodeCount)
    }

    private func make(_ slot: ReferenceSlot, _ record: ReferenceRecord) throws -> ReferenceNode {
        var parts: [ReferenceNode.Part] = []
        func add(_ reads: [ReadSpec]) throws {
            for read in reads { parts.append(try part(read, parts, record)) }
        }
        switch slot {
        case .registration(let run, let id):
            let spec = specs.registrations[id]
            try add(spec?.reads ?? [])
            let node = makeNode(id, run, parts, spec?.peer)
            if let injections = spec?.injections, !injections.isEmpty {
                session?.injections.append((node, injections, record))
            }
            return node
        case .factory(let run, let id):
            try add(specs.factories[id]?.reads ?? [])
            return makeNode(id, run, parts, nil)
        case .decorator(let run, let id, let inner):
            parts.append(.node(try obtain(inner, record)))
            try add(specs.decorators[id]?.reads ?? [])
            return makeNode(id, run, parts, nil)
        case .alias(_, _, _, let inner):
            return try obtain(inner, record)
        }
    }
}

extension ReferenceNode.Part {
    var firstNode: ReferenceNode? {
        switch self {
        case .node(let node): node
        case .nodes(let nodes): nodes.first
        case .text, .nothing, .failed: nil
        }
    }
}

extension ReferenceState {
    /// Whether the instance's registration is in force, and it would be made the same.
    fileprivate func gives(_ instance: ReferenceInstance) -> Bool {
        Set(modules.map(\.run)).isSuperset(of: instance.slot.runs) && tree(instance.slot) == instance.tree
    }
}
