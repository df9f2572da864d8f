/// An instance that is passed when a scope is opened, with a qualifier or a type other than its own.
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
    /// Whether a setting names the qualifier.
    ///
    /// No registration has such a qualifier.
    let isQualifiedByProperty: Bool
    let box: AnyBox
    /// The scopes that were opened with it; nil for all scopes that its context has opened.
    ///
    /// Only a fork has inputs of several contexts.
    var scopes: [Scope]?

    @usableFromInline
    init(_ type: any Any.Type, _ qualifier: Qualifier?, _ box: AnyBox) {
        self.type = type
        self.box = box
        name = qualifier?.name
        isQualifiedByProperty = qualifier?.path != nil
    }

    /// Creates an input with this type and qualifier.
    public static func input<Value: Sendable>(
        _ value: Value, as type: Value.Type = Value.self, qualifier: Qualifier? = nil
    ) -> Input {
        Input(type, qualifier, Box(value))
    }

    /// Collects all inputs: values of the types that the compiler infers, and others.
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

    /// Whether this input belongs to a declaration.
    func answers(_ key: Key) -> Bool {
        type == key.type && name == key.qualifier && !isQualifiedByProperty
    }

    /// Whether this input was passed when its context, or the context that a fork copied, opened the scope.
    func isPassed(for scope: Scope) -> Bool { scopes?.contains(scope) ?? true }
}

extension Input: CustomStringConvertible, OpaqueToReflection {
    /// The type and the qualifier, without the value, which may be secret: `input String "region"`.
    public var description: String { "input \(key)" }
}
