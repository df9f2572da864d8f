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
    /// The context in which its factory closure ran.
    let context: ReferenceContext
    let parts: [Part]
    var injected: [Part] = []
    let peer: ReferenceWrapper?
    /// The serial number of the real object, once it is known.
    var serial: Int?

    /// Creates the object that is passed for an input of a context.
    init(input serial: Int, of context: ReferenceContext) {
        (maker, run, parts, peer) = (0, 0, [], nil)
        self.context = context
        self.serial = serial
    }

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

/// Everything that a factory closure or a wrapper has read.
final class ReferenceRecord {
    typealias Read = (question: ReferenceQuestion, answer: ReferenceAnswer)

    /// The context in which it ran.
    ///
    /// Another context that wants to share the result asks the same questions in its own state.
    let home: ReferenceContext
    var reads: [Read] = []
    /// The shared instances that it got.
    var parts: [ReferenceInstance] = []
    /// The records of the parts that are not shared, and of failures that were caught.
    var nested: [ReferenceRecord] = []
    /// The slots that could not be made.
    ///
    /// A child that has opened their scope tries again.
    var failed: [ReferenceSlot] = []
    /// The reads of wrappers of other contexts, which are always asked in those contexts.
    var pinned: [ReferenceRecord] = []

    /// Whether it belongs to a request from outside of all factory closures, whose reads are not kept.
    var isRequest = false

    /// Whether the same questions were asked and had the same answers.
    func hasSameReads(as other: ReferenceRecord) -> Bool {
        reads.elementsEqual(other.reads, by: ==) && nested.elementsEqual(other.nested) { $0.hasSameReads(as: $1) }
    }

    init(home: ReferenceContext) {
        self.home = home
    }

    /// The record and all records within it except those of other contexts' wrappers, each once.
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

    /// Whether any instance that it was made from is gone for a context.
    func hasLost(in context: ReferenceContext) -> Bool { hasLost { context.keeps($0) } }

    /// Whether any instance that it was made from is gone, and is not kept.
    func hasLost(_ isKept: (ReferenceInstance) -> Bool) -> Bool {
        parts.contains { $0.node == nil ? $0.record.hasLost(isKept) : $0.isGone && !isKept($0) }
            || nested.contains { $0.hasLost(isKept) }
            || pinned.contains { !$0.home.isEnded && $0.hasLost(in: $0.home) }
    }
}

/// A shared instance.
final class ReferenceInstance {
    let slot: ReferenceSlot
    let owner: ReferenceContext
    /// The object.
    ///
    /// An object of scope `.weak` is nil if nothing holds it.
    var node: ReferenceNode? { held ?? passing }
    private let held: ReferenceNode?
    private weak var passing: ReferenceNode?
    let record: ReferenceRecord
    /// The latest load or push when it was made.
    let birth: Int
    /// The number of the instance, in the order in which they were made.
    let order: Int
    /// The reads that had a different answer in the parent, so that its instance or failure could not be shared.
    ///
    /// The library counts some of them as reads of this instance.
    var differing: [ReferenceRecord.Read] = []
    /// The order of the instance that the parent gave when this one was made, and that could not be shared.
    var orderAbove: Int?
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

/// A wrapper, which keeps its value as long as a new request would return the same.
final class ReferenceWrapper {
    let spec: WrapperSpec
    let context: ReferenceContext
    var value: ReferenceNode.Part?
    var record: ReferenceRecord
    /// Whether the value was up to date when the context ended.
    var isSettledForGood = false

    init(_ spec: WrapperSpec, _ context: ReferenceContext) {
        self.spec = spec
        self.context = context
        record = ReferenceRecord(home: context)
    }
}

/// One load of the settings of a context without a parent, which children keep.
final class ReferenceLoad {
    let number: Int
    let files: [[String: String]]
    /// The instances that later loads have ended, and that these children still give.
    var kept: [ReferenceInstance] = []
    var childCount = 0

    init(number: Int, files: [[String: String]]) {
        self.number = number
        self.files = files
    }

    func keeps(_ instance: ReferenceInstance) -> Bool { kept.contains { $0 === instance } }
}

/// A context: what was loaded and pushed, and what was made in it.
final class ReferenceContext {
    /// One load or push.
    struct Root {
        let module: Int
        let priority: Int
        let isPushed: Bool
        /// The number of the load or push, counted over the whole run.
        let sequence: Int
    }

    let number: Int
    let parent: ReferenceContext?
    let opened: Set<Int>
    /// The objects that were passed for the inputs of these scopes.
    var inputs: [ModelKey: ReferenceNode] = [:]
    /// The loads and pushes that a fork has copied, in lookup order.
    var snapshot: [Root] = []
    /// The loads and pushes of this context, in order.
    var roots: [Root] = []
    /// The run of the closure of each module that a load or push of this context names or includes.
    var runs: [Int: Int] = [:]
    /// The elements of requested collections that only a start makes, and that do not come first for their keys.
    var requestedInVain: Set<ReferenceSlot> = []
    /// The settings of each file.
    ///
    /// Later files override earlier ones.
    var files: [[String: String]] = []
    /// The instances of this context, in the order in which they were made.
    var instances: [ReferenceInstance] = []
    /// The objects to be disposed of, in groups that ended together.
    ///
    /// Each group starts with the latest.
    var disposals: [[Int]] = []
    /// The nodes that have ended in the current step, before their real objects are known.
    var ended: [[ReferenceNode]] = []
    var isEnded = false
    /// Whether a context above has changed since this one was used.
    var isBehind = false
    /// What the context had when it last followed the contexts above it.
    var seen = Seen()
    /// The number of loads of files.
    var loadCount = 0
    /// The number of the load that is in use, which a failed load does not change.
    var loadNumber = 0
    /// The earlier loads that children keep, and the current one.
    var loads: [ReferenceLoad] = []
    /// The load that this child keeps.
    var load: ReferenceLoad?
    /// The load that this context or the nearest one above keeps.
    var loadHere: ReferenceLoad? { lineage.lazy.compactMap(\.load).first }

    /// Whether the context still gives an instance that a load of the settings has ended.
    func keeps(_ instance: ReferenceInstance) -> Bool { loadHere?.keeps(instance) ?? false }

    struct Seen {
        var roots: Set<Int> = []
        var modules: Set<Int> = []
        var loadCount = 0

        /// Whether something was taken away that was there before.
        func lacksSome(of old: Seen) -> Bool {
            !old.roots.isSubset(of: roots) || !old.modules.isSubset(of: modules) || loadCount != old.loadCount
        }
    }

    init(number: Int, parent: ReferenceContext?, opened: Set<Int>) {
        self.number = number
        self.parent = parent
        self.opened = opened
    }

    /// The context and the contexts above it, innermost first.
    var lineage: [ReferenceContext] { [self] + (parent?.lineage ?? []) }

    /// The loads and pushes that this context sees, in lookup order.
    ///
    /// Those of a child are later than its parent's: its pushes are in front of equal priorities, its loads behind.
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

    /// The nearest context that has opened a scope.
    func opener(of scope: Int) -> ReferenceContext? { lineage.first { $0.opened.contains(scope) } }

    /// Whether a load of the module would do nothing.
    func hasLoaded(_ module: Int) -> Bool { allRoots.contains { !$0.isPushed && $0.module == module } }

    /// The run of the module's closure that this context uses.
    func run(of module: Int) -> Int? { runs[module] ?? parent?.run(of: module) }
}
