internal import LocatorProperties
internal import Synchronization

/// A context with loaded modules, settings, and the instances made from them.
///
/// ```swift
/// try AppContext.shared
///     .loadProperties(from: "Config")
///     .load(.shop)
///
/// let catalog = try AppContext.shared.resolve((any Catalog).self)
/// ```
///
/// You can call all functions from any thread.
public final class AppContext: Sendable {
    /// The shared context of the process.
    public static let shared = AppContext()

    /// What is entered here; nothing outside of any context.
    @TaskLocal private static var entered = Entered()

    /// The context entered with `withContext`, or the core of one while something runs on its behalf.
    private struct Entered: Sendable {
        /// The context or the core; tasks that are begun here retain it.
        ///
        /// A core, because it knows its context weakly, which makes it slow to retain that; and because what a context has
        /// made does not keep it.
        var keeper: (any AnyObject & Sendable)?
        /// The core, which the other keeps.
        var core: Unmanaged<ContextCore>?

        init() {}

        init(_ context: AppContext) {
            keeper = context
            core = .passUnretained(context.core)
        }

        init(_ core: ContextCore) {
            keeper = core
            self.core = .passUnretained(core)
        }
    }

    /// Whether `withContext` has been entered here.
    package static var isEntered: Bool { entered.core != nil }

    /// The current context: the one entered with `withContext`, or the one whose factory closure or hook is running;
    /// otherwise ``shared``.
    public static var current: AppContext {
        guard let keeper = entered.keeper else { return shared }
        return keeper as? AppContext ?? unsafeDowncast(keeper, to: ContextCore.self).representative
    }

    /// Whether the context of a core is the current one.
    @inline(__always)
    static func isCurrent(_ core: ContextCore) -> Bool {
        currentCore.toOpaque() == Unmanaged.passUnretained(core).toOpaque()
    }

    /// The core of the current context, which keeps it.
    @inline(__always)
    static var currentCore: Unmanaged<ContextCore> {
        // Unsafe: what is found is a value of the type that was bound, which stays where it is until its binding ends, and
        // that encloses this call. It is read in place, because a copy of it would be retained and released, by each request
        // on each thread.
        let bound = boundValue(Unmanaged.passUnretained($entered).toOpaque())
        return bound?.assumingMemoryBound(to: Entered.self).pointee.core ?? .passUnretained(shared.core)
    }

    /// Runs `body` with the core of the current context.
    @inline(__always)
    static func withCurrentCore<Result>(_ body: (ContextCore) -> Result) -> Result {
        currentCore._withUnsafeGuaranteedRef(body)
    }

    /// Makes `context` the current one while `body` runs.
    static func entering<Result>(_ context: AppContext, _ body: () -> Result) -> Result {
        $entered.withValue(Entered(context), operation: body)
    }

    /// Makes the context of a core the current one while `body` runs on its behalf; the caller keeps that context.
    @inline(__always)
    static func entering<Result>(contextOf core: ContextCore, _ body: () throws -> Result) rethrows -> Result {
        try $entered.withValue(Entered(core), operation: body)
    }

    /// Makes `context` the current one while `body` runs.
    nonisolated(nonsending) static func entering<Result>(
        _ context: AppContext, _ body: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result {
        try await $entered.withValue(Entered(context), operation: body)
    }

    let core: ContextCore
    /// Whether the core ends with this object.
    private let isOwner: Bool

    /// Creates an empty context.
    public convenience init() {
        self.init(.empty(), sources: [])
    }

    init(
        _ state: ContextState, level: Int = 0, sources: [PropertiesSource], isFork: Bool = false, opened: [Scope] = [],
        inputs: [Input] = []
    ) {
        core = ContextCore(state: state, level: level, isFork: isFork, opened: opened, inputs: inputs)
        isOwner = true
        core.sources = sources
        core.family.rootCount = state.lineup.latestSequence
        core.family.add(core)
        core.handle = self
    }

    /// A lean child that has followed its parent up to a state.
    init(parent: AppContext, opened: [Scope], inputs: [Input], state: ContextState) {
        core = ContextCore(state: state, parent: parent, opened: opened, inputs: inputs)
        isOwner = true
        core.handle = self
        // Relaxed suffices, twice: nobody else has the child yet. A parent that has parents of its own is looked at with the
        // lock held, so that nothing changes above it.
        core.followed.store(state.revision &+ parent.core.revisionsAbove, ordering: .relaxed)
        core.isLean.store(true, ordering: .relaxed)
    }

    /// Stands for a context that is being dropped, while its hooks run; whoever keeps it has a context that has ended.
    init(standingFor core: ContextCore) {
        self.core = core
        isOwner = false
    }

    deinit {
        if isOwner { core.close() }
    }

    /// Makes `context` the current one while `body` runs, including in its tasks and their child tasks.
    ///
    /// `Task.detached` and dispatch blocks do not inherit it. Enter the context there again.
    ///
    /// - Throws: Only errors of `body`.
    public static func withContext<Result, Failure: Error>(
        _ context: AppContext, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outcome = entering(context) { () -> Swift.Result<Result, Failure> in
            do throws(Failure) {
                return .success(try body())
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    /// Makes `context` the current one while `body` runs, including in its tasks and their child tasks.
    ///
    /// - Throws: Only errors of `body`.
    nonisolated(nonsending) public static func withContext<Result>(
        _ context: AppContext, _ body: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result {
        try await entering(context, body)
    }
}

/// What is bound to a task-local value here, in place; nil where nothing is.
///
/// This function of the runtime is what `TaskLocal.get()` calls, which is not inlined and copies the value.
@_silgen_name("swift_task_localValueGet")
private func boundValue(_ key: UnsafeRawPointer) -> UnsafeMutableRawPointer?
