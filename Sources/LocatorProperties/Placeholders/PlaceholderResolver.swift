/// Resolves placeholders for one read, or for the check of everything that was loaded.
///
/// Remembers what it resolved, so that a value is built once however many placeholders lead to it, and which paths it
/// consulted, so that a reader knows what its value depends on.
struct PlaceholderResolver {
    private let storage: PropertiesStorage
    /// What became of a path.
    private enum Outcome {
        case value(JSONValue)
        case failure(PropertiesError)
    }

    /// The values that are being built, outermost first; one of them again is a circle.
    private var inProgress: [PropertyPath] = []
    private var results = SmallTable<PropertyPath, Outcome>()
    /// What placeholders led to, found or not, in the order it was first consulted.
    private(set) var consultedTargets: [Template.Target] = []
    private var isConsulted = SmallTable<Template.Target, Void>()

    /// The paths among what was consulted.
    var consulted: [PropertyPath] {
        consultedTargets.compactMap {
            switch $0 {
            case .property(let path): path
            case .variable: nil
            }
        }
    }

    init(_ storage: PropertiesStorage) {
        self.storage = storage
    }

    /// The resolved value at a path, nil where it is missing.
    mutating func value(at path: PropertyPath) throws(PropertiesError) -> JSONValue? {
        switch storage.find(path) {
        case .missing, .removed:
            return nil
        case .found(let node):
            return try resolve(node, at: path)
        case .blocked(let node, let count):
            return try value(at: path, through: node, after: count)
        }
    }

    /// A value whose path leads through a placeholder, or into the JSON text of an environment variable.
    private mutating func value(
        at path: PropertyPath, through node: JSONValue, after count: Int
    ) throws(PropertiesError) -> JSONValue? {
        guard case .string(let text) = node.storage else { return nil }
        let target: JSONValue
        if node.flags.contains(.text) {
            guard var value = try? JSONValue(parsing: text) else { return nil }
            if node.flags.contains(.secret) { value.flags.insert(.secret) }
            target = storage.secrets.marking(
                value.markingAll(.environment), at: PropertyPath(Array(path.steps[..<count])))
        } else {
            guard Template.isTemplate(text) else { return nil }
            target = try resolve(node, at: PropertyPath(Array(path.steps[..<count])))
        }
        guard case .found(let value) = TreeWalk(target, path.steps[count...]) else { return nil }
        return value
    }

    /// A value with its placeholders resolved.
    mutating func resolve(_ node: JSONValue, at path: PropertyPath) throws(PropertiesError) -> JSONValue {
        var path = path
        return try resolveIfNeeded(node, at: &path) ?? node
    }

    /// Gives nil where nothing in the value needs to be resolved.
    private mutating func resolveIfNeeded(
        _ node: JSONValue, at path: inout PropertyPath
    ) throws(PropertiesError) -> JSONValue? {
        switch node.storage {
        case .null, .boolean, .integer, .decimal:
            return nil
        case .string(let text):
            // What the environment says is taken as it is, and what a placeholder gave is complete.
            if !node.flags.isDisjoint(with: [.environment, .placeholder]) || !Template.isTemplate(text) { return nil }
            return try resolveTemplate(text, of: node, at: path)
        case .array(let array):
            var result: [JSONValue]?
            for (index, element) in array.elements.enumerated() {
                path.steps.append(.index(index))
                defer { path.steps.removeLast() }
                guard let resolved = try resolveIfNeeded(element, at: &path) else { continue }
                var elements = result ?? array.elements
                elements[index] = resolved
                result = elements
            }
            return result.map { node.replacingContent(with: .array(JSONArrayStorage($0))) }
        case .object(let object):
            var result: JSONObject?
            for index in object.indices {
                path.steps.append(.key(object.key(at: index)))
                defer { path.steps.removeLast() }
                guard let resolved = try resolveIfNeeded(object.value(at: index), at: &path) else { continue }
                var members = result ?? object
                members.updateValue(at: index) { $0 = resolved }
                result = members
            }
            return result.map { node.replacingContent(with: .object($0)) }
        }
    }

    private mutating func resolveTemplate(
        _ text: String, of node: JSONValue, at path: PropertyPath
    ) throws(PropertiesError) -> JSONValue {
        switch results[path] {
        case .value(let value): return value
        case .failure(let error): throw error
        case nil: break
        }
        if let start = inProgress.firstIndex(of: path) {
            let circle = inProgress[start...].map(\.text) + [path.text]
            throw failure(.cycle(paths: circle), of: node, at: path)
        }
        guard inProgress.count < PlaceholderProblem.depthLimit else { throw failure(.tooDeep, of: node, at: path) }
        inProgress.append(path)
        defer { inProgress.removeLast() }
        do {
            let value = try build(try parse(text, of: node, at: path), of: node, at: path)
            results.add(.value(value), for: path)
            return value
        } catch {
            results.add(.failure(error), for: path)
            throw error
        }
    }

    private func parse(_ text: String, of node: JSONValue, at path: PropertyPath) throws(PropertiesError) -> Template {
        do {
            return try Template(parsing: text)
        } catch {
            throw failure(error, of: node, at: path)
        }
    }

    private mutating func build(
        _ template: Template, of node: JSONValue, at path: PropertyPath
    ) throws(PropertiesError) -> JSONValue {
        if let placeholder = template.onlyPlaceholder {
            var value = try value(of: placeholder, of: node, at: path)
            let flags = value.flags
            value.takeProvenance(of: node)
            value.flags = flags.union(.placeholder).union(node.flags.intersection(.secret))
            // At its new place more of it may be secret.
            return storage.secrets.marking(value, at: path)
        }
        var text = ""
        var flags: JSONNodeFlags = template.hasPlaceholders ? [.text, .placeholder] : []
        for part in template.parts {
            switch part {
            case .text(let literal):
                text += literal
            case .placeholder(let placeholder):
                let value = try value(of: placeholder, of: node, at: path)
                flags.formUnion(value.flags.intersection([.secret, .holdsSecret, .environment]))
                switch value.storage {
                case .string(let string): text += string
                case .integer(let number): text += String(number)
                case .decimal(let number): text += number
                case .boolean(let boolean): text += boolean ? "true" : "false"
                case .null, .array, .object:
                    let found = value.kindInWords
                    throw failure(.notText(placeholder: placeholder.source, found: found), of: node, at: path)
                }
                guard text.utf8.count <= PlaceholderProblem.lengthLimit else {
                    throw failure(.tooLong, of: node, at: path)
                }
            }
        }
        var value = node.replacingContent(with: .string(text))
        value.flags.formUnion(flags)
        // What the parts do not give away, the whole may: a URL with a password, say.
        return storage.secrets.markingText(value, at: path)
    }

    private mutating func value(
        of placeholder: Template.Placeholder, of node: JSONValue, at path: PropertyPath
    ) throws(PropertiesError) -> JSONValue {
        if isConsulted.add((), for: placeholder.target) { consultedTargets.append(placeholder.target) }
        switch placeholder.target {
        case .variable(let name):
            if let text = storage.settings.variable(name) {
                var value = JSONValue.fromEnvironment(text)
                if SecretWords.isSecretVariable(name) { value.flags.insert(.secret) }
                return storage.secrets.markingText(value, at: path)
            }
        case .property(let target):
            if let value = try self.value(at: target) {
                try checkSize(of: value, for: node, at: path)
                return value
            }
        }
        if let defaultTemplate = placeholder.defaultTemplate {
            var value = try build(defaultTemplate, of: node, at: path)
            // A default is text, unless it takes the value of another placeholder as it is.
            if defaultTemplate.onlyPlaceholder == nil { value.flags.insert(.text) }
            return value
        }
        switch placeholder.target {
        case .variable(let name):
            throw failure(.missingVariable(placeholder: placeholder.source, name: name), of: node, at: path)
        case .property(let target):
            let near = storage.near(target)
            throw failure(
                .missing(placeholder: placeholder.source, target: target.text, near: near), of: node, at: path)
        }
    }

    /// Placeholders that each lead to two others double what they build with every step: a short file could fill all
    /// memory.
    private func checkSize(of value: JSONValue, for node: JSONValue, at path: PropertyPath) throws(PropertiesError) {
        guard value.height > 0 else { return }
        if Int(value.height) + path.steps.count > JSONValue.nestingLimit {
            throw failure(.nestedTooDeeply, of: node, at: path)
        }
        var remaining = PlaceholderProblem.sizeLimit
        value.count(within: &remaining)
        if remaining == 0 { throw failure(.tooLarge, of: node, at: path) }
    }

    private func failure(_ problem: PlaceholderProblem, of node: JSONValue, at path: PropertyPath) -> PropertiesError {
        let problem = node.hasSecrets ? problem.redacted : problem
        let origin = storage.origin(of: path)
        return PropertiesError(
            PropertiesProblem(
                .placeholder(problem), path: path.text, file: origin?.name, position: origin?.position))
    }
}

extension JSONValue {
    /// Counts the nodes of a value down from a limit, and stops at 0.
    fileprivate func count(within remaining: inout Int) {
        guard remaining > 0 else { return }
        remaining -= 1
        switch storage {
        case .array(let array):
            for element in array.elements where remaining > 0 { element.count(within: &remaining) }
        case .object(let object):
            for index in object.indices where remaining > 0 { object.value(at: index).count(within: &remaining) }
        case .null, .boolean, .integer, .decimal, .string:
            break
        }
    }
}
