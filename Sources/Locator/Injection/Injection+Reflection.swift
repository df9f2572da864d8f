// What `dump` and other reflection see of these types: only their descriptions. See `Diagnostics/Reflection.swift`.

extension Lazy: CustomReflectable {
    /// What `dump` and other reflection see: nothing of the instance, which may hold secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Provider: CustomReflectable {
    /// What `dump` and other reflection see: nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension AsyncFactory: CustomReflectable {
    /// What `dump` and other reflection see: nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Factory: CustomReflectable {
    /// What `dump` and other reflection see: nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
