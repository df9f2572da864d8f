internal import LocatorProperties

/// Something that has happened in a context, or in one of its children.
public enum ContextEvent: Sendable, CustomStringConvertible {
    /// An initializer, factory closure or decorator has run.
    public struct Initialization: Sendable, Hashable {
        /// What was made.
        public var key: Key
        /// The scope as it is written: `.singleton`.
        public var scope: String
        /// Where the registration or the decorator was written.
        public var location: SourcePlace
        /// How long it took, with everything that was made for it.
        public var duration: Duration
        /// How long it took without what was made for it.
        public var ownDuration: Duration

        /// Creates the record of an initialization, for tests of observers.
        public init(
            key: Key, scope: String, location: SourcePlace, duration: Duration, ownDuration: Duration
        ) {
            self.key = key
            self.scope = scope
            self.location = location
            self.duration = duration
            self.ownDuration = ownDuration
        }
    }

    /// A request was answered; of a request for a ready instance too.
    case resolved(Key, SourcePlace)
    /// An initializer, factory closure or decorator has run.
    case made(Initialization)
    /// An instance has left the context for good; its hooks have run.
    case disposed(Key, SourcePlace)
    /// A module was loaded.
    case loaded(Module, Priority, SourcePlace)
    /// A module was taken off that was loaded.
    case unloaded(Module)
    /// A module was pushed.
    case pushed(Module, Priority, SourcePlace)
    /// A module was taken off that was pushed.
    case popped(Module)
    /// Profile files were loaded or loaded again: the active profiles, all folders and files, and why the profiles may be
    /// others than it seems.
    case propertiesLoaded(profiles: [String], from: [String], warnings: [String])
    /// Profile files have changed, and were not taken over; see ``PropertiesReloader``.
    case reloadFailed(any Error)
    /// A property was asked for that is missing; a default may have served.
    case propertyMissing(path: String, SourcePlace)
    /// A dispose hook has thrown an error.
    case hookFailed(Key, any Error)
    /// A context has ended, by going away, before the shutdown hooks of an instance ran.
    case neverShutDown(Key, SourcePlace)

    /// The event as a line of a log.
    public var description: String {
        switch self {
        case .resolved(let key, let location): "resolved \(key) at \(location)"
        case .made(let initialization):
            "made \(initialization.key) (\(initialization.location)) in \(Self.text(initialization.duration))"
                + (initialization.duration == initialization.ownDuration
                    ? "" : ", \(Self.text(initialization.ownDuration)) of it its own")
        case .disposed(let key, let location): "disposed of \(key) (\(location))"
        case .loaded(let module, let priority, let location): "loaded \(module) (priority \(priority)) at \(location)"
        case .unloaded(let module): "unloaded \(module)"
        case .pushed(let module, let priority, let location): "pushed \(module) (priority \(priority)) at \(location)"
        case .popped(let module): "popped \(module)"
        case .propertiesLoaded(let profiles, let places, let warnings):
            Self.text(places, profiles, warnings)
        case .reloadFailed(let error): "changed properties were not taken over: \(ForeignErrorText.of(error))"
        case .propertyMissing(let path, let location): "property \"\(path)\" is missing at \(location)"
        case .hookFailed(let key, let error): "a dispose hook of \(key) failed: \(ForeignErrorText.of(error))"
        case .neverShutDown(let key, let location): "\(key) (\(location)) was never shut down"
        }
    }

    private static func text(_ places: [String], _ profiles: [String], _ warnings: [String]) -> String {
        let active = profiles.isEmpty ? "no profile" : "profiles: \(profiles.joined(separator: ", "))"
        let parts = ["loaded properties from \(places.joined(separator: ", ")), \(active)"] + warnings
        return parts.joined(separator: "; ").escapingHidden()
    }

    /// A duration in milliseconds: `12.3 ms`.
    static func text(_ duration: Duration) -> String {
        let tenths = (duration / .microseconds(100)).rounded()
        return "\(Int(tenths) / 10).\(Int(tenths) % 10) ms"
    }
}
