/// An instance that is handed in where a scope is opened, with its qualifier, or as another type than its own.
///
/// ```swift
/// let child = try server.child(
///     opening: .request, giving: info, and: .input("eu", qualifier: "region"), .input(fixed, as: (any Clock).self))
/// ```
///
/// Inputs without a qualifier, of the type that the compiler sees, are given as they are: `giving: info, user`.
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

    /// An instance for an input that is declared with this type and qualifier.
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

    /// The position of what is handed in for a registration, in a list that is short and looked through often.
    static func position(of record: RegistrationRecord, among inputs: [Input]) -> Int? {
        let type = ObjectIdentifier(record.key.type)
        var position = 0
        while position < inputs.count {
            if ObjectIdentifier(inputs[position].type) == type, inputs[position].answers(record.key) { return position }
            position += 1
        }
        return nil
    }

    /// Whether it is what a registration declares.
    func answers(_ key: Key) -> Bool {
        type == key.type && name == key.qualifier && !isQualifiedByProperty
    }
}
