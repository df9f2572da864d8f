public import LocatorProperties

/// What went wrong in a context: what was asked for and by whom, what came near, and how to fix it.
///
/// ```swift
/// do throws(LocatorError) {
///     catalog = try context.resolve((any Catalog).self)
/// } catch {
///     print(error)               // the whole text
///     print(error.kind)          // what a program can decide on
/// }
/// ```
public struct LocatorError: Error, CustomStringConvertible {
    /// The kinds of mistakes.
    ///
    /// More kinds may be added: a `switch` in another package needs `@unknown default`.
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
        /// Nothing registers the key.
        case missing(Key)
        /// Several registrations could answer, and none is primary.
        case ambiguous(Key, [Registered])
        /// An instance needs itself to be made. The last step is the first again.
        case circularDependency([Step])
        /// The makings on a thread have used up its stack, at this many levels. The key is that of the innermost.
        case tooDeep(Key, levels: Int)
        /// Something that belongs to the main actor was asked for elsewhere.
        case wrongActor(Key, isSendable: Bool)
        /// Something that is made on the main actor each time was asked for elsewhere.
        case madeOnMainActor(Key)
        /// Something with an asynchronous maker was asked for before `context.start()` had made it.
        case notStarted(Key)
        /// An initializer, factory closure, decorator or injection threw.
        case initializationFailed(Key, any Error)
        /// Only factories make the type, and no payload was given.
        case payloadNeeded(Key, payloads: [String])
        /// No factory of the type takes a payload of this type.
        case payloadMismatch(Key, given: String, payloads: [String])
        /// The product of an asynchronous factory was asked for without `await`.
        case notAwaited(Key)
        /// A `.weak` registration made a value that cannot be held weakly.
        case weakValue(Key)
        /// A property is missing, or of the wrong type, or its files cannot be read.
        case properties(PropertiesError)
        /// Mistakes in how a module registers.
        case invalidRegistrations([RegistrationProblem])
        /// An initializer, factory closure, decorator or decoder tried to change the context that runs it.
        case changeDuringInitialization(String)
        /// The module was not loaded, or not pushed.
        case notLoaded(module: String, operation: String)
        /// A child was to open a scope that belongs to its parent.
        case scopeNotOpenable(Scope)
        /// A child was to open a scope that no registration names.
        case scopeUnknown(Scope)
        /// A scope was to be reset that no registration names and nobody has opened.
        case nothingToReset(Scope)
        /// A child was to open scopes with other inputs than are declared for them.
        case wrongInputs([Scope], [InputProblem])
        /// An instance was asked for whose scope has to be opened, where nobody has opened it.
        case scopeNotOpened(Key, Scope)
        /// An input was asked for that was not handed in where its scope was opened.
        case inputNotGiven(Key)
        /// A child tried to load properties of its own, but it has those of its parent.
        case propertiesLoadedInChild
        /// The properties were not taken over, because the context would have errors with them.
        case validationFailed(ValidationReport)
        /// What dispose and shutdown hooks threw.
        case hooksFailed([HookFailure])
        /// The context has ended.
        case contextGone
    }

    /// The mistake.
    public var kind: Kind { content.kind }

    /// What was asked for first, where there was a request.
    public var requested: Key? { content.request?.key }

    /// Where it was asked for, or where the function was called that failed.
    public var requestLocation: SourcePlace? { content.request?.location ?? content.location }

    /// The error of other code that is behind this one: what a maker, decorator, injection or hook threw, or what is wrong
    /// with a property.
    ///
    /// Where a maker failed because of another that it needs, it is the error of that other.
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
            .payloadNeeded,
            .payloadMismatch, .notAwaited, .validationFailed,
            .weakValue, .invalidRegistrations, .changeDuringInitialization, .notLoaded, .scopeNotOpenable,
            .scopeUnknown,
            .nothingToReset, .wrongInputs, .scopeNotOpened, .inputNotGiven, .propertiesLoadedInChild, .contextGone:
            nil
        }
    }

    /// What was being made when it went wrong, outermost first.
    public var chain: [Step] { content.chain }

    /// What came near, one line each.
    public var notes: [String] { content.notes }

    /// What to do, where that is known better than the kind tells.
    var betterFix: String? { content.betterFix }

    /// Identifies the slot whose asynchronous maker has not run, which `start()` waits for.
    var unprepared: ObjectIdentifier? { content.unprepared }

    /// All fields, behind one reference: every function on the way to a maker reserves stack space for the error it may
    /// throw, and makers nest.
    private final class Content: Sendable {
        let kind: Kind
        let request: Request?
        /// Where the function was called, where nothing was asked for.
        let location: SourcePlace?
        let chain: [Step]
        let notes: [String]
        let betterFix: String?
        let unprepared: ObjectIdentifier?

        init(
            kind: Kind, request: Request?, location: SourcePlace?, chain: [Step], notes: [String],
            betterFix: String?, unprepared: ObjectIdentifier?
        ) {
            self.kind = kind
            self.request = request
            self.location = location
            self.chain = chain
            self.notes = notes
            self.betterFix = betterFix
            self.unprepared = unprepared
        }
    }

    private let content: Content

    init(_ kind: Kind, request: Request? = nil, chain: [Step] = [], unprepared: ObjectIdentifier? = nil) {
        content = Content(
            kind: kind, request: request, location: nil, chain: chain, notes: [], betterFix: nil,
            unprepared: unprepared)
    }

    /// An error of a function that asks for nothing.
    init(_ kind: Kind, at location: SourcePlace) {
        content = Content(
            kind: kind, request: nil, location: location, chain: [], notes: [], betterFix: nil,
            unprepared: nil)
    }

    private init(_ content: Content) {
        self.content = content
    }

    /// The error with notes of what came near.
    func noting(_ notes: [String], betterFix: String? = nil, kind: Kind? = nil) -> LocatorError {
        LocatorError(
            Content(
                kind: kind ?? self.kind, request: content.request, location: content.location, chain: chain,
                notes: notes,
                betterFix: betterFix, unprepared: unprepared))
    }

    /// Whether what was asked for needs the main actor.
    var isOfAnotherActor: Bool {
        switch kind {
        case .wrongActor, .madeOnMainActor: true
        default: false
        }
    }

    /// Whether another asker may fare better.
    var dependsOnAsker: Bool {
        switch kind {
        case .circularDependency, .tooDeep, .wrongActor, .madeOnMainActor: true
        case .initializationFailed(_, let cause): (cause as? LocatorError)?.dependsOnAsker ?? false
        case .missing, .ambiguous, .notStarted, .payloadNeeded, .payloadMismatch, .notAwaited, .weakValue, .properties,
            .invalidRegistrations, .changeDuringInitialization, .notLoaded, .hooksFailed, .contextGone,
            .scopeNotOpenable, .scopeUnknown, .nothingToReset, .wrongInputs, .scopeNotOpened, .inputNotGiven,
            .propertiesLoadedInChild, .validationFailed:
            false
        }
    }
}
