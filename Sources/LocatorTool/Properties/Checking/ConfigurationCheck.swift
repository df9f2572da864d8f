import Locator

/// Checks a folder: every file, every profile and group, and the differences between them.
struct ConfigurationCheck {
    private let configuration: Configuration
    /// The files that could be read.
    private var trees: [(file: String, tree: JSONObject)] = []
    /// The findings, in order of severity.
    private(set) var findings: [CheckFinding] = []
    private(set) var fileCount = 0
    /// The profiles and groups that were checked.
    private(set) var profiles: [String] = []
    /// The position of each profile and group among them.
    private var order: [String: Int] = [:]

    init(_ configuration: Configuration) throws(ToolError) {
        self.configuration = configuration
        // The base file comes first, because its name is the shortest.
        let names = try configuration.fileNames()
        let files = names.filter(Configuration.isRead)
        fileCount = files.count
        let bases = files.filter(Configuration.isBase)
        guard !bases.isEmpty else {
            // The error of the load lists the files that the folder has instead.
            do throws(PropertiesError) {
                _ = try configuration.load([])
            } catch {
                for problem in error.problems { add(problem) }
            }
            return
        }
        let unreadable = Set(files.filter { !readsFile($0) })
        addMisnamed(among: names)
        profiles = try configuration.profileNames()
        for (number, profile) in profiles.enumerated() { order[profile] = number }
        var keys = LibraryKeyCheck(trees, of: configuration)
        if !bases.contains(where: unreadable.contains) {
            let combinations = try configuration.combinations()
            let sides = loadAll(combinations.loaded, except: unreadable)
            if !combinations.leftOut.isEmpty {
                addWarning(
                    "there are too many groups to check all of them; not checked: \(combinations.leftOut.shortList)")
            }
            // A profile that could not be loaded may have the listed setting.
            if sides.count == max(combinations.loaded.count, 1), combinations.leftOut.isEmpty {
                var paths = KnownPaths(of: sides, trees.map(\.tree))
                keys.addSecretsOfNothing(knowing: &paths)
                findings += DefaultCheck(trees, knowing: &paths, of: configuration).findings
            }
            if combinations.leftOut.isEmpty { addFilesOfGroups(files, readBy: combinations.loaded) }
            compare(sides)
        }
        findings += keys.findings + DottedKeyCheck(trees, of: configuration).findings
        for warning in configuration.profileWarnings { addWarning(warning) }
        findings = Finding.Severity.allCases.flatMap { severity in findings.filter { $0.severity == severity } }
    }

    // MARK: Files

    private mutating func readsFile(_ name: String) -> Bool {
        if let profile = Configuration.profile(of: name), !ProfileList.isName(profile) {
            addWarning(
                "no profile can have this file, so it is never read; "
                    + "a profile's name consists of letters, digits, \".\", \"_\" and \"-\"",
                at: configuration.path(ofFile: name))
            return true
        }
        do throws(PropertiesError) {
            trees.append((name, try configuration.markedTree(ofFile: name)))
            return true
        } catch {
            for problem in error.problems { add(problem) }
            return false
        }
    }

    /// Adds the files that are never read, because their names are not quite those of profiles' files.
    private mutating func addMisnamed(among names: [String]) {
        for name in names {
            guard let file = Configuration.misnamed(name) else { continue }
            let meant = configuration.sibling(file.meant, of: name)
            // With another format, it may be a file of another program.
            if !file.isJSON, names.contains(meant) { continue }
            let reading = file.differsInCase ? "not read where the case of names counts" : "never read"
            let meaning = "the file of the profile \(file.profile) is \(file.meant)" + (file.isJSON ? "" : ", in JSON")
            addWarning("this file is \(reading); \(meaning)", at: configuration.path(ofFile: name))
        }
    }

    // MARK: Profiles

    /// Loads all combinations that can be loaded.
    ///
    /// The problems of unreadable files are already reported.
    private mutating func loadAll(
        _ combinations: [ProfileCombinations.Combination], except unreadable: Set<String>
    ) -> [Comparison.Side] {
        var sides: [Comparison.Side] = []
        var found: [(problem: PropertiesProblem, names: [String])] = []
        // Without profiles, there is still the base file.
        for names in combinations.isEmpty ? [[]] : combinations.map(\.names) {
            do {
                let properties = try configuration.load(ProfileList(Array(names.prefix(1))))
                sides.append(
                    .init(name: names.first ?? "", properties: properties, others: Array(names.dropFirst())))
                for warning in properties.environmentWarnings.map(\.description) + properties.variableKindWarnings {
                    addWarning(warning, in: names)
                }
            } catch {
                for problem in error.problems where !unreadable.contains(where: { isFile($0, of: problem) }) {
                    found.append((problem, names))
                }
            }
        }
        let groups = Dictionary(grouping: found, by: \.problem)
        for problem in found.map(\.problem).withoutRepetitions {
            add(problem, profiles: inOrder((groups[problem] ?? []).flatMap(\.names)))
        }
        return sides
    }

    /// Adds the files that are never read, because a group has the name of their profile but does not contain it.
    private mutating func addFilesOfGroups(_ files: [String], readBy combinations: [ProfileCombinations.Combination]) {
        let read = Set(combinations.flatMap(\.profiles))
        for file in files {
            guard let profile = Configuration.profile(of: file), ProfileList.isName(profile), !read.contains(profile)
            else { continue }
            addWarning(
                "this file is never read, because the group \(profile) does not contain \(profile); "
                    + "add it to the group, or remove the file", at: configuration.path(ofFile: file))
        }
    }

    private func inOrder(_ profiles: [String]) -> [String] {
        profiles.sorted { order[$0, default: profiles.count] < order[$1, default: profiles.count] }
    }

    /// Whether a problem concerns a file of the folder, by its name or its path.
    private func isFile(_ name: String, of problem: PropertiesProblem) -> Bool {
        problem.file == name || problem.file == configuration.path(ofFile: name)
    }

    private mutating func add(_ problem: PropertiesProblem, profiles: [String] = []) {
        var message = problem
        message.file = nil
        message.position = nil
        findings.append(
            .init(severity: .error, place: place(of: problem), message: message.description, profiles: profiles))
    }

    /// Adds a warning, or the profiles to a warning that already exists.
    private mutating func addWarning(_ message: String, at place: String? = nil, in profiles: [String] = []) {
        let index = findings.firstIndex { $0.severity == .warning && $0.message == message && $0.place == place }
        if let index {
            findings[index].profiles = inOrder(findings[index].profiles + profiles)
        } else {
            findings.append(.init(severity: .warning, place: place, message: message, profiles: profiles))
        }
    }

    private func place(of problem: PropertiesProblem) -> String? {
        var problem = problem
        // Files of the folder are identified by name, and all others by path.
        if let file = problem.file, Configuration.isRead(file) { problem.file = configuration.path(ofFile: file) }
        return problem.place
    }

    // MARK: Side by side

    private mutating func compare(_ sides: [Comparison.Side]) {
        var sides = sides
        // A single profile can be compared only with the base file.
        let isOnlyOne = sides.count == 1 && profiles.count == 1
        if isOnlyOne, let base = try? configuration.load([]) {
            sides.append(.init(name: Configuration.baseName, properties: base))
        }
        guard sides.count > 1 else { return }
        var nearPaths = NearPaths(sides)
        for difference in Comparison(sides: sides).differences where !LibraryKeyCheck.isLibraryKey(difference.path) {
            switch difference.kind {
            case .values: addFraction(difference, sides)
            case .types: addDrift(difference, sides)
            case .presence: addLack(difference, sides, &nearPaths, slipsOnly: isOnlyOne)
            }
        }
    }

    private mutating func addDrift(_ difference: Comparison.Difference, _ sides: [Comparison.Side]) {
        var groups: [(kind: ValueKind, sides: [Comparison.Side], example: Comparison.Side)] = []
        for case let (side, kind?) in zip(sides, difference.kinds) {
            let merged = groups.lazy.map { $0.kind.merged(with: kind) }
            if let index = merged.firstIndex(where: { $0 != nil }), let common = merged[index] {
                // An empty array does not show the kind of the others.
                if groups[index].kind == .array(nil) { groups[index].example = side }
                groups[index].kind = common
                groups[index].sides.append(side)
            } else {
                groups.append((kind, [side], side))
            }
        }
        let origins = groups.map { $0.example.properties.explain(difference.path).origin }
        let parts = zip(groups, origins).map { group, origin in
            "\(group.kind) in \(list(group.sides))" + (origin.map { " (\($0))" } ?? "")
        }
        // A value in a profile's own file is more likely the mistake than a value in the base file.
        let odd = origins.firstIndex { !Self.isInBase($0) } ?? 0
        add(.error, "\(difference.path) is \(parts.joined(separator: ", "))", at: origins[odd])
    }

    private static func isInBase(_ origin: PropertyOrigin?) -> Bool {
        guard case .file(let file)? = origin?.source else { return false }
        return Configuration.isBase(file)
    }

    /// A program that reads a whole number cannot read a fraction, and only the program knows which it reads.
    private mutating func addFraction(_ difference: Comparison.Difference, _ sides: [Comparison.Side]) {
        func having(_ isWhole: Bool) -> [Comparison.Side] {
            zip(sides, difference.kinds).filter { $0.1 == .number(isWhole: isWhole) }.map(\.0)
        }
        let (whole, fractional) = (having(true), having(false))
        guard !whole.isEmpty, let first = fractional.first else { return }
        add(
            .note, "\(difference.path) has a fraction in \(list(fractional)), and is whole in \(list(whole))",
            at: first.properties.explain(difference.path).origin)
    }

    private mutating func addLack(
        _ difference: Comparison.Difference, _ sides: [Comparison.Side], _ nearPaths: inout NearPaths, slipsOnly: Bool
    ) {
        var having: [Int] = []
        var lacking: [Int] = []
        var removals: [(place: String, side: Comparison.Side)] = []
        for (index, kind) in difference.kinds.enumerated() {
            let side = sides[index]
            let explanation = side.properties.explain(difference.path, searchesNear: false)
            if kind != nil {
                having.append(index)
            } else if explanation.layers.first?.effect == .removes, let origin = explanation.layers.first?.origin {
                removals.append((origin.description, side))
            } else {
                lacking.append(index)
            }
        }
        let names = list(having.map { sides[$0] })
        let path = difference.path
        let origin = having.first.flatMap { sides[$0].properties.explain(path).origin }
        if lacking.isEmpty {
            let parts = removals.map(\.place).withoutRepetitions.map { place -> String in
                let sides = removals.filter { $0.place == place }.map(\.side)
                let isOne = sides.count == 1 && sides[0].others.isEmpty
                return "\(list(sides)) \(isOne ? "removes" : "remove") it (\(place))"
            }
            return add(.note, "\(path) is in \(names); \(parts.joined(separator: ", "))", at: origin)
        }
        let near = nearPaths.near(path, having: having[0], lacking: lacking[0])
        // A profile may add settings to the base file.
        if slipsOnly, near.isEmpty { return }
        let others = list(lacking.map { sides[$0] })
        add(.warning, "\(path) is in \(names), and not in \(others)\(UsageProblem.question(near))", at: origin)
    }

    private mutating func add(_ severity: Finding.Severity, _ message: String, at origin: PropertyOrigin?) {
        var place = origin?.description
        if case .file(let name)? = origin?.source { place = configuration.place(inFile: name, origin?.position) }
        findings.append(.init(severity: severity, place: place, message: message))
    }

    private func list(_ sides: [Comparison.Side]) -> String {
        inOrder(sides.flatMap { [$0.name] + $0.others }).shortList
    }
}
