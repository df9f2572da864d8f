import Locator

/// The names of profiles and groups, combined if they load the same files in the same order.
///
/// Groups multiply: thousands of them may lead to the same few files. With combinations, the files are loaded only
/// once.
struct ProfileCombinations {
    /// Names that load the same files.
    struct Combination {
        /// The names in the given order, at least one.
        var names: [String]
        /// The profiles that each of the names leads to, in order.
        ///
        /// For names that lead into a cycle, these are the names themselves, because none of them can be loaded.
        fileprivate(set) var profiles: [String]
    }

    /// The combinations in the order of their first names.
    private(set) var all: [Combination] = []
    /// The groups that were skipped, because expanding all of them would take too long.
    private(set) var leftOut: [String] = []

    /// The names of the members of each group.
    private let groups: [String: [String]]
    private let existing: Set<String>
    private var expansions: [String: Expansion] = [:]
    private var budget = Limits.combinedProfiles
    private var cycles = 0

    private enum Expansion: Hashable {
        /// The profiles. A profile without a file includes the group that names it, because its error names the group.
        case profiles([Profile])
        /// The group leads into a cycle. Each cycle has a number.
        case cycle(Int)
        case tooLarge
    }

    private struct Profile: Hashable {
        let name: String
        let namedBy: String?
    }

    /// Combines names of profiles and groups.
    ///
    /// - Parameters:
    ///   - trees: The base files, which define groups.
    ///   - existing: The profiles that have files.
    init(of names: [String], groupsOf trees: [(tree: JSONObject, file: String)], existing: Set<String>) {
        groups = ProfileGroups.members(in: trees)
        self.existing = existing
        var numbers: [Expansion: Int] = [:]
        for name in names {
            let expansion = expand(name)
            if groups[name] != nil, case .profiles(let list) = expansion { budget -= list.count }
            guard expansion != .tooLarge, budget >= 0 || groups[name] == nil else {
                leftOut.append(name)
                continue
            }
            if let number = numbers[expansion] {
                all[number].names.append(name)
                if case .cycle = expansion { all[number].profiles.append(name) }
                continue
            }
            numbers[expansion] = all.count
            var profiles = [name]
            if case .profiles(let list) = expansion { profiles = list.map(\.name) }
            all.append(Combination(names: [name], profiles: profiles))
        }
    }

    /// Expands a name, and each group on the way once.
    ///
    /// A list of open groups replaces recursion.
    private mutating func expand(_ name: String) -> Expansion {
        guard groups[name] != nil else { return .profiles([profile(name, namedBy: nil)]) }
        var open = [(name: name, next: 0)]
        var isOpen: Set<String> = [name]
        while let (group, next) = open.last {
            let members = groups[group] ?? []
            if expansions[group] == nil, next < members.count {
                open[open.count - 1].next += 1
                let member = members[next]
                guard member != group, groups[member] != nil, expansions[member] == nil else { continue }
                if isOpen.insert(member).inserted {
                    open.append((member, 0))
                } else {
                    expansions[group] = .cycle(cycles)
                    cycles += 1
                }
                continue
            }
            if expansions[group] == nil { expansions[group] = union(of: members, in: group) }
            isOpen.remove(group)
            open.removeLast()
        }
        return expansions[name] ?? .tooLarge
    }

    /// Returns the profiles of a group's members, which must already be expanded.
    private mutating func union(of members: [String], in group: String) -> Expansion {
        var lists: [[Profile]] = []
        for member in members {
            guard member != group, let expansion = expansions[member] else {
                lists.append([profile(member, namedBy: group)])
                continue
            }
            guard case .profiles(let list) = expansion else { return expansion }
            lists.append(list)
        }
        // The list of a single member is shared and not copied.
        if lists.count == 1 { return .profiles(lists[0]) }
        budget -= lists.reduce(0) { $0 + $1.count }
        guard budget >= 0 else { return .tooLarge }
        // As in a load, the last position counts.
        var seen: Set<Profile> = []
        return .profiles(lists.joined().reversed().filter { seen.insert($0).inserted }.reversed())
    }

    private func profile(_ name: String, namedBy group: String?) -> Profile {
        Profile(name: name, namedBy: existing.contains(name) ? nil : group ?? "")
    }
}
