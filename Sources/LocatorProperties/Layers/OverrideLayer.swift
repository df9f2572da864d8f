/// The texts of one source of overrides, matched to the keys they refer to.
struct OverrideLayer: Sendable {
    /// A text and the path it sets.
    struct Assignment: Sendable {
        /// The origin of the text: a variable or a file.
        let origin: PropertyOrigin.Source
        let path: PropertyPath
        fileprivate(set) var value: JSONValue
        /// Whether the path exists only because of the text.
        let isAddition: Bool
        /// The new key of the path, or the new list that contains it, or nil if the path exists or is in an existing list.
        ///
        /// What only the overrides below have is new as well.
        let addition: Addition?
    }

    /// A key that exists only because of overrides.
    struct Addition: Sendable {
        let path: PropertyPath
        /// The name of the key or list.
        let name: OverrideName
    }

    /// The request for these overrides.
    ///
    /// Its texts are matched again if another load is placed above or below this one.
    let request: OverrideRequest
    /// The values that the texts set.
    ///
    /// Later ones override earlier ones.
    private(set) var assignments: [Assignment] = []
    /// The numbers of the assignments by the paths they affect, if there are many.
    private var relations: [PropertyPath: Relation]?
    /// All assignments as one tree.
    private(set) var tree = JSONObject()
    /// The keys and lists that exist only because of overrides.
    ///
    /// They are matched again to the keys of the layers below.
    private(set) var additions: [OverrideRequest.Text] = []

    /// Matches texts to the keys of merged files and overrides, and merges them.
    ///
    /// - Parameters:
    ///   - lower: The overrides below.
    ///   - isWanted: Whether a text sets what it matches. By default, all texts do.
    ///   - replaces: Whether a text may replace what it does not fit, or lead through a value without parts. By default,
    ///     that is a problem.
    init(
        _ request: OverrideRequest, over merged: inout JSONValue, after lower: [OverrideLayer] = [],
        places: ((PropertyPath) -> String?)?,
        secrets: SecretRules, budget: inout Budget, problems: inout [PropertiesProblem],
        isWanted: (OverrideName, PropertyPath, OverrideTarget) -> Bool = { _, _, _ in true },
        replaces: ((OverrideName, PropertyPath) -> Bool)? = nil
    ) {
        self.request = request
        guard request.prefix != "" else {
            problems.append(.environment(.emptyPrefix))
            return
        }
        if let places, let files = merged.objectValue, request.usesSegments {
            VariableCollisions.find(in: files, prefix: request.prefix ?? "", places: places, problems: &problems)
        }
        let index = SegmentIndex()
        var owners: [PropertyPath: String] = [:]
        var added = Set(lower.flatMap(\.assignments).compactMap(\.addition?.path))
        for text in request.texts {
            do throws(PropertiesError) {
                let (name, path, target) = try text.match(
                    in: merged, prefix: request.prefix, index, owners, replacesValues: replaces != nil)
                guard isWanted(name, path, target) else { continue }
                let value: JSONValue
                do throws(PropertiesError) {
                    value = try text.checkedValue(
                        for: path, replacing: target, owner: owners[path], secrets: secrets, budget: &budget)
                } catch {
                    guard replaces?(name, path) == true else { throw error }
                    value = text.misfit(at: path, replacing: target, secrets: secrets)
                }
                let assignment = Self.assignment(of: text, name, path, value, target, over: &added)
                Merging.merge(value, at: path.steps[...], into: &merged)
                index.note(path)
                assignments.append(assignment)
                if case .file = text.origin { owners[path] = text.label }
            } catch {
                problems += error.problems
            }
        }
        prepareAssignments(arraysOf: merged)
    }

    /// Prepares the tree and the searches for the current assignments.
    private mutating func prepareAssignments(arraysOf merged: JSONValue) {
        var tree = JSONValue.object(JSONObject())
        var lists: [PropertyPath] = []
        var knownLists: Set<PropertyPath> = []
        for assignment in assignments {
            if let list = assignment.path.outermostList {
                if knownLists.insert(list).inserted { lists.append(list) }
            } else {
                Merging.merge(assignment.value, at: assignment.path.steps[...], into: &tree)
            }
        }
        // An array is replaced as a whole by its final value.
        for list in lists {
            guard let array = merged.part(at: list) else { continue }
            Merging.merge(array, at: list.steps[...], into: &tree)
        }
        self.tree = tree.objectValue ?? JSONObject()
        relations = Self.relations(of: assignments)
        additions = assignments.compactMap { assignment in
            guard let addition = assignment.addition, let value = self.tree.part(at: addition.path) else { return nil }
            return OverrideRequest.Text(origin: assignment.origin, name: addition.name, value: value)
        }
    }

    /// Returns the layer with only the assignments that satisfy a predicate.
    func filter(_ isIncluded: (Assignment) -> Bool) -> OverrideLayer {
        var layer = self
        layer.assignments = assignments.filter(isIncluded)
        layer.prepareAssignments(arraysOf: .object(tree))
        return layer
    }

    private static func assignment(
        of text: OverrideRequest.Text, _ name: OverrideName, _ path: PropertyPath, _ value: JSONValue,
        _ target: OverrideTarget, over added: inout Set<PropertyPath>
    ) -> Assignment {
        let key = path.outermostList ?? path
        let (isAddition, isNewKey) =
            switch target {
            case .existing: (false, false)
            case .new(let isElement): (true, !isElement)
            }
        let isAdded = isNewKey || added.remove(key) != nil
        let addition = isAdded ? Addition(path: key, name: name.prefix(key.steps.count)) : nil
        return Assignment(origin: text.origin, path: path, value: value, isAddition: isAddition, addition: addition)
    }

    /// The assignments that affect a path.
    private struct Relation {
        /// The assignments to the path itself.
        var own: [Int] = []
        /// The assignments to parts of the path.
        var parts: [Int] = []
    }

    /// The number of assignments up to which all are searched.
    private static let directCount = 16

    private static func relations(of assignments: [Assignment]) -> [PropertyPath: Relation]? {
        guard assignments.count > directCount else { return nil }
        var relations: [PropertyPath: Relation] = [:]
        for (number, assignment) in assignments.enumerated() {
            let path = assignment.path
            relations[path, default: Relation()].own.append(number)
            for count in path.steps.indices { relations[path.prefix(count), default: Relation()].parts.append(number) }
        }
        return relations
    }

    /// Returns the values that the texts set at a path, above it, and below it, in order.
    func assignments(relatedTo path: PropertyPath) -> [Assignment] {
        guard let relations else { return assignments.filter { $0.path.isRelated(to: path) } }
        var numbers = (relations[path]?.own ?? []) + (relations[path]?.parts ?? [])
        for count in path.steps.indices { numbers += relations[path.prefix(count)]?.own ?? [] }
        return numbers.sorted().map { assignments[$0] }
    }

    /// Returns a tree with a single value at a path of keys.
    static func patch(_ path: PropertyPath, _ value: JSONValue) -> JSONObject {
        let keys = path.steps.compactMap(\.key)
        let tree = keys.reversed().reduce(value) { part, key in .object(JSONObject([(key, part)])) }
        return tree.objectValue ?? JSONObject()
    }

    /// Returns what a text says about a path above its own, for an explanation.
    ///
    /// An element of a list has the key `[0]`.
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
    /// The prefix of the variables, or nil for a directory.
    var prefix: String? {
        if case .environment(let prefix) = source { prefix } else { nil }
    }

    /// Whether a name may be written like a variable.
    fileprivate var usesSegments: Bool { prefix != nil || texts.contains { $0.name?.hasWords == true } }
}

extension PropertyPath {
    /// The path of the first array that the path leads into, or nil if there is none.
    fileprivate var outermostList: PropertyPath? {
        isOutsideOfArrays ? nil : PropertyPath(Array(stepsOutsideOfArrays))
    }
}

extension OverrideLayer {
    func marking(_ secrets: SecretRules) -> OverrideLayer {
        var layer = self
        layer.assignments = assignments.map { assignment in
            var assignment = assignment
            assignment.value = secrets.marking(assignment.value, at: assignment.path)
            return assignment
        }
        layer.tree = secrets.marking(tree)
        return layer
    }
}

extension JSONValue {
    /// Returns the value with a flag on each of its nodes.
    func markingAll(_ flag: JSONNodeFlags) -> JSONValue {
        var result = mappingParts { $0.markingAll(flag) }
        result.flags.insert(flag)
        return result
    }
}
