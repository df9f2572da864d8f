/// Overrides for the settings of the profile files: environment variables, and directories with one file per setting.
///
/// ```swift
/// overrides: .environment(prefix: "SHOP_")
/// overrides: [.directory("/run/secrets"), .environment(prefix: "SHOP_")]     // the later one wins
/// ```
///
/// Placeholders in the texts of variables and files are not resolved. A text becomes a number or a Boolean if the
/// requested type is one.
public struct PropertyOverrides: Sendable, Hashable, ExpressibleByArrayLiteral {
    /// A source of texts.
    package enum Source: Sendable, Hashable {
        /// The variables that start with a prefix.
        case environment(prefix: String)
        /// The files of a directory.
        case directory(String, isSecret: Bool, isOptional: Bool, hasSettings: Bool)
    }

    /// The sources, the winning one last.
    package var sources: [Source]

    /// Uses the variables with a prefix.
    ///
    /// With the prefix `SHOP_`, the variable `SHOP_SERVER__MAX_CONNECTIONS` overrides `server.maxConnections`.
    ///
    /// Two underscores separate the keys of a path, and one separates words. A number is the key of an object, or the
    /// index of an array: `SHOP_HOSTS__0`. A variable that corresponds to no key of the files adds one in lower camel
    /// case, because secrets often exist only in the environment. If the files have an object or an array at the path,
    /// or the requested type needs one, the text is parsed as JSON.
    public static func environment(prefix: String) -> PropertyOverrides {
        PropertyOverrides(sources: [.environment(prefix: prefix)])
    }

    /// Uses the files of a directory, one per setting, as container platforms mount them.
    ///
    /// The setting `server.password` is the file `server.password`, `SERVER__PASSWORD`, or `server/password`. A line
    /// break at the end of its text is dropped, and the text is never parsed as JSON. Hidden files are skipped. If a
    /// mounted volume is replaced as a whole, a load sees only one version of it.
    ///
    /// - Parameters:
    ///   - path: The path of the directory. A `${file:…}` in a profile file may refer to its files.
    ///   - secret: Whether the values are secret.
    ///   - optional: Whether the directory may be missing, such as on a developer's machine.
    ///   - settings: Whether each file is a setting. If not, only `${file:…}` in profile files reads the files, and they
    ///     may have any name in UTF-8.
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

    /// Combines several overrides.
    ///
    /// Each one overrides those before it.
    public init(arrayLiteral overrides: PropertyOverrides...) {
        sources = overrides.flatMap(\.sources)
    }
}

/// A former name of ``PropertyOverrides``.
@available(*, deprecated, renamed: "PropertyOverrides")
public typealias EnvironmentOverrides = PropertyOverrides
