import Locator

/// What the compiler knows of a value before the program runs.
indirect enum Constant: Sendable, Equatable {
    /// A literal, as text; numbers too.
    case literal(String)
    /// `nil`.
    case null
    /// A call of an initializer, or of a static function where a member is named.
    case call(member: String?, arguments: [String: Constant])
    /// A static member: `Keys.url`.
    case member(type: String, label: String)
    /// Something that only the running program knows.
    case computed

    /// Reads what stands beside `valueKind`.
    init(_ tree: JSONValue?) {
        let value = tree?["value"]
        switch tree?["valueKind"]?.stringValue {
        case "RawLiteral":
            self = value?.stringValue.map(Constant.literal) ?? .computed
        case "NilLiteral":
            self = .null
        case "InitCall", "StaticFunctionCall":
            self = .call(
                member: value?["memberLabel"]?.stringValue, arguments: Self.arguments(value?["arguments"]))
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

    /// The arguments of a call by their labels; no function of a wrapper has one label twice.
    static func arguments(_ tree: JSONValue?) -> [String: Constant] {
        let pairs = (tree?.arrayValue ?? []).map { ($0["label"]?.stringValue ?? "", Constant($0)) }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }
}
