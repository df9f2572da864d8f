extension AppContext {
    /// Returns the dependency graph: registrations, dependencies, instances, and problems.
    ///
    /// This function makes nothing. The graph does not contain what a ``Resolver`` resolves at run time, or the
    /// requests of wrappers.
    ///
    /// ```swift
    /// print(context.graph().text)
    /// ```
    public func graph() -> ContextGraph { core.graph() }
}

extension ContextCore {
    /// The wiring with its problems as a graph.
    func graph() -> ContextGraph {
        let subject = subject
        let (wiring, findings) = Validator.findings(in: privateFork(), of: subject)
        return GraphBuilder.graph(of: wiring, findings, pushed: subject.pushed, in: self)
    }
}
