import Locator

/// The folders that a command reads, and the options for loading them.
struct Configuration {
    /// The file that all profiles share.
    static let baseName = "application.json"

    /// The folders in order.
    let folders: [String]
    /// The profiles that the option chooses, or nil if the environment chooses them.
    let profiles: ProfileList?
    /// The variable that chose the folders, if any.
    private let choosingVariable: String?
    /// The variable that may choose the folders.
    private let folderVariable: String?
    private let surroundings: Surroundings
    private let overrides: PropertyOverrides
    /// The secrets of all files, of the overrides, and of the sources.
    ///
    /// A secret in one profile is a secret in all profiles.
    private(set) var secrets = SecretRules()

    static let folderOption = Syntax.Option(
        name: "config", placeholder: "DIR",
        summary: "The folder of application.json, or several separated by colons; "
            + "\(PropertiesSource.folderVariable) or Config by default")
    static let profileOption = Syntax.Option(
        name: "profile", placeholder: "NAMES", completes: .profiles,
        summary: "The profiles, separated by commas; \(PropertiesSource.profileVariable) or none by default")
    static let prefixOption = Syntax.Option(
        name: "prefix", placeholder: "PREFIX",
        summary: "Let variables with this prefix override settings, like .environment(prefix:) in the program",
        isRepeatable: true)
    static let directoryOption = Syntax.Option(
        name: "directory", placeholder: "DIR",
        summary: "Let the files of a directory override settings, like .directory(…) in the program; "
            + "the last option wins",
        isRepeatable: true)

    static let filesOption = Syntax.Option(
        name: "files", placeholder: "DIR",
        summary: "Let ${file:…} read files of a directory that are not settings, "
            + "like .directory(…, settings: false)",
        isRepeatable: true)
    static let secretOption = Syntax.Option(
        name: "secret", placeholder: "PATH", isPath: true,
        summary: "Mask the value at a path and below it, like secrets: in the program", isRepeatable: true)

    /// The options of a command that reads all profiles.
    static let options = [folderOption, prefixOption, directoryOption, filesOption, secretOption]
    /// The options of a command that reads some profiles.
    static let optionsWithProfile = [
        folderOption, profileOption, prefixOption, directoryOption, filesOption, secretOption,
    ]

    /// Creates a configuration from options.
    ///
    /// Secrets of the sources are masked as if they were listed.
    init(_ arguments: Arguments, in surroundings: Surroundings, secrets: [PropertyPath] = []) {
        var source = PropertiesSource(
            .folder("Config"), environment: surroundings.environment, folderVariable: PropertiesSource.folderVariable)
        let folders = arguments[Self.folderOption.name]?
            .split(separator: ":", omittingEmptySubsequences: false).map { $0.isEmpty ? "." : String($0) }
        if folders != nil { source.folderVariable = nil }
        let choice = source.chosenFolders
        self.folders = folders ?? choice?.folders ?? ["Config"]
        profiles = arguments[Self.profileOption.name].map { ProfileList($0) }
        choosingVariable = choice?.variable
        folderVariable = source.folderVariable
        overrides = Self.overrides(arguments)
        self.surroundings = surroundings
        // Malformed paths are already refused when the arguments are parsed.
        let given = arguments.given.filter { $0.name == Self.secretOption.name }
            .compactMap { try? PropertyPath(parsing: $0.value) }
        self.secrets = SecretRules(listed: listedSecrets + secrets + given)
    }

    /// Returns the overrides of the files, in the order of the options.
    private static func overrides(_ arguments: Arguments) -> PropertyOverrides {
        let overrides = arguments.given.map { option -> PropertyOverrides in
            switch option.name {
            case prefixOption.name: .environment(prefix: option.value)
            case directoryOption.name: .directory(option.value)
            case filesOption.name: .directory(option.value, settings: false)
            default: []
            }
        }
        return PropertyOverrides(sources: overrides.flatMap(\.sources))
    }

    private func source(_ profiles: ProfileList?, takesOverrides: Bool = true) -> PropertiesSource {
        var source = PropertiesSource(
            folders.count == 1 ? .folder(folders[0]) : .folders(folders), profiles: profiles,
            environment: surroundings.environment, overrides: overrides, secrets: secrets.listed.map(\.text),
            folderVariable: folderVariable)
        source.takesOverrides = takesOverrides
        if !takesOverrides {
            // Placeholders are shown as written, whether or not this machine has values for them.
            source.environment = [:]
            source.checksPlaceholders = false
        }
        source.fileSystem = surroundings.fileSystem
        return source
    }

    /// Loads the settings of profiles, or of those that the environment chooses.
    func load(_ profiles: ProfileList?, takesOverrides: Bool = true) throws(PropertiesError) -> Properties {
        let properties = try source(profiles, takesOverrides: takesOverrides).load()
        if !takesOverrides, let error = PropertiesError(properties.problems().filter { !$0.kind.isOfMachine }) {
            throw error
        }
        return properties
    }

    /// Returns the paths of all settings, even if some have placeholders without a value.
    ///
    /// Empty if loading fails.
    func settingPaths(_ profiles: ProfileList?) -> [String] { (try? loadUnchecked(profiles).settingPaths) ?? [] }

    /// Loads the settings, even if some have placeholders without a value.
    func loadUnchecked(_ profiles: ProfileList?) throws(PropertiesError) -> Properties {
        var source = source(profiles)
        source.checksPlaceholders = false
        return try source.load()
    }

    /// Returns the settings of the base files, even if some have placeholders without a value.
    ///
    /// Throws if a list of secrets cannot be read, because then a secret would be taken for another value.
    func propertiesWithSecrets() throws(PropertiesError) -> Properties {
        let properties = try loadUnchecked([])
        let names = ((try? fileNames()) ?? []).filter { Self.profile(of: $0) != nil }
        for name in names {
            let problems = SecretRules.problemsOfList(in: try markedTree(ofFile: name), origin: name)
            if let error = PropertiesError(problems) { throw error }
        }
        return properties
    }

    /// Warnings if the environment may not choose the intended profiles.
    var profileWarnings: [String] { source(nil).variableWarnings }

    func properties(_ profiles: ProfileList?, takesOverrides: Bool = true) throws(ToolError) -> Properties {
        try ToolError.wrapping { () throws(PropertiesError) in try load(profiles, takesOverrides: takesOverrides) }
    }

    /// Returns the names of the folder's entries, shorter names first.
    ///
    /// With several folders, returns the paths of each folder's entries, in order.
    func fileNames() throws(ToolError) -> [String] {
        // A variable with an empty item. Loading reports it best.
        if folders.contains("") { _ = try properties([]) }
        var names: [String] = []
        for folder in folders {
            do {
                let list = try surroundings.fileSystem.list(folder).sorted { ($0.count, $0) < ($1.count, $1) }
                names += list.map { folders.count == 1 && choosingVariable == nil ? $0 : FileSystem.joined(folder, $0) }
            } catch {
                throw .file(error.ofSettings(in: folder, chosenBy: choosingVariable, surroundings.fileSystem), folder)
            }
        }
        return names
    }

    static func isBase(_ file: String) -> Bool { name(of: file) == baseName }

    /// Whether a file is the base file, or has the name of a profile's file.
    static func isRead(_ file: String) -> Bool { isBase(file) || profile(of: file) != nil }

    static func profile(of file: String) -> String? { PropertiesSource.profile(ofFile: name(of: file)) }

    /// Returns what a file was probably meant to be, if its name is not quite that of a profile's file.
    static func misnamed(_ file: String) -> MisnamedFile? { MisnamedFile(name(of: file)) }

    /// Returns a file in the folder of another one, as ``fileNames()`` does.
    func sibling(_ name: String, of file: String) -> String {
        FileSystem.split(file).folder + name
    }

    private static func name(of file: String) -> String { FileSystem.split(file).name }

    /// Returns the profiles that have a file, and the groups of the base files.
    func profileNames() throws(ToolError) -> [String] {
        let files = try fileNames()
        var seen: Set<String> = []
        let named = files.compactMap(Self.profile).filter { ProfileList.isName($0) && seen.insert($0).inserted }
        return named + groups(in: files.filter(Self.isBase)).filter { ProfileList.isName($0) && !seen.contains($0) }
    }

    /// Returns the profiles and groups, combined if they load the same files, and the groups that are too many to load.
    func combinations() throws(ToolError) -> (loaded: [ProfileCombinations.Combination], leftOut: [String]) {
        let files = try fileNames()
        let bases = files.filter(Self.isBase)
        let trees = bases.compactMap { name in
            (try? tree(ofFile: name))?.objectValue.map { (tree: $0, file: name) }
        }
        func size(_ file: String) -> Int { (try? surroundings.fileSystem.read(path(ofFile: file)).count) ?? 0 }
        let baseSize = bases.reduce(0) { $0 + size($1) }
        var sizes: [String: Int] = [:]
        for file in files where !Self.isBase(file) {
            if let profile = Self.profile(of: file) { sizes[profile, default: 0] += size(file) }
        }
        let found = ProfileCombinations(of: try profileNames(), groupsOf: trees, existing: Set(sizes.keys))
        var budget = Limits.groupBytes
        var leftOut = found.leftOut
        let loaded = found.all.filter { combination in
            // A name with a file is a profile, even if it is also a group.
            if sizes[combination.names[0]] != nil { return true }
            budget -= combination.profiles.reduce(baseSize) { $0 + (sizes[$1] ?? 0) }
            if budget < 0 { leftOut += combination.names }
            return budget >= 0
        }
        return (loaded, leftOut)
    }

    private func groups(in bases: [String]) -> [String] {
        var names: [String] = []
        var seen: Set<String> = []
        for base in bases {
            let tree = (try? tree(ofFile: base))?.objectValue ?? [:]
            if ProfileGroups.removesAll(tree) { names = [] }
            let groups = tree["locator"]?["profiles"]?["groups"]?.objectValue
            for (name, members) in groups ?? [:] {
                if seen.contains(name) { names.removeAll { $0 == name } }
                if !members.isNull {
                    names.append(name)
                    seen.insert(name)
                }
            }
        }
        return names
    }

    /// Returns a file of the folder as JSON.
    func tree(ofFile name: String) throws(PropertiesError) -> JSONValue {
        let bytes: [UInt8]
        do {
            bytes = try surroundings.fileSystem.read(path(ofFile: name))
        } catch {
            throw PropertiesError(.file(error), file: name)
        }
        return try JSONValue(parsing: bytes, file: name, isSecret: secrets.hidden(inFiles: [bytes]))
    }

    /// Returns a file of the folder as an object with its secrets marked.
    func markedTree(ofFile name: String) throws(PropertiesError) -> JSONObject {
        let tree = try tree(ofFile: name)
        guard let object = secrets.marking(tree, at: .root).objectValue else {
            let problem = FileProblem.rootIsNoObject(found: ValueKind(tree).description)
            throw PropertiesError(.file(problem), file: name, position: tree.position)
        }
        return object
    }

    /// The paths that files and overrides list as secret.
    private var listedSecrets: [PropertyPath] {
        let inFiles = ((try? fileNames()) ?? []).filter(Self.isRead).flatMap { name -> [PropertyPath] in
            guard let bytes = try? surroundings.fileSystem.read(path(ofFile: name)) else { return [] }
            let tree = try? JSONValue(parsing: bytes).objectValue
            return tree.map { SecretRules.list(in: $0) } ?? SecretRules.lists(inFile: bytes) ?? []
        }
        return inFiles + overrides.listedSecrets(in: surroundings.variables, surroundings.fileSystem)
    }

    /// Returns the path of a file in the folder, for an editor.
    func path(ofFile name: String) -> String {
        name.contains("/") ? name : FileSystem.joined(folders[0], name)
    }

    /// Returns a place in a file in the folder, for an editor.
    func place(inFile name: String, _ position: JSONPosition?) -> String {
        path(ofFile: name) + (position.map { ":\($0)" } ?? "")
    }
}

extension Sequence<String> {
    /// The names as a text: only the first twenty if there are many.
    var shortList: String {
        let names = Array(self)
        guard names.count > 21 else { return names.joined(separator: ", ") }
        return names.prefix(20).joined(separator: ", ") + ", and \(names.count - 20) others"
    }
}

extension PropertiesProblem.Kind {
    /// Whether a placeholder lacks only what another machine may have.
    fileprivate var isOfMachine: Bool {
        switch self {
        case .placeholder(.missingVariable), .placeholder(.variableIsNotUTF8), .placeholder(.missingFile): true
        default: false
        }
    }
}
