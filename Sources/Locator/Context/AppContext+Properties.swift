#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import LocatorProperties

extension AppContext {
    /// The settings of profile files, the environment, and modules.
    ///
    /// What a factory closure reads here is not recorded, so its instance stays the same if the settings change. In a
    /// factory closure, use ``value(_:as:fileID:line:)`` or a wrapper.
    public var properties: Properties { core.locked { core.preparedState ?? core.state }.properties }

    /// Loads `application.json` from a folder, then `application-<profile>.json` for each active profile.
    ///
    /// ```swift
    /// try context.loadProperties(from: "Config", default: "dev", overrides: .environment(prefix: "SHOP_"))
    /// ```
    ///
    /// Files that are loaded later override earlier ones. If the files cannot be loaded, or the factory closure of an
    /// `.always` instance fails, nothing changes, and nothing is disposed of. For the parameters, see
    /// `Properties.load`.
    ///
    /// - Throws: ``LocatorError/Kind/properties(_:)`` with all problems of the files, variables, and profiles.
    ///   ``LocatorError`` if the settings turn on a module with an initializer of scope `.always` that throws, if this
    ///   context has ended, or if it is a child, which uses the settings of its parent.
    ///   ``LocatorError/Kind/hooksFailed(_:)`` with the errors of dispose hooks of replaced instances; the settings are
    ///   loaded even then. ``LocatorError/Kind/changeDuringInitialization(_:)`` inside an initializer, decorator, or
    ///   decoder that this context runs.
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

    /// Loads settings from several folders.
    ///
    /// Each folder as a whole overrides the folders before it.
    ///
    /// - Throws: ``LocatorError`` for the same reasons as the form that takes one folder.
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
    /// - Throws: ``LocatorError`` for the same reasons as the form that takes one folder.
    @discardableResult
    public func loadProperties(
        from folder: URL, profiles: ProfileList? = nil,
        profileVariable: String = PropertiesSource.profileVariable, default defaultProfiles: ProfileList = [],
        environment: [String: String]? = nil, overrides: PropertyOverrides? = nil, secrets: [String] = [],
        requiresProfile: Bool = false, folderVariable: String? = nil
    ) throws(LocatorError) -> AppContext {
        let path = try LocatorError.wrapping { () throws(PropertiesError) in try PropertiesSource.path(of: folder) }
        return try loadProperties(
            from: path, profiles: profiles, profileVariable: profileVariable, default: defaultProfiles,
            environment: environment, overrides: overrides, secrets: secrets, requiresProfile: requiresProfile,
            folderVariable: folderVariable)
    }

    /// Loads settings from files.
    ///
    /// Each file overrides the files before it.
    ///
    /// - Throws: ``LocatorError`` for the same reasons as the form that takes one folder.
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
    /// - Throws: ``LocatorError`` for the same reasons as the form that takes one folder.
    @discardableResult
    public func loadProperties(_ source: PropertiesSource) throws(LocatorError) -> AppContext {
        try core.loadProperties(source)
        return self
    }

    /// Reloads all files.
    ///
    /// If the files cannot be loaded, or the factory closure of an `.always` instance fails, nothing changes, and
    /// nothing is disposed of.
    ///
    /// First, the `.always` instances of modules that the new settings turn on are made. Then, instances that were made
    /// from a changed setting are disposed of.
    ///
    /// - Parameter validating: Whether to reject settings with which ``validate(profiles:)`` would report errors. The
    ///   error is then ``LocatorError/Kind/validationFailed(_:)``, and nothing changes. This includes errors that the
    ///   context already has.
    /// - Throws: ``LocatorError`` if the files cannot be read, if the context would have errors with them and
    ///   `validating` is true, if an initializer of scope `.always` throws, or if the context has ended.
    ///   ``LocatorError/Kind/propertiesLoadedInChild`` in a child. ``LocatorError/Kind/hooksFailed(_:)`` with the
    ///   errors of dispose hooks of replaced instances; the new settings are loaded even then.
    ///   ``LocatorError/Kind/changeDuringInitialization(_:)`` inside an initializer, decorator, or decoder that this
    ///   context runs.
    public func reloadProperties(validating: Bool = false) throws(LocatorError) {
        try core.reloadProperties(validating: validating)
    }

    /// Reloads all files, and makes all instances with asynchronous factory closures before the context uses the new
    /// settings.
    ///
    /// Until then, every request gets the old settings and instances, while the factory closures see the new settings.
    /// Children that these closures open have the old settings. If a closure reads a changed setting through a child,
    /// it fails. Instances that the new settings do not affect are kept. This function also makes instances that
    /// `start()` has not made yet, and the `.always` instances of modules that the new settings turn on, on the main
    /// actor if necessary.
    ///
    /// If a file or a factory closure fails, nothing changes, and everything that was made for the new settings is shut
    /// down and disposed of. Started instances that the new settings do not affect stay, as after ``start()``.
    ///
    /// Replaced instances are shut down and disposed of as soon as no request can get them anymore. This function does
    /// not wait for that, but `shutdown()` does.
    ///
    /// - Parameter validating: Whether to reject settings with which ``validate(profiles:)`` would report errors.
    /// - Throws: ``LocatorError`` if the files cannot be read, if the context would have errors with them and
    ///   `validating` is true, if an initializer or closure failed, or if the context has ended.
    ///   ``LocatorError/Kind/propertiesLoadedInChild`` in a child. ``LocatorError/Kind/hooksFailed(_:)`` with the
    ///   errors of dispose hooks of replaced instances; the new settings are loaded even then.
    ///   ``LocatorError/Kind/changeDuringInitialization(_:)`` inside an asynchronous factory closure of this context.
    ///   `CancellationError` if the task is canceled.
    public func reloadAndStart(validating: Bool = false) async throws {
        var reads = FileReads()
        try await core.reloadAndStart(validating: validating, noting: &reads)
    }

    /// Returns the decoded value of a setting.
    ///
    /// For an optional type, the value is nil only if the setting is missing.
    ///
    /// - Throws: ``LocatorError/Kind/properties(_:)`` if the setting is missing, cannot be decoded as `Value`, or has a
    ///   placeholder without a value, or if the path is malformed. ``LocatorError/Kind/contextGone`` if the context has
    ///   ended.
    public func value<Value: Decodable>(
        _ path: String, as type: Value.Type = Value.self, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) -> Value {
        try core.property(
            path, as: type, Request(key: Key(type), location: SourcePlace(fileID: fileID, line: line)))
    }

    /// Returns the decoded value of a setting, or a default value if it is missing.
    ///
    /// - Throws: ``LocatorError/Kind/properties(_:)`` if the setting exists and cannot be decoded as `Value`, if it has
    ///   a placeholder without a value, or if the path is malformed. ``LocatorError/Kind/contextGone`` if the context
    ///   has ended.
    public func value<Value: Decodable>(
        _ path: String, as type: Value.Type = Value.self, default fallback: Value,
        fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) -> Value {
        try core.property(
            path, as: type, default: { fallback },
            Request(key: Key(type), location: SourcePlace(fileID: fileID, line: line)))
    }
}
