/// Lets environment variables override properties: with the prefix `SHOP_`, the variable `SHOP_SERVER__MAX_CONNECTIONS`
/// overrides `server.maxConnections`.
///
/// Two underscores separate the keys of a path, one separates words. A variable that corresponds to no key adds one in
/// lower camel case, because secrets often exist only in the environment. The value is text, taken as it is:
/// placeholders in it are not looked for. Where the files have an object or an array, or one is asked for, the text is
/// JSON.
public struct EnvironmentOverrides: Sendable, Hashable {
    /// What the names of the variables start with.
    public var prefix: String

    /// The variables that start with a prefix.
    public static func environment(prefix: String) -> EnvironmentOverrides {
        EnvironmentOverrides(prefix: prefix)
    }
}
