public import LocatorProperties

/// What went wrong in a context: what was asked for and by whom, what came near, and how to mend it.
public struct LocatorError: Error, CustomStringConvertible {
    /// The kinds of mistakes.
    public enum Kind: Sendable {
        /// Nothing registers the key.
        case missing(Key)
        /// Several registrations could answer, and none is primary.
        case ambiguous(Key, [Registered])
        /// An instance needs itself to be made. The last step is the first again.
        case circle([Step])
        /// Something that belongs to the main actor was asked for elsewhere.
        case wrongActor(Key, isSendable: Bool)
        /// Something with an asynchronous maker was asked for before `context.start()` had made it.
        case notStarted(Key)
        /// A maker, decorator or injection threw.
        case makerFailed(Key, any Error)
        /// Only factories make the type, and no payload was given.
        case payloadNeeded(Key, payloads: [String])
        /// No factory of the type takes a payload of this type.
        case payloadMismatch(Key, given: String, payloads: [String])
        /// A `.weak` registration made a value that cannot be held weakly.
        case weakValue(Key)
        /// A property is missing, or of the wrong type, or its files cannot be read.
        case properties(PropertiesError)
        /// Mistakes in how a module registers.
        case invalidRegistrations([RegistrationProblem])
        /// A maker, decorator or decoder tried to change the context that runs it.
        case changeWhileMaking(String)
        /// The module was not loaded, or not pushed.
        case notLoaded(module: String, operation: String)
        /// A child was to open a scope that belongs to its parent.
        case scopeNotOpenable(Scope)
        /// A child was to load properties of its own.
        case propertiesOfChild
        /// What dispose and shutdown hooks threw.
        case hooksFailed([any Error])
        /// The context has ended.
        case contextGone
    }

    /// The mistake.
    public var kind: Kind { details.kind }

    /// What was asked for first, where there was a request.
    public var requested: Key? { details.request?.key }

    /// Where it was asked for.
    public var requestLocation: SourceLocation? { details.request?.location }

    /// What was being made when it went wrong, outermost first.
    public var chain: [Step] { details.chain }

    /// What came near, one line each.
    public var notes: [String] { details.notes }

    /// Whether modules that are off have what is missing.
    var hasModulesThatAreOff: Bool { details.hasModulesThatAreOff }

    /// The slot whose asynchronous maker has not run, which `start()` waits for.
    var unprepared: Slot? { details.unprepared }

    /// What an error says, out of line: every function that may throw one has room for it on the stack, and makers call
    /// each other as deep as what they make is nested.
    private final class Details: Sendable {
        let kind: Kind
        let request: Request?
        let chain: [Step]
        let notes: [String]
        let hasModulesThatAreOff: Bool
        let unprepared: Slot?

        init(
            _ kind: Kind, _ request: Request?, _ chain: [Step], notes: [String], hasModulesThatAreOff: Bool,
            unprepared: Slot?
        ) {
            self.kind = kind
            self.request = request
            self.chain = chain
            self.notes = notes
            self.hasModulesThatAreOff = hasModulesThatAreOff
            self.unprepared = unprepared
        }
    }

    private let details: Details

    init(_ kind: Kind, request: Request? = nil, chain: [Step] = [], unprepared: Slot? = nil) {
        details = Details(kind, request, chain, notes: [], hasModulesThatAreOff: false, unprepared: unprepared)
    }

    init(_ kind: Kind, _ request: Request, _ thread: ThreadRecord, unprepared: Slot? = nil) {
        self.init(
            kind, request: thread.outermostRequest ?? request, chain: thread.steps, unprepared: unprepared)
    }

    /// An error about a slot that is not entered.
    init(_ kind: Kind, _ request: Request, _ thread: ThreadRecord, reaching slot: Slot) {
        self.init(kind, request: thread.outermostRequest ?? request, chain: thread.steps + [slot.step])
    }

    init(_ kind: Kind, thread: ThreadRecord) {
        self.init(kind, request: thread.outermostRequest, chain: thread.steps)
    }

    private init(_ details: Details) {
        self.details = details
    }

    /// The error with notes of what came near.
    func noting(_ notes: [String], modulesAreOff: Bool = false) -> LocatorError {
        LocatorError(
            Details(
                kind, details.request, chain, notes: notes, hasModulesThatAreOff: modulesAreOff,
                unprepared: unprepared))
    }

    /// Whether another asker may fare better.
    var dependsOnAsker: Bool {
        switch kind {
        case .circle, .wrongActor: true
        case .makerFailed(_, let cause): (cause as? LocatorError)?.dependsOnAsker ?? false
        case .missing, .ambiguous, .notStarted, .payloadNeeded, .payloadMismatch, .weakValue, .properties,
            .invalidRegistrations, .changeWhileMaking, .notLoaded, .hooksFailed, .contextGone,
            .scopeNotOpenable, .propertiesOfChild:
            false
        }
    }
}

extension ThreadRecord {
    /// The request that led to whatever runs on this thread, since the last barrier.
    fileprivate var outermostRequest: Request? {
        var request: Request?
        for frame in reachable { request = frame.session?.request ?? request }
        return request
    }
}
