import Locator

/// A value as far as the compiler knows it.
indirect enum Constant: Sendable, Equatable {
    /// A literal as text, including numbers.
    case literal(String)
    /// `nil`.
    case null
    /// A call of an initializer, or of a static function if there is a member.
    case call(member: String?, arguments: [String: Constant])
    /// A static member: `Keys.url`.
    case member(type: String, label: String)
    /// A value that only the running program knows.
    case computed

    /// Reads the value next to `valueKind`.
    init(_ tree: JSONValue?) {
        let value = tree?["value"]
        switch tree?["valueKind"]?.stringValue {
        case "RawLiteral":
            self = value?.stringValue.map(Constant.literal) ?? .computed
        case "NilLiteral":
            self = .null
        case "InitCall", "StaticFunctionCall":
            self = .call(member: value?["memberLabel"]?.stringValue, arguments: Self.arguments(value?["arguments"]))
        case "MemberReference":
            guard let type = value?["baseType"]?.stringValue, let label = value?["memberLabel"]?.stringValue else {
                self = .computed
                return
            }
            self = .member(type: type, label: label)
        default:
            self = .computed
        }
    }

    /// Returns the arguments of a call by label.
    ///
    /// No function of a wrapper uses the same label twice.
    static func arguments(_ tree: JSONValue?) -> [String: Constant] {
        let pairs = (tree?.arrayValue ?? []).map { ($0["label"]?.stringValue ?? "", Constant($0)) }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }
}
