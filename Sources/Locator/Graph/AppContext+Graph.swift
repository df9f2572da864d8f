extension AppContext {
    /// The modules, registrations, dependencies, existing instances, and problems of the context.
    ///
    /// Nothing is created for the graph. It does not contain what a ``Resolver`` or a wrapper resolves at run time.
    ///
    /// ```swift
    /// print(context.graph().text)
    /// ```
    public func graph() -> ContextGraph { core.graph() }
}

extension ContextCore {
    /// The wiring and its findings as a graph.
    func graph() -> ContextGraph {
        let subject = subject
        let (wiring, findings) = Validator.findings(in: privateFork(), of: subject)
        return GraphBuilder.graph(of: wiring, findings, pushed: subject.pushed, in: self)
    }
}
