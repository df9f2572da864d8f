extension WrapperState {
    func explain(from modules: ModuleSelection = .all) -> KeyExplanation {
        let site = site
        if isGiven {
            return KeyExplanation(key: site.key, problem: "the value was passed in, and no context is used")
        }
        let core = site.core.takeUnretainedValue()
        if core.handle == nil, core.isClosed {
            let error = core.goneError(Request(key: site.key, location: site.location))
            return KeyExplanation(key: site.key, problem: error.description)
        }
        return Explainer(core: core).explain(site.type, site.qualifier, from: modules, location: site.location)
    }
}
