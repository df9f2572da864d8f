#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Properties {
    /// Loads a folder: `application.json`, and then `application-<profile>.json` for each profile, in order.
    ///
    /// Objects are merged, other values are replaced, and `null` removes a setting. All problems of all files are
    /// reported in a single error.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder.
    ///   - profiles: The profiles. If nil, the environment chooses them, or the defaults are used.
    ///   - profileVariable: The environment variable that chooses the profiles, as a comma-separated list.
    ///   - defaultProfiles: The profiles to use if the environment chooses none.
    ///   - environment: The environment variables, or nil for those of the process.
    ///   - overrides: The overrides of the files: `.environment(prefix: "SHOP_")`, `.directory("/run/secrets")`, or an
    ///     array of them, in which later ones override earlier ones.
    ///   - secrets: The paths of values that must not be printed, in addition to those with a secret key.
    ///   - requiresProfile: Whether a load without any profile is an error.
    ///   - folderVariable: The environment variable that may choose other folders, separated by colons, such as
    ///     `PropertiesSource.folderVariable`.
    /// - Throws: ``PropertiesError`` with all problems: files that cannot be read or parsed, profiles without a file,
    ///   placeholders without a value, and invalid variables.
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

    /// Loads a folder, such as one in an app's bundle.
    ///
    /// - Throws: ``PropertiesError`` for the same reasons as for the path of a folder, and if the URL is not a file
    ///   URL.
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

    /// Loads several folders.
    ///
    /// Each folder as a whole overrides the folders before it: the second folder's `application.json` overrides the
    /// first folder's `application-prod.json`.
    ///
    /// A profile needs a file in at least one of them.
    ///
    /// - Throws: ``PropertiesError`` for the same reasons as for the path of a folder.
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

    /// Loads files.
    ///
    /// Each file overrides the files before it.
    ///
    /// Profiles are chosen in the same way as for a folder, so modules can depend on them, but they have no files.
    ///
    /// - Throws: ``PropertiesError`` with all problems: files that cannot be read or parsed, invalid profiles,
    ///   placeholders without a value, and invalid variables.
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
    /// Returns the path of a file URL.
    ///
    /// - Throws: ``PropertiesError`` if the URL is not a file URL.
    public static func path(of url: URL) throws(PropertiesError) -> String {
        guard url.isFileURL else {
            throw PropertiesError(.file(.notAFileURL), file: Redaction.maskingURLs(in: url.absoluteString))
        }
        return url.path
    }
}
