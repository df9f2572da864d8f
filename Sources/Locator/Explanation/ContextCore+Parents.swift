extension ContextCore {
    /// This context and its parents, the innermost first.
    var withParents: [ContextCore] {
        var chain = [self]
        while let core = chain.last, let parent = core.locked({ core.parent }) { chain.append(parent.core) }
        return chain
    }
}
