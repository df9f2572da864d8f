extension Slot {
    /// Whether the registration alone is enough to make an instance on any thread, without further steps afterward.
    var isRecipe: Bool {
        guard case .registration = layer, case .synchronous = record.production else { return false }
        guard record.lifetime == .prototype, record.isolation == .none, record.injections.isEmpty else { return false }
        // If a dependency needs a session anyway, it is not worth beginning a request without one.
        return record.dependencies.allSatisfy { dependency in
            switch dependency.kind {
            case .direct, .lazy, .provider, .factory, .resolver: true
            // These depend on the origin of the request, which only a session knows.
            case .optional, .collection, .site: false
            }
        }
    }

    /// Whether the slot has a scope that a child may open, and an instance can be made from ready answers alone,
    /// without further steps afterward.
    var canBeLean: Bool {
        guard record.lifetime.openableScope != nil else { return false }
        switch record.production {
        case .synchronous: return record.isolation == .none && record.injections.isEmpty
        case .input: return true
        case .asynchronous, .instance: return false
        }
    }
}
