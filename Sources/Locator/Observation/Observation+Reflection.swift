// `dump` and other reflection show only the descriptions of these types. See `Diagnostics/Reflection.swift`.

extension ContextEvent: CustomReflectable {
    /// An empty mirror, so that `dump` and other reflection show only the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension ContextObservation: CustomReflectable {
    /// An empty mirror, so that `dump` and other reflection show nothing of the context.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension SlowestInitializations: CustomReflectable {
    /// An empty mirror, so that `dump` and other reflection show only the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension PropertyValues: CustomReflectable {
    /// An empty mirror, so that `dump` and other reflection show nothing of the context.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension PropertyValues.AsyncIterator: CustomReflectable {
    /// An empty mirror, so that `dump` and other reflection show nothing of the context.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension PropertiesReloader: CustomReflectable {
    /// An empty mirror, so that `dump` and other reflection show nothing of the context.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
