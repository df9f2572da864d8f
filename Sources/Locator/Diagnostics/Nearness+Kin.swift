/// What could answer for a type if an alias said so.
extension Nearness {
    /// A registration that is near a key.
    struct Near {
        let registered: Registered
        let relation: Relation

        enum Relation {
            /// It has another qualifier, or a name like that of the type.
            case similar
            /// Its type is a subclass, or an instance of it conforms to the protocol.
            case isOne
            /// Its name has the name of the protocol in it.
            case mayBeOne
        }

        /// What is said of it, for the request of a key.
        func text(for key: Key) -> String {
            switch relation {
            case .similar: ""
            case .isOne: ", which can answer for \(key.shownType) by an alias"
            case .mayBeOne: ", which can answer for \(key.shownType) by an alias if it conforms"
            }
        }
    }

    /// How many are listed.
    private static let limit = 3

    /// The registrations whose types are subclasses of a class, or whose instances show that they conform to a protocol.
    ///
    /// Only an instance can be asked soundly whether its type conforms.
    func kin(of key: Key) -> [RegistrationRecord] {
        let asksForClass = key.type is AnyClass
        guard asksForClass || key.isExistential else { return [] }
        let living = asksForClass ? [:] : core.livingInstances()
        let kin = modules.lazy.flatMap(\.registrations).filter { record in
            if record.payload != nil || key.qualifier != nil && key.qualifier != record.key.qualifier { return false }
            if asksForClass { return isSubclass(record.key.type, of: key.type) }
            if case .instance(let box) = record.production { return box.isExact(and: key.type) }
            return living[ObjectIdentifier(record)]?.isExact(and: key.type) ?? false
        }
        return Array(kin.prefix(Self.limit))
    }

    /// The registrations of concrete types that are named after a protocol, as `FileLogger` is after `any Logger`.
    func namedAfter(_ key: Key) -> [Candidate] {
        guard key.isExistential else { return [] }
        let name = typeName(key.type).dropFirst("any ".count)
        guard name.count > Self.limit else { return [] }
        let found = names.sorted.lazy.filter { ($0.hasPrefix(name) || $0.hasSuffix(name)) && !$0.hasPrefix("any ") }
        return found.prefix(Self.limit).flatMap { names.byName[$0] ?? [] }
    }
}

extension Nearness.Near {
    /// The line of an error.
    func line(for key: Key) -> String { "near: \(registered)\(text(for: key))" }

    /// The line below a finding.
    func note(for key: Key) -> Finding.Note {
        .init(location: registered.location, text: "near: \(registered.key)\(text(for: key))")
    }
}

extension [Nearness.Near] {
    /// What to do where an alias is what is missing.
    func fix(for key: Key) -> String? {
        first { $0.relation == .isOne }.map { Fix.aliasing(key, to: $0.registered.key) }
    }
}

extension Key {
    /// Whether the type is a protocol.
    fileprivate var isExistential: Bool { typeName(type).hasPrefix("any ") }
}

/// Whether a type is a subclass of a class.
private func isSubclass<Asked>(_ type: any Any.Type, of asked: Asked.Type) -> Bool {
    type is AnyClass && type is Asked.Type && type != asked
}

extension ContextCore {
    /// The instances here and in the parents, by their registrations.
    fileprivate func livingInstances() -> [ObjectIdentifier: AnyBox] {
        var found: [ObjectIdentifier: AnyBox] = [:]
        var next: ContextCore? = self
        while let core = next {
            let instances = core.locked {
                core.slots.values.compactMap { slot in slot.live?.box.map { (ObjectIdentifier(slot.record), $0) } }
            }
            found.merge(instances) { own, _ in own }
            next = core.locked { core.parent }?.core
        }
        return found
    }
}
