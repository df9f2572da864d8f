/// Registrations that an alias would make available as the requested type.
extension Nearness {
    /// A registration that is similar to a key.
    struct Near {
        let registered: Registered
        let relation: Relation

        enum Relation {
            /// It has another qualifier, or its type has a similar name.
            case similar
            /// Its type is a subclass of the requested class, or its instance conforms to the requested protocol.
            case isOne
            /// The name of its type contains the name of the protocol.
            case mayBeOne
            /// It is registered as a protocol, and its instance has the requested type.
            case isRegisteredAs
            /// It is registered as a protocol whose name is part of the type's name.
            case mayBeRegisteredAs
            /// The requested dictionary can be built from its instances, by their qualifiers.
            case isElement
            /// Its type is another form of the type; see ``otherForms(of:)``.
            case isOtherForm
            /// It is a function that returns the requested type.
            case isFunction
            /// The requested function returns its type.
            case isResult
            /// It makes the requested type, but not from a payload.
            case takesNoPayload
        }

        /// The explanation for the request of a key.
        func text(for key: Key) -> String {
            switch relation {
            case .similar, .isOtherForm: ""
            case .isOne: ", which can be resolved as \(key.shownType) through an alias"
            case .mayBeOne: ", which may conform to \(key.shownType)"
            case .isRegisteredAs: ", whose instance is a \(key.shownType)"
            case .mayBeRegisteredAs: ", which may return a \(key.shownType)"
            case .isElement: ", which resolveMap returns by its qualifier"
            case .isFunction: ", which is a function"
            case .isResult: ", which the function returns"
            case .takesNoPayload: ", which takes no payload"
            }
        }
    }

    /// The largest number of registrations to list.
    private static let limit = 3

    /// The registrations whose types are subclasses of a class, or whose instances show that they conform to a protocol.
    ///
    /// Only an existing instance shows reliably that its type conforms.
    func kin(of key: Key) -> [RegistrationRecord] {
        let asksForClass = key.type is AnyClass
        guard asksForClass || key.isExistential else { return [] }
        let living = asksForClass ? [:] : livingInstances()
        return firstRegistrations { record in
            if key.qualifier != nil, key.qualifier != record.key.qualifier { return false }
            if asksForClass { return isSubclass(record.key.type, of: key.type) }
            if case .instance(let box) = record.production { return box.isExact(and: key.type) }
            return living[ObjectIdentifier(record)]?.isExact(and: key.type) ?? false
        }
    }

    /// The instances of the context and its parents, by their registrations.
    private func livingInstances() -> [ObjectIdentifier: AnyBox] {
        var found: [ObjectIdentifier: AnyBox] = [:]
        for core in core.lineage {
            let instances = core.locked {
                core.tables.slots.values.compactMap { slot in slot.live?.box.map { (ObjectIdentifier(slot.record), $0) }
                }
            }
            found.merge(instances) { own, _ in own }
        }
        return found
    }

    /// The first registrations, without factories, for which `isWanted` is true.
    private func firstRegistrations(where isWanted: (RegistrationRecord) -> Bool) -> [RegistrationRecord] {
        var found: [RegistrationRecord] = []
        for module in names.modules {
            for record in module.registrations where record.payload == nil && isWanted(record) {
                found.append(record)
                if found.count == Self.limit { return found }
            }
        }
        return found
    }

    /// The registrations of a protocol without its primary associated types, or with them: `any Store` for
    /// `any Store<Int>`; or those of a function type with other attributes or effects: `@Sendable () -> Int` for
    /// `() -> Int`.
    func otherForms(of key: Key) -> [Candidate] {
        let name = typeName(key.type)
        let bare = name.withoutForm
        let isForm: (String) -> Bool
        if key.isExistential {
            isForm = { $0 == bare || name == bare && $0.hasPrefix("\(bare)<") }
        } else if isFunction(key.type) {
            isForm = { $0.withoutForm == bare }
        } else {
            return []
        }
        let found = names.typeNames.sorted.lazy.filter { $0 != name && isForm($0) }
        return found.prefix(Self.limit).flatMap { names.typeNames[$0] }
    }

    /// The registrations of functions that return the type.
    ///
    /// `register { FileLogger.init }` registers the initializer itself.
    func functions(returning key: Key) -> [Candidate] {
        let end = " -> \(typeName(key.type))"
        let found = names.typeNames.sorted.lazy.filter { $0.hasSuffix(end) }
        return found.prefix(Self.limit).flatMap { names.typeNames[$0] }
    }

    /// The registrations of what a requested function without parameters returns.
    func results(of key: Key) -> [Candidate] {
        guard isFunction(key.type) else { return [] }
        let start = "() -> "
        let name = typeName(key.type).withoutForm
        guard name.hasPrefix(start) else { return [] }
        // The names of functions do not contain `any`.
        let result = name.dropFirst(start.count)
        return [String(result), "any \(result)"].flatMap { names.typeNames[$0] }
    }

    /// The registrations with qualifiers that a requested dictionary is probably meant to contain, as in other
    /// libraries.
    func elements(of key: Key) -> [Near] {
        guard let element = (key.type as? any MapByQualifier.Type)?.element else { return [] }
        let named = candidates(of: element).filter { $0.key.qualifier != nil }
        return named.prefix(Self.limit).map { related($0, .isElement) }
    }

    /// The registrations as protocols whose instances have the concrete type; if there are none, those whose name is
    /// part of its name.
    func registeredAs(_ key: Key) -> [Near] {
        if key.isExistential { return [] }
        let living = livingInstances()
        if !living.isEmpty {
            let known = firstRegistrations { record in
                // The name is compared last, because it takes long to find.
                living[ObjectIdentifier(record)]?.isOf(key.type) ?? false && record.key.isExistential
            }
            if !known.isEmpty { return known.map { related(.registration($0), .isRegisteredAs) } }
        }
        // A look-up for each part of the name, which is short, and no search through all names.
        let type = typeName(key.type)
        // A function or a tuple may end with the name of another type.
        if type.contains("(") { return [] }
        let parts = type.indices.flatMap { [type[..<$0], type[$0...]] } + [type[...]]
        let found = Set(parts.lazy.filter { $0.count > Self.limit }.map { "any \($0)" })
            .filter { !names.typeNames[$0].isEmpty }.sorted()
        return found.prefix(Self.limit).flatMap { names.typeNames[$0] }.map { related($0, .mayBeRegisteredAs) }
    }

    /// The registrations of concrete types whose name contains the name of a protocol, such as `FileLogger` for `any Logger`.
    func namedAfter(_ key: Key) -> [Candidate] {
        guard key.isExistential else { return [] }
        let name = typeName(key.type).withoutForm.dropFirst("any ".count)
        guard name.count > Self.limit else { return [] }
        let found = names.typeNames.sorted.lazy.filter {
            ($0.hasPrefix(name) || $0.hasSuffix(name)) && !$0.hasPrefix("any ") && !$0.contains("(")
        }
        return found.prefix(Self.limit).flatMap { names.typeNames[$0] }
    }
}

private protocol MapByQualifier {
    static var element: any Any.Type { get }
}

extension Dictionary: MapByQualifier where Key == String {
    fileprivate static var element: any Any.Type { Value.self }
}

extension Nearness.Near {
    func line(for key: Key) -> String { "near: \(registered)\(text(for: key))" }

    func note(for key: Key) -> Finding.Note {
        .init(location: registered.location, text: "near: \(registered.key)\(text(for: key))")
    }
}

extension Shortlist<Nearness.Near> {
    /// The fix if only an alias is missing.
    func fix(for key: Key) -> String? {
        for near in shown {
            switch near.relation {
            case .isOne: return Fix.aliasing(key, to: near.registered.key)
            case .isRegisteredAs, .isOtherForm:
                return "request \(near.registered.key) instead, or register \(key.metatype) itself"
            case .isFunction:
                return "call the function in the closure of its registration, or request \(near.registered.key)"
            case .isResult:
                return "take a Provider<\(near.registered.key.shownType)>, which resolves one on each call, "
                    + "or register the function itself"
            case .isElement: return "take a Resolver, and call resolveMap(\(near.registered.key.metatype))"
            case .mayBeOne:
                return Fix.aliasingIfConforming(key, shown.count == 1 ? "\(near.registered.key)" : "one of them")
            case .similar, .mayBeRegisteredAs, .takesNoPayload: continue
            }
        }
        return nil
    }
}

extension Key {
    /// Whether the type is a protocol.
    fileprivate var isExistential: Bool { typeName(type).hasPrefix("any ") }
}

extension String {
    /// The name of a protocol without its primary associated types; the name of a function type without its attributes
    /// and effects.
    fileprivate var withoutForm: String {
        if hasPrefix("any ") { return String(prefix { $0 != "<" }) }
        guard contains("->") else { return self }
        return ["@Sendable ", "@MainActor ", "async ", "throws "].reduce(self) { $0.replacing($1, with: "") }
    }
}

private func isSubclass<Asked>(_ type: any Any.Type, of asked: Asked.Type) -> Bool {
    type is AnyClass && type is Asked.Type && type != asked
}
