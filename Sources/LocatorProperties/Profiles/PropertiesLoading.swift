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
    ///   - environment: The environment variables; nil for those of the process.
    ///   - overrides: What overrides the files: `.environment(prefix: "SHOP_")`, `.directory("/run/secrets")`, or several
    ///     of them, of which a later one lies over an earlier one.
    ///   - secrets: The paths of values that must not be printed, besides those with a secret key.
    ///   - requiresProfile: Whether a load without any profile is an error.
    ///   - folderVariable: The environment variable that may name other folders, separated by colons, such as
    ///     `PropertiesSource.folderVariable`.
    /// - Throws: ``PropertiesError`` with everything that is wrong: files that cannot be read or parsed, profiles
    ///   without a file, placeholders without a value, and variables that do not fit.
    public static func load(
        from folder: String, profiles: ProfileList? = nil,
        profileVariable: String = PropertiesSource.profileVariable, default defaultProfiles: ProfileList = [],
        environment: [String: String]? = nil, overrides: PropertyOverrides? = nil, secrets: [String] = [],
        requiresProfile: Bool = false, folderVariable: String? = nil
    ) throws(PropertiesError) -> Properties {
        try PropertiesSource(
            .folder(folder), profiles: profiles, profileVariable: profileVariable, default: defaultProfiles,
            environment: environment, overrides: overrides, secrets: secrets,
            requiresProfile: requiresProfile, folderVariable: folderVariable
        ).load()
    }

    /// Reads a folder, such as one in the bundle of an app.
    ///
    /// - Throws: ``PropertiesError`` with everything that is wrong: files that cannot be read or parsed, profiles
    ///   without a file, placeholders without a value, and variables that do not fit.
    public static func load(
        from folder: URL, profiles: ProfileList? = nil,
        profileVariable: String = PropertiesSource.profileVariable, default defaultProfiles: ProfileList = [],
        environment: [String: String]? = nil, overrides: PropertyOverrides? = nil, secrets: [String] = [],
        requiresProfile: Bool = false, folderVariable: String? = nil
    ) throws(PropertiesError) -> Properties {
        try PropertiesSource(
            .folder(PropertiesSource.path(of: folder)), profiles: profiles, profileVariable: profileVariable,
            default: defaultProfiles, environment: environment, overrides: overrides, secrets: secrets,
            requiresProfile: requiresProfile, folderVariable: folderVariable
        ).load()
    }

    /// Reads several folders, each as a whole laid over those before it: the second folder's `application.json` lies
    /// over the first one's `application-prod.json`.
    ///
    /// A profile needs a file in at least one of them.
    ///
    /// - Throws: ``PropertiesError`` with everything that is wrong: files that cannot be read or parsed, profiles
    ///   without a file, placeholders without a value, and variables that do not fit.
    public static func load(
        from folders: [String], profiles: ProfileList? = nil,
        profileVariable: String = PropertiesSource.profileVariable, default defaultProfiles: ProfileList = [],
        environment: [String: String]? = nil, overrides: PropertyOverrides? = nil, secrets: [String] = [],
        requiresProfile: Bool = false, folderVariable: String? = nil
    ) throws(PropertiesError) -> Properties {
        try PropertiesSource(
            .folders(folders), profiles: profiles, profileVariable: profileVariable, default: defaultProfiles,
            environment: environment, overrides: overrides, secrets: secrets,
            requiresProfile: requiresProfile, folderVariable: folderVariable
        ).load()
    }

    /// Reads files, each laid over those before it.
    ///
    /// Profiles are chosen as with a folder, so that modules can depend on them, but name no files.
    ///
    /// - Throws: ``PropertiesError`` with everything that is wrong: files that cannot be read or parsed, profiles
    ///   without a file, placeholders without a value, and variables that do not fit.
    public static func load(
        files: [String], profiles: ProfileList? = nil,
        profileVariable: String = PropertiesSource.profileVariable, default defaultProfiles: ProfileList = [],
        environment: [String: String]? = nil, overrides: PropertyOverrides? = nil, secrets: [String] = [],
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
    ///
    /// - Throws: ``PropertiesError`` if the URL is not a file URL.
    public static func path(of url: URL) throws(PropertiesError) -> String {
        guard url.isFileURL else {
            throw PropertiesError(
                PropertiesProblem(.file(.notAFileURL), file: Redaction.maskingURLs(in: url.absoluteString)))
        }
        return url.path
    }
}
