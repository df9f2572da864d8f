import Locator

extension Tour {
    /// Shows what was checked before anything was created.
    func show(_ report: ValidationReport) {
        heading("Validation, before anything is made")
        show("\(report)")
    }

    /// Shows why the context resolves keys as it does.
    func showExplanations() {
        heading("Explanations")
        show("\(context.explain((any Catalog).self))")
        show("\(context.explain([any Notifier].self))")
        // A wrapper explains its own request.
        show("\(storefront.$recommendations.explain())")
    }

    /// Shows what an observer has measured.
    func show(_ initializations: SlowestInitializations) {
        heading("What an observer has seen")
        show("\(initializations)")
    }
}
