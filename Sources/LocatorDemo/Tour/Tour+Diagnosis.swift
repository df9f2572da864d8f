import Locator

extension Tour {
    /// What was checked before anything was created.
    func show(_ report: ValidationReport) {
        heading("Validation, before anything is made")
        show("\(report)")
    }

    /// Why the context resolves a key as it does.
    func showExplanations() {
        heading("Explanations")
        show("\(context.explain((any Catalog).self))")
        show("\(context.explain([any Notifier].self))")
        // A wrapper explains its own request.
        show("\(storefront.$recommendations.explain())")
    }

    /// What an observer has found out.
    func show(_ initializations: SlowestInitializations) {
        heading("What an observer has seen")
        show("\(initializations)")
    }
}
