/// A container for loaded modules, settings, and the instances made from them.
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
public final class AppContext: Sendable, OpaqueToReflection {
    /// The shared context of the process.
    public static let shared = AppContext()

    /// The context that was entered here; empty outside of any context.
    @TaskLocal private static var entered = Entered()

    /// The context entered with `withContext`, or the core of a context that runs something.
    private struct Entered: Sendable {
        /// The context or the core.
        ///
        /// Tasks that begin here retain it.
        ///
        /// Often it is a core. A core knows its context weakly, so retaining the context would be slow. Also, what a
        /// context has made must not keep the context alive.
        var keeper: (any AnyObject & Sendable)?
        /// The core, which `keeper` keeps alive.
        var core: Unmanaged<ContextCore>?
    }

    /// Whether `withContext` has been entered here.
    package static var isEntered: Bool { entered.core != nil }

    /// The current context: the one that was passed to `withContext`, the one whose factory closure or hook is running,
    /// or ``shared``.
    public static var current: AppContext {
        guard let keeper = entered.keeper else { return shared }
        // Unsafe: only an `AppContext` or its core is ever entered.
        return keeper as? AppContext ?? unsafeDowncast(keeper, to: ContextCore.self).representative
    }

    /// Whether the context of a core is the current one.
    @inline(__always)
    static func isCurrent(_ core: ContextCore) -> Bool {
        currentCore.toOpaque() == Unmanaged.passUnretained(core).toOpaque()
    }

    /// The core of the current context.
    ///
    /// The context keeps it alive.
    @inline(__always)
    static var currentCore: Unmanaged<ContextCore> {
        // Unsafe: the pointer leads to a value of the type that was bound. The value stays in place until its binding
        // ends, and the binding encloses this call. It is read in place, because a copy would be retained and released
        // by each request on each thread.
        let bound = boundValue(Unmanaged.passUnretained($entered).toOpaque())
        return bound?.assumingMemoryBound(to: Entered.self).pointee.core ?? .passUnretained(shared.core)
    }

    /// Runs `body` with the core of the current context.
    @inline(__always)
    static func withCurrentCore<Result>(_ body: (ContextCore) -> Result) -> Result {
        currentCore._withUnsafeGuaranteedRef(body)
    }

    /// Makes the context of a core the current one while `body` runs on its behalf.
    ///
    /// The caller keeps that context.
    @inline(__always)
    static func entering<Result>(contextOf core: ContextCore, _ body: () throws -> Result) rethrows -> Result {
        try $entered.withValue(Entered(keeper: core, core: .passUnretained(core)), operation: body)
    }

    /// Makes the context of a core the current one while asynchronous code runs on its behalf.
    ///
    /// The caller keeps that context.
    static func entering<Result>(
        contextOf core: ContextCore, isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await $entered.withValue(Entered(keeper: core, core: .passUnretained(core)), operation: body)
    }

    let core: ContextCore
    /// Whether the core ends with this object.
    private let isOwner: Bool

    /// Creates an empty context.
    public convenience init() {
        self.init(.empty())
    }

    init(
        _ state: ContextState, level: Int = 0, isFork: Bool = false, opened: [Scope] = [], inputs: [Input] = []
    ) {
        core = ContextCore(state: state, level: level, isFork: isFork, opened: opened, inputs: inputs)
        isOwner = true
        core.handle = self
        core.family.rootCount = state.lineup.latestSequence
        core.family.add(core)
    }

    /// Creates a child.
    init(child core: ChildCore) {
        self.core = core
        isOwner = true
        core.handle = self
    }

    /// Creates an object that represents a context that is being dropped, while its hooks run.
    ///
    /// If a hook keeps this object, it has a context that has ended.
    init(standingFor core: ContextCore) {
        self.core = core
        isOwner = false
    }

    deinit {
        // Unretained: this object keeps the core until this function returns.
        if isOwner { Unmanaged.passUnretained(core)._withUnsafeGuaranteedRef { _ = $0.close() } }
    }

    /// Makes `context` the current one while `body` runs, including in its tasks and their child tasks.
    ///
    /// `Task.detached` and dispatch blocks do not inherit it. Call this function there again.
    ///
    /// - Throws: Only errors of `body`.
    public static func withContext<Result, Failure: Error>(
        _ context: AppContext, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        do {
            return try $entered.withValue(
                Entered(keeper: context, core: .passUnretained(context.core)), operation: body)
        } catch {
            // Only `body` throws, so this is its error. The declaration of `withValue` does not say that.
            throw error as! Failure
        }
    }

    /// Makes `context` the current one while `body` runs, including in its tasks and their child tasks.
    ///
    /// - Throws: Only errors of `body`.
    nonisolated(nonsending) public static func withContext<Result, Failure: Error>(
        _ context: AppContext, _ body: nonisolated(nonsending) () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        do {
            return try await $entered.withValue(
                Entered(keeper: context, core: .passUnretained(context.core))
            ) { try await body() }
        } catch {
            // Only `body` throws, as in the synchronous form.
            throw error as! Failure
        }
    }
}

/// What is bound to a task-local value here, in place, or nil.
///
/// This is the function of the runtime that `TaskLocal.get()` calls. `get()` is not inlined and copies the value.
@_silgen_name("swift_task_localValueGet")
private func boundValue(_ key: UnsafeRawPointer) -> UnsafeMutableRawPointer?

extension AppContext: NeverRegistered {
    static var fix: String { "take a Resolver instead, or use AppContext.current" }
}

extension Properties: NeverRegistered {
    static var fix: String { "take a type that conforms to ConfigProperty, or a Resolver, and call value(…)" }
}

// A registry resolves nothing, and is used only while the closure of its module runs.
extension Registry: NeverRegistered {
    static var fix: String { AppContext.fix }
}
