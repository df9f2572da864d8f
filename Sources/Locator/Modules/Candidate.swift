/// A registration or an alias that a request can resolve to.
enum Candidate {
    case registration(RegistrationRecord)
    case alias(AliasRecord)

    /// The registration itself, or the registration of the alias, as long as the module exists.
    var record: RegistrationRecord {
        switch self {
        case .registration(let record): record
        case .alias(let alias): alias.registration
        }
    }

    /// The identity of the registration or the alias.
    var identity: ObjectIdentifier {
        switch self {
        case .registration(let record): ObjectIdentifier(record)
        case .alias(let alias): ObjectIdentifier(alias)
        }
    }

    var key: Key {
        switch self {
        case .registration(let record): record.key
        case .alias(let alias): alias.key
        }
    }

    var location: SourcePlace {
        switch self {
        case .registration(let record): record.location
        case .alias(let alias): alias.location
        }
    }

    /// The key, and the payload that distinguishes factories of one key.
    struct FullKey: Hashable {
        let key: Key
        let payload: ObjectIdentifier?
    }

    var fullKey: FullKey { FullKey(key: key, payload: record.payload.map(ObjectIdentifier.init)) }
}

extension [Candidate] {
    /// Whether all are keys of one registration.
    var areTogether: Bool { allSatisfy { $0.record === first?.record } }

    /// The types of the payloads of factories.
    var payloadTypes: [any Any.Type] {
        var types: [any Any.Type] = []
        for candidate in self {
            guard let payload = candidate.record.payload, !types.contains(where: { $0 == payload }) else { continue }
            types.append(payload)
        }
        return types
    }

    var payloads: [String] { distinctNames(of: payloadTypes) }
}
