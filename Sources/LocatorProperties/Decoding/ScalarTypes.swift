#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A type that is decoded from one node, without a decoder.
package protocol ScalarType: Decodable, SendableMetatype {
    /// Returns the value that a node represents, or nil if the type cannot represent it.
    static func scalar(from node: JSONValue) -> Self?

    /// What the text of the type looks like, if the name does not say.
    static var form: String? { get }
}

extension ScalarType {
    package static var form: String? { nil }

    /// The type's name with its module, as the compiler writes it.
    ///
    /// On every platform, the module of Foundation's types is `Foundation`.
    package static var qualifiedName: String {
        String(reflecting: self).replacing("FoundationEssentials.", with: "Foundation.")
    }
}

/// All types that need no decoder.
///
/// Decoding, messages, and the check of sources share this list.
package enum ScalarTypes {
    /// The types, the most common in configurations first.
    package static let all: [any ScalarType.Type] = {
        var types: [any ScalarType.Type] = [
            String.self, Int.self, Bool.self, Double.self, URL.self, Duration.self, Int64.self, Int32.self, Int16.self,
            Int8.self, UInt.self, UInt64.self, UInt32.self, UInt16.self, UInt8.self, Int128.self, UInt128.self,
            Float.self, Date.self, Data.self, UUID.self, Decimal.self, JSONValue.self,
        ]
        #if !(arch(x86_64) && (os(macOS) || targetEnvironment(macCatalyst)))
            types.append(Float16.self)
        #endif
        return types
    }()

    // An array and not a dictionary, because the first use of a dictionary makes the runtime search all libraries.
    private static let identities = all.map { ObjectIdentifier($0) }
    private static let optionals = all.map { optional($0) }

    private static func optional<Scalar: ScalarType>(_: Scalar.Type) -> ObjectIdentifier {
        ObjectIdentifier(Scalar?.self)
    }

    /// Whether a type, or the type that it wraps as an optional, needs no decoder, so that no foreign code runs.
    package static func contain(_ type: any Any.Type) -> Bool {
        identities.contains(ObjectIdentifier(type)) || optionals.contains(ObjectIdentifier(type))
    }

    /// Returns a type as a scalar type, or nil if its own initializer decodes it.
    static func of(_ type: any Any.Type) -> (any ScalarType.Type)? {
        identities.firstIndex(of: ObjectIdentifier(type)).map { all[$0] }
    }
}

extension String: ScalarType {
    package static func scalar(from node: JSONValue) -> String? { node.stringValue }
}

extension Bool: ScalarType {
    package static func scalar(from node: JSONValue) -> Bool? { node.boolean }
}

extension ScalarType where Self: FixedWidthInteger {
    package static func scalar(from node: JSONValue) -> Self? { node.integer(Self.self) }
}

extension Int: ScalarType {}
extension Int8: ScalarType {}
extension Int16: ScalarType {}
extension Int32: ScalarType {}
extension Int64: ScalarType {}
extension Int128: ScalarType {}
extension UInt: ScalarType {}
extension UInt8: ScalarType {}
extension UInt16: ScalarType {}
extension UInt32: ScalarType {}
extension UInt64: ScalarType {}
extension UInt128: ScalarType {}

extension Double: ScalarType {
    package static func scalar(from node: JSONValue) -> Double? { node.double }
}

extension Float: ScalarType {
    package static func scalar(from node: JSONValue) -> Float? { node.number?.value(as: Float.self) }
}

#if !(arch(x86_64) && (os(macOS) || targetEnvironment(macCatalyst)))
    extension Float16: ScalarType {
        package static func scalar(from node: JSONValue) -> Float16? { node.number?.value(as: Float16.self) }
    }
#endif

extension Decimal: ScalarType {
    package static func scalar(from node: JSONValue) -> Decimal? { node.number?.decimalValue }
}

extension Duration: ScalarType {
    package static func scalar(from node: JSONValue) -> Duration? { node.stringValue.flatMap(DurationText.duration) }
    package static var form: String? { "such as \"250ms\" or \"1h30m\"" }
}

extension URL: ScalarType {
    package static func scalar(from node: JSONValue) -> URL? { node.stringValue.flatMap(JSONValue.url) }
}

extension Date: ScalarType {
    package static func scalar(from node: JSONValue) -> Date? { node.stringValue.flatMap(DateText.date) }
    package static var form: String? { "such as \"2026-11-21T07:30:00Z\"" }
}

extension Data: ScalarType {
    package static func scalar(from node: JSONValue) -> Data? {
        guard let text = node.stringValue, let data = Data(base64Encoded: text) else { return nil }
        // Foundation also accepts padding in the wrong place, and bits that belong to no byte.
        return data.base64EncodedString() == text ? data : nil
    }
    package static var form: String? { "a string in base64" }
}

extension UUID: ScalarType {
    package static func scalar(from node: JSONValue) -> UUID? {
        guard let text = node.stringValue, let uuid = UUID(uuidString: text) else { return nil }
        // Foundation also accepts signs and spaces instead of digits.
        return uuid.uuidString == text.uppercased() ? uuid : nil
    }
}

extension JSONValue: ScalarType {
    package static func scalar(from node: JSONValue) -> JSONValue? { node }
}
