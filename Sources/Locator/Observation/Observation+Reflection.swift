// What `dump` and other reflection see of these types: only their descriptions. See `Diagnostics/Reflection.swift`.

extension ContextEvent: CustomReflectable {
    /// What `dump` and other reflection see: nothing beyond the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension ContextObservation: CustomReflectable {
    /// What `dump` and other reflection see: nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension SlowestInitializations: CustomReflectable {
    /// What `dump` and other reflection see: nothing beyond the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension PropertyValues: CustomReflectable {
    /// What `dump` and other reflection see: nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension PropertyValues.AsyncIterator: CustomReflectable {
    /// What `dump` and other reflection see: nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension PropertiesReloader: CustomReflectable {
    /// What `dump` and other reflection see: nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
