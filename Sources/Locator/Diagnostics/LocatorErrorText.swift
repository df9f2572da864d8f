internal import LocatorProperties

/// The text of errors, which is produced only here.
extension LocatorError {
    /// The complete message: the place, the error, the steps that led to it, hints, and a fix.
    public var description: String {
        // Each of these problems has its own place and fix.
        if case .invalidRegistrations = kind { return headline }
        var lines = [place.map { "\($0): \(headline)" } ?? headline]
        lines += details.map { "  \($0)" }
        let steps = chain.reversed().enumerated().dropFirst(skippedSteps).map { offset, step in
            "\(offset == 0 ? innermostRole : "needed by") \(step)"
        }
        lines += shortened(steps).map { "  \($0)" }
        if let requestLocation, let requested, !chain.isEmpty {
            lines.append("  requested: \(requested) at \(requestLocation)")
        }
        lines += notes.map { "  \($0.escapingHidden())" }
        if let fix { lines.append("  fix: \(fix.escapingHidden())") }
        return lines.joined(separator: "\n").escapingHidden(exceptLineBreaks: true)
    }

    /// The place to look at first: the registration that needs the failed dependency, or otherwise the request.
    private var place: SourcePlace? {
        if case .circularDependency(let path) = kind { return path.first?.location ?? requestLocation }
        return chain.last?.location ?? requestLocation
    }

    /// The number of steps to omit, because the innermost step is already the subject of some errors.
    private var skippedSteps: Int {
        switch kind {
        case .initializationFailed(let key, _), .weakValue(let key), .notStarted(let key), .notAwaited(let key),
            .wrongActor(let key, _), .madeOnMainActor(let key), .scopeNotOpened(let key, _), .inputNotGiven(let key),
            .overtaken(let key, _):
            chain.last?.key == key ? 1 : 0
        case .missing, .ambiguous, .payloadNeeded, .payloadMismatch, .properties, .changeDuringInitialization,
            .notLoaded, .hooksFailed, .contextGone, .invalidRegistrations, .unnamedModule, .scopeNotOpenable,
            .scopeUnknown, .nothingToReset, .notOpenToReset, .wrongInputs, .propertiesLoadedInChild, .tooDeep,
            .validationFailed:
            0
        case .circularDependency:
            chain.count
        }
    }

    /// The work during which foreign code threw.
    private var failedWork: String {
        switch chain.last?.role {
        case .decorator: "decorating"
        case .injection: "injecting into"
        case .registration, .alias, nil: "making"
        }
    }

    /// The relation of the innermost step to the error.
    private var innermostRole: String {
        if case .changeDuringInitialization = kind { "while making" } else { "needed by" }
    }

    /// What went wrong, without the place and the fix.
    var headline: String {
        switch kind {
        case .missing(let key):
            "\(key) is not registered"
        case .ambiguous(let key, let candidates):
            "\(candidates.count) registrations match \(key), and \(Fix.primaries(candidates))"
        case .circularDependency(let path):
            "\(path.first?.key.description ?? "an instance") depends on itself"
        case .tooDeep(let key, let levels):
            "\(key) cannot be made: the stack of the thread is nearly full, \(levels) levels deep"
        case .wrongActor(let key, let isSendable):
            isSendable
                ? "\(key) is made on the main actor, but was requested off the main actor before it was made"
                : "\(key) belongs to the main actor, but was requested off the main actor"
        case .madeOnMainActor(let key):
            "\(key) is made on the main actor, but was requested off the main actor"
        case .notAwaited(let key):
            "\(key) is made by an asynchronous factory, but was requested without await"
        case .notStarted(let key):
            "\(key) has an asynchronous factory closure that has not run yet"
        case .initializationFailed(let key, let cause):
            "\(failedWork) \(key) failed: \(ForeignErrorText.of(cause))"
        case .overtaken(let key, times: 1):
            "\(key) was made for settings that are being loaded, and has read earlier ones, through a child of the context"
        case .overtaken(let key, let times):
            "one start made \(key) \(times) times, and a change of the context invalidated it each time"
        case .payloadNeeded(let key, let payloads):
            "\(key) is made by a factory from a payload of type \(payloads.joined(separator: " or "))"
        case .payloadMismatch(let key, let given, let payloads):
            "no factory of \(key) takes a payload of type \(given)"
                + (payloads.isEmpty ? "" : ", only \(payloads.joined(separator: " or "))")
        case .weakValue(let key):
            "\(key) cannot have scope .weak: its instance is a value, and only class instances can be held weakly"
        case .properties(let error):
            error.description
        case .invalidRegistrations(let problems):
            problems.map(\.description).joined(separator: "\n")
        case .unnamedModule:
            "the name of a module is empty"
        case .changeDuringInitialization(let operation):
            "\(operation) was called inside a factory closure, decorator, or decoder of the same context"
        case .notLoaded(let module, let operation):
            "module \"\(module.escapingHidden())\" \(operation == "pop" ? "was not pushed" : "is not loaded")"
        case .hooksFailed(let errors):
            "\(count(errors.count, "hook")) failed:" + errors.map { "\n    \($0)" }.joined()
        case .scopeNotOpenable(let scope):
            "a child cannot open scope \(scope): its instances live in the outermost context"
        case .scopeUnknown(let scope):
            "no registration has scope \(scope), so a child cannot open it"
        case .nothingToReset(let scope):
            "no registration has scope \(scope), so there is nothing to reset"
        case .notOpenToReset(let scope):
            "scope \(scope) is not open in this context, so there is nothing to reset"
        case .wrongInputs(let scopes, _):
            scopes.isEmpty
                ? "inputs were passed, but no scope is opened"
                : "the inputs passed do not match the inputs of \(scopes.map(\.description).joined(separator: ", "))"
        case .scopeNotOpened(let key, let scope):
            "\(key) has scope \(scope), which is not open in this context"
        case .inputNotGiven(let key):
            "\(key) is an input that was not passed when its scope was opened"
        case .propertiesLoadedInChild:
            "a child uses the settings of its parent and cannot load its own"
        case .validationFailed:
            "the new settings are not used, because they cause these errors:"
        case .contextGone:
            requested.map { "\($0) was requested, but its context has ended" } ?? "the context has ended"
        }
    }

    private var details: [String] {
        switch kind {
        case .ambiguous(let key, let candidates):
            Shortlist(candidates).lines {
                "candidate: \($0.hidingQualifier(of: key))\($0.isPrimary ? ", primary" : "")"
            }
        case .circularDependency(let path):
            shortened(path.enumerated().map { $0.offset == 0 ? "\($0.element)" : "needs \($0.element)" })
        case .wrongInputs(_, let problems): problems.flatMap(\.lines)
        case .validationFailed(let report):
            ValidationError(report: report).description.split(separator: "\n").map(String.init)
        case .tooDeep, .missing, .wrongActor, .madeOnMainActor, .notStarted, .initializationFailed, .payloadNeeded,
            .payloadMismatch, .notAwaited, .weakValue, .properties, .invalidRegistrations, .unnamedModule,
            .changeDuringInitialization, .notLoaded, .hooksFailed, .contextGone, .scopeNotOpenable, .scopeUnknown,
            .nothingToReset, .notOpenToReset, .scopeNotOpened, .inputNotGiven, .propertiesLoadedInChild, .overtaken:
            []
        }
    }

    /// The lines of a chain without the middle, if it is long.
    private func shortened(_ lines: [String]) -> [String] {
        let (shown, all) = (10, lines.count)
        if all <= 2 * shown + 1 { return lines }
        return lines.prefix(shown) + ["… and \(all - 2 * shown) more …"] + lines.suffix(shown)
    }

    private var fix: String? {
        switch kind {
        case .missing(let key):
            betterFix ?? Fix.registering(key)
        case .ambiguous(let key, let candidates):
            betterFix ?? Fix.choosing(key, among: candidates, for: .request)
        case .circularDependency(let path):
            // Injections form an endless cycle only if the instance is not shared.
            betterFix
                ?? (path.first?.role == .injection
                    ? Fix.sharingInCycle
                    : !notes.isEmpty
                        ? Fix.usingLater
                        : Self.fix(closing: path))
        case .tooDeep:
            "break the chain with Lazy<…> or Provider<…>, or run it on a thread with a larger stack"
        case .wrongActor(_, let isSendable):
            betterFix
                ?? (isSendable
                    ? "resolve it on the main actor first"
                    : "resolve it on the main actor, or make its type Sendable and resolve it on the main actor first")
        case .madeOnMainActor:
            betterFix ?? "resolve it on the main actor"
        case .notAwaited(let key):
            "call `try await resolve(\(key.metatype), with: …)`, or take an AsyncFactory"
        case .notStarted:
            betterFix ?? (notes.isEmpty ? "call `try await context.start()` first" : Fix.makingAtLoad)
        case .properties(let error):
            betterFix ?? (error.isAboutOneMissingValue ? Fix.addingSetting : nil)
        case .validationFailed:
            "correct the profile files; `context.validate()` reports the same errors once they are loaded"
        case .overtaken(_, times: 1):
            "read what depends on settings from the context itself"
        case .overtaken:
            "find what changes the context each time, such as an observer, or a detached task of the factory closure"
        case .initializationFailed, .invalidRegistrations, .hooksFailed:
            nil
        case .payloadNeeded(let key, let payloads):
            betterFix ?? Fix.passingPayload(for: key.type, from: payloads, isAwaited: false)
        case .payloadMismatch(let key, let given, let payloads):
            betterFix ?? Fix.passing(payloads, or: Fix.registeringFactory(key, payload: given))
        case .weakValue:
            "choose another scope, or return a class instance"
        case .unnamedModule:
            "give it a name, which errors and selections use: Module(\"Shop\")"
        case .changeDuringInitialization:
            "change the context before resolving, or in a hook or observer"
        case .notLoaded(_, let operation):
            if let betterFix {
                betterFix
            } else if notes.isEmpty {
                operation == "pop" ? "pop each pushed module once" : "unload only loaded modules"
            } else {
                "keep the module in a constant (static let): each call of Module(…) makes a different module"
            }
        case .scopeNotOpenable:
            "open a custom scope: Scope(\"request\")"
        case .scopeUnknown, .nothingToReset:
            "correct its name, or load a module that uses the scope first"
        case .notOpenToReset:
            "reset it in the child that opens it; when a child ends, its instances are disposed of"
        case .wrongInputs(let scopes, let problems):
            Fix.handingIn(scopes, problems)
        case .scopeNotOpened(_, let scope):
            betterFix ?? Fix.opening(scope, hasInputs: false)
        case .inputNotGiven:
            Fix.passingInput
        case .propertiesLoadedInChild:
            "load them in the parent, or push a module with `properties:`"
        case .contextGone:
            betterFix ?? Fix.keepingContext
        }
    }

    /// Returns the fix for a cycle, which differs if it has only one registration, or only decorators.
    private static func fix(closing path: [Step]) -> String {
        let steps = path.filter { $0.role != .alias }
        guard let own = steps.first else { return Fix.closingCycle }
        if own.role == .decorator, steps.allSatisfy({ $0.role == .decorator && $0.key == own.key }) {
            return Fix.usingWrapped(own.key)
        }
        // A registration that needs itself may be decorated.
        let made = steps.filter { $0.role != .decorator }
        let isOne = made.allSatisfy { $0 == made.first && $0.role == .registration }
        return isOne && steps.allSatisfy { $0.key == own.key } ? Fix.wrapping(own.key) : Fix.closingCycle
    }
}

extension PropertiesError {
    /// Whether the only problem is that no setting has the path.
    var isAboutOneMissingValue: Bool {
        guard problems.count == 1 else { return false }
        switch problems[0].kind {
        case .value(.missing), .value(.removed), .value(.noSuchPart): return true
        default: return false
        }
    }
}
