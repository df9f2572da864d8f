/// A single load of a ``PropertiesSource``.
///
/// It collects sources and problems, and continues as long as it can find more problems.
struct Loading {
    private let source: PropertiesSource
    private let environment: EnvironmentVariables
    /// The folders to read, or nil for a list of files.
    private let folders: [Folder]?
    private var problems: [PropertiesProblem] = []
    /// The results other than values.
    private var settings = PropertiesStorage.Settings()
    private var sources: [Layer.Source] = []
    /// The files with invalid JSON, each with its problems and the limit of its values.
    private var broken: [(name: String, bytes: [UInt8], problems: Range<Int>, limit: Int)] = []
    private var budget = Budget()
    /// The value that base files have instead of profile groups, with its path.
    private var misplacedGroups: [(path: String, groups: JSONObject)] = []
    /// Whether a folder has no base file.
    private var isBaseMissing = false
    /// The profiles that have files, listed only if needed.
    private lazy var existing = {
        let profiles = source.profiles(in: folders ?? [])
        return folders?.count == 1 ? profiles : Set(profiles).sorted()
    }()
    private lazy var nearProfiles = NearNames(existing)

    init(_ source: PropertiesSource) {
        self.source = source
        environment = source.variables
        settings.environments = [environment]
        settings.knownSecrets = source.knownSecrets
        let choice = source.chosenFolders
        folders = source.folders(choice: choice)
        if let choice {
            problems += Folder.problems(of: choice.folders, chosenBy: choice.variable)
        } else if folders?.isEmpty == true {
            problems.append(.file(.noFolders))
        }
    }

    mutating func run(defersGaps: Bool = false) throws(PropertiesError) -> Properties {
        let (names, origin) = chosenProfiles()
        let listProblems = names.problems(origin: origin)
        problems += listProblems.map { PropertiesProblem(.profile($0)) }
        let chosen = listProblems.isEmpty ? names.names : []
        settings.profileWarnings = source.variableWarnings
        if source.requiresProfile, names.names.isEmpty {
            let problem = ProfileProblem.required(
                variable: source.profiles == nil ? source.profileVariable : nil, existing: existing)
            problems.append(.profile(problem))
        }

        if let folders {
            read(folders, chosen: chosen, origin: origin)
        } else if case .files(let paths) = source.files {
            read(files: paths, chosen: chosen, origin: origin)
        }
        for file in sources {
            settings.fileWarnings += LibraryKeys.unknown(in: file.tree).map { key in
                FileWarning(
                    unknownKey: key.path, near: key.near,
                    place: file.origin.name + (key.position.map { ":\($0)" } ?? ""),
                    profileVariable: source.profileVariable)
            }
        }
        for text in source.secrets {
            do {
                settings.listedSecrets.append(try PropertyPath(parsing: text))
            } catch {
                problems.append(.path(error), file: "secrets")
            }
        }
        let requests = readOverrides()
        let listed = SecretRules(listedBy: settings, sources, requests).listed + settings.knownSecrets
        hideSecretTokens(SecretRules(listed: listed), areListsKnown: requests.allSatisfy(\.hasReadableList))
        if let error = PropertiesError(problems) { throw error }
        return try Properties(
            sources: sources, requests: requests, settings: settings, budget: budget,
            checksPlaceholders: source.checksPlaceholders, defersGaps: defersGaps)
    }

    private mutating func readOverrides() -> [OverrideRequest] {
        guard let overrides = source.overrides else { return [] }
        // The variables that choose profiles and folders are not settings.
        let variables = environment.all.filter { $0.key != source.profileVariable && $0.key != source.folderVariable }
        for case .environment(let prefix) in overrides.sources {
            problems += environment.notUTF8.filter { $0.hasPrefix(prefix) && variables[$0] != nil }.sorted()
                .map { PropertiesProblem(.environment(.notUTF8(variable: $0))) }
        }
        let requests = overrides.sources.compactMap { place -> OverrideRequest? in
            let request = OverrideRequest(
                place, variables: variables, in: source.fileSystem, budget: &budget, problems: &problems)
            if case .directory(let path, _, _, _) = place {
                settings.places.append(path)
                settings.files.add(directory: path)
                for text in request.texts { settings.files.add(text.value, path: text.label) }
            }
            return place.hasSettings ? request : nil
        }
        return source.takesOverrides ? requests : []
    }

    private func chosenProfiles() -> (ProfileList, ProfileProblem.Origin) {
        if let profiles = source.profiles { return (profiles, .argument) }
        if let text = environment[source.profileVariable] {
            return (ProfileList(text), .variable(source.profileVariable))
        }
        return (source.defaultProfiles, .defaults)
    }

    private mutating func read(_ folders: [Folder], chosen: [String], origin: ProfileProblem.Origin) {
        settings.places += folders.map(\.place)
        // That is already reported.
        if folders.isEmpty { return }
        let before = problems.count
        // The groups of all folders are needed before the first profile is read.
        let sourcesOfBases = folders.map { readBase(of: $0, isOnlyOne: folders.count == 1) }
        let bases = sourcesOfBases.compactMap(\.self)
        for base in bases { noteMisplacedGroups(in: base.tree) }
        if let folder = folders.first, bases.isEmpty, problems.count == before {
            reportMissing(folder.path(of: Folder.baseFile), isBase: true)
        }
        // If a base file is invalid, it is unknown whether a name is that of a group.
        let areBasesKnown = problems.count == before
        if folders.count == 1, isBaseMissing { return }
        var sourcesOfFolders = sourcesOfBases.map { base in base.map { [$0] } ?? [] }
        for member in expand(chosen, origin: origin, groupsOf: bases) {
            var isFound = false
            for (index, folder) in folders.enumerated() {
                isFound = readProfile(member.name, of: folder, to: &sourcesOfFolders[index]) || isFound
            }
            if isFound {
                settings.profiles.append(member.name)
                noteOtherCase(member.name)
            } else if areBasesKnown {
                reportUnknown(member, in: folders)
            }
        }
        for group in settings.groups where !settings.profiles.contains(group) && existing.contains(group) {
            settings.fileWarnings.append(FileWarning(profileHiddenByGroup: group))
        }
        sources = sourcesOfFolders.flatMap { $0 }
    }

    /// Reads the base file of a folder.
    ///
    /// A folder among others may contain only profile files.
    private mutating func readBase(of folder: Folder, isOnlyOne: Bool) -> Layer.Source? {
        do {
            return try read(path: folder.path(of: Folder.baseFile), folder.name(of: Folder.baseFile), folder.variable)
        } catch .noFile {
            isBaseMissing = true
            do {
                // The folder itself may be missing, which is the better message.
                let names = try source.fileSystem.list(folder.listed)
                if isOnlyOne || !names.contains(where: { PropertiesSource.profile(ofFile: $0) != nil }) {
                    reportMissing(folder.path(of: Folder.baseFile), isBase: true)
                }
            } catch {
                report(
                    error.ofSettings(in: folder.path, chosenBy: folder.variable, source.fileSystem), path: folder.path)
            }
        } catch {
            report(error, path: folder.path(of: Folder.baseFile))
        }
        return nil
    }

    /// Reads the file of a profile, or returns false if the folder has none.
    private mutating func readProfile(
        _ profile: String, of folder: Folder, to sources: inout [Layer.Source]
    ) -> Bool {
        let file = MisnamedFile.file(of: profile)
        do {
            let name = folder.name(of: file)
            if let source = try read(path: folder.path(of: file), name, folder.variable) {
                rejectGroups(in: source.tree, file: name)
                sources.append(source)
            }
        } catch .noFile {
            return false
        } catch {
            report(error, path: folder.path(of: file))
        }
        return true
    }

    private mutating func read(files: [String], chosen: [String], origin: ProfileProblem.Origin) {
        settings.places += files
        for path in files {
            do {
                if let source = try read(path: path, path) { sources.append(source) }
            } catch .noFile {
                reportMissing(path, isBase: false)
            } catch .folderInsteadOfFile {
                report(.folderInListOfFiles, path: path)
            } catch {
                report(error, path: path)
            }
        }
        // Listed files do not belong to profiles, but conditions still use the profiles' names. The files are needed
        // only for their groups.
        settings.profiles = expand(chosen, origin: origin, groupsOf: sources).map(\.name)
    }

    private mutating func expand(
        _ chosen: [String], origin: ProfileProblem.Origin, groupsOf sources: [Layer.Source]
    ) -> [ProfileGroups.Member] {
        let before = problems.count
        let groups = ProfileGroups(in: sources.map { ($0.tree, $0.origin.name) }, problems: &problems)
        guard problems.count == before else { return [] }
        let expanded = groups.expand(chosen, origin: origin)
        if let cycle = expanded.cycle {
            let place = groups.places[cycle[0]]
            problems.append(
                .profile(.groupCycle(cycle)), path: ProfileGroups.path.text, file: place?.file,
                position: place?.position)
            return []
        }
        settings.groups = expanded.groups
        return expanded.profiles
    }

    /// Reads a file.
    ///
    /// If its content has a problem, records it and returns nil.
    private mutating func read(
        path: String, _ name: String, _ folderVariable: String? = nil
    ) throws(FileProblem) -> Layer.Source? {
        let bytes = try source.fileSystem.read(path)
        guard bytes.count <= Limits.fileBytes else { throw .tooLarge(bytes: Limits.fileBytes) }
        guard budget.takeFile(bytes: bytes.count) else { throw .loadTooLarge(bytes: Limits.loadBytes) }
        let limit = budget.values
        do {
            let value = try JSONValue(parsing: bytes, file: name, budget: &budget)
            guard case .object(var tree) = value.storage else {
                problems.append(.file(.rootIsNoObject(found: value.kindInWords)), file: name, position: value.position)
                return nil
            }
            // Editors use this key to find the JSON Schema of the file.
            if case .string? = tree["$schema"]?.storage { tree["$schema"] = nil }
            return Layer.Source(
                origin: PropertyOrigin(.file(name)), path: path, folderVariable: folderVariable, tree: tree)
        } catch {
            if case .syntax(.empty)? = error.problems.first?.kind {
                report(.empty, path: name)
                return nil
            }
            let place = problems.count
            problems += error.problems
            broken.append((name, bytes, place..<problems.count, limit))
            return nil
        }
    }

    /// Replaces the problems of invalid files, now that the listed secrets are known.
    private mutating func hideSecretTokens(_ secrets: SecretRules, areListsKnown: Bool) {
        if broken.isEmpty { return }
        let isHidden = areListsKnown ? secrets.hidden(inFiles: broken.map(\.bytes)) : { _ in true }
        for (name, bytes, places, limit) in broken {
            do throws(PropertiesError) {
                _ = try JSONValue(parsing: bytes, file: name, limit: limit, isSecret: isHidden)
            } catch {
                // The same problems, some of them with less text.
                problems.replaceSubrange(places, with: error.problems.prefix(places.count))
            }
        }
    }

    private mutating func report(_ problem: FileProblem, path: String) {
        problems.append(.file(problem), file: path)
    }

    /// Reports a file that does not exist, and what its folder has instead.
    private mutating func reportMissing(_ path: String, isBase: Bool) {
        let (prefix, name) = FileSystem.split(path)
        let folder = prefix.isEmpty ? "." : FileSystem.withoutSlash(prefix)
        do throws(FileProblem) {
            let names = try source.fileSystem.list(folder).filter { !$0.hasPrefix(".") }
            let near = NearNames.nearest(to: name, among: names).map { prefix + $0 }
            let existing = names.filter { $0.hasSuffix(".json") }
            let misnamed = names.first { MisnamedFile.isOtherFormat($0, of: name) }
            report(
                .noSettingsFile(near: near, existing: existing, isBase: isBase, misnamed: misnamed), path: path)
        } catch .noFolder {
            report(FileProblem.noFolder.ofSettings(in: folder, source.fileSystem), path: path)
        } catch .noFolderButAFile {
            report(.noFolderButAFile, path: path)
        } catch {
            // The folder may contain too many files, or be unreadable although its files are not.
            report(.noFile, path: path)
        }
    }

    private mutating func reportUnknown(_ member: ProfileGroups.Member, in folders: [Folder]) {
        let file = MisnamedFile.file(of: member.name)
        let place =
            folders.count == 1
            ? folders[0].path(of: file) : "\(file) in \(folders.map(\.path).joined(separator: " or "))"
        // The name of the file instead of that of the profile.
        let meant = existing.filter {
            ["application-\($0)", "\($0).json", "application-\($0).json"].contains(member.name)
        }
        let misnamed = meant.isEmpty ? misnamedFile(of: member.name, in: folders) : nil
        let near =
            meant.isEmpty && misnamed == nil ? nearProfiles.nearest(to: member.name, limit: 1) : meant
        let problem = ProfileProblem.unknown(
            member.name, member.origin, file: place, existing: existing, near: near, misnamed: misnamed,
            misplacedGroups: misplacedGroups.first { $0.groups[member.name] != nil }?.path)
        problems.append(.profile(problem), file: member.file, position: member.position)
    }

    private mutating func noteMisplacedGroups(in tree: JSONObject) {
        for keys in [["locator", "groups"], ["profiles", "groups"]] {
            let path = PropertyPath(keys.map { .key($0) })
            if let groups = tree.part(at: path)?.objectValue { misplacedGroups.append((path.text, groups)) }
        }
    }

    /// Returns a file that was probably meant to be the file of a profile, but has another name.
    private func misnamedFile(of profile: String, in folders: [Folder]) -> String? {
        for folder in folders {
            let names = (try? source.fileSystem.list(folder.listed)) ?? []
            let misnamed = names.first { $0 == "\(profile).json" || MisnamedFile($0)?.profile == profile }
            if let misnamed { return folders.count == 1 ? misnamed : folder.path(of: misnamed) }
        }
        return nil
    }

    /// Adds a warning if a profile may have the file of another one, because the file system ignores case.
    private mutating func noteOtherCase(_ name: String) {
        let small = name.lowercased()
        guard small != name, !existing.contains(name),
            let other = existing.first(where: { $0.lowercased() == small })
        else { return }
        settings.profileWarnings.append("the profile \(name) has the file of another profile; did you mean \(other)?")
    }

    private mutating func rejectGroups(in tree: JSONObject, file: String) {
        guard let node = tree.part(at: ProfileGroups.path) else { return }
        problems.append(
            .profile(.groupsInProfileFile), path: ProfileGroups.path.text, file: file, position: node.position)
    }
}
