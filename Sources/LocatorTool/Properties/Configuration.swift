import Locator

/// The folders that a command looks into, and how they are loaded.
struct Configuration {
    /// The folders in order.
    let folders: [String]
    /// The variable that chose the folders, where one did.
    private let choosingVariable: String?
    /// The variable that may choose them.
    private let folderVariable: String?
    private let surroundings: Surroundings
    private let overrides: PropertyOverrides?

    static let folderOption = Syntax.Option(
        name: "config", placeholder: "DIR",
        summary: "The folder of application.json, or several separated by colons; "
            + "\(PropertiesSource.folderVariable) or Config unless given")
    static let profileOption = Syntax.Option(
        name: "profile", placeholder: "NAMES",
        summary: "The profiles, separated by commas; \(PropertiesSource.profileVariable) or none unless given")
    static let prefixOption = Syntax.Option(
        name: "prefix", placeholder: "PREFIX",
        summary: "Let variables that start so override, as .environment(prefix:) in the program does",
        isRepeatable: true)
    static let directoryOption = Syntax.Option(
        name: "directory", placeholder: "DIR",
        summary: "Let the files of a directory override, as .directory(…) in the program does; the last option wins",
        isRepeatable: true)

    init(_ arguments: Arguments, in surroundings: Surroundings) {
        var source = PropertiesSource(
            .folder("Config"), environment: surroundings.environment, folderVariable: PropertiesSource.folderVariable)
        let folders = arguments[Self.folderOption.name]?
            .split(separator: ":", omittingEmptySubsequences: false).map { $0.isEmpty ? "." : String($0) }
        if folders != nil { source.folderVariable = nil }
        let choice = source.chosenFolders
        self.folders = folders ?? choice?.folders ?? ["Config"]
        choosingVariable = choice?.variable
        folderVariable = source.folderVariable
        overrides = Self.overrides(arguments)
        self.surroundings = surroundings
    }

    /// What overrides the files, in the order of the options.
    private static func overrides(_ arguments: Arguments) -> PropertyOverrides? {
        let overrides = arguments.given.compactMap { option -> PropertyOverrides? in
            switch option.name {
            case prefixOption.name: .environment(prefix: option.value)
            case directoryOption.name: .directory(option.value)
            default: nil
            }
        }
        return overrides.isEmpty ? nil : PropertyOverrides(sources: overrides.flatMap(\.sources))
    }

    private func source(_ profiles: ProfileList?) -> PropertiesSource {
        var source = PropertiesSource(
            folders.count == 1 ? .folder(folders[0]) : .folders(folders), profiles: profiles,
            environment: surroundings.environment, overrides: overrides, folderVariable: folderVariable)
        source.fileSystem = surroundings.fileSystem
        return source
    }

    /// Loads the properties; without profiles, those that the environment chooses.
    func load(_ profiles: ProfileList?) throws(PropertiesError) -> Properties {
        try source(profiles).load()
    }

    /// Why the environment may choose other profiles than it seems to.
    var profileWarnings: [String] { source(nil).variableWarnings }

    /// Loads the properties, or ends the command with what is wrong with them.
    func properties(_ profiles: ProfileList?) throws(ToolError) -> Properties {
        do {
            return try load(profiles)
        } catch {
            throw .properties(error)
        }
    }

    /// The names of what is in the folder, shorter ones first; of several folders one after the other, and with their
    /// paths.
    func fileNames() throws(ToolError) -> [String] {
        // A variable with an empty item: loading says it best.
        if folders.contains("") { _ = try properties([]) }
        var names: [String] = []
        for folder in folders {
            do {
                let list = try surroundings.fileSystem.list(folder).sorted { ($0.count, $0) < ($1.count, $1) }
                names += list.map { folders.count == 1 && choosingVariable == nil ? $0 : Self.path(of: $0, in: folder) }
            } catch {
                let problem = error.ofSettings(in: folder, chosenBy: choosingVariable)
                throw .properties(PropertiesError(PropertiesProblem(.file(problem), file: folder)))
            }
        }
        return names
    }

    /// A file of the folder as JSON.
    func tree(ofFile name: String) throws(PropertiesError) -> JSONValue {
        let bytes: [UInt8]
        do {
            bytes = try surroundings.fileSystem.read(path(ofFile: name))
        } catch {
            throw PropertiesError(PropertiesProblem(.file(error), file: name))
        }
        return try JSONValue(parsing: bytes, file: name, isSecret: secrets.hidden(inFile: bytes))
    }

    /// What files and variables list as secret.
    private var secrets: SecretRules {
        let names = (try? fileNames()) ?? []
        let trees = names.filter { $0.hasSuffix(".json") }.compactMap { name -> JSONObject? in
            guard let bytes = try? surroundings.fileSystem.read(path(ofFile: name)) else { return nil }
            return try? JSONValue(parsing: bytes).objectValue
        }
        let listed = overrides?.listedSecrets(in: surroundings.environment, surroundings.fileSystem) ?? []
        return SecretRules(listed: trees.flatMap { SecretRules.list(in: $0) } + listed)
    }

    /// The path of a file of the folder, as an editor finds it.
    func path(ofFile name: String) -> String {
        name.contains("/") ? name : Self.path(of: name, in: folders[0])
    }

    private static func path(of name: String, in folder: String) -> String {
        folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    }
}
