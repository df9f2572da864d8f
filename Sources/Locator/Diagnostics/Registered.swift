/// A registration as errors list it.
public struct Registered: Sendable, Hashable, CustomStringConvertible {
    /// What it answers.
    public let key: Key

    /// Where it was written.
    public let location: SourcePlace

    /// The type of a factory's payload.
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
}

extension Registered {
    /// The registration without the qualifier of a key that hides its own.
    func hidingQualifier(of key: Key) -> Registered {
        Registered(key: self.key.hidingQualifier(of: key), location: location, payload: payload, isPrimary: isPrimary)
    }
}
