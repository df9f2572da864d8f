internal import LocatorProperties

/// A type with an optional qualifier, which identifies a registration or a request.
public struct Key: Sendable, Hashable, CustomStringConvertible {
    /// The type.
    public let type: any Any.Type

    /// The name of the qualifier, if there is one.
    public let qualifier: String?

    /// Whether the qualifier is the value of a secret setting and must not be printed.
    let hidesQualifier: Bool

    /// Whether messages include the module of the type, because a similar key has a type with the same name.
    private(set) var isWrittenInFull = false

    /// Creates a key from a type and the name of a qualifier.
    public init(_ type: any Any.Type, qualifier: String? = nil) {
        self.init(type, qualifier: qualifier, hidesQualifier: false)
    }

    init(_ type: any Any.Type, qualifier: String?, hidesQualifier: Bool) {
        self.type = type
        self.qualifier = qualifier
        self.hidesQualifier = hidesQualifier
    }

    /// Returns whether two keys have the same type and qualifier.
    public static func == (left: Key, right: Key) -> Bool {
        left.type == right.type && left.qualifier == right.qualifier
    }

    /// Feeds the type and the qualifier to a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(type))
        hasher.combine(qualifier)
    }

    /// Returns a fast hash of a type and a name, for tables that also compare the type and the name.
    ///
    /// Equal names have equal hashes. Three characters that equal one in ASCII, such as the Kelvin sign, are an exception: a
    /// name with one of them is not found by the other.
    static func hash(_ type: ObjectIdentifier, _ name: String) -> UInt {
        // Most names are short and ASCII, for which a product and a shift per byte suffice. Other names can be written
        // in several equivalent ways, which the hash of the standard library takes into account.
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

    /// The type as written in Swift, and the qualifier, if there is one: `any Logger "file"`.
    @inline(never)
    public var description: String {
        guard let shownQualifier else { return shownType }
        return "\(shownType) \"\(shownQualifier.escapingHidden())\""
    }

    /// The name of the type in messages.
    @inline(never)
    var shownType: String { isWrittenInFull ? qualifiedTypeName(type) : typeName(type) }

    /// The type as it is written as an argument: `Int.self`, `(any Logger).self`.
    var metatype: String { metatypeText(of: shownType) }

    /// The qualifier as a further argument in source code; empty if there is none.
    var qualifierArgument: String { shownQualifier.map { ", qualifier: \($0.debugDescription)" } ?? "" }

    /// The key, with the module of the type in messages.
    var writtenInFull: Key {
        var key = self
        key.isWrittenInFull = true
        return key
    }

    /// The qualifier in messages, masked if it is secret.
    var shownQualifier: String? { hidesQualifier ? qualifier.map { _ in Redaction.mask } : qualifier }

    /// Returns the key, with a masked qualifier if another key hides the same qualifier.
    func hidingQualifier(of other: Key) -> Key {
        other.hidesQualifier && other.qualifier == qualifier ? hidingQualifier : self
    }

    /// The key with a masked qualifier.
    var hidingQualifier: Key { Key(type, qualifier: qualifier, hidesQualifier: true) }
}
