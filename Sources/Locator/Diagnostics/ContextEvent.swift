internal import LocatorProperties

/// An event in a context or in one of its children.
public enum ContextEvent: Sendable, CustomStringConvertible {
    /// An initializer, factory closure, or decorator has run.
    public struct Initialization: Sendable, Hashable {
        /// The key of the instance.
        public var key: Key
        /// The scope as written in code: `.singleton`.
        public var scope: String
        /// The place of the registration or the decorator.
        public var location: SourcePlace
        /// The duration, including everything that was made for the instance.
        public var duration: Duration
        /// The duration without everything that was made for the instance.
        public var ownDuration: Duration

        /// Creates the record of an initialization, for tests of observers.
        public init(key: Key, scope: String, location: SourcePlace, duration: Duration, ownDuration: Duration) {
            self.key = key
            self.scope = scope
            self.location = location
            self.duration = duration
            self.ownDuration = ownDuration
        }
    }

    /// A request was resolved, including a request for an existing instance.
    case resolved(Key, SourcePlace)
    /// An initializer, factory closure, or decorator has run.
    case made(Initialization)
    /// An instance was disposed of. Its hooks have run.
    case disposed(Key, SourcePlace)
    /// A module was loaded.
    case loaded(Module, Priority, SourcePlace)
    /// A loaded module was unloaded.
    case unloaded(Module)
    /// A module was pushed.
    case pushed(Module, Priority, SourcePlace)
    /// A pushed module was popped.
    case popped(Module)
    /// Profile files were loaded or reloaded: the active profiles, all folders and files, and warnings about the choice
    /// of the profiles.
    case propertiesLoaded(profiles: [String], from: [String], warnings: [String])
    /// Profile files have changed, but could not be reloaded. See ``PropertiesReloader``.
    case reloadFailed(any Error)
    /// A setting was requested that is missing. A default may have been used.
    case propertyMissing(path: String, SourcePlace)
    /// A dispose hook, or a shutdown hook after a reload, has thrown an error.
    case hookFailed(Key, any Error)
    /// An instance has ended without its shutdown hooks, because its context was released, or because of a reset, an
    /// unload, or a pop.
    case neverShutDown(Key, SourcePlace)

    /// The event as one line of a log.
    public var description: String {
        switch self {
        case .resolved(let key, let location): "resolved \(key) at \(location)"
        case .made(let initialization):
            "made \(initialization.key) (\(initialization.location)) in \(Self.text(initialization.duration))"
                + (initialization.duration == initialization.ownDuration
                    ? "" : ", \(Self.text(initialization.ownDuration)) without its dependencies")
        case .disposed(let key, let location): "disposed of \(key) (\(location))"
        case .loaded(let module, let priority, let location): "loaded \(module) (priority \(priority)) at \(location)"
        case .unloaded(let module): "unloaded \(module)"
        case .pushed(let module, let priority, let location): "pushed \(module) (priority \(priority)) at \(location)"
        case .popped(let module): "popped \(module)"
        case .propertiesLoaded(let profiles, let places, let warnings):
            Self.text(places, profiles, warnings)
        case .reloadFailed(let error): "reload failed: \(ForeignErrorText.of(error))"
        case .propertyMissing(let path, let location): "setting \"\(path)\" is missing at \(location)"
        case .hookFailed(let key, let error): "a hook of \(key) failed: \(ForeignErrorText.of(error))"
        case .neverShutDown(let key, let location): "\(key) (\(location)) was never shut down"
        }
    }

    private static func text(_ places: [String], _ profiles: [String], _ warnings: [String]) -> String {
        let active = profiles.isEmpty ? "no profile" : "profiles: \(profiles.joined(separator: ", "))"
        let parts = ["loaded settings from \(places.joined(separator: ", ")), \(active)"] + warnings
        return parts.joined(separator: "; ").escapingHidden()
    }

    /// Returns a duration in milliseconds: `12.3 ms`.
    static func text(_ duration: Duration) -> String {
        let tenths = (duration / .microseconds(100)).rounded()
        return "\(Int(tenths) / 10).\(Int(tenths) % 10) ms"
    }
}
