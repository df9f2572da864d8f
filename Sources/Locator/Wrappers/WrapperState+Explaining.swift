extension WrapperState {
    func explain(from modules: ModuleSelection = .all) -> KeyExplanation {
        let site = site
        if isGiven {
            return KeyExplanation(key: site.key, problem: "the value was passed in, and no context is used")
        }
        return Explainer(core: site.core.takeUnretainedValue())
            .explain(site.type, site.qualifier, from: modules, location: site.location)
    }
}
