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
