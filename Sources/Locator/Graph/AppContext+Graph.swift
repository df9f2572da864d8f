extension AppContext {
    /// Returns the dependency graph: registrations, dependencies, instances, and problems.
    ///
    /// No instance is created. The graph contains neither the dependencies that a ``Resolver`` resolves at run time nor
    /// the requests of wrappers.
    ///
    /// ```swift
    /// print(context.graph().text)
    /// ```
    public func graph() -> ContextGraph {
        let subject = Validator.Subject(of: core)
        let (wiring, findings) = Validator.findings(in: AppContext(snapshotOf: core), of: subject)
        return GraphBuilder.graph(of: wiring, findings, pushed: subject.pushed, in: core)
    }
}
