/// Groups of profiles, as the base file defines them:
/// `"locator": {"profiles": {"groups": {"prod": ["prod", "metrics"]}}}`.
struct ProfileGroups {
    static let rootKey = "locator"
    static let path = PropertyPath([.key(rootKey), .key("profiles"), .key("groups")])

    /// The members of each group.
    private(set) var members = SmallTable<String, [String]>()

    /// Reads the groups of a tree, where it has any.
    init(in tree: JSONObject, file: String, problems: inout [PropertiesProblem]) {
        switch TreeWalk(tree, Self.path.steps[...]) {
        case .absent:
            return
        case .blocked(let node, let count):
            let path = PropertyPath(Array(Self.path.steps[..<count]))
            problems.append(Self.malformed("an object", node, at: path, file: file))
        case .found(let node):
            guard case .object(let groups) = node.storage else {
                problems.append(Self.malformed("an object of arrays", node, at: Self.path, file: file))
                return
            }
            for (name, list) in groups where !list.isNull {
                read(name, list, file: file, problems: &problems)
            }
        }
    }

    private mutating func read(
        _ name: String, _ list: JSONValue, file: String, problems: inout [PropertiesProblem]
    ) {
        let path = Self.path.appending(.key(name))
        guard let elements = list.arrayValue else {
            problems.append(Self.malformed("an array of profile names", list, at: path, file: file))
            return
        }
        var names: [String] = []
        for (index, element) in elements.enumerated() {
            guard let member = element.stringValue else {
                problems.append(
                    Self.malformed("the name of a profile", element, at: path.appending(.index(index)), file: file))
                continue
            }
            names.append(member)
        }
        let origin = ProfileProblem.Origin.group(name)
        if !ProfileList.isName(name) {
            problems.append(
                PropertiesProblem(
                    .profile(.malformedGroupName(name)), path: path.text, file: file, position: list.position))
        }
        for problem in ProfileList(names).problems(origin: origin) {
            problems.append(
                PropertiesProblem(.profile(problem), path: path.text, file: file, position: list.position))
        }
        members.add(names, for: name)
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
    /// A profile to load, and who named it.
    struct Member: Hashable {
        let name: String
        let origin: ProfileProblem.Origin
    }

    /// Replaces groups by their members, and these by theirs; a name within its own group stands for the profile.
    ///
    /// A profile that groups name several times keeps its first place.
    func expand(_ names: [String], origin: ProfileProblem.Origin) -> (
        profiles: [Member], groups: [String], cycle: [String]?
    ) {
        var expansion = Expansion(members: members)
        for name in names {
            expansion.add(name, origin: origin)
        }
        return (expansion.profiles, expansion.groups, expansion.cycle)
    }

    private struct Expansion {
        let members: SmallTable<String, [String]>
        var profiles: [Member] = []
        var groups: [String] = []
        var cycle: [String]?
        private var names: Set<String> = []
        private var open: [String] = []

        init(members: SmallTable<String, [String]>) {
            self.members = members
        }

        mutating func add(_ name: String, origin: ProfileProblem.Origin) {
            guard let list = members[name], open.last != name else {
                if names.insert(name).inserted { profiles.append(Member(name: name, origin: origin)) }
                return
            }
            if let start = open.firstIndex(of: name) {
                cycle = cycle ?? open[start...] + [name]
                return
            }
            open.append(name)
            if !groups.contains(name) { groups.append(name) }
            for member in list { add(member, origin: .group(name)) }
            open.removeLast()
        }
    }
}
