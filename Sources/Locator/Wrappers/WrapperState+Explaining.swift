extension WrapperState {
    /// What is asked for, what answers, and why.
    func explain(from modules: ModuleSelection = .all) -> KeyExplanation {
        let site = site
        if isGiven {
            return KeyExplanation(
                key: site.key, answers: [], hidden: [], problem: "the value was handed in, and no context is asked")
        }
        let demand = Demand(parameter: site.type)
        let core = context.core
        switch demand.shape {
        case .collection:
            return core.explainAll(demand.type, site.qualifier, from: modules, location: site.location)
        case .single, .factory:
            return core.explain(demand.type, site.qualifier, location: site.location)
        }
    }
}
