import Locator

/// The report on a context with one module, `Shop`, whole.
func report(_ register: @escaping @Sendable (Registry) -> Void) throws -> String {
    try report(on: Module("Shop", fileID: "Shop/Shop.swift", line: 1, register))
}

/// The report on a context with these modules, whole.
func report(on modules: Module...) throws -> String {
    let context = AppContext()
    for module in modules { try context.load(module) }
    return context.validate().description
}
