/// One load of a ``PropertiesSource``: collects sources and problems, and goes on as long as more can be found out.
struct Loading {
    private let source: PropertiesSource
    private let environment: EnvironmentVariables
    private var problems: [PropertiesProblem] = []
    private var sources: [Layer.Source] = []
    /// The files that are no JSON, each with its problems, and what it might hold.
    private var broken: [(name: String, bytes: [UInt8], problems: Range<Int>, limit: Int)] = []
    private var budget = Budget()
    /// The profiles that have files, listed when one that has none is asked for.
    private lazy var existing = listProfiles()
    private lazy var nearProfiles = NearNames(existing)

    init(_ source: PropertiesSource) {
        self.source = source
        environment = source.environment.map(EnvironmentVariables.init) ?? .ofProcess
    }

    mutating func run() throws(PropertiesError) -> Properties {
        var settings = PropertiesStorage.Settings()
        settings.environment = environment
        let (names, origin) = chosenProfiles()
        let listProblems = names.problems(origin: origin)
        problems += listProblems.map { PropertiesProblem(.profile($0)) }
        let chosen = listProblems.isEmpty ? names.names : []
        settings.profileWarnings = source.variableWarnings
        if source.requiresProfile, names.names.isEmpty {
            let problem = ProfileProblem.required(
                variable: source.profiles == nil ? source.profileVariable : nil, existing: existing)
            problems.append(PropertiesProblem(.profile(problem)))
        }

        switch source.files {
        case .folder(let folder):
            read(folder: folder, chosen: chosen, origin: origin, settings: &settings)
        case .files(let paths):
            read(files: paths, chosen: chosen, origin: origin, settings: &settings)
        }
        for text in source.secrets {
            do {
                settings.listedSecrets.append(try PropertyPath(parsing: text))
            } catch {
                problems.append(PropertiesProblem(.path(error)))
            }
        }
        let request = source.overrides.map {
            EnvironmentRequest($0, in: environment.all, except: source.profileVariable)
        }
        hideSecretTokens(
            SecretRules(
                listed: settings.listedSecrets + sources.flatMap { SecretRules.list(in: $0.tree) }
                    + (request?.listedSecrets ?? [])))
        if let error = PropertiesError(problems) { throw error }
        return try Properties(
            sources: sources, requests: request.map { [$0] } ?? [], settings: settings, budget: budget)
    }

    private func chosenProfiles() -> (ProfileList, ProfileProblem.Origin) {
        if let profiles = source.profiles { return (profiles, .argument) }
        if let text = environment[source.profileVariable] {
            return (ProfileList(text), .variable(source.profileVariable))
        }
        return (source.defaultProfiles, .defaults)
    }

    private mutating func read(
        folder: String, chosen: [String], origin: ProfileProblem.Origin, settings: inout PropertiesStorage.Settings
    ) {
        let prefix = folder.isEmpty || folder.hasSuffix("/") ? folder : folder + "/"
        let base: JSONObject?
        do {
            base = try read(path: prefix + "application.json", name: "application.json")
        } catch .noFile {
            reportMissingBase(in: folder, path: prefix + "application.json")
            return
        } catch {
            report(error, path: prefix + "application.json")
            base = nil
        }
        let members = expand(
            chosen, origin: origin, groupsOf: base ?? JSONObject(), file: "application.json", settings: &settings)
        for member in members {
            let name = "application-\(member.name).json"
            do {
                if let tree = try read(path: prefix + name, name: name) { rejectGroups(in: tree, file: name) }
                settings.profiles.append(member.name)
                noteOtherCase(member.name, in: &settings)
            } catch .noFile {
                // With a broken base file nobody knows whether the name is that of a group.
                if base != nil { reportUnknown(member, file: prefix + name) }
            } catch {
                report(error, path: prefix + name)
            }
        }
    }

    private mutating func read(
        files: [String], chosen: [String], origin: ProfileProblem.Origin, settings: inout PropertiesStorage.Settings
    ) {
        for path in files {
            do {
                _ = try read(path: path, name: path)
            } catch {
                report(error, path: path)
            }
        }
        // Files name no profile; the names still are what conditions ask for.
        // Of all the settings only the groups count.
        var merged = JSONObject()
        for source in sources {
            guard let part = source.tree[ProfileGroups.rootKey] else { continue }
            Merging.merge(JSONObject([(ProfileGroups.rootKey, part)]), into: &merged, nulls: .remove)
        }
        let file = sources.last?.origin.name ?? ""
        settings.profiles =
            expand(chosen, origin: origin, groupsOf: merged, file: file, settings: &settings).map(\.name)
    }

    private mutating func expand(
        _ chosen: [String], origin: ProfileProblem.Origin, groupsOf tree: JSONObject, file: String,
        settings: inout PropertiesStorage.Settings
    ) -> [ProfileGroups.Member] {
        let before = problems.count
        let groups = ProfileGroups(in: tree, file: file, problems: &problems)
        guard problems.count == before else { return [] }
        let expanded = groups.expand(chosen, origin: origin)
        if let cycle = expanded.cycle {
            var position: JSONPosition?
            if case .found(let node) = TreeWalk(tree, (ProfileGroups.path.steps + [.key(cycle[0])])[...]) {
                position = node.position
            }
            problems.append(
                PropertiesProblem(
                    .profile(.groupCycle(cycle)), path: ProfileGroups.path.text, file: file, position: position))
            return []
        }
        settings.groups = expanded.groups
        return expanded.profiles
    }

    /// Reads a file and keeps its tree; gives nil where something in it is wrong, which is noted.
    private mutating func read(path: String, name: String) throws(FileProblem) -> JSONObject? {
        let bytes = try source.fileSystem.read(path)
        guard bytes.count <= Limits.fileBytes else { throw .tooLarge(bytes: Limits.fileBytes) }
        guard budget.takeFile(bytes: bytes.count) else { throw .loadTooLarge(bytes: Limits.loadBytes) }
        let limit = budget.values
        do {
            let value = try JSONValue(parsing: bytes, file: name, budget: &budget)
            guard case .object(var tree) = value.storage else {
                problems.append(
                    PropertiesProblem(
                        .file(.rootIsNoObject(found: value.kindInWords)), file: name, position: value.position))
                return nil
            }
            // For editors: which JSON Schema describes the file.
            if case .string? = tree["$schema"]?.storage { tree["$schema"] = nil }
            sources.append(Layer.Source(origin: PropertyOrigin(.file(name)), tree: tree))
            return tree
        } catch {
            let place = problems.count
            problems += error.problems
            broken.append((name, bytes, place..<problems.count, limit))
            return nil
        }
    }

    /// Words the problems of broken files anew, now that what is listed is known.
    private mutating func hideSecretTokens(_ secrets: SecretRules) {
        for (name, bytes, places, limit) in broken {
            do throws(PropertiesError) {
                _ = try JSONValue(parsing: bytes, file: name, limit: limit, isSecret: secrets.hidden(inFile: bytes))
            } catch {
                // The same ones, some with less of a text.
                problems.replaceSubrange(places, with: error.problems.prefix(places.count))
            }
        }
    }

    private mutating func report(_ problem: FileProblem, path: String) {
        problems.append(PropertiesProblem(.file(problem), file: path))
    }

    /// There may be no folder at all, which is the better answer.
    private mutating func reportMissingBase(in folder: String, path: String) {
        do {
            _ = try source.fileSystem.list(folder.isEmpty ? "." : folder)
            report(.noFile, path: path)
        } catch {
            report(error.ofSettings(in: folder), path: folder)
        }
    }

    private mutating func reportUnknown(
        _ member: ProfileGroups.Member, file: String
    ) {
        let problem = ProfileProblem.unknown(
            member.name, member.origin, file: file, existing: existing,
            near: nearProfiles.nearest(to: member.name, limit: 1))
        problems.append(PropertiesProblem(.profile(problem), file: member.file, position: member.position))
    }

    /// Where the file system takes capitals for small letters, a profile may have the file of another one.
    private mutating func noteOtherCase(_ name: String, in settings: inout PropertiesStorage.Settings) {
        let small = name.lowercased()
        guard small != name, !existing.contains(name),
            let other = existing.first(where: { $0.lowercased() == small })
        else { return }
        settings.profileWarnings.append("the profile \(name) has the file of another profile; did you mean \(other)?")
    }

    /// The profiles that have files in the folder.
    private func listProfiles() -> [String] {
        guard case .folder(let folder) = source.files,
            let names = try? source.fileSystem.list(folder.isEmpty ? "." : folder)
        else { return [] }
        return names.compactMap(PropertiesSource.profile(ofFile:)).filter(ProfileList.isName)
    }

    private mutating func rejectGroups(in tree: JSONObject, file: String) {
        guard case .found(let node) = TreeWalk(tree, ProfileGroups.path.steps[...]) else { return }
        problems.append(
            PropertiesProblem(
                .profile(.groupsInProfileFile), path: ProfileGroups.path.text, file: file, position: node.position))
    }
}
