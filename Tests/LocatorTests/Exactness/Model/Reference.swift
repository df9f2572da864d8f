/// Why the reference expects a request to fail.
enum ReferenceFailure: Error, Equatable {
    case missing
    case ambiguous
    case properties
    /// The asynchronous factory closure has not run yet.
    case notStarted
    /// The scope has inputs, and is not open.
    case notOpened
    /// The input was not passed.
    case notGiven
    case failed(maker: Int)
}

/// The reference model: computes what a tree of contexts must do, in the simplest way that follows the rules.
///
/// It records what was loaded and pushed in each context, in which order, and what each factory closure has read.
/// Everything else is computed from scratch on each request:
///
/// - An instance is returned if everything that was read for it, directly or through parts, still has the same answer.
/// - It is kept, but set aside, as long as undoing the latest loads or pushes would bring these answers back.
/// - Otherwise, or after a reset, it is gone, with everything that was made from it.
final class Reference {
    typealias Context = ReferenceContext
    typealias Slot = ReferenceSlot
    typealias Record = ReferenceRecord
    typealias Instance = ReferenceInstance
    typealias Part = ReferenceNode.Part

    let specs: ReferenceSpecs
    /// The contexts that have not ended, by number.
    private(set) var contexts: [Int: Context] = [:]
    /// The wrappers of holders, in the order of their creation.
    var holders: [ReferenceWrapper] = []
    /// The flags that make factory closures fail.
    var flags: Set<Int> = []
    /// What was made since the last comparison.
    var makings: [ReferenceNode] = []
    /// What was injected since the last comparison.
    var injected: [(node: ReferenceNode, part: Part)] = []
    /// Whether the program did something outside its features, so that the model cannot predict what follows.
    private(set) var hasLeftFeatures = false
    private let features: ModelFeatures
    private let keepsAll: Bool
    private var kept: [ReferenceNode] = []
    private var sequence = 0
    private var instanceCount = 0
    private var views: [Int: View] = [:]
    private var session: Session?
    /// The slot whose asynchronous factory closure is running.
    private var preparing: Slot?
    /// Whether asynchronous factory closures run before the context uses the new settings.
    private var isReloading = false
    /// While asynchronous factory closures run, the slots whose closures have certainly run before.
    private var prepared: Set<Slot>?
    /// Whether several asynchronous factory closures run at the same time.
    private var preparesSeveral = false
    /// The number of shared instances when these closures began.
    private var instanceCountBefore = 0
    /// The number of shared instances that are being made by synchronous factory closures.
    private var sharedMakings = 0
    /// Whether something failed in a child that its parent would have given to the child with other answers.
    private var hasFailedInPlaceOfParent = false

    /// One outermost request.
    private final class Session {
        var graph: [GraphKey: (node: ReferenceNode, record: Record)] = [:]
        var injections: [(node: ReferenceNode, reads: [ReadSpec], record: Record)] = []
        /// The contexts with a running request.
        var asked: [Context] = []
    }

    private struct GraphKey: Hashable {
        let context: Int
        let slot: Slot
    }

    init(_ program: ModelProgram) {
        specs = ReferenceSpecs(program.modules)
        features = program.features
        keepsAll = program.keepsAll
        contexts[0] = Context(number: 0, parent: nil, opened: [])
    }

    // MARK: States

    /// All contexts as they are now, or as they would be without the loads and pushes after some point.
    private final class View {
        let limit: Int
        var states: [Int: ReferenceState] = [:]
        private(set) var validity: [ValidityKey: Bool] = [:]
        /// The results so far, in order.
        private var trail: [ValidityKey] = []
        private var open: Set<ValidityKey> = []
        /// How often an instance was assumed to be valid while its own check was running.
        private var assumptions = 0

        init(limit: Int) {
            self.limit = limit
        }

        func forget() {
            validity = [:]
            trail = []
        }

        /// Checks whether an instance is valid, once.
        ///
        /// Instances that are injected into each other have read each other, so all of them are valid, or none is.
        func isValid(_ key: ValidityKey, _ find: () -> Bool) -> Bool {
            if let known = validity[key] { return known }
            guard open.insert(key).inserted else {
                assumptions += 1
                return true
            }
            let (start, assumed) = (trail.count, assumptions)
            let isValid = find()
            open.remove(key)
            if !isValid, assumptions > assumed {
                // Results on the way may depend on the assumption that this is valid.
                for key in trail[start...] { validity[key] = nil }
                trail.removeLast(trail.count - start)
            }
            validity[key] = isValid
            trail.append(key)
            return isValid
        }
    }

    private struct ValidityKey: Hashable {
        let instance: ObjectIdentifier
        let context: Int
    }

    private var now: View { view(.max) }

    private func view(_ limit: Int) -> View {
        if let view = views[limit] { return view }
        let view = View(limit: limit)
        views[limit] = view
        return view
    }

    private func state(_ context: Context, _ view: View) -> ReferenceState {
        if let state = view.states[context.number] { return state }
        let roots = context.allRoots.filter { $0.sequence <= view.limit }
        let files = files(of: context).reduce(into: [:]) { $0.merge($1) { $1 } }
        func state(where isActive: (ModuleSpec) -> Bool) -> ReferenceState {
            var modules: [ReferenceState.Module] = []
            var seen: Set<Int> = []
            func add(_ id: Int, _ priority: Int) {
                let spec = specs.modules[id]
                guard isActive(spec), seen.insert(id).inserted else { return }
                modules.append(.init(spec: spec, run: context.run(of: id) ?? 0, priority: priority))
                for included in spec.included { add(included, priority) }
            }
            for root in roots { add(root.module, root.priority) }
            return ReferenceState(modules: modules, files: files)
        }
        // A condition sees the files, and the properties of the modules without a condition.
        let unconditional = state { $0.condition == nil }
        let whole = state { spec in spec.condition.map { unconditional.property($0.path) == $0.value } ?? true }
        view.states[context.number] = whole
        return whole
    }

    func state(_ context: Context) -> ReferenceState { state(context, now) }

    private func files(of context: Context) -> [[String: String]] {
        context.loadHere?.files ?? (context.lineage.last ?? context).files
    }

    // MARK: Existing instances

    /// The valid instance of a slot that a context has made for itself.
    private func own(_ slot: Slot, in context: Context, _ view: View) -> Instance? {
        let valid = context.instances.filter { $0.slot == slot && $0.node != nil && isValid($0, in: context, view) }
        // They differ in something that is not a read: a flag, or which wrapper is the latest. The library returns the
        // later instance until it is invalid.
        if valid.count > 1 { hasLeftFeatures = true }
        return valid.first
    }

    /// The existing instance for a slot, the context's own or a shared one.
    private func given(_ slot: Slot, in context: Context, _ view: View) -> Instance? {
        if let own = own(slot, in: context, view) {
            leave(unless: .twins) {
                guard let parent = context.parent, !isOpened(slot, in: context) else { return false }
                return given(slot, in: parent, view).map { isValid($0, in: context, view) } ?? false
            }
            return own
        }
        guard let parent = context.parent, !isOpened(slot, in: context) else { return nil }
        let kept = context.load?.kept.filter { $0.slot == slot && $0.node != nil } ?? []
        if let valid = kept.first(where: { isValid($0, in: context, view) }) { return valid }
        guard let shared = given(slot, in: parent, view), isValid(shared, in: context, view) else { return nil }
        return shared
    }

    /// Stops predicting if the program does something outside its features.
    private func leave(unless feature: ModelFeatures, _ isUsed: () -> Bool) {
        if !features.contains(feature), isUsed() { hasLeftFeatures = true }
    }

    /// Stops predicting.
    func stop() { hasLeftFeatures = true }

    /// Whether the instance's registration still exists, and everything that was read for it has the same answer.
    private func isValid(_ instance: Instance, in context: Context, _ view: View) -> Bool {
        if instance.isGone, !context.keeps(instance) { return false }
        return view.isValid(ValidityKey(instance: ObjectIdentifier(instance), context: context.number)) {
            // A child that keeps its settings cannot make an asynchronous instance when it is requested.
            let isAsynchronous = specs.registrations[instance.slot.base]?.isAsynchronous ?? false
            return state(context, view).has(instance.slot)
                && holds(
                    instance.record, in: context, view, areNeeded: isAsynchronous && context.loadHere != nil)
        }
    }

    /// Whether everything in a record is the same.
    ///
    /// With `areNeeded`, other instances of the parts do not count, only what these have read.
    private func holds(_ record: Record, in context: Context, _ view: View, areNeeded: Bool = false) -> Bool {
        record.reads.allSatisfy { state(context, view).answer($0.question) == $0.answer }
            && record.parts.allSatisfy { part in
                // A weak instance that has ended is compared by what was read for it.
                if part.node == nil { return holds(part.record, in: context, view) }
                if areNeeded, part.owner !== context, !isOpened(part.slot, in: context) {
                    return (!part.isGone || context.keeps(part)) && state(context, view).has(part.slot)
                        && holds(part.record, in: context, view, areNeeded: true)
                }
                // What is decoded from the same settings is the same in every context, even if it has its own.
                if part.slot == .configuration(run: nil), part.owner !== context {
                    return (context.keeps(part) || isValid(part, in: part.owner, view))
                        && holds(part.record, in: context, view)
                }
                return given(part.slot, in: context, view) === part
            }
            && record.failed.allSatisfy { !isOpened($0, between: record.home, and: context) }
            && record.nested.allSatisfy { holds($0, in: context, view, areNeeded: areNeeded) }
            && record.pinned.allSatisfy { $0.home.isEnded || holds($0, in: $0.home, view) }
    }

    func lifetime(of slot: Slot) -> RegistrationSpec.Lifetime {
        if case .configuration = slot { return .singleton }
        return specs.registrations[slot.base]?.lifetime ?? .prototype
    }

    /// The object that was passed for an input, or nil if the slot is none.
    private func handedIn(_ slot: Slot, in context: Context) -> ReferenceNode? {
        guard let spec = specs.registrations[slot.base], spec.isInput, case .custom(let scope) = spec.lifetime else {
            return nil
        }
        return context.opener(of: scope)?.inputs[spec.key]
    }

    /// The keys of the inputs of the scopes that a child would open, and whether a module in front answers them.
    func inputs(
        of scopes: [Int], openedBelow context: Context, pushing modules: [Int]
    ) -> [(key: ModelKey, isHidden: Bool)] {
        let child = Context(number: -1, parent: context, opened: [])
        for module in modules.reversed() {
            child.roots.append(.init(module: module, priority: 1000, isPushed: true, sequence: sequence))
        }
        return state(child, View(limit: .max)).inputs(of: Set(scopes))
    }

    /// Whether the context has opened the scope of the slot.
    private func isOpened(_ slot: Slot, in context: Context) -> Bool {
        guard case .custom(let scope) = lifetime(of: slot) else { return false }
        return context.opened.contains(scope)
    }

    /// Whether the lower context, or one between the two, has opened the scope of the slot.
    private func isOpened(_ slot: Slot, between upper: Context, and lower: Context) -> Bool {
        var next: Context? = lower
        while let context = next, context !== upper {
            if isOpened(slot, in: context) { return true }
            next = context.parent
        }
        return false
    }

    // MARK: Changes

    /// The modules that a load would add, in the order in which their closures run.
    func unknown(_ modules: [Int], in context: Context) -> [Int] {
        let known = reached(from: context.allRoots.map(\.module))
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

    /// The modules, and all modules that they include.
    func reached(from modules: [Int]) -> Set<Int> {
        var reached: Set<Int> = []
        func visit(_ module: Int) {
            guard reached.insert(module).inserted else { return }
            for included in specs.modules[module].included { visit(included) }
        }
        for module in modules { visit(module) }
        return reached
    }

    /// Loads or pushes modules.
    ///
    /// `runs` contains the run of each new module's closure.
    func load(
        _ modules: [Int], into context: Context, priority: Int, isPushed: Bool, runs newRuns: [Int: Int]
    ) throws(ReferenceFailure) {
        use(context)
        let new = unknown(modules, in: context)
        let all = reached(from: modules)
        let first = sequence + 1
        let before = activeModules(of: context)
        for module in modules where isPushed || !context.hasLoaded(module) {
            sequence += 1
            context.roots.append(.init(module: module, priority: priority, isPushed: isPushed, sequence: sequence))
        }
        if sequence < first { return }
        for module in all { context.runs[module] = context.run(of: module) ?? newRuns[module] }
        for module in new { context.runs[module] = newRuns[module] }
        views = [:]
        do throws(ReferenceFailure) {
            for module in state(context).modules.map(\.spec.id) where !before.contains(module) {
                try makeAlways(specs.modules[module], in: context)
            }
        } catch {
            context.roots.removeAll { $0.sequence >= first }
            settle(context)
            throw error
        }
        settle(context)
    }

    private func activeModules(of context: Context) -> Set<Int> { Set(state(context).modules.map(\.spec.id)) }

    /// Removes some loads and pushes of a context.
    func remove(from context: Context, _ isRemoved: (Context.Root) -> Bool) {
        use(context)
        context.roots.removeAll(where: isRemoved)
        context.snapshot.removeAll(where: isRemoved)
        settle(context)
    }

    /// Replaces the settings from files, and makes the `.always` instances of modules that they turn on.
    ///
    /// If `isStarting` is true, the asynchronous factory closures run before that.
    func replaceFiles(
        of context: Context, by files: [[String: String]], isStarting: Bool = false
    ) throws(ReferenceFailure) {
        let (oldFiles, oldNumber) = (context.files, context.loadNumber)
        let before = activeModules(of: context)
        context.loadCount += 1
        context.loadNumber = context.loadCount
        context.files = files
        views = [:]
        do throws(ReferenceFailure) {
            isReloading = isStarting
            defer { isReloading = false }
            if isStarting { try start(context) }
            for module in state(context).modules where !before.contains(module.spec.id) {
                try makeAlways(module.spec, in: context)
            }
        } catch {
            (context.files, context.loadNumber) = (oldFiles, oldNumber)
            settle(context)
            throw error
        }
        settle(context, isLoad: true)
    }

    private func makeAlways(_ module: ModuleSpec, in context: Context) throws(ReferenceFailure) {
        for registration in module.registrations where registration.lifetime == .always {
            guard let slot = state(context).decoratedSlot(registration, of: module.id) else { continue }
            _ = try request(context) { (record) throws(ReferenceFailure) in try obtain(slot, in: context, record) }
        }
    }

    /// Ends the instances of a changed context that can never be valid again.
    ///
    /// The contexts below follow when they are used.
    private func settle(_ changed: Context, isLoad: Bool = false) {
        for context in contexts.values {
            let known = reached(from: (context.snapshot + context.roots).map(\.module))
            context.runs = context.runs.filter { known.contains($0.key) }
            if context !== changed, context.lineage.contains(where: { $0 === changed }) { context.isBehind = true }
        }
        views = [:]
        noteSeen(by: changed)
        endWhatCannotReturn(in: changed, keptBy: isLoad ? changed.loads.filter { $0.number != changed.loadNumber } : [])
    }

    private func endWhatCannotReturn(in context: Context, keptBy loads: [ReferenceLoad] = []) {
        end(
            keptBy: loads,
            context.instances.filter { instance in
                let later = context.allRoots.map(\.sequence).filter { $0 > instance.birth }
                let valid = ([.max, instance.birth] + later).map(view).filter { isValid(instance, in: context, $0) }
                // A child ends its own instance together with the difference that it was made for, even if the factory
                // closure did not read this difference, unless something else still makes it necessary.
                let hasLostDifference = valid.contains { view in
                    instance.differing.contains { state(context, view).answer($0.question) != $0.answer }
                        && !(view === now && isNeeded(instance))
                }
                if hasLostDifference { hasLeftFeatures = true }
                // A child with its own instance of a part may set aside an instance that cannot come back.
                if valid.isEmpty, hasTwins(instance.record, in: context) { hasLeftFeatures = true }
                return valid.isEmpty
            })
    }

    /// Whether a context, or one above it, has its own instance instead of one that something was made from.
    private func hasTwins(_ record: Record, in context: Context) -> Bool {
        record.deep.flatMap(\.parts).contains { part in
            context.lineage.prefix { $0 !== part.owner }.contains { lower in
                lower.instances.contains { $0.slot == part.slot }
            }
        }
    }

    /// Lets a context follow the contexts above it, as it does when it is used.
    func use(_ context: Context) {
        for context in context.lineage.reversed() where context.isBehind {
            context.isBehind = false
            endWhatCannotReturn(in: context)
            endTwins(in: context, afterRemoval: noteSeen(by: context))
        }
    }

    /// Notes what a context has followed, and returns whether something was taken away since the last time.
    @discardableResult
    private func noteSeen(by context: Context) -> Bool {
        let old = context.seen
        context.seen = ReferenceContext.Seen(
            roots: Set(context.allRoots.map(\.sequence)), modules: activeModules(of: context),
            loadCount: context.loadHere?.number ?? (context.lineage.last ?? context).loadCount)
        return context.seen.lacksSome(of: old)
    }

    /// Ends a child's own instances in whose place it can share older ones of its parent, which the parent gives again
    /// after something was removed.
    private func endTwins(in context: Context, afterRemoval isRemoval: Bool) {
        guard let parent = context.parent else { return }
        for own in context.instances.sorted(by: { $0.order < $1.order }) {
            guard !own.isGone, own.node != nil, !isOpened(own.slot, in: context), isValid(own, in: context, now) else {
                continue
            }
            let shared = given(own.slot, in: parent, now)
            if isRemoval, let shared, shared.order < own.order, shared.order != own.orderAbove,
                holds(shared, above: own)
            {
                end([own])
            }
            own.orderAbove = shared?.order
        }
    }

    /// Whether a child cannot share the instance that its parent has in place of its own.
    private func isNeeded(_ own: Instance) -> Bool {
        guard let parent = own.owner.parent, let shared = given(own.slot, in: parent, now) else { return false }
        return !holds(shared, above: own)
    }

    /// Whether a context below can share an instance if it does not have its own one.
    private func holds(_ shared: Instance, above own: Instance) -> Bool {
        guard let index = own.owner.instances.firstIndex(where: { $0 === own }) else { return false }
        own.owner.instances.remove(at: index)
        now.forget()
        defer {
            own.owner.instances.insert(own, at: index)
            now.forget()
        }
        return isValid(shared, in: own.owner, now)
    }

    /// Resets all instances of a context.
    func reset(_ context: Context) {
        use(context)
        // What is decoded stays the same until the settings change.
        let instances = context.instances.filter { context.isEnded || $0.slot != .configuration(run: nil) }
        end(instances + context.loads.flatMap(\.kept))
    }

    /// Resets the instances of a scope in the context, and in the context above that has opened the scope.
    func reset(_ context: Context, scope: Int) {
        use(context)
        var ended: [Instance] = []
        for context in context.lineage {
            ended += (context.instances + context.loads.flatMap(\.kept)).filter {
                lifetime(of: $0.slot) == .custom(scope)
            }
            if context.opened.contains(scope) { break }
        }
        end(ended)
    }

    /// Ends instances, and everything that was made from them.
    ///
    /// The earlier loads that children keep may still give those of a context without a parent.
    private func end(keptBy loads: [ReferenceLoad] = [], _ ended: [Instance]) {
        let unkept = Set(ended.filter(\.isGone).map(ObjectIdentifier.init))
        var lost: [Instance] = []
        func end(_ instance: Instance) {
            instance.isGone = true
            if instance.owner.parent == nil { for load in loads { keep(instance, in: load) } }
        }
        // An older instance is kept instead of a later one.
        for instance in ended.sorted(by: { $0.order < $1.order }) where instance.node != nil && !instance.isGone {
            end(instance)
        }
        var hasChanged = true
        while hasChanged {
            hasChanged = false
            for instance in contexts.values.flatMap(\.instances)
            where !instance.isGone && instance.record.hasLost(in: instance.owner) {
                end(instance)
                hasChanged = true
            }
            for load in contexts.values.flatMap(\.loads) {
                for instance in load.kept
                where unkept.contains(ObjectIdentifier(instance)) || instance.record.hasLost(load.keeps) {
                    load.kept.removeAll { $0 === instance }
                    lost.append(instance)
                    hasChanged = true
                }
            }
        }
        for context in contexts.values {
            var gone = context.instances.filter(\.isGone)
            context.instances.removeAll(where: \.isGone)
            for instance in lost where instance.owner === context && !gone.contains(where: { $0 === instance }) {
                gone.append(instance)
            }
            gone.removeAll { instance in context.loads.contains { $0.keeps(instance) } }
            let disposed = gone.sorted { $0.order > $1.order }.filter { hasHook($0.slot) }.compactMap(\.node)
            if !disposed.isEmpty { context.ended.append(disposed) }
        }
        views = [:]
    }

    /// Keeps an instance for the children with a load if it was made from the settings of the load, and no older one was
    /// made from the same.
    private func keep(_ instance: Instance, in load: ReferenceLoad) {
        let context = instance.owner
        let files = context.files
        (context.files, views) = (load.files, [:])
        defer { (context.files, views) = (files, [:]) }
        func isOfLoad(_ instance: Instance) -> Bool {
            let later = context.allRoots.map(\.sequence).filter { $0 > instance.birth }
            return ([.max, instance.birth] + later).map(view).contains {
                state(context, $0).has(instance.slot) && holdsByItself(instance.record, in: context, $0)
            }
        }
        guard isOfLoad(instance) else { return }
        let isReplaced = load.kept.contains { older in
            older.slot == instance.slot && older.record.hasSameReads(as: instance.record) && isOfLoad(older)
        }
        if !isReplaced { load.kept.append(instance) }
    }

    /// Whether everything in a record and in those of its parts is the same, no matter which parts would be given now.
    private func holdsByItself(_ record: Record, in context: Context, _ view: View) -> Bool {
        record.reads.allSatisfy { state(context, view).answer($0.question) == $0.answer }
            && record.parts.allSatisfy { part in
                (part.node == nil || state(context, view).has(part.slot))
                    && holdsByItself(part.record, in: context, view)
            }
            && record.nested.allSatisfy { holdsByItself($0, in: context, view) }
            && record.pinned.allSatisfy { $0.home.isEnded || holdsByItself($0, in: $0.home, view) }
    }

    private func hasHook(_ slot: Slot) -> Bool {
        guard case .registration(_, let id) = slot else { return false }
        return lifetime(of: slot) != .weak && specs.registrations[id]?.hasHook ?? false
    }

    // MARK: Contexts

    /// Creates a child or a fork of a context.
    func makeContext(
        _ number: Int, from context: Context, isFork: Bool, opening opened: Set<Int>, keepsSettings: Bool = false
    ) -> Context {
        use(context)
        let all = isFork ? Set(context.lineage.flatMap(\.opened)) : opened
        let made = Context(number: number, parent: isFork ? nil : context, opened: all)
        if isFork {
            for above in context.lineage { made.inputs.merge(above.inputs) { first, _ in first } }
            made.snapshot = context.allRoots.map {
                .init(module: $0.module, priority: $0.priority, isPushed: false, sequence: $0.sequence)
            }
            for module in reached(from: made.snapshot.map(\.module)) { made.runs[module] = context.run(of: module) }
            made.files = files(of: context)
        }
        if keepsSettings {
            let load =
                context.loads.first { $0.number == context.loadNumber }
                ?? ReferenceLoad(number: context.loadNumber, files: context.files)
            if load.childCount == 0 { context.loads.append(load) }
            load.childCount += 1
            made.load = load
        }
        contexts[number] = made
        views = [:]
        noteSeen(by: made)
        return made
    }

    /// Whether a context has children.
    func hasChildren(_ context: Context) -> Bool { contexts.values.contains { $0.parent === context } }

    func endContext(_ context: Context) {
        for holder in holders where holder.context === context {
            holder.isSettledForGood = holder.value != nil && holds(holder.record, in: context, now)
        }
        context.isEnded = true
        reset(context)
        contexts[context.number] = nil
        views = [:]
        if let load = context.load, let parent = context.parent {
            load.childCount -= 1
            if load.childCount == 0 {
                parent.loads.removeAll { $0 === load }
                end(load.kept, in: parent)
            }
        }
    }

    /// Disposes of what a load of the settings has ended, and no child keeps any longer.
    private func end(_ kept: [Instance], in context: Context) {
        let ended = kept.filter { instance in !context.loads.contains { $0.keeps(instance) } }
        let disposed = ended.sorted { $0.order > $1.order }.filter { hasHook($0.slot) }.compactMap(\.node)
        if !disposed.isEmpty { context.ended.append(disposed) }
    }

    // MARK: Requests

    /// The existing instance that a request would return.
    func existing(_ key: ModelKey, in context: Context) -> ReferenceNode? {
        use(context)
        guard case .slot(let slot) = state(context).answer(.single(key)) else { return nil }
        if let node = given(slot.shared, in: context, now)?.node { return node }
        guard case .registration = slot.shared else { return nil }
        return handedIn(slot.shared, in: context)
    }

    func resolve(_ read: ReadSpec, in context: Context) throws(ReferenceFailure) -> Part {
        try request(context) { (record) throws(ReferenceFailure) in try part(read, [], in: context, record) }
    }

    func read(_ wrapper: ReferenceWrapper) throws(ReferenceFailure) -> Part {
        try request(wrapper.context) { (record) throws(ReferenceFailure) in
            try read(wrapper, in: wrapper.context, record)
        }
    }

    /// Runs the asynchronous factory closures without an instance, each after those that it depends on.
    func start(_ context: Context) throws(ReferenceFailure) {
        use(context)
        while true {
            let slots = state(context).asynchronousSlots(requestedInVain: context.requestedInVain).filter { slot in
                given(slot, in: context, now) == nil && inputOfUnopenedScope(of: slot, in: context) == nil
                    && !(context.parent.map { parent in
                        given(slot, in: parent, now) == nil && isSame(slot, in: context, and: parent)
                    } ?? false)
            }
            if slots.isEmpty { return }
            // A child does not make what takes an instance of such a scope, although its parent may be able to.
            if slots.contains(where: { takesUnopened($0, in: context) }) { hasLeftFeatures = true }
            preparesSeveral = slots.count > 1
            instanceCountBefore = instanceCount
            defer { preparesSeveral = false }
            for slot in slots {
                do throws(ReferenceFailure) {
                    try prepare(slot, in: context, among: slots)
                } catch {
                    // It is unknown which of the other closures have run by then.
                    hasLeftFeatures = true
                    throw error
                }
            }
        }
    }

    /// The first input of the slot's scope if no context has opened it.
    private func inputOfUnopenedScope(of slot: Slot, in context: Context) -> ModelKey? {
        guard case .custom(let scope) = lifetime(of: slot), context.opener(of: scope) == nil else { return nil }
        return state(context).inputs(of: [scope]).first?.key
    }

    /// Whether a parameter of the slot, or one of its parameters, has a scope with inputs that no context has opened.
    private func takesUnopened(_ slot: Slot, in context: Context) -> Bool {
        guard let parameter = specs.registrations[slot.base]?.parameter else { return false }
        return slotsAnswering(parameter, in: context).contains { part in
            inputOfUnopenedScope(of: part, in: context) != nil || takesUnopened(part, in: context)
        }
    }

    private func prepare(_ slot: Slot, in context: Context, among slots: [Slot]) throws(ReferenceFailure) {
        guard given(slot, in: context, now) == nil, let spec = specs.registrations[slot.base] else { return }
        let parts = spec.parameter.map { slotsAnswering($0, in: context) } ?? []
        for needed in parts where slots.contains(needed) {
            try prepare(needed, in: context, among: slots)
            // Whether that has happened before decides how often the others are made, and which parts they catch as
            // missing.
            let isOpen = parts.contains { part in
                [.prototype, .graph, .weak].contains(lifetime(of: part))
                    || !slots.contains(part) && given(part, in: context, now) == nil
            }
            if isOpen {
                hasLeftFeatures = true
            }
        }
        preparing = slot
        prepared = Set(parts).union([slot])
        defer {
            preparing = nil
            prepared = nil
        }
        try request(context) { (record) throws(ReferenceFailure) in _ = try obtain(slot, in: context, record) }
    }

    /// The registrations that answer a parameter.
    private func slotsAnswering(_ parameter: ReadSpec, in context: Context) -> [Slot] {
        let question: ReferenceQuestion
        switch parameter {
        case .one(let key), .optional(let key): question = .single(key)
        case .all(let key, let selection): question = .elements(key, selection)
        case .chosen(let type, let path):
            guard case .text(let name?) = state(context).answer(.property(path)) else { return [] }
            question = .single(ModelKey(type: type, qualifier: name))
        case .property, .properties, .demanded, .product, .configuration, .wrapper, .peer, .holder, .caught: return []
        }
        switch state(context).answer(question) {
        case .slot(let slot): return [slot.bottom]
        case .elements(let elements): return elements.map(\.slot.bottom)
        case .missing, .factories, .ambiguous, .text: return []
        }
    }

    private func request<Result>(
        _ context: Context, _ body: (Record) throws(ReferenceFailure) -> Result
    ) throws(ReferenceFailure) -> Result {
        use(context)
        let session = Session()
        session.asked = [context]
        let outer = self.session
        self.session = session
        defer { self.session = outer }
        let result: Swift.Result<Result, ReferenceFailure>
        do throws(ReferenceFailure) {
            let record = Record(home: context)
            record.isRequest = true
            result = .success(try body(record))
        } catch {
            result = .failure(error)
            if !session.injections.isEmpty { letGoOfWeakParts() }
        }
        try inject(from: 0)
        return try result.get()
    }

    /// Runs the injections into the instances that were made since a point, in one context or in all.
    private func inject(from start: Int, of context: Context? = nil) throws(ReferenceFailure) {
        while let session,
            let next = session.injections.indices.dropFirst(start).first(where: {
                context == nil || session.injections[$0].record.home === context
            })
        {
            let (node, reads, record) = session.injections.remove(at: next)
            for read in reads {
                let part = try part(read, node.parts, in: record.home, record)
                node.injected.append(part)
                injected.append((node, part))
            }
            now.forget()
        }
    }

    /// Reads a wrapper of a context.
    ///
    /// If the context has no running request, the read is the outermost request, so the injections into what it makes
    /// run before it returns. A child that shares the instance later also compares what the injections have read.
    private func asking<Result>(
        _ context: Context, _ body: () throws(ReferenceFailure) -> Result
    ) throws(ReferenceFailure) -> Result {
        guard let session, !session.asked.contains(where: { $0 === context }) else { return try body() }
        let injections = session.injections.count
        session.asked.append(context)
        defer { session.asked.removeLast() }
        let result: Result
        do throws(ReferenceFailure) {
            result = try body()
        } catch {
            if session.injections.count > injections { letGoOfWeakParts() }
            try? inject(from: injections, of: context)
            throw error
        }
        try inject(from: injections, of: context)
        return result
    }

    /// Performs one read.
    private func part(
        _ read: ReadSpec, _ earlier: [Part], in context: Context, _ record: Record
    ) throws(ReferenceFailure) -> Part {
        func ask(_ question: ReferenceQuestion) -> ReferenceAnswer {
            let answer = state(context).answer(question)
            record.reads.append((question, answer))
            return answer
        }
        func one(_ question: ReferenceQuestion) throws(ReferenceFailure) -> Part {
            switch ask(question) {
            case .slot(let slot): return .node(try obtain(slot, in: context, record))
            case .ambiguous: throw .ambiguous
            case .missing, .factories, .elements, .text: throw .missing
            }
        }
        func text(_ question: ReferenceQuestion) -> String? {
            guard case .text(let text) = ask(question) else { return nil }
            return text
        }
        switch read {
        case .one(let key): return try one(.single(key))
        case .optional(let key):
            if case .missing = ask(.single(key)) { return .nothing }
            return try one(.single(key))
        case .product(let key, let text): return try one(.factory(key, text: text))
        case .all(let key, let selection):
            guard case .elements(let elements) = ask(.elements(key, selection)) else { throw .ambiguous }
            var nodes: [ReferenceNode] = []
            for element in elements { nodes.append(try obtain(element.slot, in: context, record)) }
            return .nodes(nodes)
        case .chosen(let type, let path):
            guard let qualifier = text(.property(path)) else { throw .properties }
            return try one(.single(ModelKey(type: type, qualifier: qualifier)))
        case .property(let path): return .text(text(.property(path)) ?? "none")
        case .properties(let path): return .text(text(.properties(path)) ?? "")
        case .configuration:
            guard case .node(let node) = try one(.configuration), let text = node.parts.first else { return .nothing }
            return text
        case .demanded(let path):
            let text = text(.property(path)) ?? "none"
            if text == "2" { throw .failed(maker: -1) }
            return .text(text)
        case .wrapper(let spec): return try self.read(ReferenceWrapper(spec, context), in: context, record)
        case .peer(let position):
            guard earlier.indices.contains(position), let peer = earlier[position].firstNode?.peer else {
                return .nothing
            }
            return try self.read(peer, in: context, record)
        case .holder(let type, let relation):
            guard let holder = holder(above: type, relation, of: context) else { return .nothing }
            return try self.read(holder, in: context, record)
        case .caught(let read):
            do throws(ReferenceFailure) {
                return try part(read, earlier, in: context, record)
            } catch {
                leave(unless: .caughtNotStarted) { error == .notStarted }
                // The library counts one of these answers as a read of whatever catches the error.
                if hasFailedInPlaceOfParent { hasLeftFeatures = true }
                letGoOfWeakParts()
                return .failed
            }
        }
    }

    /// Releases the weak parts of failed instances, which are otherwise held until the end of the step.
    private func letGoOfWeakParts() {
        if !keepsAll, features.contains(.weak) { hasLeftFeatures = true }
    }

    private func holder(above type: Int, _ relation: ReadSpec.Relation, of context: Context) -> ReferenceWrapper? {
        holders.last { holder in
            guard !holder.context.isEnded, holder.spec.read.type ?? .max > type else { return false }
            return context.relation(to: holder.context) == relation
        }
    }

    /// Reads a wrapper while a factory closure of a context runs.
    private func read(
        _ wrapper: ReferenceWrapper, in context: Context, _ outer: Record
    ) throws(ReferenceFailure) -> Part {
        func note(_ record: Record) {
            if wrapper.context === context { outer.nested.append(record) } else { outer.pinned.append(record) }
        }
        leave(unless: .parentReads) { wrapper.context !== context }
        leave(unless: .holdersAfterParents) { wrapper.value != nil && wrapper.record.hasLost(in: wrapper.context) }
        if let value = wrapper.value, holds(wrapper.record, in: wrapper.context, now) {
            note(wrapper.record)
            return value
        }
        // What a wrapper reads for settings that are not in use yet is not its value after that.
        if isReloading, holders.contains(where: { $0 === wrapper }) { hasLeftFeatures = true }
        let record = Record(home: wrapper.context)
        note(record)
        let value: Part
        do throws(ReferenceFailure) {
            value = try asking(wrapper.context) { () throws(ReferenceFailure) in
                try part(wrapper.spec.read, [], in: wrapper.context, record)
            }
        } catch {
            // Only a pop can bring the earlier value back.
            if !wrapper.context.allRoots.contains(where: \.isPushed) { wrapper.value = nil }
            throw error
        }
        wrapper.value = value
        wrapper.record = record
        return value
    }

    /// Returns the instance of a slot, and makes it in the right context if there is none.
    private func obtain(
        _ slot: Slot, in context: Context, _ outer: Record
    ) throws(ReferenceFailure) -> ReferenceNode {
        if case .alias(_, _, _, let inner) = slot {
            leave(unless: .aliasesOfChildren) {
                guard let parent = context.parent, given(inner, in: parent, now) == nil else { return false }
                return given(inner, in: context, now) != nil && isSame(inner, in: context, and: parent)
            }
            return try obtain(inner, in: context, outer)
        }
        switch lifetime(of: slot) {
        case .prototype:
            return try make(slot, in: context, outer)
        case .graph:
            // Several closures that run at the same time may depend on this instance. The one that makes it shares the
            // graph with it, so it is unknown how often the graph is made.
            if preparesSeveral, sharedMakings > 0 { hasLeftFeatures = true }
            let key = GraphKey(context: context.number, slot: slot)
            if let found = session?.graph[key] {
                outer.nested.append(found.record)
                return found.node
            }
            let record = Record(home: context)
            outer.nested.append(record)
            let node = try make(slot, in: context, record)
            session?.graph[key] = (node, record)
            return node
        case .singleton, .always, .custom, .weak:
            if let prepared, specs.registrations[slot.base]?.isAsynchronous ?? false, !prepared.contains(slot.bottom) {
                // The closures run at the same time, so the result is unknown.
                hasLeftFeatures = true
            }
            if let instance = given(slot, in: context, now), let node = instance.node {
                if preparesSeveral, mayBeMadeEarlier(instance) { hasLeftFeatures = true }
                note(instance, in: outer)
                return node
            }
            var differing: [Record.Read] = []
            if let (instance, node) = try obtainFromParent(slot, in: context, outer, &differing) {
                note(instance, in: outer)
                return node
            }
            let record = Record(home: context)
            if let input = inputOfUnopenedScope(of: slot, in: context) {
                let question = ReferenceQuestion.elements(ModelKey(type: input.type), .all)
                record.reads.append((question, state(context).answer(question)))
                record.failed.append(slot)
                outer.nested.append(record)
                // The settings in use may still have an instance from before the scope had inputs.
                if isReloading { hasLeftFeatures = true }
                throw .notOpened
            }
            let node: ReferenceNode
            let count = specs.registrations[slot.base]?.isAsynchronous ?? false ? 0 : 1
            sharedMakings += count
            defer { sharedMakings -= count }
            do throws(ReferenceFailure) {
                node = try make(slot, in: context, record)
            } catch {
                if !differing.isEmpty { hasFailedInPlaceOfParent = true }
                record.failed.append(slot)
                outer.nested.append(record)
                throw error
            }
            instanceCount += 1
            let instance = Instance(
                slot: slot, owner: context, node: node, isWeak: lifetime(of: slot) == .weak, record: record,
                birth: context.allRoots.map(\.sequence).max() ?? 0, order: instanceCount)
            instance.differing = differing
            if let parent = context.parent { instance.orderAbove = given(slot, in: parent, now)?.order }
            context.instances.append(instance)
            now.forget()
            note(instance, in: outer)
            return node
        }
    }

    /// Adds a shared instance to what was read.
    private func note(_ instance: Instance, in outer: Record) {
        // What is decoded from the same settings is the same in every context.
        if instance.slot == .configuration(run: nil), instance.owner !== outer.home {
            outer.nested.append(instance.record)
        } else {
            outer.parts.append(instance)
        }
    }

    /// Whether the asynchronous factory closure that runs may have made an instance before another one did, when a part of
    /// it was missing.
    private func mayBeMadeEarlier(_ instance: Instance) -> Bool {
        guard let prepared, instance.order > instanceCountBefore else { return false }
        return instance.record.deep.flatMap(\.parts).contains { part in
            specs.registrations[part.slot.base]?.isAsynchronous ?? false && !prepared.contains(part.slot.bottom)
        }
    }

    /// Lets the parent make an instance, unless the registrations show that the child cannot share it.
    ///
    /// Returns nil if the child needs its own instance, which may only be known after the factory closure has run.
    private func obtainFromParent(
        _ slot: Slot, in context: Context, _ outer: Record, _ differing: inout [Record.Read]
    ) throws(ReferenceFailure) -> (Instance, ReferenceNode)? {
        guard let parent = context.parent, !isOpened(slot, in: context) else { return nil }
        if let above = given(slot, in: parent, now) {
            differing = differences(of: above.record, in: context)
            return nil
        }
        guard isSame(slot, in: context, and: parent) else { return nil }
        let record = Record(home: parent)
        let injections = session?.injections.count ?? 0
        var made: ReferenceNode?
        do throws(ReferenceFailure) {
            session?.asked.append(parent)
            defer { session?.asked.removeLast() }
            made = try obtain(slot, in: parent, record)
            // What the injections read also decides whether the child can share the instance.
            try inject(from: injections)
        } catch {
            // Injections into what was made before the failure run, too.
            if session?.injections.count ?? 0 > injections { letGoOfWeakParts() }
            try? inject(from: injections)
            // After a failure, the library does not check whether a selection would choose other modules in the child.
            if record.deep.flatMap(\.reads).contains(where: \.question.choosesModules) { hasLeftFeatures = true }
            guard holds(record, in: context, now) else {
                leave(unless: .failuresOfParents) { true }
                differing = differences(of: record, in: context)
                return nil
            }
            leave(unless: .failuresOfParents) { !outer.isRequest }
            outer.nested.append(record)
            throw error
        }
        // The node is held until the child has it.
        return withExtendedLifetime(made) {
            if let instance = given(slot, in: context, now), let node = instance.node { return (instance, node) }
            differing = differences(of: record, in: context)
            return nil
        }
    }

    /// The reads of an instance of the parent, or of its parts, that have a different answer in a context.
    private func differences(of record: Record, in context: Context) -> [Record.Read] {
        record.deep.flatMap(\.reads).compactMap { read in
            let answer = state(context).answer(read.question)
            return answer == read.answer ? nil : (read.question, answer)
        }
    }

    /// Whether everything that is known about a slot before it is made is the same in a child and its parent.
    private func isSame(_ slot: Slot, in child: Context, and parent: Context) -> Bool {
        guard !isOpened(slot, in: child), state(parent).has(slot) else { return false }
        if slot != .configuration(run: nil), own(slot, in: child, now) != nil { return false }
        if child.load?.kept.contains(where: { $0.slot == slot && isValid($0, in: child, now) }) ?? false {
            return false
        }
        switch slot {
        case .decorator(_, _, let inner), .alias(_, _, _, let inner): return isSame(inner, in: child, and: parent)
        case .factory: return true
        case .configuration(let run):
            return run != nil || isSame(ReferenceQuestion.properties("a"), in: child, and: parent)
        case .registration(_, let id):
            guard let parameter = specs.registrations[id]?.parameter else { return true }
            return isSame(parameter, in: child, and: parent)
        }
    }

    private func isSame(_ question: ReferenceQuestion, in child: Context, and parent: Context) -> Bool {
        let answer = state(child).answer(question)
        guard answer == state(parent).answer(question) else { return false }
        switch answer {
        case .missing, .factories, .ambiguous, .text: return true
        case .slot(let slot): return isSame(slot, in: child, and: parent)
        case .elements(let elements): return elements.allSatisfy { isSame($0.slot, in: child, and: parent) }
        }
    }

    private func isSame(_ parameter: ReadSpec, in child: Context, and parent: Context) -> Bool {
        func isSame(_ question: ReferenceQuestion) -> Bool { self.isSame(question, in: child, and: parent) }
        switch parameter {
        case .one(let key), .optional(let key): return isSame(.single(key))
        case .all(let key, let selection): return isSame(.elements(key, selection))
        case .chosen(let type, let path):
            guard isSame(.property(path)), case .text(let text) = state(child).answer(.property(path)) else {
                return false
            }
            return text.map { isSame(.single(ModelKey(type: type, qualifier: $0))) } ?? true
        case .configuration: return isSame(.configuration)
        case .property, .properties, .demanded, .product, .wrapper, .peer, .holder, .caught: return true
        }
    }

    private func make(_ slot: Slot, in context: Context, _ record: Record) throws(ReferenceFailure) -> ReferenceNode {
        var parts: [Part] = []
        func add(_ reads: [ReadSpec]) throws(ReferenceFailure) {
            for read in reads { parts.append(try part(read, parts, in: context, record)) }
        }
        /// Performs the reads of an asynchronous factory closure: its parameter and each request of its body are requests
        /// of their own.
        func addOneByOne(_ reads: [ReadSpec]) throws(ReferenceFailure) {
            for read in reads {
                parts.append(
                    try request(context) { (_) throws(ReferenceFailure) in
                        try part(read, parts, in: context, record)
                    })
            }
        }
        func node(_ id: Int, _ run: Int, _ peer: WrapperSpec? = nil) -> ReferenceNode {
            let node = ReferenceNode(maker: id, run: run, context: context, parts: parts, peer: peer)
            makings.append(node)
            if keepsAll { kept.append(node) }
            return node
        }
        switch slot {
        case .registration(let run, let id):
            guard let spec = specs.registrations[id] else { throw .missing }
            if spec.isInput {
                guard let node = handedIn(slot, in: context) else { throw .notGiven }
                return node
            }
            if spec.isAsynchronous, preparing != slot {
                let modules = state(context).modules
                if let index = modules.firstIndex(where: {
                    $0.run == run && $0.spec.registrations.contains { $0.id == id }
                }),
                    !state(context).isFirst(spec.key, index)
                {
                    context.requestedInVain.insert(slot)
                }
                throw .notStarted
            }
            preparing = nil
            if spec.isAsynchronous {
                try addOneByOne(spec.reads)
            } else {
                try add(spec.reads)
            }
            if let flag = spec.flag, flags.contains(flag) { throw .failed(maker: id) }
            let node = node(id, run, spec.peer)
            if !spec.injections.isEmpty { session?.injections.append((node, spec.injections, record)) }
            return node
        case .factory(let run, let id):
            try add(specs.factories[id]?.reads ?? [])
            return node(id, run)
        case .decorator(let run, let id, let inner):
            parts.append(.node(try obtain(inner, in: context, record)))
            let offset = parts.count
            for read in specs.decorators[id]?.reads ?? [] {
                parts.append(try part(read, Array(parts[offset...]), in: context, record))
            }
            return node(id, run)
        case .alias(_, _, _, let inner):
            return try obtain(inner, in: context, record)
        case .configuration(let run):
            var text = run.map { "run=\($0)" }
            if run == nil, case .text(let values) = try part(.properties("a"), [], in: context, record) {
                text = values
            }
            guard let text, !text.isEmpty else { throw .properties }
            return ReferenceNode(maker: 0, run: 0, context: context, parts: [.text(text)], peer: nil)
        }
    }
}

extension ReferenceContext {
    /// How another context is related to this one.
    func relation(to other: ReferenceContext) -> ReadSpec.Relation? {
        if other === self { return .own }
        if lineage.contains(where: { $0 === other }) { return .ancestor }
        return other.lineage.contains { $0 === self } ? .descendant : nil
    }
}
