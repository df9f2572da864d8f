/// Where properties are loaded from: files, profiles, overrides.
///
/// It can be loaded again when they change.
///
/// ```swift
/// let source = PropertiesSource(.folder("Config"), default: "dev", overrides: .environment(prefix: "SHOP_"))
/// let properties = try source.load()
/// ```
public struct PropertiesSource: Sendable {
    /// Which files there are.
    public enum Files: Sendable, Hashable {
        /// A folder with `application.json` and an `application-<profile>.json` for each profile.
        case folder(String)
        /// Several such folders, each as a whole laid over those before it.
        case folders([String])
        /// These files, each laid over those before it.
        case files([String])
    }

    /// The name of the variable that chooses the profiles, unless it is changed.
    public static let profileVariable = "LOCATOR_PROFILE"
    /// The usual name of a variable that chooses the folders.
    public static let folderVariable = "LOCATOR_CONFIG"

    /// Which files there are.
    public var files: Files
    /// The profiles; nil leaves the choice to the environment, and then to the defaults.
    public var profiles: ProfileList?
    /// The environment variable that chooses the profiles, where the program does not.
    public var profileVariable: String
    /// The profiles where neither program nor environment chooses any.
    public var defaultProfiles: ProfileList
    /// The environment variables; nil stands for those that the process has when it loads.
    public var environment: [String: String]?
    /// What overrides the files: environment variables, directories with a file for each setting.
    public var overrides: PropertyOverrides?
    /// The paths of values that must not be printed, besides those whose keys tell.
    public var secrets: [String]
    /// Whether a load without any profile is an error.
    public var requiresProfile: Bool
    /// The environment variable that may name other folders than the program does, separated by colons; nil where none
    /// may.
    ///
    /// It is ignored where the program runs with more rights than whoever started it.
    public var folderVariable: String?
    /// Whether what overrides the files does so; otherwise placeholders may still lead to the files of its directories.
    package var takesOverrides = true
    /// Whether a placeholder that leads nowhere is an error of the load.
    package var checksPlaceholders = true
    /// How files are read.
    package var fileSystem = FileSystem.system
    /// Whether the program runs with more rights than whoever started it.
    package var hasRaisedRights: @Sendable () -> Bool = { ProcessRights.areRaised }

    /// Properties of files or of a folder.
    public init(
        _ files: Files, profiles: ProfileList? = nil, profileVariable: String = Self.profileVariable,
        default defaultProfiles: ProfileList = [], environment: [String: String]? = nil,
        overrides: PropertyOverrides? = nil, secrets: [String] = [], requiresProfile: Bool = false,
        folderVariable: String? = nil
    ) {
        self.files = files
        self.profiles = profiles
        self.profileVariable = profileVariable
        self.defaultProfiles = defaultProfiles
        self.environment = environment
        self.overrides = overrides
        self.secrets = secrets
        self.requiresProfile = requiresProfile
        self.folderVariable = folderVariable
    }

    /// Why the environment may choose other profiles or folders than it seems to: a variable with nearly the name of the
    /// one that chooses them is set, and that one is not, or must not choose.
    package var variableWarnings: [String] {
        let environment = environment.map(EnvironmentVariables.init) ?? .ofProcess
        var warnings: [String] = []
        if profiles == nil { warnings += Self.warnings(environment, profileVariable, chooses: "profile") }
        if let folderVariable {
            warnings += Self.warnings(environment, folderVariable, chooses: "folder")
            if environment[folderVariable] != nil, hasRaisedRights() {
                warnings.append(
                    "the environment variable \(folderVariable) is ignored: the program runs with more rights than "
                        + "the user who started it")
            }
        } else if environment[Self.folderVariable] != nil, !readsNamedFiles {
            warnings.append(
                "the environment variable \(Self.folderVariable) chooses no folder: the program does not read it; "
                    + "pass `folderVariable: PropertiesSource.folderVariable` where it loads its settings")
        }
        for case .environment(let prefix) in overrides?.sources ?? [] where !prefix.isEmpty && !prefix.hasSuffix("_") {
            warnings.append(
                "the prefix \"\(prefix)\" of the environment variables does not end with \"_\"; did you mean \"\(prefix)_\"?"
                    .escapingHidden())
        }
        return warnings
    }

    /// Whether the files are named one by one, so that no variable can choose a folder.
    private var readsNamedFiles: Bool {
        if case .files = files { true } else { false }
    }

    private static func warnings(
        _ environment: EnvironmentVariables, _ variable: String, chooses what: String
    ) -> [String] {
        guard environment[variable] == nil else { return [] }
        return environment.names(aboutAsLongAs: variable).compactMap { name in
            let letters = [name, variable].map { Array($0.lowercased().unicodeScalars) }
            guard NearNames.distance(from: letters[0], to: letters[1], within: 1) != nil else { return nil }
            return "the environment variable \(name) chooses no \(what); did you mean \(variable)?".escapingHidden()
        }
    }

    /// The folders that the variable for them names; nil where it does not choose.
    package var chosenFolders: (folders: [String], variable: String)? {
        guard let folderVariable,
            let text = (environment.map(EnvironmentVariables.init) ?? .ofProcess)[folderVariable],
            !hasRaisedRights()
        else { return nil }
        return (text.split(separator: ":", omittingEmptySubsequences: false).map(String.init), folderVariable)
    }

    /// The profile that a file of a folder is of, nil where it is of none.
    package static func profile(ofFile name: String) -> String? {
        guard name.hasPrefix("application-"), name.hasSuffix(".json") else { return nil }
        return String(name.dropFirst("application-".count).dropLast(".json".count))
    }

    /// Reads the files and merges them; everything that is wrong is in one error.
    ///
    /// - Throws: ``PropertiesError`` with everything that is wrong: files that cannot be read or parsed, profiles
    ///   without a file, placeholders without a value, and variables that do not fit.
    public func load() throws(PropertiesError) -> Properties {
        var loading = Loading(self)
        return try loading.run()
    }

    /// Loads, and notes what is read for it, also where the load fails.
    package func load(noting reads: inout FileReads) throws(PropertiesError) -> Properties {
        var record = FileRecord()
        defer { reads.add(record, of: fileSystem) }
        return try load(recording: &record)
    }

    /// Loads, and adds to a record what was read, also where loading fails.
    package func load(recording record: inout FileRecord) throws(PropertiesError) -> Properties {
        try fileSystem.recording(in: &record) { fileSystem throws(PropertiesError) in
            var source = self
            source.fileSystem = fileSystem
            return try source.load()
        }
    }
}

extension PropertiesSource: CustomStringConvertible, CustomReflectable {
    /// The files, without the environment that was handed in.
    public var description: String {
        switch files {
        case .folder(let path): "folder \(path)"
        case .folders(let paths): "folders \(paths.joined(separator: ", "))"
        case .files(let paths): "files \(paths.joined(separator: ", "))"
        }
    }

    /// What `dump` and other reflection see: nothing beyond the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
