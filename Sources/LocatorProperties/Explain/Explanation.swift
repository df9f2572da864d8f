/// Where a setting gets its value: where it is written, what it hides, and which placeholders contribute.
///
/// All secrets are masked, so an explanation can be printed, logged, and shown.
///
/// ```swift
/// print(properties.explain("server.url"))
/// // server.url = "https://shop.example.com:8443"
/// //   from application-prod.json:4:12 "https://${server.host}:8443"
/// //     ${server.host} = "shop.example.com" (application-prod.json:3:13)
/// //   over application.json:5:12 "http://localhost:8080"
/// ```
public struct Explanation: Sendable, Hashable {
    /// The value that one file, variable, or module has for the setting, and its effect.
    public struct Layer: Sendable, Hashable {
        /// The effect of a layer on the value.
        public enum Effect: Sendable, Hashable {
            /// It sets the value.
            case decides
            /// It sets a part of the value, which is an object.
            case contributes
            /// It has a value, but a layer above it sets the value.
            case hidden
            /// It removes the value of the layers below it.
            case removes
            /// It has another value instead of the object that contains the setting.
            case replaces
            /// It removes the value, but a layer above it takes precedence.
            case hiddenRemoval
        }

        /// The place of the setting in the layer.
        public var origin: PropertyOrigin
        /// The environment variable that chose the folder of the file, if any.
        public var folderVariable: String?
        /// The effect of the layer on the value.
        public var effect: Effect
        /// The value as it is written in the layer, with its placeholders.
        public var value: JSONValue?
    }

    /// A placeholder that contributed to the value.
    public struct Placeholder: Sendable, Hashable {
        /// The target: a path, `env:` and the name of a variable, or `file:` and the path of a file.
        public var target: String
        /// The value of the target.
        ///
        /// Nil if the target is missing. The default is then used.
        public var value: JSONValue?
        /// Where the value of the target is written.
        public var origin: PropertyOrigin?
    }

    /// The path of the setting, from the root.
    public var path: String
    /// The value with placeholders resolved and secrets masked, or nil if there is none.
    public var value: JSONValue?
    /// Why the setting has no value even though a layer sets one, such as a placeholder with a missing target.
    public var problem: String?
    /// Whether the value as a whole is secret.
    public var isSecret: Bool
    /// The values of the layers, the layer that sets the value first.
    public var layers: [Layer]
    /// The placeholders that contributed, in the order they were resolved.
    public var placeholders: [Placeholder]
    /// Whether an environment variable sets the value or a part of it.
    public var usesEnvironment: Bool
    /// Similar paths, if this path does not exist.
    public var near: [String]

    /// Where the value comes from, or nil if there is none.
    public var origin: PropertyOrigin? {
        switch layers.first?.effect {
        case .decides, .contributes: layers.first?.origin
        case .hidden, .hiddenRemoval, .removes, .replaces, nil: nil
        }
    }
}

extension Explanation: CustomStringConvertible {
    /// The explanation for a terminal: the value, its origin, what contributes to it, and what it hides.
    public var description: String {
        var lines = [headline]
        for layer in layers {
            lines.append("  \(layer.label) \(layer.place)\(layer.value.map { " " + Self.text($0) } ?? "")")
            if layer == layers.first {
                lines += placeholders.map { placeholder in
                    let isDefault = placeholder.value == nil && value != nil
                    return "    \(placeholder)\(isDefault ? ", its default is used" : "")"
                }
            }
        }
        return lines.map { $0.escapingHidden() }.joined(separator: "\n")
    }

    private var headline: String {
        if let value { return "\(path) = \(Self.text(value))" }
        if let problem { return "\(path) has no value: \(problem)" }
        if layers.first?.effect == .removes { return "\(path) is removed" }
        return "\(path) is missing\(NearNames.question(near))\(NearNames.hint(near, for: path))"
    }

    /// Returns a value on one line.
    ///
    /// A long value is cut, because its parts have explanations of their own.
    fileprivate static func text(_ value: JSONValue) -> String { value.text().cut(to: 160) }
}

extension Explanation.Layer {
    fileprivate var place: String {
        folderVariable.map { "\(origin) (folder from \($0))" } ?? origin.description
    }

    fileprivate var label: String {
        switch effect {
        case .decides: "from"
        case .contributes: "part from"
        case .hidden: "over"
        case .removes: "removed by"
        case .replaces: "replaced by"
        case .hiddenRemoval: "over a removal by"
        }
    }
}

extension Explanation.Placeholder: CustomStringConvertible {
    /// The target, its value, and its origin: `${server.host} = "localhost" (application.json:3:13)`.
    public var description: String {
        guard let value else { return "${\(target)} is missing" }
        let place = origin.map { " (\($0))" } ?? ""
        return "${\(target)} = \(Explanation.text(value))\(place)"
    }
}
