internal import LocatorProperties

/// Collections without elements.
extension Validator {
    /// The element types of the collections that a module declares as possibly empty: extension points.
    var collectionsThatMayBeEmpty: Set<ObjectIdentifier> {
        Set(wiring.modules.lazy.flatMap(\.loaded.collectionsThatMayBeEmpty).map { ObjectIdentifier($0) })
    }

    /// Finds parameters that get an empty array, unless a module declares that the collection may be empty.
    ///
    /// If a condition turns the elements off, the collection may be empty on purpose.
    mutating func checkEmptyCollections() {
        let allowed = collectionsThatMayBeEmpty
        for (number, node) in wiring.nodes.enumerated() where node.isReachable {
            for need in node.needs where need.dependency.phase != .layer && need.dependency.isCollection {
                guard case .found(let elements) = need.outcome, elements.isEmpty,
                    !allowed.contains(ObjectIdentifier(need.dependency.type)), nearness.off(need.key).isEmpty
                else { continue }
                let replacing = moduleReplacingElements(of: need.key)
                let near = replacing == nil ? near(need.key).notes : []
                let type = need.dependency.type
                let key = nearness.distinct(need.key)
                let fixOfArray = Fix.ofArray(of: type)
                let path = need.dependency.qualifier?.path
                let choice = replacing == nil ? nearness.choice(for: need.key, given: path).map { "\($0), or " } : nil
                let registering =
                    type is any ConfigProperty.Type
                    ? "an array has only registrations: decode it as a part of a ConfigProperty, or register "
                        + "\(typeName(type)) as an element"
                    : "\(choice ?? "")register an element\(replacing.map { " in module \"\($0.name)\" or before it" } ?? ""), "
                        + "pass the array in a closure, or declare that it may be empty: "
                        + "registry.mayBeEmpty(\(key.metatype))"
                let cause =
                    replacing.map { module in
                        "replaceAll(\(Fix.metatype(type))) in module \"\(module.name)\" leaves out every registration of "
                    } ?? "there are no registrations of "
                var finding = Finding(
                    kind: .emptyCollection, location: node.location,
                    message: "\(node.name) gets an empty array, because \(cause)\(key)",
                    keys: [need.key, node.key], notes: qualifierNotes(need) + near,
                    suggestion: fixOfArray ?? (type as? any NeverRegistered.Type)?.fixOfArray
                        ?? (near.isEmpty ? nil : nearness.correction(of: need.key, given: path)) ?? registering)
                if fixOfArray != nil {
                    finding.severity = .error
                    finding.notes = []
                    finding.message = "\(node.name) takes an array of \(need.key), which cannot be registered"
                }
                add(finding, about: "\(need.key)", inNodeAt: number) { "\($0) gets one, too" }
            }
        }
    }

    /// The module that replaces the collections of a type, if others after it register the key.
    private func moduleReplacingElements(of key: Key) -> LoadedModule? {
        let holders = holders(of: key)
        guard let replacing = holders.firstIndex(where: \.entry.replacesCollections) else { return nil }
        let areLeftOut = holders[(replacing + 1)...].contains { holder in
            holder.entry.candidates.contains { key.qualifier == nil || $0.key.qualifier == key.qualifier }
        }
        return areLeftOut ? holders[replacing].module.loaded : nil
    }
}
