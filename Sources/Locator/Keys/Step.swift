/// One link of the chain from an outermost request to what went wrong.
public struct Step: Sendable, Hashable, CustomStringConvertible {
    /// What part a link plays.
    public enum Role: Sendable, Hashable {
        /// A registration whose maker runs.
        case registration
        /// A decorator that wraps something.
        case decorator
        /// An alias that forwards.
        case alias
        /// An `.injecting` of a registration.
        case injection
    }

    /// What is being made.
    public let key: Key

    /// Where the registration, the decorator or the alias was written.
    public let location: SourcePlace

    /// What part the link plays.
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
