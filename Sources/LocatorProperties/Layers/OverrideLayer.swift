/// The texts of one place of overrides, matched to the keys they stand for.
struct OverrideLayer: Sendable {
    /// A text and what it sets.
    struct Assignment: Sendable {
        /// What gave the text: a variable, or a file.
        let origin: PropertyOrigin.Source
        let path: PropertyPath
        let value: JSONValue
        /// Whether the path exists only because of the text.
        let isAddition: Bool
        /// What is there only because of the text, up to a new list; nil if that is an element of a list.
        let addition: Addition?
    }

    /// A key that exists only because of a text.
    struct Addition: Sendable {
        let path: PropertyPath
        /// The name of the text without its prefix, written like that of a variable; nil if it is a path.
        let segments: String?
    }

    /// The overrides of the program, matched again if another load is laid over or under this one.
    let request: OverrideRequest
    /// What the texts set, in the order in which later ones overrule earlier ones.
    private(set) var assignments: [Assignment] = []
    /// The numbers of the assignments by what they have to do with a path, where there are many.
    private var relations: [PropertyPath: Relation]?
    /// All of it as one tree.
    private(set) var tree = JSONObject()
    /// The texts that matched no key, by their names; they override such a key where another layer turns out to have
    /// it.
    private(set) var additions: [String: Assignment] = [:]

    /// Matches texts to the keys of merged files and overrides, and lays them over these.
    init(
        _ request: OverrideRequest, over merged: inout JSONValue, places: (PropertyPath) -> String?,
        secrets: SecretRules, budget: inout Budget, problems: inout [PropertiesProblem]
    ) {
        self.request = request
        guard request.prefix != "" else {
            problems.append(PropertiesProblem(.environment(.emptyPrefix)))
            return
        }
        if let files = merged.objectValue, request.usesSegments {
            VariableCollisions.find(in: files, prefix: request.prefix ?? "", places: places, problems: &problems)
        }
        let index = SegmentIndex()
        var tree = JSONValue.object(JSONObject())
        var owners: [PropertyPath: String] = [:]
        var lists: [PropertyPath] = []
        var knownLists: Set<PropertyPath> = []
        for text in request.texts {
            do {
                let (name, path, target) = try Self.match(text, request.prefix, in: merged, index, owners)
                let value = try Self.value(
                    of: text, for: path, replacing: target, owner: owners[path], secrets: secrets, budget: &budget)
                let assignment = Self.assignment(of: text, name, path, value, target)
                Merging.merge(value, at: path.steps[...], into: &merged)
                index.note(path)
                if let list = path.outermostList {
                    // An array is replaced as a whole by what it is then.
                    if knownLists.insert(list).inserted { lists.append(list) }
                } else {
                    Merging.merge(value, at: path.steps[...], into: &tree)
                }
                assignments.append(assignment)
                if case .file = text.origin { owners[path] = text.label }
                if let addition = assignment.addition, addition.path == path, let segments = addition.segments {
                    additions[segments] = assignment
                }
            } catch {
                problems += error.problems
            }
        }
        for list in lists {
            guard case .found(let array) = TreeWalk(merged, list.steps[...]) else { continue }
            Merging.merge(array, at: list.steps[...], into: &tree)
        }
        self.tree = tree.objectValue ?? JSONObject()
        relations = Self.relations(of: assignments)
    }

    private static func assignment(
        of text: OverrideRequest.Text, _ name: OverrideName, _ path: PropertyPath, _ value: JSONValue, _ target: Target
    ) -> Assignment {
        guard case .new(let isElement) = target else {
            return Assignment(origin: text.origin, path: path, value: value, isAddition: false, addition: nil)
        }
        let added = path.outermostList ?? path
        let addition = isElement ? nil : Addition(path: added, segments: name.segments(added.steps.count))
        return Assignment(origin: text.origin, path: path, value: value, isAddition: true, addition: addition)
    }

    /// The assignments to a path.
    private struct Relation {
        /// To the path itself.
        var own: [Int] = []
        /// To parts of what exists.
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

    /// What the texts set at a path, around it and in it, in order.
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

    /// What a text meets.
    private enum Target {
        case existing(JSONValue)
        /// Nothing; perhaps within an array that exists.
        case new(isElement: Bool)
    }

    private static func match(
        _ text: OverrideRequest.Text, _ prefix: String?, in tree: JSONValue, _ index: SegmentIndex,
        _ owners: [PropertyPath: String]
    ) throws(PropertiesError) -> (OverrideName, PropertyPath, Target) {
        guard let name = text.name, !name.steps.isEmpty else {
            if let prefix, !prefix.hasSuffix("_"), text.label.hasPrefix("\(prefix)_") {
                throw PropertiesError(
                    PropertiesProblem(.environment(.prefixWithoutUnderscore(variable: text.label, prefix: prefix))))
            }
            throw text.error(file: .namesNoSetting, variable: .malformedName(variable: text.label))
        }
        guard name.steps.count <= JSONValue.nestingLimit else {
            throw PropertiesError(PropertiesProblem(.environment(.tooDeep(variable: text.label))))
        }
        var path = PropertyPath.root
        var keys = index
        var node = tree
        for (offset, step) in name.steps.enumerated() {
            let next: PropertyPath.Step
            switch node.storage {
            case .object(let object):
                guard let member = member(of: step, in: object, keys) else {
                    if case .index = step { throw text.noPart(of: path, node, name, offset, owners) }
                    path.steps.append(step.added)
                    return (name, try adding(name, from: offset + 1, to: path, text), .new(isElement: path.hasIndex))
                }
                next = .key(object.key(at: member))
                node = object.value(at: member)
            case .array(let array):
                guard let number = step.number else { throw text.noPart(of: path, node, name, offset, owners) }
                guard number < array.elements.count else {
                    try text.checkGap(at: path, number, count: array.elements.count)
                    path.steps.append(.index(number))
                    return (name, try adding(name, from: offset + 1, to: path, text), .new(isElement: true))
                }
                next = .index(number)
                node = array.elements[number]
            case .null:
                let isElement = path.hasIndex
                return (name, try adding(name, from: offset, to: path, text), .new(isElement: isElement))
            case .boolean, .integer, .decimal, .string:
                throw text.noPart(of: path, node, name, offset, owners)
            }
            path.steps.append(next)
            if offset + 1 < name.steps.count { keys = keys.child(next) }
        }
        return (name, path, .existing(node))
    }

    /// The index of the key in an object that a step stands for.
    private static func member(of step: OverrideName.Step, in object: JSONObject, _ keys: SegmentIndex) -> Int? {
        switch step {
        case .segment(let segment): keys.find(segment, in: object)
        case .key(let key): object.index(ofKey: key)
        case .index: nil
        }
    }

    /// A path with the steps from one on where nothing is: a number begins a list.
    private static func adding(
        _ name: OverrideName, from offset: Int, to path: PropertyPath, _ text: OverrideRequest.Text
    ) throws(PropertiesError) -> PropertyPath {
        var path = path
        for step in name.steps[offset...] {
            if let number = step.number, !path.steps.isEmpty {
                try text.checkGap(at: path, number, count: 0)
                path.steps.append(.index(number))
            } else {
                path.steps.append(step.added)
            }
        }
        return path
    }

    private static func value(
        of text: OverrideRequest.Text, for path: PropertyPath, replacing target: Target, owner: String?,
        secrets: SecretRules, budget: inout Budget
    ) throws(PropertiesError) -> JSONValue {
        if let owner {
            throw PropertiesError(
                PropertiesProblem(.file(.sameSetting(setting: path.text, file: owner)), file: text.label))
        }
        guard case .existing(let node) = target else {
            return secrets.markingText(text.value, at: path, isAddition: true)
        }
        let kind = node.kindInWords
        switch node.storage {
        case .null, .boolean, .integer, .decimal, .string:
            return secrets.markingText(text.value.secret(where: node), at: path)
        case .object, .array: break
        }
        let source = PropertyOrigin(text.origin).name
        guard !text.value.flags.contains(.verbatim), let json = text.value.stringValue else {
            throw PropertiesError(PropertiesProblem(.file(.neverJSON(expected: kind)), path: path.text, file: source))
        }
        let value: JSONValue
        do {
            value = try JSONValue(parsing: json, file: source, budget: &budget) {
                secrets.isHidden($0, ofJSONAt: path, over: node)
            }
        } catch {
            guard !secrets.isSecret(path), var problem = error.problems.first else {
                throw PropertiesError(
                    PropertiesProblem(.environment(.secretIsNotJSON(expected: kind)), path: path.text, file: source))
            }
            problem.path = path.text
            throw PropertiesError(problem)
        }
        guard value.kindInWords == kind else {
            throw PropertiesError(
                PropertiesProblem(
                    .environment(.mismatch(expected: kind, found: value.kindInWords)), path: path.text, file: source))
        }
        guard path.steps.count - 1 + Int(value.height) <= JSONValue.nestingLimit else {
            throw PropertiesError(PropertiesProblem(.environment(.tooDeep(variable: text.label)), path: path.text))
        }
        return secrets.markingJSON(value.markingAll(.environment).secret(where: node), at: path, over: node)
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

    /// What a text says about a path above its own, for an explanation: an element of a list stands at `[0]`.
    static func part(_ path: PropertyPath, _ value: JSONValue) -> JSONObject {
        let keys = path.steps.map { step in
            switch step {
            case .key: step
            case .index(let index): PropertyPath.Step.key("[\(index)]")
            }
        }
        return patch(PropertyPath(keys), value)
    }
}

extension OverrideRequest {
    /// The prefix of the variables; nil if there are none.
    var prefix: String? {
        if case .environment(let prefix) = source { prefix } else { nil }
    }

    /// Whether a name may be written like that of a variable.
    fileprivate var usesSegments: Bool { prefix != nil || texts.contains { $0.name?.hasWords == true } }
}

extension OverrideRequest.Text {
    fileprivate func error(file: FileProblem, variable: EnvironmentProblem) -> PropertiesError {
        switch origin {
        case .file(let path): PropertiesError(PropertiesProblem(.file(file), file: path))
        case .environment, .code: PropertiesError(PropertiesProblem(.environment(variable)))
        }
    }

    /// The error of a name that leads into something without such parts.
    fileprivate func noPart(
        of container: PropertyPath, _ node: JSONValue, _ name: OverrideName, _ offset: Int,
        _ owners: [PropertyPath: String]
    ) -> PropertiesError {
        if let owner = owners[container] {
            return PropertiesError(
                PropertiesProblem(.file(.sameSetting(setting: container.text, file: owner)), file: label))
        }
        return PropertiesError(
            PropertiesProblem(
                .environment(.noSuchPart(variable: label, container: container.text, found: node.kindInWords)),
                path: PropertyPath(container.steps + name.steps[offset...].map(\.added)).text))
    }

    /// An element comes right behind those that exist.
    fileprivate func checkGap(at list: PropertyPath, _ index: Int, count: Int) throws(PropertiesError) {
        guard index > count else { return }
        throw PropertiesError(
            PropertiesProblem(.environment(.gap(variable: label, list: list.text, index: index, count: count))))
    }
}

extension PropertyPath {
    /// The path of the first array that the path leads into; nil if there is none.
    fileprivate var outermostList: PropertyPath? {
        let keys = steps.prefix {
            if case .key = $0 { true } else { false }
        }
        return keys.count < steps.count ? PropertyPath(Array(keys)) : nil
    }

    fileprivate var hasIndex: Bool { !isOutsideOfArrays }
}

extension OverrideLayer {
    private init(_ other: OverrideLayer, marking secrets: SecretRules) {
        self = other
        assignments = assignments.map { $0.marking(secrets) }
        additions = additions.mapValues { $0.marking(secrets) }
        tree = secrets.marking(tree)
    }

    /// The layer with more secrets marked.
    func marking(_ secrets: SecretRules) -> OverrideLayer { OverrideLayer(self, marking: secrets) }
}

extension OverrideLayer.Assignment {
    fileprivate func marking(_ secrets: SecretRules) -> Self {
        Self(
            origin: origin, path: path, value: secrets.marking(value, at: path), isAddition: isAddition,
            addition: addition)
    }
}

extension JSONValue {
    /// The value with what is secret in one that it lies over, a file's perhaps, secret here too.
    fileprivate func secret(where other: JSONValue) -> JSONValue {
        if other.flags.contains(.secret) { return markingAll(.secret) }
        switch (storage, other.storage) {
        case (.object(var object), .object(let others)):
            for index in object.indices {
                guard let other = others[object.key(at: index)] else { continue }
                object.updateValue(at: index) { $0 = $0.secret(where: other) }
            }
            return replacingContent(with: .object(object))
        case (.array(let array), .array(let others)):
            let marked = zip(array.elements, others.elements).map { $0.secret(where: $1) }
            return replacingContent(
                with: .array(JSONArrayStorage(marked + array.elements.dropFirst(others.elements.count))))
        default:
            return self
        }
    }

    /// The value with a flag on each of its nodes.
    func markingAll(_ flag: JSONNodeFlags) -> JSONValue {
        var result = mappingParts { $0.markingAll(flag) }
        result.flags.insert(flag)
        return result
    }
}
