/// An instance to pass when a scope is opened, with a qualifier, or with another type than its own.
///
/// ```swift
/// let child = try server.child(
///     opening: .request, giving: info, and: .input("eu", qualifier: "region"), .input(fixed, as: (any Clock).self))
/// ```
///
/// Pass inputs without a qualifier, with their static type, directly: `giving: info, user`.
public struct Input: Sendable {
    let type: any Any.Type
    /// The name of the qualifier.
    let name: String?
    /// Whether the qualifier is a property: no registration has such a one.
    let isQualifiedByProperty: Bool
    let box: AnyBox

    @usableFromInline
    init(_ type: any Any.Type, _ qualifier: Qualifier?, _ box: AnyBox) {
        self.type = type
        self.box = box
        switch qualifier?.content {
        case nil: (name, isQualifiedByProperty) = (nil, false)
        case .name(let name): (self.name, isQualifiedByProperty) = (name, false)
        case .property: (name, isQualifiedByProperty) = (nil, true)
        }
    }

    /// Creates an input with this type and qualifier.
    public static func input<Value: Sendable>(
        _ value: Value, as type: Value.Type = Value.self, qualifier: Qualifier? = nil
    ) -> Input {
        Input(type, qualifier, Box(value))
    }

    /// All that is handed in: instances of the types that the compiler sees, and others.
    @inlinable
    static func list<each Value: Sendable>(_ values: repeat each Value, and others: [Input]) -> [Input] {
        var count = others.count
        for _ in repeat (each Value).self { count += 1 }
        if count == others.count { return others }
        var list: [Input] = []
        list.reserveCapacity(count)
        repeat list.append(Input((each Value).self, nil, Box(each values)))
        list += others
        return list
    }

    var key: Key { Key(type, qualifier: name) }

    /// Whether it is what a registration declares.
    func answers(_ key: Key) -> Bool {
        type == key.type && name == key.qualifier && !isQualifiedByProperty
    }
}
