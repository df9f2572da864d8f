// What `dump` and other reflection see of the types that refer to a context or its parts: only their descriptions. These
// types lead to settings, the environment, and instances, and therefore to secrets.

extension AppContext: CustomReflectable {
    /// What `dump` and other reflection see: nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Module: CustomReflectable {
    /// What `dump` and other reflection see: nothing beyond the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Condition: CustomReflectable {
    /// What `dump` and other reflection see: nothing beyond the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Key: CustomReflectable {
    /// What `dump` and other reflection see: nothing beyond the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension LocatorError: CustomReflectable {
    /// What `dump` and other reflection see: nothing beyond the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension LocatorError.Kind: CustomStringConvertible, CustomReflectable {
    /// The text of an error of this kind, without a request.
    public var description: String { LocatorError(self).description }

    /// What `dump` and other reflection see: nothing beyond the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Registry: CustomReflectable {
    /// What `dump` and other reflection see: nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Registration: CustomReflectable {
    /// What `dump` and other reflection see: nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension UnretainedRegistration: CustomReflectable {
    /// What `dump` and other reflection see: nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Resolver: CustomReflectable {
    /// What `dump` and other reflection see: nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension ModuleSelection: CustomReflectable {
    /// What `dump` and other reflection see: nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
