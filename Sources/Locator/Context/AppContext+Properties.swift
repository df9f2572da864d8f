#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import LocatorProperties

extension AppContext {
    /// The settings: profile files, environment, and the settings of modules.
    public var properties: Properties { core.locked { core.preparedState ?? core.state }.properties }

    /// Loads `application.json` from a folder, then `application-<profile>.json` for each active profile.
    ///
    /// ```swift
    /// try context.loadProperties(from: "Config", default: "dev", overrides: .environment(prefix: "SHOP_"))
    /// ```
    ///
    /// Settings that are loaded later override those loaded before. If anything fails, for example an initializer of
    /// scope `.always`, nothing changes and nothing is disposed of. See `Properties` for the parameters.
    ///
    /// - Throws: ``LocatorError`` with all problems of the files, variables, and profiles,
    ///   ``LocatorError/Kind/properties(_:)``. Also if the settings turn on an initializer of scope `.always` that
    ///   throws, or if this context is a child, which has the settings of its parent.
    @discardableResult
    public func loadProperties(
        from folder: String, profiles: ProfileList? = nil,
        profileVariable: String = PropertiesSource.profileVariable, default defaultProfiles: ProfileList = [],
        environment: [String: String]? = nil, overrides: PropertyOverrides? = nil, secrets: [String] = [],
        requiresProfile: Bool = false, folderVariable: String? = nil
    ) throws(LocatorError) -> AppContext {
        try loadProperties(
            PropertiesSource(
                .folder(folder), profiles: profiles, profileVariable: profileVariable, default: defaultProfiles,
                environment: environment, overrides: overrides, secrets: secrets,
                requiresProfile: requiresProfile, folderVariable: folderVariable))
    }

    /// Loads settings from several folders, each of which overrides those before it.
    ///
    /// - Throws: ``LocatorError`` with all problems of the files, variables, and profiles,
    ///   ``LocatorError/Kind/properties(_:)``. Also if the settings turn on an initializer of scope `.always` that
    ///   throws, or if this context is a child, which has the settings of its parent.
    @discardableResult
    public func loadProperties(
        from folders: [String], profiles: ProfileList? = nil,
        profileVariable: String = PropertiesSource.profileVariable, default defaultProfiles: ProfileList = [],
        environment: [String: String]? = nil, overrides: PropertyOverrides? = nil, secrets: [String] = [],
        requiresProfile: Bool = false, folderVariable: String? = nil
    ) throws(LocatorError) -> AppContext {
        try loadProperties(
            PropertiesSource(
                .folders(folders), profiles: profiles, profileVariable: profileVariable, default: defaultProfiles,
                environment: environment, overrides: overrides, secrets: secrets,
                requiresProfile: requiresProfile, folderVariable: folderVariable))
    }

    /// Loads settings from a folder of an app's bundle.
    ///
    /// - Throws: ``LocatorError`` with all problems of the files, variables, and profiles,
    ///   ``LocatorError/Kind/properties(_:)``. Also if the settings turn on an initializer of scope `.always` that
    ///   throws, or if this context is a child, which has the settings of its parent.
    @discardableResult
    public func loadProperties(
        from folder: URL, profiles: ProfileList? = nil,
        profileVariable: String = PropertiesSource.profileVariable, default defaultProfiles: ProfileList = [],
        environment: [String: String]? = nil, overrides: PropertyOverrides? = nil, secrets: [String] = [],
        requiresProfile: Bool = false, folderVariable: String? = nil
    ) throws(LocatorError) -> AppContext {
        let path: String
        do throws(PropertiesError) {
            path = try PropertiesSource.path(of: folder)
        } catch {
            throw LocatorError(.properties(error))
        }
        return try loadProperties(
            from: path, profiles: profiles, profileVariable: profileVariable, default: defaultProfiles,
            environment: environment, overrides: overrides, secrets: secrets, requiresProfile: requiresProfile,
            folderVariable: folderVariable)
    }

    /// Loads settings from files, each of which overrides those before it.
    ///
    /// - Throws: ``LocatorError`` with all problems of the files, variables, and profiles,
    ///   ``LocatorError/Kind/properties(_:)``. Also if the settings turn on an initializer of scope `.always` that
    ///   throws, or if this context is a child, which has the settings of its parent.
    @discardableResult
    public func loadProperties(
        files: [String], profiles: ProfileList? = nil,
        profileVariable: String = PropertiesSource.profileVariable, default defaultProfiles: ProfileList = [],
        environment: [String: String]? = nil, overrides: PropertyOverrides? = nil, secrets: [String] = [],
        requiresProfile: Bool = false
    ) throws(LocatorError) -> AppContext {
        try loadProperties(
            PropertiesSource(
                .files(files), profiles: profiles, profileVariable: profileVariable, default: defaultProfiles,
                environment: environment, overrides: overrides, secrets: secrets,
                requiresProfile: requiresProfile))
    }

    /// Loads settings from a source.
    ///
    /// - Throws: ``LocatorError`` with all problems of the files, variables, and profiles,
    ///   ``LocatorError/Kind/properties(_:)``. Also if the settings turn on an initializer of scope `.always` that
    ///   throws, or if this context is a child, which has the settings of its parent.
    @discardableResult
    public func loadProperties(_ source: PropertiesSource) throws(LocatorError) -> AppContext {
        try core.loadProperties(source)
        return self
    }

    /// Reads all files again.
    ///
    /// If anything fails, for example an initializer of scope `.always`, nothing changes and nothing is disposed of.
    ///
    /// First, the `.always` instances of modules that are turned on are created. Then instances that were made from a
    /// value that has changed are disposed of.
    ///
    /// - Parameter validating: Whether to refuse settings with which ``validate(profiles:)`` would find errors. The
    ///   error is then ``LocatorError/Kind/validationFailed(_:)``, and nothing has changed. Errors that the context
    ///   already has count too.
    /// - Throws: ``LocatorError`` if the files cannot be read, if the context would have errors with them and
    ///   `validating` is true, or if an initializer of scope `.always` throws.
    public func reloadProperties(validating: Bool = false) throws(LocatorError) {
        try core.reloadProperties(validating: validating)
    }

    /// Decodes the value of a setting.
    ///
    /// For an optional type, the result is nil if the setting is missing, and only then.
    ///
    /// - Throws: ``LocatorError/Kind/properties(_:)`` if the setting is missing, cannot be decoded as `Value`, or has a
    ///   placeholder without a value, or if the path is malformed.
    public func value<Value: Decodable>(
        _ path: String, as type: Value.Type = Value.self, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) -> Value {
        try core.property(
            path, as: type, Request(key: Key(type), location: SourcePlace(fileID: fileID, line: line)))
    }

    /// Decodes the value of a setting, or returns a default if the setting is missing.
    ///
    /// - Throws: ``LocatorError/Kind/properties(_:)`` if the setting is there and cannot be decoded as `Value`, or if
    ///   the path is malformed.
    public func value<Value: Decodable>(
        _ path: String, as type: Value.Type = Value.self, default fallback: Value,
        fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) -> Value {
        try core.property(
            path, as: type, default: { fallback },
            Request(key: Key(type), location: SourcePlace(fileID: fileID, line: line)))
    }
}
