/// Modules whose closures have run for a load.
///
/// Most loads have one, which takes no table.
struct PreparedModules {
    private var first: LoadedModule?
    private var others: IdentityTable<LoadedModule> = [:]

    subscript(identity: ObjectIdentifier) -> LoadedModule? {
        first?.identity == identity ? first : others[identity]
    }

    mutating func insert(_ loaded: consuming LoadedModule) {
        if first == nil { first = loaded } else { others[loaded.identity] = loaded }
    }

    func forEach(_ body: (LoadedModule) -> Void) {
        if let first { body(first) }
        for loaded in others.values { body(loaded) }
    }
}
