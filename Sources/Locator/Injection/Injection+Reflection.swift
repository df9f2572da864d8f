// What `dump` and other reflection see of these types: only their descriptions. See `Diagnostics/Reflection.swift`.

extension Lazy: CustomReflectable {
    /// An empty mirror, because the instance may hold secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Provider: CustomReflectable {
    /// An empty mirror, so that `dump` and other reflection show nothing of the context.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension AsyncFactory: CustomReflectable {
    /// An empty mirror, so that `dump` and other reflection show nothing of the context.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Factory: CustomReflectable {
    /// An empty mirror, so that `dump` and other reflection show nothing of the context.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
