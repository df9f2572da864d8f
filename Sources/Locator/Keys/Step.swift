/// One step on the way from the outermost request to the error.
public struct Step: Sendable, Hashable, CustomStringConvertible {
    /// The roles of a step.
    public enum Role: Sendable, Hashable {
        /// A registration whose factory closure runs.
        case registration
        /// A decorator that wraps an instance.
        case decorator
        /// An alias that forwards to a registration.
        case alias
        /// An `.injecting` of a registration.
        case injection
    }

    /// The key of the instance that is being made.
    public let key: Key

    /// The place of the registration, the decorator, or the alias in the source.
    public let location: SourcePlace

    /// The role of the step.
    public let role: Role

    /// The key and its place: `any Catalog (Shop/Shop.swift:17)`.
    public var description: String {
        switch role {
        case .registration: "\(key) (\(location))"
        case .decorator: "decorator of \(key) (\(location))"
        case .alias: "alias \(key) (\(location))"
        case .injection: "injecting into \(key) (\(location))"
        }
    }
}

extension Step {
    /// The step without the qualifier of a key that hides its own.
    func hidingQualifier(of key: Key) -> Step {
        Step(key: self.key.hidingQualifier(of: key), location: location, role: role)
    }
}
