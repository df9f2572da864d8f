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
    /// The context that its maker ran in.
    let context: ReferenceContext
    let parts: [Part]
    var injected: [Part] = []
    let peer: ReferenceWrapper?
    /// The serial number of the real object, once it is known which that is.
    var serial: Int?

    init(maker: Int, run: Int, context: ReferenceContext, parts: [Part], peer: WrapperSpec?) {
        self.maker = maker
        self.run = run
        self.context = context
        self.parts = parts
        self.peer = peer.map { ReferenceWrapper($0, context) }
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

/// Everything that a making, or a wrapper, has read.
final class ReferenceRecord {
    typealias Read = (question: ReferenceQuestion, answer: ReferenceAnswer)

    /// The context that it ran in.
    ///
    /// Another context that wants to share the result asks the same questions itself.
    let home: ReferenceContext
    var reads: [Read] = []
    /// The shared instances that it was given.
    var parts: [ReferenceInstance] = []
    /// What made the parts that are not shared, and what has failed and was caught.
    var nested: [ReferenceRecord] = []
    /// What could not be made; a child that has opened its scope tries for itself.
    var failed: [ReferenceSlot] = []
    /// What wrappers of other contexts have read: these are asked there, whoever shares the result.
    var pinned: [ReferenceRecord] = []

    /// Whether it is that of a request from outside of all makers, which nothing is kept for.
    var isRequest = false

    init(home: ReferenceContext) {
        self.home = home
    }

    /// The record and those of everything that is not of other contexts' wrappers, each once.
    var deep: [ReferenceRecord] {
        var found: [ReferenceRecord] = []
        var seen: Set<ObjectIdentifier> = []
        var open = [self]
        while let next = open.popLast() {
            guard seen.insert(ObjectIdentifier(next)).inserted else { continue }
            found.append(next)
            open += next.nested + next.parts.map(\.record)
        }
        return found
    }

    /// Whether any instance that it was made from is gone.
    var hasLost: Bool {
        parts.contains { $0.node == nil ? $0.record.hasLost : $0.isGone } || nested.contains(where: \.hasLost)
            || pinned.contains { !$0.home.isEnded && $0.hasLost }
    }
}

/// A shared instance.
final class ReferenceInstance {
    let slot: ReferenceSlot
    let owner: ReferenceContext
    /// The object; of scope `.weak`, while somebody holds it.
    var node: ReferenceNode? { held ?? passing }
    private let held: ReferenceNode?
    private weak var passing: ReferenceNode?
    let record: ReferenceRecord
    /// The latest load or push that its making saw.
    let birth: Int
    /// Counts the instances in the order of their making.
    let order: Int
    /// What its context answered otherwise than the parent, whose instance or failure was refused for it.
    ///
    /// The library counts some of it as read.
    var differing: [ReferenceRecord.Read] = []
    var isGone = false

    init(
        slot: ReferenceSlot, owner: ReferenceContext, node: ReferenceNode, isWeak: Bool, record: ReferenceRecord,
        birth: Int, order: Int
    ) {
        self.slot = slot
        self.owner = owner
        held = isWeak ? nil : node
        passing = node
        self.record = record
        self.birth = birth
        self.order = order
    }
}

/// A wrapper: it keeps its value for as long as asking again would give the same.
final class ReferenceWrapper {
    let spec: WrapperSpec
    let context: ReferenceContext
    var value: ReferenceNode.Part?
    var record: ReferenceRecord
    /// Whether the value was what the context would have given when it ended.
    var isSettledForGood = false

    init(_ spec: WrapperSpec, _ context: ReferenceContext) {
        self.spec = spec
        self.context = context
        record = ReferenceRecord(home: context)
    }
}

/// A context: what was loaded where, and what was made in it.
final class ReferenceContext {
    /// One load or push.
    struct Root {
        let module: Int
        let priority: Int
        let isPushed: Bool
        /// Counts the loads and pushes of the run.
        let sequence: Int
    }

    let number: Int
    let parent: ReferenceContext?
    let opened: Set<Int>
    /// What a fork has from the start, in lookup order.
    var snapshot: [Root] = []
    /// What was loaded and pushed here, in that order.
    var roots: [Root] = []
    /// The runs of the module closures that ran for this context.
    var runs: [Int: Int] = [:]
    /// What was read from files, later ones over earlier ones.
    var files: [[String: String]] = []
    /// The instances that live here, in the order of their making.
    var instances: [ReferenceInstance] = []
    /// What is to be disposed of, in groups that ended together, each latest first.
    var disposals: [[Int]] = []
    /// What has ended in the current step, before it is known which real objects these are.
    var ended: [[ReferenceNode]] = []
    var isEnded = false
    /// Whether a context above has changed since this one was used.
    var isBehind = false

    init(number: Int, parent: ReferenceContext?, opened: Set<Int>) {
        self.number = number
        self.parent = parent
        self.opened = opened
    }

    /// The context and those above it, from the innermost.
    var lineage: [ReferenceContext] { [self] + (parent?.lineage ?? []) }

    /// Everything loaded or pushed that counts here, in lookup order.
    ///
    /// A child's stand among its parent's like later ones: what is pushed in front of its equals, what is loaded behind.
    var allRoots: [Root] {
        var all = parent?.allRoots ?? snapshot
        for root in roots {
            let position = all.firstIndex {
                root.isPushed ? $0.priority <= root.priority : $0.priority < root.priority
            }
            all.insert(root, at: position ?? all.endIndex)
        }
        return all
    }

    /// Whether a load of the module would do nothing.
    func hasLoaded(_ module: Int) -> Bool { allRoots.contains { !$0.isPushed && $0.module == module } }

    /// The run of the module's closure that counts here.
    func run(of module: Int) -> Int? { parent?.run(of: module) ?? runs[module] }
}
