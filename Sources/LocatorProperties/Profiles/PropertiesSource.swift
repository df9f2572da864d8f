/// A source of settings: files, profiles, and overrides.
///
/// You can load it again when its files change.
///
/// ```swift
/// let source = PropertiesSource(.folder("Config"), default: "dev", overrides: .environment(prefix: "SHOP_"))
/// let properties = try source.load()
/// ```
public struct PropertiesSource: Sendable {
    /// The files of a source.
    public enum Files: Sendable, Hashable {
        /// A folder with `application.json` and one `application-<profile>.json` per profile.
        case folder(String)
        /// Several such folders. Each folder as a whole overrides those before it.
        case folders([String])
        /// A list of files. Each file overrides those before it.
        case files([String])
    }

    /// The default name of the variable that chooses the profiles.
    public static let profileVariable = "LOCATOR_PROFILE"
    /// The usual name of a variable that chooses the folders.
    public static let folderVariable = "LOCATOR_CONFIG"

    /// The files.
    public var files: Files
    /// The profiles.
    ///
    /// If nil, the environment chooses them, or the defaults are used.
    public var profiles: ProfileList?
    /// The environment variable that chooses the profiles if the program does not.
    public var profileVariable: String
    /// The profiles to use if neither the program nor the environment chooses any.
    public var defaultProfiles: ProfileList
    /// The environment variables, or nil for those of the process at the time of the load.
    public var environment: [String: String]?
    /// The overrides of the files: environment variables, and directories with one file per setting.
    public var overrides: PropertyOverrides?
    /// The paths of values that must not be printed, in addition to those with a secret key.
    public var secrets: [String]
    /// Whether a load without any profile is an error.
    public var requiresProfile: Bool
    /// The environment variable that may choose other folders, separated by colons, or nil for none.
    ///
    /// The variable is ignored if the program runs with more rights than the user who started it.
    public var folderVariable: String?
    /// Whether overrides apply.
    ///
    /// If not, placeholders can still refer to the files of their directories.
    package var takesOverrides = true
    /// Whether a placeholder without a value is an error of the load.
    package var checksPlaceholders = true
    /// The paths that the rest of the context lists as secret, so that no error shows their text.
    package var knownSecrets: [PropertyPath] = []
    /// The functions that read files.
    package var fileSystem = FileSystem.system
    /// Whether the program runs with more rights than the user who started it.
    package var hasRaisedRights: @Sendable () -> Bool = { ProcessRights.areRaised }

    /// Creates a source of files, or of one or more folders.
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

    var variables: EnvironmentVariables { environment.map(EnvironmentVariables.init) ?? .ofProcess }

    /// Warnings about environment variables and prefixes that probably do not have the intended effect.
    ///
    /// For example, the name of a variable is similar to that of the variable that chooses the profiles, which is not
    /// set.
    package var variableWarnings: [String] {
        let environment = variables
        var warnings: [String] = []
        if profiles == nil { warnings += Self.warnings(environment, profileVariable, chooses: "profile") }
        if let folderVariable {
            warnings += Self.warnings(environment, folderVariable, chooses: "folder")
            if environment[folderVariable] != nil, hasRaisedRights() {
                warnings.append(
                    "the environment variable \(folderVariable) is ignored: the program runs with more privileges than "
                        + "the user who started it")
            }
        } else if environment[Self.folderVariable] != nil, folders(choice: nil) != nil {
            warnings.append(
                "the environment variable \(Self.folderVariable) chooses no folder: the program does not read it; "
                    + "pass `folderVariable: PropertiesSource.folderVariable` where it loads its settings")
        }
        for case .environment(let prefix) in overrides?.sources ?? [] where !prefix.isEmpty && !prefix.hasSuffix("_") {
            let question = "did you mean \"\(VariableName.prefix(meantBy: prefix))\"?"
            warnings.append(
                "the prefix \"\(prefix)\" of the environment variables does not end with \"_\"; \(question)"
                    .escapingHidden())
        }
        for case .environment(let prefix) in overrides?.sources ?? [] where !prefix.isEmpty && profiles == nil {
            let name = "\(prefix)PROFILE"
            // It may also be for a setting with this name.
            guard name != profileVariable, environment[profileVariable] == nil, let value = environment[name],
                profilesWithFiles?.contains(value) == true
            else { continue }
            warnings.append(
                "the environment variable \(name) chooses no profile; did you mean \(profileVariable)?"
                    .escapingHidden())
        }
        for case .environment(let prefix) in overrides?.sources ?? [] where prefix.hasSuffix("_") {
            warnings += caseWarning(environment, prefix).map { [$0] } ?? []
        }
        return warnings
    }

    /// Returns the warning that no variable has a prefix, but one has it in another case.
    private func caseWarning(_ environment: EnvironmentVariables, _ prefix: String) -> String? {
        let names = environment.names(beginningLike: prefix).filter { $0 != profileVariable && $0 != folderVariable }
        func isSetting(_ name: String) -> Bool {
            VariableName.segments(of: name.dropFirst(prefix.count).uppercased()[...]) != nil
        }
        guard !names.contains(where: { $0.hasPrefix(prefix) }), let name = names.first(where: isSetting) else {
            return nil
        }
        let warning =
            "no environment variable begins with the prefix \"\(prefix)\", but \(name) begins with "
            + "\"\(name.prefix(prefix.count))\"; write both in the same case"
        return warning.escapingHidden()
    }

    private static func warnings(
        _ environment: EnvironmentVariables, _ variable: String, chooses what: String
    ) -> [String] {
        guard environment[variable] == nil else { return [] }
        return environment.names(aboutAsLongAs: variable).compactMap { name in
            guard NearNames.areNear(name, variable, within: 1) else { return nil }
            return "the environment variable \(name) chooses no \(what); did you mean \(variable)?".escapingHidden()
        }
    }

    /// The folders that the folder variable chooses, or nil if it chooses none.
    package var chosenFolders: (folders: [String], variable: String)? {
        guard let folderVariable, let text = variables[folderVariable], !hasRaisedRights() else { return nil }
        return (text.split(separator: ":", omittingEmptySubsequences: false).map(String.init), folderVariable)
    }

    /// The profiles that have a file in the folders, or nil for a list of files, for which profiles need no file.
    package var profilesWithFiles: [String]? { folders(choice: chosenFolders).map(profiles) }

    /// Returns the folders to read, or nil for a list of files.
    ///
    /// A folder variable may choose other folders.
    func folders(choice: (folders: [String], variable: String)?) -> [Folder]? {
        switch (choice, files) {
        case ((let chosen, let variable)?, _): Folder.all(chosen, chosenBy: variable)
        case (nil, .folder(let folder)): Folder.all([folder])
        case (nil, .folders(let list)): Folder.all(list)
        case (nil, .files): nil
        }
    }

    func profiles(in folders: [Folder]) -> [String] {
        let names = folders.flatMap { (try? fileSystem.list($0.listed)) ?? [] }
        return names.compactMap(Self.profile(ofFile:)).filter(ProfileList.isName)
    }

    /// Returns the profile that a file in a folder belongs to, or nil if it belongs to none.
    package static func profile(ofFile name: String) -> String? {
        guard name.hasPrefix("application-"), name.hasSuffix(".json") else { return nil }
        return String(name.dropFirst("application-".count).dropLast(".json".count))
    }

    /// Loads the files and merges them.
    ///
    /// All problems are reported in a single error.
    ///
    /// - Throws: ``PropertiesError`` with all problems: files that cannot be read or parsed, profiles without a file,
    ///   placeholders without a value, and invalid variables.
    public func load() throws(PropertiesError) -> Properties {
        var loading = Loading(self)
        return try loading.run()
    }

    /// Loads the files, and records everything that is read, even if the load fails.
    ///
    /// The result is to be placed over earlier loads, or none; see ``Properties/overlaid(by:)``.
    package func load(noting reads: inout FileReads) throws(PropertiesError) -> Properties {
        var source = self
        source.fileSystem = reads.recording(fileSystem)
        var loading = Loading(source)
        return try loading.run(defersGaps: true)
    }
}

extension PropertiesSource: CustomStringConvertible, CustomReflectable {
    /// The files, without the environment that the caller passed.
    public var description: String {
        switch files {
        case .folder(let path): "folder \(path)"
        case .folders(let paths): "folders \(paths.joined(separator: ", "))"
        case .files(let paths): "files \(paths.joined(separator: ", "))"
        }
    }

    /// An empty mirror, so that `dump` and other reflection see only the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
