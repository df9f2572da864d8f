/// A variable that adds a key although one with nearly its name exists: perhaps it was meant to override that one.
package struct EnvironmentWarning: Sendable, Hashable, CustomStringConvertible {
    /// The variable.
    package let variable: String
    /// The path of what it adds.
    package let path: String
    /// The paths that it may have been meant for, each with its variable.
    package let near: [(path: String, variable: String)]

    package static func == (left: EnvironmentWarning, right: EnvironmentWarning) -> Bool {
        left.description == right.description
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(description)
    }

    package var description: String {
        let meant = near.map { "\($0.variable) for \($0.path)" }
        return "\(variable) overrides nothing and adds \(path)" + NearNames.question(meant)
    }
}

extension Properties {
    /// The variables that add a key close to an existing one.
    package var environmentWarnings: [EnvironmentWarning] {
        let names = storage.layers.flatMap(\.environments)
        guard names.contains(where: { !$0.additions.isEmpty }) else { return [] }
        let paths = storage.mergedTree.allPaths()
        return names.flatMap { environment -> [EnvironmentWarning] in
            let prefix = environment.request.overrides.prefix
            let additions = environment.assignments.filter(\.isAddition)
            var variables: [String: String] = [:]
            for path in paths where !additions.contains(where: { $0.path.isRelated(to: path) }) {
                if let name = VariableName.name(of: path, prefix: prefix) { variables[name] = path.text }
            }
            let candidates = variables.keys.sorted()
            return additions.compactMap { addition in
                // A key of a layer below may turn out to be what the variable overrides.
                if variables[addition.variable] != nil { return nil }
                let near = NearNames.nearest(to: addition.variable, among: candidates)
                if near.isEmpty { return nil }
                return EnvironmentWarning(
                    variable: addition.variable, path: addition.path.text,
                    near: near.map { (variables[$0] ?? "", $0) })
            }
        }
    }
}
