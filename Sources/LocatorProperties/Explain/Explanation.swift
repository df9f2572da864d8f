/// Where a setting gets its value: where it was written, what that hid, and which placeholders contributed.
///
/// Secrets are masked in all of it, so it can be printed, logged, and shown.
///
/// ```swift
/// print(properties.explain("server.url"))
/// // server.url = "https://shop.example.com:8443"
/// //   from application-prod.json:4:12 "https://${server.host}:8443"
/// //     ${server.host} = "shop.example.com" (application-prod.json:3:13)
/// //   over application.json:5:12 "http://localhost:8080"
/// ```
public struct Explanation: Sendable, Hashable {
    /// What one file, variable or module says about the setting.
    public struct Layer: Sendable, Hashable {
        /// What the layer does to the value.
        public enum Effect: Sendable, Hashable {
            /// It gives the value.
            case decides
            /// It gives a part of the value, which is an object.
            case contributes
            /// It would give a value, but a layer above it does.
            case hidden
            /// It removes what the layers below it say.
            case removes
            /// It has a value in place of an object that has the setting.
            case replaces
            /// It would remove something, but a layer above it decides.
            case hiddenRemoval
        }

        /// Where the layer says it.
        public var origin: PropertyOrigin
        /// The environment variable that chose the folder of the file, where one did.
        public var folderVariable: String?
        /// What the layer does to the value.
        public var effect: Effect
        /// What the layer says, as written there: placeholders are not resolved.
        public var value: JSONValue?
    }

    /// A placeholder that contributed to the value.
    public struct Placeholder: Sendable, Hashable {
        /// What it leads to: a path, `env:` and the name of a variable, or `file:` and the path of a file.
        public var target: String
        /// What it gave, nil if the target is missing, so a default was used.
        public var value: JSONValue?
        /// Where that was written.
        public var origin: PropertyOrigin?
    }

    /// The path of the setting, from the root.
    public var path: String
    /// The value with placeholders resolved and secrets masked; nil if there is none.
    public var value: JSONValue?
    /// Why there is no value although something is written: a placeholder leads nowhere, say.
    public var problem: String?
    /// Whether the value as a whole is secret.
    public var isSecret: Bool
    /// What every layer says, the winning one first.
    public var layers: [Layer]
    /// The placeholders that contributed, in the order they were resolved.
    public var placeholders: [Placeholder]
    /// Whether an environment variable gave the value or a part of it.
    public var usesEnvironment: Bool
    /// Paths that may have been meant, where nothing has this one.
    public var near: [String]

    /// Where the value comes from, nil if there is none.
    public var origin: PropertyOrigin? {
        switch layers.first?.effect {
        case .decides, .contributes: layers.first?.origin
        case .hidden, .hiddenRemoval, .removes, .replaces, nil: nil
        }
    }
}

extension Explanation: CustomStringConvertible {
    /// The explanation for a terminal: the value, where it comes from, what contributed to it, and what it hides.
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

    /// A value on one line; a long one is cut, because its parts have explanations of their own.
    fileprivate static func text(_ value: JSONValue) -> String {
        let text = value.text()
        let limit = 160
        return text.count <= limit ? text : text.prefix(limit - 1) + "…"
    }
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
    /// The target, its value and where that was written: `${server.host} = "localhost" (application.json:3:13)`.
    public var description: String {
        guard let value else { return "${\(target)} is missing" }
        let place = origin.map { " (\($0))" } ?? ""
        return "${\(target)} = \(Explanation.text(value))\(place)"
    }
}
