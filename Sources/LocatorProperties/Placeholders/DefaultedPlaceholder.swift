/// A placeholder with a default in a file: if its target is misspelled, the default hides it.
package struct DefaultedPlaceholder: Hashable {
    /// The path of the text that contains it.
    package let path: PropertyPath
    /// The setting that it names, or nil if it names a variable or a file.
    package let target: PropertyPath?
    /// The placeholder without its default, which may be secret: `${server.port:…}`.
    package let source: String
    /// Whether the default begins with a hyphen, as `:-` begins a default in a shell, and is neither a number nor, with a
    /// minus sign, the number of a port.
    package let beginsWithHyphen: Bool
    /// The position of the text.
    package let position: JSONPosition?

    /// What to write for the variable that it probably means, such as `${env:PORT:…}` for `${PORT:…}` and `${env.PORT:…}`.
    package var variable: String? {
        guard let name = target?.text else { return nil }
        let source = name.lowercased()
        if source == "env" || source == "file" { return "${\(source):…}" }
        return PlaceholderProblem.variable(meantBy: name).map { "${env:\($0):…}" }
    }

    /// Returns the placeholders with defaults of a file, in order.
    package static func all(in tree: JSONObject) -> [DefaultedPlaceholder] {
        var found: [DefaultedPlaceholder] = []
        JSONValue.object(tree).forEachNode { node, path in
            guard case .string(let text) = node.storage, Template.isTemplate(text),
                let template = try? Template(parsing: text)
            else { return }
            for placeholder in template.allPlaceholders {
                guard let defaultTemplate = placeholder.defaultTemplate else { continue }
                var target: PropertyPath?
                if case .property(let path) = placeholder.target { target = path }
                var beginsWithHyphen = false
                if case .text(let text)? = defaultTemplate.parts.first, text.hasPrefix("-") {
                    let isNumber = text.dropFirst().first?.isNumber == true
                    // -1 may stand for no port.
                    let isPort = text != "-1" && [path.text, placeholder.target.text].contains(where: isNameOfPort)
                    beginsWithHyphen = !isNumber || isPort
                }
                found.append(
                    DefaultedPlaceholder(
                        path: path, target: target, source: "${\(placeholder.target.text):…}",
                        beginsWithHyphen: beginsWithHyphen, position: node.position))
            }
        }
        return found
    }

    /// Whether the last word of a name is "port": `server.port`, `HTTP_PORT`.
    private static func isNameOfPort(_ name: String) -> Bool { Words.split(name).last == "port" }
}
