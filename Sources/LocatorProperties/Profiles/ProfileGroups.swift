/// The profile groups that base files define:
/// `"locator": {"profiles": {"groups": {"prod": ["prod", "metrics"]}}}`.
package struct ProfileGroups {
    static let path = PropertyPath([.key("locator"), .key("profiles"), .key("groups")])

    /// The members of each group.
    private(set) var members = SmallTable<String, [Member]>()
    /// The place where each group is defined.
    private(set) var places = SmallTable<String, (file: String, position: JSONPosition?)>()
    /// The groups that a later tree removes.
    private var removed = SmallTable<String, Void>()

    /// Reads the groups of trees.
    ///
    /// A group of a later tree replaces a group with the same name.
    init(in trees: [(tree: JSONObject, file: String)], problems: inout [PropertiesProblem]) {
        var problemsOfTrees: [[PropertiesProblem]] = []
        for (tree, file) in trees.reversed() {
            var own: [PropertiesProblem] = []
            if Self.removesAll(tree) { break }
            read(tree, file: file, problems: &own)
            problemsOfTrees.append(own)
        }
        problems += problemsOfTrees.reversed().flatMap { $0 }
    }

    /// Whether a tree removes all groups of the trees before it.
    package static func removesAll(_ tree: JSONObject) -> Bool {
        switch TreeWalk(tree, path.steps[...]) {
        case .found(let node), .blocked(let node, _): node.isNull
        case .absent: false
        }
    }

    /// Returns the names of the members of each group, without the problems, which each load reports.
    package static func members(in trees: [(tree: JSONObject, file: String)]) -> [String: [String]] {
        var problems: [PropertiesProblem] = []
        let groups = ProfileGroups(in: trees, problems: &problems)
        return Dictionary(uniqueKeysWithValues: groups.members.entries.map { ($0.key, $0.value.map(\.name)) })
    }

    private mutating func read(_ tree: JSONObject, file: String, problems: inout [PropertiesProblem]) {
        switch TreeWalk(tree, Self.path.steps[...]) {
        case .absent:
            return
        case .blocked(let node, let count):
            let path = Self.path.prefix(count)
            problems.append(Self.malformed("an object", node, at: path, file: file))
        case .found(let node):
            guard case .object(let groups) = node.storage else {
                problems.append(Self.malformed("an object of arrays", node, at: Self.path, file: file))
                return
            }
            for (name, list) in groups {
                if list.isNull {
                    removed.add((), for: name)
                } else {
                    read(name, list, file: file, problems: &problems)
                }
            }
        }
    }

    private mutating func read(
        _ name: String, _ node: JSONValue, file: String, problems: inout [PropertiesProblem]
    ) {
        let path = Self.path.appending(.key(name))
        guard let elements = node.arrayValue else {
            problems.append(Self.malformed("an array of profile names", node, at: path, file: file))
            return
        }
        let origin = ProfileProblem.Origin.group(name)
        var list: [Member] = []
        for (index, element) in elements.enumerated() {
            guard let member = element.stringValue else {
                problems.append(
                    Self.malformed("the name of a profile", element, at: path.appending(.index(index)), file: file))
                continue
            }
            list.append(Member(name: member, origin: origin, file: file, position: element.position))
        }
        if !ProfileList.isName(name) {
            problems.append(
                .profile(.malformedGroupName(Redaction.maskingURLs(in: name))), path: path.text, file: file,
                position: node.position)
        }
        for problem in ProfileList(list.map(\.name)).problems(origin: origin) {
            problems.append(.profile(problem), path: path.text, file: file, position: node.position)
        }
        guard removed[name] == nil else { return }
        if members.add(list, for: name) { places.add((file, node.position), for: name) }
    }

    private static func malformed(
        _ expected: String, _ node: JSONValue, at path: PropertyPath, file: String
    ) -> PropertiesProblem {
        PropertiesProblem(
            .profile(.malformedGroups(expected: expected, found: node.kindInWords)), path: path.text, file: file,
            position: node.position)
    }
}

extension ProfileGroups {
    /// A profile to load, with the origin and place of its name.
    struct Member {
        let name: String
        let origin: ProfileProblem.Origin
        var file: String?
        var position: JSONPosition?
    }

    /// Replaces groups by their members, including nested groups.
    ///
    /// Within a group, its own name refers to the profile.
    ///
    /// A profile that is named several times, also by groups, keeps its last position, because a later profile overrides
    /// an earlier one.
    func expand(_ names: [String], origin: ProfileProblem.Origin) -> (
        profiles: [Member], groups: [String], cycle: [String]?
    ) {
        var expansion = Expansion(members: members)
        // From the last to the first, so that a group that is expanded once is expanded at its last position.
        for name in names.reversed() {
            expansion.add(Member(name: name, origin: origin))
        }
        return (expansion.profiles.reversed(), expansion.groups.reversed(), expansion.cycle)
    }

    /// Expands each group once, from its last member to its first.
    ///
    /// A list of open groups replaces recursion.
    private struct Expansion {
        let members: SmallTable<String, [Member]>
        var profiles: [Member] = []
        var groups: [String] = []
        var cycle: [String]?
        private var names = SmallTable<String, Void>()
        private var open: [(name: String, list: [Member], next: Int)] = []
        /// The groups that were visited, and whether each is still open.
        private var isOpen = SmallTable<String, Bool>()

        init(members: SmallTable<String, [Member]>) {
            self.members = members
        }

        mutating func add(_ member: Member) {
            visit(member)
            while let group = open.last {
                if group.next < group.list.count {
                    open[open.count - 1].next += 1
                    visit(group.list[group.next])
                } else {
                    open.removeLast()
                    isOpen.set(false, for: group.name)
                }
            }
        }

        private mutating func visit(_ member: Member) {
            let name = member.name
            guard let list = members[name], open.last?.name != name else {
                if names.add((), for: name) { profiles.append(member) }
                return
            }
            if isOpen[name] == true {
                cycle = cycle ?? open.drop { $0.name != name }.map(\.name) + [name]
                return
            }
            // A group adds its profiles only once.
            guard isOpen.add(true, for: name) else { return }
            groups.append(name)
            open.append((name, list.reversed(), 0))
        }
    }
}
