import Locator

/// The folder that a command looks into, and how it is loaded.
struct Configuration {
    /// The file that all profiles share.
    static let baseName = "application.json"

    /// The folder as it was given.
    let folder: String
    private let surroundings: Surroundings
    private let prefix: String?
    /// What any file of the folder, a variable or the sources call secret: in one profile it is no less so for another.
    private let secrets: SecretRules

    static let folderOption = Syntax.Option(
        name: "config", placeholder: "DIR", summary: "The folder of application.json; Config unless given")
    static let profileOption = Syntax.Option(
        name: "profile", placeholder: "NAMES", completes: .profiles,
        summary: "The profiles, separated by commas; \(PropertiesSource.profileVariable) or none unless given")
    static let prefixOption = Syntax.Option(
        name: "prefix", placeholder: "PREFIX",
        summary: "Let variables that start so override, as .environment(prefix:) in the program does")

    /// Takes the folder that the options name; what the sources call secret is masked as if it were listed.
    init(_ arguments: Arguments, in surroundings: Surroundings, secrets: [PropertyPath] = []) {
        folder = arguments[Self.folderOption.name] ?? "Config"
        prefix = arguments[Self.prefixOption.name]
        self.surroundings = surroundings
        let variables = prefix.map { EnvironmentOverrides.environment(prefix: $0) }
            .map { $0.listedSecrets(in: surroundings.environment) }
        let listed = Self.listedSecrets(in: folder, surroundings.fileSystem) + (variables ?? [])
        self.secrets = SecretRules(listed: listed + secrets)
    }

    /// Loads the properties; without profiles, those that the environment chooses.
    func load(_ profiles: ProfileList?, takesOverrides: Bool = true) throws(PropertiesError) -> Properties {
        let overrides = takesOverrides ? prefix.map { EnvironmentOverrides.environment(prefix: $0) } : nil
        var source = PropertiesSource(
            .folder(folder), profiles: profiles, environment: surroundings.environment, overrides: overrides,
            secrets: secrets.listed.map(\.text))
        source.fileSystem = surroundings.fileSystem
        return try source.load()
    }

    /// Why the environment may choose other profiles than it seems to.
    var profileWarnings: [String] {
        PropertiesSource(.folder(folder), environment: surroundings.environment).variableWarnings
    }

    /// Loads the properties, or ends the command with what is wrong with them.
    func properties(_ profiles: ProfileList?) throws(ToolError) -> Properties {
        do {
            return try load(profiles)
        } catch {
            throw .properties(error)
        }
    }

    /// The names of what is in the folder.
    func fileNames() throws(ToolError) -> [String] {
        do {
            return try surroundings.fileSystem.list(folder).sorted()
        } catch {
            throw .properties(PropertiesError(PropertiesProblem(.file(error.ofSettings(in: folder)), file: folder)))
        }
    }

    /// The profiles that have a file, and the groups of the base file.
    func profileNames() throws(ToolError) -> [String] {
        let names = try fileNames().sorted { ($0.count, $0) < ($1.count, $1) }
        let files = names.compactMap(PropertiesSource.profile).filter(ProfileList.isName)
        let base = try? tree(ofFile: Self.baseName)
        let groups = base?["locator"]?["profiles"]?["groups"]?.objectValue.map { $0.map(\.key) } ?? []
        return files + groups.filter { ProfileList.isName($0) && !files.contains($0) }
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

    /// A file of the folder as an object whose secrets are marked.
    func markedTree(ofFile name: String) throws(PropertiesError) -> JSONObject {
        let tree = try tree(ofFile: name)
        guard let object = secrets.marking(tree, at: .root).objectValue else {
            let problem = FileProblem.rootIsNoObject(found: ValueKind(tree).description)
            throw PropertiesError(PropertiesProblem(.file(problem), file: name, position: tree.position))
        }
        return object
    }

    /// A value that is about to stand at a path, with its secrets marked.
    func marking(_ value: JSONValue, at path: PropertyPath) -> JSONValue { secrets.marking(value, at: path) }

    /// What files list as secret.
    private static func listedSecrets(in folder: String, _ files: FileSystem) -> [PropertyPath] {
        let names = ((try? files.list(folder)) ?? []).sorted()
        return names.filter { $0 == baseName || PropertiesSource.profile(ofFile: $0) != nil }.flatMap { name in
            guard let bytes = try? files.read(path(of: name, in: folder)), let tree = try? JSONValue(parsing: bytes)
            else { return [PropertyPath]() }
            return tree.objectValue.map { SecretRules.list(in: $0) } ?? []
        }
    }

    /// The path of a file of the folder, as an editor finds it.
    func path(ofFile name: String) -> String {
        Self.path(of: name, in: folder)
    }

    private static func path(of name: String, in folder: String) -> String {
        folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    }
}
