extension WrapperState {
    /// What is asked for, what answers, and why.
    func explain(from modules: ModuleSelection = .all) -> KeyExplanation {
        let site = site
        if isGiven {
            return KeyExplanation(
                key: site.key, answers: [], hidden: [], problem: "the value was handed in, and no context is asked")
        }
        return context.core.explain(site.type, site.qualifier, from: modules, location: site.location)
    }
}
