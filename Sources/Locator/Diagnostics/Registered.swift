/// A registration in an error or an explanation.
public struct Registered: Sendable, Hashable, CustomStringConvertible {
    /// The registered key.
    public let key: Key

    /// The place of the registration.
    public let location: SourcePlace

    /// The type of a factory's payload; nil if the registration is not a factory.
    public let payload: String?

    /// Whether it is marked `.primary()`.
    public let isPrimary: Bool

    init(_ candidate: Candidate) {
        self.init(
            key: candidate.key, location: candidate.location, payload: candidate.record.payload.map(typeName),
            isPrimary: candidate.record.isPrimary)
    }

    init(key: Key, location: SourcePlace, payload: String? = nil, isPrimary: Bool = false) {
        self.key = key
        self.location = location
        self.payload = payload
        self.isPrimary = isPrimary
    }

    /// The key and its place: `any Catalog (Shop/Shop.swift:17)`.
    @inline(never)
    public var description: String { "\(key) (\(location))" }

    /// The registration without the qualifier of a key that hides its own.
    func hidingQualifier(of key: Key) -> Registered {
        Registered(key: self.key.hidingQualifier(of: key), location: location, payload: payload, isPrimary: isPrimary)
    }
}
