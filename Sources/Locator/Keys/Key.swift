internal import LocatorProperties

/// What a registration answers: a type and an optional qualifier.
public struct Key: Sendable, Hashable, CustomStringConvertible {
    /// The type asked for.
    public let type: any Any.Type

    /// The qualifier's name, where there is one.
    public let qualifier: String?

    /// Whether the qualifier is the value of a secret property, and is not printed.
    let hidesQualifier: Bool

    /// Whether texts name the type with its module, because another type of the same name is near.
    private(set) var isWrittenInFull = false

    /// Creates the key of a type and a qualifier's name.
    public init(_ type: any Any.Type, qualifier: String? = nil) {
        self.init(type, qualifier: qualifier, hidesQualifier: false)
    }

    init(_ type: any Any.Type, qualifier: String?, hidesQualifier: Bool) {
        self.type = type
        self.qualifier = qualifier
        self.hidesQualifier = hidesQualifier
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

    /// A quick hash of a type and a name, for tables that compare both; equal names have the same.
    static func hash(_ type: ObjectIdentifier, _ name: String) -> UInt {
        // Names are short and ASCII; a product and a shift for each byte suffice. Whatever else there is may be written in
        // several ways that count as one, which the standard library's hash knows.
        var hash = UInt(bitPattern: type)
        var isASCII = true
        for byte in name.utf8 {
            if byte >= 0x80 { isASCII = false }
            hash = (hash ^ UInt(byte)) &* 0x0000_0100_0000_01B3
        }
        if isASCII { return hash ^ (hash >> 32) }
        var hasher = Hasher()
        hasher.combine(type)
        hasher.combine(name)
        return UInt(bitPattern: hasher.finalize())
    }

    /// The type as Swift writes it, and the qualifier where there is one: `any Logger "file"`.
    public var description: String {
        guard let shownQualifier else { return shownType }
        return "\(shownType) \"\(shownQualifier)\""
    }

    /// The type as texts name it.
    var shownType: String { isWrittenInFull ? qualifiedTypeName(type) : typeName(type) }

    /// The type as it is written as an argument: `Int.self`, `(any Logger).self`.
    var metatype: String { metatypeText(of: shownType) }

    /// The key, whose type texts name with its module.
    var writtenInFull: Key {
        var key = self
        key.isWrittenInFull = true
        return key
    }

    /// The qualifier as texts name it: a secret one is masked.
    var shownQualifier: String? { hidesQualifier ? qualifier.map { _ in Redaction.mask } : qualifier }

    /// The key, masked in texts where it has the qualifier of a key that hides its own.
    func hidingQualifier(of other: Key) -> Key {
        other.hidesQualifier && other.qualifier == qualifier ? hidingQualifier : self
    }

    /// The key with its qualifier masked in texts.
    var hidingQualifier: Key { Key(type, qualifier: qualifier, hidesQualifier: true) }
}
