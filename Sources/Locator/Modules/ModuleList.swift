/// A module that has something for the types of one group, and those that have, too.
class ModuleList: Chained, @unchecked Sendable {
    // Sendable: as the superclass; the fields of its subclasses are constant.

    /// The module.
    var first: LoadedModule { preconditionFailure("A list begins with a module") }

    /// The modules, in no particular order.
    final var modules: [LoadedModule] {
        var modules: [LoadedModule] = []
        forEach { modules.append($0) }
        return modules
    }

    final func forEach(_ body: (LoadedModule) -> Void) {
        Chained.forEach(from: self) { list in
            body(list.first)
            return true
        }
    }

    /// A list of these modules; nil where there are none.
    static func of(_ modules: [LoadedModule]) -> ModuleList? {
        modules.dropFirst().reduce(modules.first) { FurtherModule($1, after: $0) }
    }
}

/// A module in front of others.
final class FurtherModule: ModuleList, @unchecked Sendable {
    // Sendable: the field is constant.

    private let module: LoadedModule

    override var first: LoadedModule { module }

    init(_ module: LoadedModule, after others: ModuleList?) {
        self.module = module
        super.init(after: others)
    }
}
