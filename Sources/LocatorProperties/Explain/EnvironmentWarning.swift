/// A warning about a variable or file that adds a key with a name close to an existing key, which it may be meant for.
package struct EnvironmentWarning: Sendable, CustomStringConvertible {
    /// The variable, or the path of the file.
    package let variable: String
    /// The path of the added key.
    package let path: String
    /// The paths that may have been meant, each with its name as a variable or file.
    package let near: [(path: String, variable: String)]

    package var description: String {
        let meant = near.map { $0.variable == $0.path ? $0.path : "\($0.variable) for \($0.path)" }
        return ("\(variable) overrides nothing and adds \(path)" + NearNames.question(meant)).escapingHidden()
    }
}

extension Properties {
    /// Whether one variable may be a misspelling of another.
    ///
    /// It is if both have the same letters with different underscores, or the same number of keys, each close to the
    /// other's. `SHOP_SERVER__HOST` is not a misspelling of `SHOP_SERVER__PORT`.
    private static func isSlip(_ variable: String, for other: String, prefix: String) -> Bool {
        let (first, second) = (variable.dropFirst(prefix.count), other.dropFirst(prefix.count))
        if first.filter({ $0 != "_" }) == second.filter({ $0 != "_" }) { return true }
        guard let keys = VariableName.segments(of: first), let others = VariableName.segments(of: second),
            keys.count == others.count
        else { return false }
        return zip(keys, others).allSatisfy { key, other in
            Int(key) == nil ? NearNames.areNear(String(key), String(other)) : key == other
        }
    }

    /// The warnings about variables and files that add a key close to an existing one.
    package var environmentWarnings: [EnvironmentWarning] {
        let overrides = storage.layers.flatMap(\.overrides).filter { $0.assignments.contains(where: \.isAddition) }
        guard !overrides.isEmpty else { return [] }
        let tree = storage.mergedTree
        let paths = tree.allPaths()
        return overrides.flatMap { warnings(of: $0, among: paths, of: tree) }
    }

    /// Returns the name of the variable for a path, with the numbers of elements.
    private static func name(of path: PropertyPath) -> String {
        let segments = path.steps.map { step in
            switch step {
            case .key(let key): VariableName.segment(of: key)
            case .index(let index): String(index)
            }
        }
        return segments.joined(separator: "__")
    }

    /// Returns the words of a variable's name, with `#` for each number, which may be an index.
    private static func words(of name: String) -> [Substring] {
        name.split(separator: "_").map { Int($0) == nil ? $0 : "#" }
    }

    /// Returns elements of arrays and their parts, by the words of their variables.
    ///
    /// An array without elements has an element too, because a variable may add one.
    private static func elements(of paths: [PropertyPath], in tree: JSONValue) -> [[Substring]: PropertyPath] {
        var elements: [[Substring]: PropertyPath] = [:]
        for path in paths {
            if !path.isOutsideOfArrays { elements[words(of: name(of: path))] = path }
            guard tree.part(at: path)?.arrayValue?.isEmpty == true else { continue }
            let element = path.appending(.index(0))
            elements[words(of: name(of: element))] = element
        }
        return elements
    }

    /// Returns the element of an array, or a part of one, that a variable with other underscores was meant for:
    /// `servers[0].name` for `SHOP_SERVERS_0_NAME`.
    private static func element(
        meantBy name: String, among elements: [[Substring]: PropertyPath]
    ) -> PropertyPath? {
        guard var element = elements[words(of: name)] else { return nil }
        var numbers = name.split(separator: "_").compactMap { Int($0) }[...]
        for (position, step) in element.steps.enumerated() {
            if let key = step.key {
                numbers = numbers.dropFirst(words(of: VariableName.segment(of: key)).count { $0 == "#" })
            } else if let index = numbers.popFirst() {
                element.steps[position] = .index(index)
            }
        }
        return element
    }

    private typealias Added = (OverrideLayer.Assignment, path: PropertyPath, segments: String?)

    /// Returns the key that a variable adds to an element of an existing array.
    private static func part(_ assignment: OverrideLayer.Assignment) -> Added? {
        guard assignment.isAddition, assignment.addition == nil, case .environment = assignment.origin,
            assignment.path.steps.last?.key != nil
        else { return nil }
        return (assignment, assignment.path, name(of: assignment.path))
    }

    private func warnings(
        of override: OverrideLayer, among paths: [PropertyPath], of tree: JSONValue
    ) -> [EnvironmentWarning] {
        let origins = Set(override.assignments.map(\.origin))
        let additions: [Added] = override.assignments.filter(\.isAddition).compactMap { assignment in
            assignment.addition.map { (assignment, $0.path, $0.name.segments) }
        }.filter { _, path, _ in
            // It may override a key of a lower layer, such as a module's.
            storage.trace(path).entries.allSatisfy { origins.contains($0.origin.source) }
        }
        let own = ListedPaths(additions.map(\.1))
        let parts = override.assignments.compactMap(Self.part)
        let ownParts = Set(parts.map(\.1))
        let prefix = override.request.prefix ?? ""
        let paths = paths.filter { !own.cover($0) && !own.reach($0) && !ownParts.contains($0) }
        lazy var elements = Self.elements(of: paths, in: tree)
        var existing: [String: PropertyPath] = [:]
        for path in paths { existing[prefix + Self.name(of: path)] = path }
        let candidates = existing.keys.sorted()
        var names = NearNames(candidates)
        return (additions + parts).compactMap { assignment, path, segments in
            let isPath = segments == nil
            guard let name = segments.map({ prefix + $0 }) ?? VariableName.name(of: path, prefix: prefix) else {
                return nil
            }
            var near: [(path: String, variable: String)] = []
            let letters = String(name.dropFirst(prefix.count))
            if letters.contains(where: \.isNumber), let element = Self.element(meantBy: letters, among: elements),
                element != path
            {
                near = [(element.text, prefix + Self.name(of: element))]
            } else if let path = existing[name] {
                // The same words in another form.
                if isPath { near = [(path.text, path.text)] }
            } else {
                let found = names.nearest(to: name) { Self.isSlip(name, for: candidates[$0], prefix: prefix) }
                near = found.compactMap { name in existing[name].map { ($0.text, isPath ? $0.text : name) } }
            }
            if near.isEmpty { return nil }
            return EnvironmentWarning(
                variable: assignment.origin.label, path: assignment.path.text, near: near)
        }
    }
}
