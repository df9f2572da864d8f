#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Properties {
    /// Reads a folder: `application.json`, and over it `application-<profile>.json` for each profile in order.
    ///
    /// Objects merge, everything else is replaced, `null` removes. Everything that is wrong, in whichever file, is
    /// reported in one error.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder.
    ///   - profiles: The profiles; nil leaves the choice to the environment, and then to the defaults.
    ///   - profileVariable: The environment variable that chooses the profiles, a comma-separated list.
    ///   - defaultProfiles: The profiles where the environment chooses none.
    ///   - environment: The environment variables; nil stands for those of the process.
    ///   - overrides: Lets environment variables override properties: `.environment(prefix: "SHOP_")`.
    ///   - secrets: The paths of values that must not be printed, besides those whose keys tell.
    ///   - requiresProfile: Whether a load without any profile is an error.
    public static func load(
        from folder: String, profiles: ProfileList? = nil,
        profileVariable: String = PropertiesSource.profileVariable, default defaultProfiles: ProfileList = [],
        environment: [String: String]? = nil, overrides: EnvironmentOverrides? = nil, secrets: [String] = [],
        requiresProfile: Bool = false
    ) throws(PropertiesError) -> Properties {
        try PropertiesSource(
            .folder(folder), profiles: profiles, profileVariable: profileVariable, default: defaultProfiles,
            environment: environment, overrides: overrides, secrets: secrets,
            requiresProfile: requiresProfile
        ).load()
    }

    /// Reads a folder, such as one in the bundle of an app.
    public static func load(
        from folder: URL, profiles: ProfileList? = nil,
        profileVariable: String = PropertiesSource.profileVariable, default defaultProfiles: ProfileList = [],
        environment: [String: String]? = nil, overrides: EnvironmentOverrides? = nil, secrets: [String] = [],
        requiresProfile: Bool = false
    ) throws(PropertiesError) -> Properties {
        try PropertiesSource(
            .folder(PropertiesSource.path(of: folder)), profiles: profiles, profileVariable: profileVariable,
            default: defaultProfiles, environment: environment, overrides: overrides, secrets: secrets,
            requiresProfile: requiresProfile
        ).load()
    }

    /// Reads files, each laid over those before it.
    ///
    /// Profiles are chosen as with a folder, so that modules can depend on them, but name no files.
    public static func load(
        files: [String], profiles: ProfileList? = nil,
        profileVariable: String = PropertiesSource.profileVariable, default defaultProfiles: ProfileList = [],
        environment: [String: String]? = nil, overrides: EnvironmentOverrides? = nil, secrets: [String] = [],
        requiresProfile: Bool = false
    ) throws(PropertiesError) -> Properties {
        try PropertiesSource(
            .files(files), profiles: profiles, profileVariable: profileVariable, default: defaultProfiles,
            environment: environment, overrides: overrides, secrets: secrets,
            requiresProfile: requiresProfile
        ).load()
    }
}

extension PropertiesSource {
    /// The path that the URL of a file or folder stands for.
    public static func path(of url: URL) throws(PropertiesError) -> String {
        guard url.isFileURL else {
            throw PropertiesError(
                PropertiesProblem(.file(.notAFileURL), file: Redaction.maskingURLs(in: url.absoluteString)))
        }
        return url.path
    }
}
