internal import LocatorProperties

/// An error that a dispose or shutdown hook threw.
public struct HookFailure: Sendable, CustomStringConvertible {
    /// The kinds of hooks.
    public enum Hook: Sendable, Hashable {
        /// An `.onDispose` hook.
        case dispose
        /// An `.onShutdown` hook.
        case shutdown
    }

    /// The kind of hook.
    public let hook: Hook

    /// The key that was registered with the hook.
    public let key: Key

    /// The place of the registration.
    public let location: SourcePlace

    /// The error that the hook threw.
    public let error: any Error

    init(_ hook: Hook, of record: RegistrationRecord, _ error: any Error) {
        self.hook = hook
        key = record.key
        location = record.location
        self.error = error
    }

    /// The work that failed, the registration, and the error: `disposing of Database (Shop/Shop.swift:12): it is busy`.
    public var description: String {
        let work = hook == .dispose ? "disposing of" : "shutting down"
        return "\(work) \(key) (\(location)): \(ForeignErrorText.of(error))".escapingHidden(exceptLineBreaks: true)
    }
}

extension [HookFailure] {
    /// The error with all failures of hooks; nil if there are none.
    func error(at location: SourcePlace? = nil) -> LocatorError? {
        isEmpty ? nil : LocatorError(.hooksFailed(self), at: location)
    }

    func check(at location: SourcePlace) throws(LocatorError) {
        if let error = error(at: location) { throw error }
    }
}

extension Result where Failure == any Error {
    /// Returns the value, or throws the error of the body, which takes precedence over an error of the hooks after it.
    func get(beforeThrowing error: LocatorError?) throws -> Success {
        let value = try get()
        if let error { throw error }
        return value
    }
}
