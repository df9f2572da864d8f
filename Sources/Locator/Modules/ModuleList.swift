/// The modules that have something for the types of one group: a module alone, or several.
class ModuleList: @unchecked Sendable {
    // Sendable: it has no fields, and those of its subclasses are constant.

    /// The modules, in no particular order.
    var modules: [LoadedModule] { [] }
    /// The module, where there is one.
    var only: LoadedModule? { nil }
}

/// Several modules that have something for the types of one group.
final class SeveralModules: ModuleList, @unchecked Sendable {
    // Sendable: the list is constant.

    private let list: [LoadedModule]

    override var modules: [LoadedModule] { list }

    init(_ list: [LoadedModule]) {
        self.list = list
    }
}
