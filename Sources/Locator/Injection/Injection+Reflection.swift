// `dump` and other reflection show only the descriptions of these types. See `Diagnostics/Reflection.swift`.

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
