extension AppContext {
    /// What is registered, what needs what, what is made, and what is wrong.
    ///
    /// Nothing is made for it. What a ``Resolver`` asks for at run time, and what wrappers ask for, is not in it.
    ///
    /// ```swift
    /// print(context.graph().text)
    /// ```
    public func graph() -> ContextGraph { core.graph() }
}

extension ContextCore {
    /// The wiring with what is wrong with it, as a graph.
    func graph() -> ContextGraph {
        let subject = subject
        let (wiring, findings) = Validator.findings(in: privateFork(), of: subject)
        return GraphBuilder.graph(of: wiring, findings, pushed: subject.pushed, in: self)
    }
}
