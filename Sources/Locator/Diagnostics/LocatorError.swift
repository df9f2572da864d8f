public import LocatorProperties

/// An error of a context, with the request that failed, the steps that led to it, similar registrations, and a fix.
///
/// ```swift
/// do throws(LocatorError) {
///     catalog = try context.resolve((any Catalog).self)
/// } catch {
///     print(error)               // the complete message
///     print(error.kind)          // for decisions in code
/// }
/// ```
public struct LocatorError: Error, CustomStringConvertible {
    /// The kinds of errors.
    ///
    /// More kinds may be added, so a `switch` in another package needs a `default`.
    ///
    /// ```swift
    /// switch error.kind {
    /// case .missing(let key): …
    /// case .initializationFailed(let key, let cause): …
    /// default: …
    /// }
    /// ```
    @nonexhaustive
    public enum Kind: Sendable {
        /// The key is not registered.
        case missing(Key)
        /// Several registrations match the request, and not exactly one of them is primary.
        case ambiguous(Key, [Registered])
        /// An instance depends on itself. The last step repeats the first.
        case circularDependency([Step])
        /// Nested dependencies have nearly filled the stack of the thread, after this many levels. The key is the
        /// innermost one.
        case tooDeep(Key, levels: Int)
        /// An instance that belongs to the main actor was requested off the main actor.
        case wrongActor(Key, isSendable: Bool)
        /// An instance that is made on the main actor for each request was requested off the main actor.
        case madeOnMainActor(Key)
        /// An instance with an asynchronous factory closure was requested before `context.start()` made it.
        case notStarted(Key)
        /// An initializer, factory closure, decorator, or injection threw.
        case initializationFailed(Key, any Error)
        /// One start has run an asynchronous factory closure this many times, and a change has invalidated the result
        /// each time.
        ///
        /// If the number is 1, the closure ran for settings that are being loaded, and read the earlier settings
        /// through a child.
        case overtaken(Key, times: Int)
        /// Only factories make the type, and no payload was passed.
        case payloadNeeded(Key, payloads: [String])
        /// No factory of the type takes a payload of this type.
        case payloadMismatch(Key, given: String, payloads: [String])
        /// An asynchronous factory was called without `await`.
        case notAwaited(Key)
        /// The instance of a `.weak` registration is a value, which cannot be held weakly.
        case weakValue(Key)
        /// A setting is missing or has the wrong type, or its files cannot be read.
        case properties(PropertiesError)
        /// A module contains invalid registrations.
        case invalidRegistrations([RegistrationProblem])
        /// A module has an empty name.
        case unnamedModule
        /// An initializer, factory closure, decorator, or decoder tried to change the context that runs it.
        case changeDuringInitialization(String)
        /// The module is not loaded, or was not pushed.
        case notLoaded(module: String, operation: String)
        /// A child cannot open this scope, because its instances live in the outermost context.
        case scopeNotOpenable(Scope)
        /// A child cannot open this scope, because no registration has it.
        case scopeUnknown(Scope)
        /// The scope to reset is not used by any registration and was not opened.
        case nothingToReset(Scope)
        /// The scope to reset requires opening, and is not open in this context.
        case notOpenToReset(Scope)
        /// The inputs passed to a child differ from those that the opened scopes declare.
        case wrongInputs([Scope], [InputProblem])
        /// The scope of the instance must be opened, and is not open in this context.
        case scopeNotOpened(Key, Scope)
        /// The input was not passed when its scope was opened.
        case inputNotGiven(Key)
        /// A child tried to load settings. A child uses the settings of its parent.
        case propertiesLoadedInChild
        /// The new settings were rejected, because the context would have errors with them.
        case validationFailed(ValidationReport)
        /// Dispose or shutdown hooks threw.
        case hooksFailed([HookFailure])
        /// The context has ended.
        case contextGone
    }

    /// The kind of the error.
    public var kind: Kind { content.value.kind }

    /// The key of the outermost request; nil if the error belongs to no request.
    public var requested: Key? { content.value.request?.key }

    /// The place of the outermost request, or of the call that failed.
    public var requestLocation: SourcePlace? { content.value.request?.location ?? content.value.location }

    /// The underlying error, which a factory closure, decorator, injection, or hook threw, or the problem with a
    /// setting.
    ///
    /// If a factory closure failed because one of its dependencies failed, this is the error of that dependency.
    ///
    /// ```swift
    /// if let error = error.underlying as? DatabaseError, error.isTemporary { … }
    /// ```
    public var underlying: (any Error)? {
        switch kind {
        case .initializationFailed(_, let error): (error as? LocatorError)?.underlying ?? error
        case .properties(let error): error
        case .hooksFailed(let failures): failures.first?.error
        case .missing, .ambiguous, .circularDependency, .tooDeep, .wrongActor, .madeOnMainActor, .notStarted,
            .payloadNeeded, .payloadMismatch, .notAwaited, .validationFailed, .weakValue, .invalidRegistrations,
            .unnamedModule, .changeDuringInitialization, .notLoaded, .scopeNotOpenable, .scopeUnknown, .nothingToReset,
            .notOpenToReset, .wrongInputs, .scopeNotOpened, .inputNotGiven, .propertiesLoadedInChild, .overtaken,
            .contextGone:
            nil
        }
    }

    /// The steps that were in progress when the error occurred, outermost first.
    public var chain: [Step] { content.value.chain }

    /// Similar registrations and other hints, one line each.
    public var notes: [String] { content.value.notes }

    /// A fix that is better than the general one of the kind.
    var betterFix: String? { content.value.betterFix }

    /// Identifies the slot whose asynchronous factory closure has not run, and which `start()` waits for.
    var unprepared: ObjectIdentifier? { content.value.unprepared }

    /// The part that `start()` can make on the main actor for an asynchronous factory closure.
    var leftToMainActor: PartOfMainActor? { content.value.leftToMainActor }

    /// A shared instance that the main actor makes.
    struct PartOfMainActor {
        /// The slot of the instance; nil if its module has left the context.
        weak let slot: (any AnyObject & Sendable)?
    }

    /// Whether a start can repeat the request after it has made an instance.
    var isTemporaryInStart: Bool { unprepared != nil || leftToMainActor != nil }

    /// The fields of the error, behind one reference.
    ///
    /// This keeps the error small: every function on the way to a factory closure reserves stack space for the error
    /// that it may throw, and factory closures nest.
    private let content: Constant<Content>

    private struct Content {
        var kind: Kind
        let request: Request?
        /// The place of the call, if there was no request.
        let location: SourcePlace?
        var chain: [Step]
        var notes: [String] = []
        var betterFix: String?
        let unprepared: ObjectIdentifier?
        let leftToMainActor: PartOfMainActor?
    }

    @inline(never)
    init(
        _ kind: Kind, request: Request? = nil, at location: SourcePlace? = nil, chain: [Step] = [],
        unprepared: ObjectIdentifier? = nil, leftToMainActor: PartOfMainActor? = nil
    ) {
        self.init(
            Content(
                kind: kind, request: request, location: location, chain: chain, unprepared: unprepared,
                leftToMainActor: leftToMainActor))
    }

    private init(_ content: Content) {
        self.content = Constant(content)
    }

    /// Returns the error of a request that an asynchronous closure made, after the steps that led to the closure.
    ///
    /// The request inside the closure knows nothing of them. Errors that belong to no request, or name a cycle, stay as
    /// they are.
    func needed(by steps: [Step]) -> LocatorError {
        var content = content.value
        if content.request == nil { return self }
        if case .circularDependency = content.kind { return self }
        content.chain = steps + content.chain
        return LocatorError(content)
    }

    /// Returns the error with these notes.
    @inline(never)
    func noting(_ notes: [String], betterFix: String? = nil, kind: Kind? = nil) -> LocatorError {
        var content = content.value
        if let kind { content.kind = kind }
        content.notes = notes
        content.betterFix = betterFix
        return LocatorError(content)
    }

    /// Whether the requested instance needs the main actor.
    var isOfAnotherActor: Bool {
        switch kind {
        case .wrongActor, .madeOnMainActor: true
        default: false
        }
    }

    /// Whether it says that only hooks have failed, and that everything else of the call has been done.
    ///
    /// If a factory closure throws such an error of another call, nothing is made.
    var isOfHooks: Bool { if case .hooksFailed = kind { true } else { false } }

    /// Whether the same request may succeed for another thread or from another place, or because `start()` has made an
    /// instance in the meantime.
    var dependsOnAsker: Bool {
        switch kind {
        case .circularDependency, .tooDeep, .wrongActor, .madeOnMainActor, .notStarted: true
        case .initializationFailed(_, let cause): (cause as? LocatorError)?.dependsOnAsker ?? false
        case .missing, .ambiguous, .payloadNeeded, .payloadMismatch, .notAwaited, .weakValue, .properties,
            .invalidRegistrations, .unnamedModule, .changeDuringInitialization, .notLoaded, .hooksFailed, .contextGone,
            .scopeNotOpenable, .scopeUnknown, .nothingToReset, .notOpenToReset, .wrongInputs, .scopeNotOpened,
            .inputNotGiven, .propertiesLoadedInChild, .overtaken, .validationFailed:
            false
        }
    }
}
