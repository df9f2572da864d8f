/// What a load asks of the environment: the variables with a prefix, and their values then.
struct EnvironmentRequest: Sendable {
    let overrides: EnvironmentOverrides
    let variables: [String: String]

    init(_ overrides: EnvironmentOverrides, in environment: [String: String], except profileVariable: String) {
        self.overrides = overrides
        variables = environment.filter { $0.key.hasPrefix(overrides.prefix) && $0.key != profileVariable }
    }
}

/// The environment variables of one load that override properties, matched to the keys they stand for.
struct EnvironmentLayer: Sendable {
    /// A variable and what it sets.
    struct Assignment: Sendable {
        let variable: String
        let path: PropertyPath
        let value: JSONValue
        /// Whether the path exists only because of the variable.
        let isAddition: Bool
    }

    /// What was asked for; matched anew where another load is laid over or under this one.
    let request: EnvironmentRequest
    /// What the variables set, in the order in which later ones overrule earlier ones.
    private(set) var assignments: [Assignment] = []
    /// The numbers of the assignments by what they have to do with a path, where there are many.
    private var relations: [PropertyPath: Relation]?
    /// All of it as one tree.
    private(set) var tree = JSONObject()
    /// The variables that matched no key; they override such a key where another layer turns out to have it.
    private(set) var additions: [String: Assignment] = [:]

    /// Matches variables to the keys of merged files.
    init(
        _ request: EnvironmentRequest, over files: JSONObject, places: (PropertyPath) -> String?,
        secrets: SecretRules, budget: inout Budget, problems: inout [PropertiesProblem]
    ) {
        self.request = request
        let prefix = request.overrides.prefix
        guard !prefix.isEmpty else {
            problems.append(PropertiesProblem(.environment(.emptyPrefix)))
            return
        }
        VariableCollisions.find(in: files, prefix: prefix, places: places, problems: &problems)
        // Shorter paths first: a variable for a part overrules one for the whole. Names sort the rest, for a stable
        // order.
        let variables = request.variables
            .map { (name: $0.key, text: $0.value, segments: VariableName.segments(of: $0.key.dropFirst(prefix.count))) }
            .sorted { ($0.segments?.count ?? 0, $0.name) < ($1.segments?.count ?? 0, $1.name) }
        var merged = files
        let index = SegmentIndex()
        for variable in variables {
            guard let segments = variable.segments else {
                problems.append(PropertiesProblem(.environment(.malformedName(variable: variable.name))))
                continue
            }
            guard segments.count <= JSONValue.nestingLimit else {
                problems.append(PropertiesProblem(.environment(.tooDeep(variable: variable.name))))
                continue
            }
            let (path, target) = Self.match(segments, in: merged, index)
            do {
                let value = try Self.value(
                    of: variable.name, text: variable.text, for: path, replacing: target, secrets: secrets,
                    budget: &budget)
                index.note(value, at: path)
                let assignment = Assignment(
                    variable: variable.name, path: path, value: value, isAddition: target.isAddition)
                let patch = Self.patch(path, value)
                Merging.merge(patch, into: &merged, nulls: .keep)
                Merging.merge(patch, into: &tree, nulls: .keep)
                assignments.append(assignment)
                if target.isAddition { additions[variable.name] = assignment }
            } catch {
                problems += error.problems
            }
        }
        relations = Self.relations(of: assignments)
    }

    /// The assignments to a path.
    private struct Relation {
        /// To the path itself.
        var own: [Int] = []
        /// To parts of what is there.
        var parts: [Int] = []
    }

    /// How many assignments are looked through one by one.
    private static let directCount = 16

    private static func relations(of assignments: [Assignment]) -> [PropertyPath: Relation]? {
        guard assignments.count > directCount else { return nil }
        var relations: [PropertyPath: Relation] = [:]
        for (number, assignment) in assignments.enumerated() {
            var path = assignment.path
            relations[path, default: Relation()].own.append(number)
            while !path.steps.isEmpty {
                path.steps.removeLast()
                relations[path, default: Relation()].parts.append(number)
            }
        }
        return relations
    }

    /// What the variables set at a path, around it and in it, in order.
    func assignments(relatedTo path: PropertyPath) -> [Assignment] {
        guard let relations else { return assignments.filter { $0.path.isRelated(to: path) } }
        var numbers = (relations[path]?.own ?? []) + (relations[path]?.parts ?? [])
        var around = path
        while !around.steps.isEmpty {
            around.steps.removeLast()
            numbers += relations[around]?.own ?? []
        }
        return numbers.sorted().map { assignments[$0] }
    }

    /// What a variable meets in the files.
    private enum Target {
        case existing(JSONValue)
        case addition
        case partOf(PropertyPath, JSONValue)

        var isAddition: Bool {
            if case .addition = self { true } else { false }
        }
    }

    private static func match(
        _ segments: [Substring], in tree: JSONObject, _ index: SegmentIndex
    ) -> (PropertyPath, Target) {
        var path = PropertyPath.root
        var keys = index
        var node = JSONValue.object(tree)
        for (offset, segment) in segments.enumerated() {
            guard case .object(let object) = node.storage else {
                if node.isNull { return (path.appending(added(segments[offset...])), .addition) }
                return (path.appending(added(segments[offset...])), .partOf(path, node))
            }
            guard let index = keys.find(segment, in: object) else {
                return (path.appending(added(segments[offset...])), .addition)
            }
            let key = object.key(at: index)
            path.steps.append(.key(key))
            node = object.value(at: index)
            if offset + 1 < segments.count { keys = keys.child(key) }
        }
        return (path, .existing(node))
    }

    private static func added(_ segments: ArraySlice<Substring>) -> PropertyPath {
        PropertyPath(segments.map { .key(VariableName.key(of: $0)) })
    }

    private static func value(
        of variable: String, text: String, for path: PropertyPath, replacing target: Target, secrets: SecretRules,
        budget: inout Budget
    ) throws(PropertiesError) -> JSONValue {
        let kind: String
        switch target {
        case .partOf(let container, let node):
            throw PropertiesError(
                PropertiesProblem(
                    .environment(
                        .noSuchPart(variable: variable, container: container.text, found: node.kindInWords)),
                    path: path.text))
        case .addition:
            return secrets.markingText(.fromEnvironment(text), at: path, isAddition: true)
        case .existing(let node):
            switch node.storage {
            case .object, .array: kind = node.kindInWords
            case .null, .boolean, .integer, .decimal, .string:
                return secrets.markingText(.fromEnvironment(text), at: path)
            }
        }
        let value: JSONValue
        do {
            value = try JSONValue(parsing: text, file: PropertyOrigin(.environment(variable)).name, budget: &budget) {
                secrets.isSecret(path.appending($0))
            }
        } catch {
            guard !secrets.isSecret(path), var problem = error.problems.first else {
                throw PropertiesError(
                    PropertiesProblem(
                        .environment(.secretIsNotJSON(expected: kind)), path: path.text,
                        file: PropertyOrigin(.environment(variable)).name))
            }
            problem.path = path.text
            throw PropertiesError(problem)
        }
        guard value.kindInWords == kind else {
            throw PropertiesError(
                PropertiesProblem(
                    .environment(.mismatch(expected: kind, found: value.kindInWords)), path: path.text,
                    file: PropertyOrigin(.environment(variable)).name))
        }
        guard path.steps.count - 1 + Int(value.height) <= JSONValue.nestingLimit else {
            throw PropertiesError(PropertiesProblem(.environment(.tooDeep(variable: variable)), path: path.text))
        }
        return secrets.marking(value.markingAll(.environment), at: path)
    }

    /// A tree that has nothing but one value at a path of keys.
    static func patch(_ path: PropertyPath, _ value: JSONValue) -> JSONObject {
        var value = value
        for step in path.steps.dropFirst().reversed() {
            guard case .key(let key) = step else { continue }
            value = .object(JSONObject([(key, value)]))
        }
        guard case .key(let key)? = path.steps.first else { return JSONObject() }
        return JSONObject([(key, value)])
    }
}

extension EnvironmentLayer {
    private init(_ other: EnvironmentLayer, marking secrets: SecretRules) {
        self = other
        assignments = assignments.map { $0.marking(secrets) }
        additions = additions.mapValues { $0.marking(secrets) }
        tree = secrets.marking(tree)
    }

    /// The layer with more secrets marked.
    func marking(_ secrets: SecretRules) -> EnvironmentLayer { EnvironmentLayer(self, marking: secrets) }
}

extension EnvironmentLayer.Assignment {
    fileprivate func marking(_ secrets: SecretRules) -> Self {
        Self(variable: variable, path: path, value: secrets.marking(value, at: path), isAddition: isAddition)
    }
}

extension EnvironmentRequest {
    /// What the variables list as secret, known before they are matched to keys.
    var listedSecrets: [PropertyPath] { overrides.listedSecrets(in: variables) }
}

extension EnvironmentOverrides {
    /// What variables list as secret.
    package func listedSecrets(in variables: [String: String]) -> [PropertyPath] {
        let path = SecretRules.listPath
        let lengths = path.steps.indices.map { $0 + 1 }
        return lengths.flatMap { length -> [PropertyPath] in
            let part = PropertyPath(Array(path.steps[..<length]))
            guard let name = VariableName.name(of: part, prefix: prefix), let text = variables[name] else {
                return []
            }
            return SecretRules.list(in: EnvironmentLayer.patch(part, .fromEnvironment(text)))
        }
    }
}

extension JSONValue {
    /// The text of an environment variable, taken as it is.
    static func fromEnvironment(_ text: String) -> JSONValue {
        var value = JSONValue.string(text)
        value.flags = [.text, .environment]
        return value
    }

    /// The value with a flag on each of its nodes.
    func markingAll(_ flag: JSONNodeFlags) -> JSONValue {
        var result: JSONValue
        switch storage {
        case .array(let array):
            result = replacingContent(with: .array(JSONArrayStorage(array.elements.map { $0.markingAll(flag) })))
        case .object(var object):
            for index in object.indices {
                object.updateValue(at: index) { $0 = $0.markingAll(flag) }
            }
            result = replacingContent(with: .object(object))
        case .null, .boolean, .integer, .decimal, .string:
            result = self
        }
        result.flags.insert(flag)
        return result
    }
}
