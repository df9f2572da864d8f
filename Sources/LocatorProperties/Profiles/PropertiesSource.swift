/// Where properties are loaded from: files, profiles, environment.
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
        /// These files, each laid over those before it.
        case files([String])
    }

    /// The name of the variable that chooses the profiles, unless it is changed.
    public static let profileVariable = "LOCATOR_PROFILE"

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
    /// Lets environment variables override properties.
    public var overrides: EnvironmentOverrides?
    /// The paths of values that must not be printed, besides those whose keys tell.
    public var secrets: [String]
    /// Whether a load without any profile is an error.
    public var requiresProfile: Bool
    /// How files are read.
    package var fileSystem = FileSystem.system

    /// Properties of files or of a folder.
    public init(
        _ files: Files, profiles: ProfileList? = nil, profileVariable: String = Self.profileVariable,
        default defaultProfiles: ProfileList = [], environment: [String: String]? = nil,
        overrides: EnvironmentOverrides? = nil, secrets: [String] = [], requiresProfile: Bool = false
    ) {
        self.files = files
        self.profiles = profiles
        self.profileVariable = profileVariable
        self.defaultProfiles = defaultProfiles
        self.environment = environment
        self.overrides = overrides
        self.secrets = secrets
        self.requiresProfile = requiresProfile
    }

    /// Why the environment may choose other profiles than it seems to: a variable with nearly the name of the one that
    /// chooses them is set, and that one is not.
    package var variableWarnings: [String] {
        let environment = environment.map(EnvironmentVariables.init) ?? .ofProcess
        guard profiles == nil, environment[profileVariable] == nil else { return [] }
        return environment.names(aboutAsLongAs: profileVariable).compactMap { name in
            let letters = [name, profileVariable].map { Array($0.lowercased().unicodeScalars) }
            guard NearNames.distance(from: letters[0], to: letters[1], within: 1) != nil else { return nil }
            return "the environment variable \(name) chooses no profile; did you mean \(profileVariable)?"
                .escapingHidden()
        }
    }

    /// The profile that a file of a folder is of, nil where it is of none.
    package static func profile(ofFile name: String) -> String? {
        guard name.hasPrefix("application-"), name.hasSuffix(".json") else { return nil }
        return String(name.dropFirst("application-".count).dropLast(".json".count))
    }

    /// Reads the files and merges them; everything that is wrong is in one error.
    public func load() throws(PropertiesError) -> Properties {
        var loading = Loading(self)
        return try loading.run()
    }
}

extension PropertiesSource: CustomStringConvertible, CustomReflectable {
    /// The files, without the environment that was handed in.
    public var description: String {
        switch files {
        case .folder(let path): "folder \(path)"
        case .files(let paths): "files \(paths.joined(separator: ", "))"
        }
    }

    /// What `dump` and other reflection see: nothing beyond the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
