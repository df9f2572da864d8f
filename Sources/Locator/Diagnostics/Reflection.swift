// `dump` and other reflection show only the descriptions of the types that refer to a context or its parts, because
// these types lead to settings, the environment, and instances, and therefore to secrets.

extension Module: CustomReflectable {
    /// An empty mirror, so that `dump` and other reflection show only the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Condition: CustomReflectable {
    /// An empty mirror, so that `dump` and other reflection show only the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Key: CustomReflectable {
    /// An empty mirror, so that `dump` and other reflection show only the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension LocatorError: CustomReflectable {
    /// An empty mirror, so that `dump` and other reflection show only the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension LocatorError.Kind: CustomStringConvertible, CustomReflectable {
    /// The text of an error of this kind, without a request.
    public var description: String { LocatorError(self).description }

    /// An empty mirror, so that `dump` and other reflection show only the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Registry: CustomReflectable {
    /// An empty mirror, so that `dump` and other reflection show nothing of the context.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Registration: CustomReflectable {
    /// An empty mirror, so that `dump` and other reflection show nothing of the context.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension UnretainedRegistration: CustomReflectable {
    /// An empty mirror, so that `dump` and other reflection show nothing of the context.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension ModuleSelection: CustomReflectable {
    /// An empty mirror, so that `dump` and other reflection show nothing of the context.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
