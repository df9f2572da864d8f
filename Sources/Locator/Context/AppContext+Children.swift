internal import Synchronization

extension AppContext {
    /// A context that shares every instance of this one which its modules do not affect, and owns the instances of the
    /// scopes it opens.
    ///
    /// It is what a server needs for each request. It disposes of its own instances when it ends, and follows later
    /// changes of this context.
    ///
    /// ```swift
    /// extension Scope {
    ///     static let request = Scope("request")
    /// }
    ///
    /// func handle(_ request: Request) async throws -> Response {
    ///     let child = try AppContext.shared.child(opening: .request, pushing: .request(request))
    ///     return try await AppContext.withContext(child) {
    ///         try await child.resolve(Router.self).respond()
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - scopes: The scopes whose instances live in the child.
    ///   - modules: Modules in front of all others; of several, the first is asked first.
    ///   - fileID: The file of the call, for errors.
    ///   - line: The line of the call, for errors.
    public func child(
        opening scopes: Scope..., pushing modules: Module..., fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) -> AppContext {
        for scope in scopes where scope == .singleton || scope == .always {
            throw LocatorError(
                .scopeNotOpenable(scope),
                request: Request(key: Key(Scope.self), location: SourceLocation(fileID: fileID, line: line)))
        }
        let child = try open(scopes)
        for module in modules.reversed() {
            try child.core.load(
                [module], priority: .high, isPushed: true, location: SourceLocation(fileID: fileID, line: line))
        }
        return child
    }

    /// A child that has nothing of its own yet.
    private func open(_ scopes: [Scope]) throws(LocatorError) -> AppContext {
        if let state = core.stateToLend { return AppContext(parent: self, opened: scopes, state: state) }
        return try core.locked { () throws(LocatorError) in
            if core.isClosed { throw LocatorError(.contextGone) }
            let child = AppContext(parent: self, opened: scopes, state: core.state)
            child.core.watch = core.watch
            // Only a parent without parents of its own can tell later what it has lent. And who watches has to be told.
            if core.isChild || core.watch != nil { child.core.becomeFull() }
            return child
        }
    }
}
