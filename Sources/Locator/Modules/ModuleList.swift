/// A linked list of the modules that have entries for one group of types.
class ModuleList: Chained, @unchecked Sendable {
    // Sendable: like the superclass. The fields of its subclasses are constant.

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

    /// A list of these modules; nil if there are none.
    static func of(_ modules: [LoadedModule]) -> ModuleList? {
        modules.dropFirst().reduce(modules.first) { FurtherModule($1, after: $0) }
    }
}

/// A module followed by others.
final class FurtherModule: ModuleList, @unchecked Sendable {
    // Sendable: the field is constant.

    private let module: LoadedModule

    override var first: LoadedModule { module }

    init(_ module: LoadedModule, after others: ModuleList?) {
        self.module = module
        super.init(after: others)
    }
}
