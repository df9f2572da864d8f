internal import LocatorProperties

/// What a registration answers: a type and an optional qualifier.
public struct Key: Sendable, Hashable, CustomStringConvertible {
    /// The type asked for.
    public let type: any Any.Type

    /// The qualifier's name, where there is one.
    public let qualifier: String?

    /// Creates the key of a type and a qualifier's name.
    public init(_ type: any Any.Type, qualifier: String? = nil) {
        self.type = type
        self.qualifier = qualifier
    }

    /// Tells whether two keys name the same type and qualifier.
    public static func == (left: Key, right: Key) -> Bool {
        left.type == right.type && left.qualifier == right.qualifier
    }

    /// Feeds the type and the qualifier to a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(type))
        hasher.combine(qualifier)
    }

    /// The type as Swift writes it, and the qualifier where there is one: `any Logger "file"`.
    public var description: String {
        guard let qualifier else { return typeName(type) }
        return "\(typeName(type)) \"\(qualifier)\""
    }
}

/// A type's name as a programmer writes it where the type is visible: `any Logger`, `[Int]`.
func typeName(_ type: any Any.Type) -> String {
    TypeName.of(type)
}
