/// How messages name types: as in source code, with the form of text they expect.
package enum TypeName {
    /// Returns the name of a type: `Int`, `[String: Int]`, `URL?`, `any Error`.
    package static func of(_ type: any Any.Type) -> String {
        // Not `String(describing:)`, which first searches the whole program for conformances of each new type.
        let name = _typeName(type, qualified: false)
        // Only generic types are written short.
        if name.utf8.last == UInt8(ascii: ">"), let type = type as? any WrittenShort.Type { return type.shortName }
        // Constrained existentials already include `any`.
        return isExistential(type) && type != Any.self && type != AnyObject.self ? "any \(name)" : name
    }

    /// Returns the name of a type with the modules of all its parts.
    package static func qualified(_ type: any Any.Type) -> String { _typeName(type) }

    /// Whether a type is an existential, also `Any` and one with constraints.
    package static func isExistential(_ type: any Any.Type) -> Bool {
        _typeName(Swift.type(of: type), qualified: false).hasSuffix(".Protocol")
    }

    /// Returns the name of a type with a description of its form in JSON.
    static func of(_ type: any Any.Type, as form: String?) -> String {
        guard let form else { return of(type) }
        return type == JSONValue.self ? form : "\(of(type)) (\(form))"
    }

    /// Returns the name of an expected type, with the form of its text if the name does not say.
    package static func expected(_ type: any Any.Type) -> String {
        of(type, as: ScalarTypes.of(type)?.form ?? choices(of: type))
    }

    /// Returns the name of a raw-representable type with its known values, or nil for any other type.
    static func rawChoices(of type: any Any.Type) -> String? {
        guard type is any RawRepresentable.Type else { return nil }
        return of(type, as: choices(of: type))
    }

    /// The raw values, in quotes, that may have been meant by a text.
    ///
    /// If the type does not list its cases, only the text in small letters and in capitals is tried.
    static func rawValues(of type: any Any.Type, near text: String) -> [String] {
        func known<Value: RawRepresentable>(_ type: Value.Type, _ text: String) -> Bool {
            (text as? Value.RawValue).flatMap(Value.init) != nil
        }
        if let type = type as? any (RawRepresentable & CaseIterable).Type {
            return NearNames.nearest(to: text, among: rawTexts(of: type)).map(DiagnosticText.quoted)
        }
        guard let type = type as? any RawRepresentable.Type else { return [] }
        return [text.lowercased(), text.uppercased()].filter { known(type, $0) }.map(DiagnosticText.quoted)
    }

    private static func rawTexts<Value: RawRepresentable & CaseIterable>(of type: Value.Type) -> [String] {
        type.allCases.compactMap { $0.rawValue as? String }
    }

    private static func choices(of type: any Any.Type) -> String? {
        guard let type = type as? any (RawRepresentable & CaseIterable).Type else { return nil }
        let values = rawValues(of: type)
        return (1...12).contains(values.count) ? values.alternatives : nil
    }

    private static func rawValues<Value: RawRepresentable & CaseIterable>(of type: Value.Type) -> [String] {
        type.allCases.map { value in
            (value.rawValue as? String).map(DiagnosticText.quoted) ?? "\(value.rawValue)"
        }
    }
}

/// A type whose name in source code differs from its runtime name: `[Int]`, `Lazy<[Int]>`.
package protocol WrittenShort {
    /// The name as in source code.
    static var shortName: String { get }
}

extension Array: WrittenShort {
    package static var shortName: String { "[\(TypeName.of(Element.self))]" }
}

extension Dictionary: WrittenShort {
    package static var shortName: String { "[\(TypeName.of(Key.self)): \(TypeName.of(Value.self))]" }
}

extension Optional: WrittenShort {
    package static var shortName: String {
        let name = TypeName.of(Wrapped.self)
        return name.contains(" ") && !name.hasPrefix("[") ? "(\(name))?" : "\(name)?"
    }
}

extension Set: WrittenShort {
    package static var shortName: String { "Set<\(TypeName.of(Element.self))>" }
}
