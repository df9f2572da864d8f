import Locator

/// The required shape of a value that a type is decoded from.
indirect enum ValueShape: Equatable {
    /// Anything, because the type decodes itself or accepts every value.
    case anything
    /// A type that decoding knows, by the compiler's name: `Swift.Int`.
    case scalar(String)
    /// One of several raw values, with their type.
    case choice([String], raw: String)
    case array(ValueShape)
    /// An object with any keys.
    case dictionary(ValueShape)
    case optional(ValueShape)
    /// The same shape, but the value must not be printed.
    case secret(ValueShape)
    /// An object with the keys of a type whose decoding is synthesized.
    case object([Member])

    /// A property of a type that is decoded from an object.
    struct Member: Equatable {
        var key: String
        var shape: ValueShape
        var type: String
        /// The place of the declaration.
        var place: String
        var comment: String?
    }

    /// Whether the value may be missing.
    var isOptional: Bool {
        switch self {
        case .optional: true
        case .secret(let shape): shape.isOptional
        case .anything, .scalar, .choice, .array, .dictionary, .object: false
        }
    }

    /// The shape without optional and secret.
    var plain: ValueShape {
        switch self {
        case .optional(let shape), .secret(let shape): shape.plain
        case .anything, .scalar, .choice, .array, .dictionary, .object: self
        }
    }

    /// Whether the value as a whole is declared as secret.
    var isDeclaredSecret: Bool {
        switch self {
        case .secret: true
        case .optional(let shape): shape.isDeclaredSecret
        case .anything, .scalar, .choice, .array, .dictionary, .object: false
        }
    }

    /// Whether the value, or a part of it, is declared as secret.
    var isSecret: Bool {
        switch self {
        case .secret: true
        case .optional(let shape), .array(let shape), .dictionary(let shape): shape.isSecret
        case .object(let members): members.contains { $0.shape.isSecret }
        case .anything, .scalar, .choice: false
        }
    }
}

extension CompiledTypes {
    /// Returns the shape of the values that a type is decoded from.
    func shape(of type: TypeText) -> ValueShape { shape(of: type, inside: []) }

    /// Returns the shape of a type within outer types.
    ///
    /// A type that contains itself is not followed endlessly.
    private func shape(of type: TypeText, inside outer: [String]) -> ValueShape {
        let inner = type.arguments
        switch (type.head, inner.count) {
        case ("Swift.Optional", 1): return .optional(shape(of: inner[0], inside: outer))
        case ("LocatorProperties.Secret", 1): return .secret(shape(of: inner[0], inside: outer))
        case ("Swift.Array", 1), ("Swift.Set", 1): return .array(shape(of: inner[0], inside: outer))
        // Dictionaries with other types of keys are encoded differently.
        case ("Swift.Dictionary", 2) where inner[0].head == "Swift.String":
            return .dictionary(shape(of: inner[1], inside: outer))
        default: break
        }
        let name = type.head.replacing("FoundationEssentials.", with: "Foundation.")
        if name == JSONValue.qualifiedName { return .anything }
        if Self.scalarNames.contains(name) { return .scalar(name) }
        if symbols.hasOwnDecoding(type.text) || outer.contains(type.text) { return .anything }
        if let (raw, values) = rawValues(of: type) { return .choice(values, raw: raw.text) }
        guard symbols.synthesizesDecoding(of: type.text), let members = members(of: type, inside: outer) else {
            return .anything
        }
        return .object(members)
    }

    private static let scalarNames = Set(ScalarTypes.all.map { $0.qualifiedName })

    /// Returns the stored properties that the compiler decodes, or nil for an enumeration.
    private func members(of type: TypeText, inside outer: [String]) -> [ValueShape.Member]? {
        guard let declaration = declaration(of: type), declaration.cases.isEmpty else { return nil }
        let keys = codingKeys(of: type)
        return declaration.properties.compactMap { property in
            guard !property.isStatic, !property.isComputed, !property.label.hasPrefix("$") else { return nil }
            var label = property.label
            var shape = shape(of: property.type, inside: outer + [type.text])
            // A property with another wrapper is decoded by that wrapper, which may also allow it to be missing.
            if label.hasPrefix("_"), declaration.properties.contains(where: { "_\($0.label)" == label }) {
                label.removeFirst()
                shape = .optional(.anything)
            }
            let name = "\(type.text).\(label)"
            if property.constant != .computed, symbols.constants.contains(name) { return nil }
            guard let key = keys == nil ? label : keys?[label] else { return nil }
            return ValueShape.Member(
                key: key, shape: shape, type: property.type.short, place: property.place,
                comment: symbols.comments[name])
        }
    }

    /// Returns the coding keys by property name, if they are in the source code.
    private func codingKeys(of type: TypeText) -> [String: String]? {
        // Synthesized coding keys have no cases in the compiler's description.
        guard let keys = declaration(of: TypeText("\(type.text).CodingKeys")), !keys.cases.isEmpty else { return nil }
        return Dictionary(keys.cases.map { ($0.name, $0.rawValue ?? $0.name) }, uniquingKeysWith: { first, _ in first })
    }
}
