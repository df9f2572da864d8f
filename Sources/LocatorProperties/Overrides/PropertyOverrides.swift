/// What overrides the settings of the profile files: environment variables, and directories with a file for each
/// setting.
///
/// ```swift
/// overrides: .environment(prefix: "SHOP_")
/// overrides: [.directory("/run/secrets"), .environment(prefix: "SHOP_")]     // the later one wins
/// ```
///
/// The texts are used as they are: placeholders in them are not resolved. They become numbers and Booleans if the
/// requested type needs one.
public struct PropertyOverrides: Sendable, Hashable, ExpressibleByArrayLiteral {
    /// One place that texts come from.
    package enum Source: Sendable, Hashable {
        /// The variables that start with a prefix.
        case environment(prefix: String)
        /// The files of a directory.
        case directory(String, isSecret: Bool, isOptional: Bool, hasSettings: Bool)
    }

    /// The places that texts come from; a later one lies over an earlier one.
    package var sources: [Source]

    /// The variables that start with a prefix: with `SHOP_`, the variable `SHOP_SERVER__MAX_CONNECTIONS` overrides
    /// `server.maxConnections`.
    ///
    /// Two underscores separate the keys of a path, one separates words. A number is the key of an object, or the index
    /// of an array: `SHOP_HOSTS__0`. A variable that corresponds to no key adds one in lower camel case, because secrets
    /// often exist only in the environment. Where the files have an object or an array, or one is needed, the text is
    /// JSON.
    public static func environment(prefix: String) -> PropertyOverrides {
        PropertyOverrides(sources: [.environment(prefix: prefix)])
    }

    /// The files of a directory, one for each setting, as container platforms mount them.
    ///
    /// The setting `server.password` is the file `server.password`, `SERVER__PASSWORD` or `server/password`. One line
    /// break at the end of its text is dropped; the text is never read as JSON. Hidden files are skipped. A load sees
    /// one version of a mounted volume that changes as a whole.
    ///
    /// - Parameters:
    ///   - path: The path of the directory. It is also where `${file:…}` in a profile file may lead to.
    ///   - secret: Whether the values are secret.
    ///   - optional: Whether the directory may be missing, as on the machine of a developer.
    ///   - settings: Whether each file is a setting. If not, files are only what `${file:…}` in a profile file takes, and
    ///     may have any name.
    public static func directory(
        _ path: String, secret: Bool = true, optional: Bool = false, settings: Bool = true
    ) -> PropertyOverrides {
        PropertyOverrides(sources: [
            .directory(path, isSecret: secret, isOptional: optional, hasSettings: settings)
        ])
    }

    package init(sources: [Source]) {
        self.sources = sources
    }

    /// Several of them, each over the one before.
    public init(arrayLiteral overrides: PropertyOverrides...) {
        sources = overrides.flatMap(\.sources)
    }
}

/// The name of ``PropertyOverrides`` when variables were the only ones.
@available(*, deprecated, renamed: "PropertyOverrides")
public typealias EnvironmentOverrides = PropertyOverrides
