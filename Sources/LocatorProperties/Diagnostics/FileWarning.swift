/// A warning about a key or a file that has no effect.
package struct FileWarning: Sendable, Hashable {
    /// What it is, and where.
    package let message: String
    /// What to do.
    package let fix: String

    /// A key below `locator` that has no meaning.
    init(unknownKey path: String, near: [String], place: String, profileVariable: String) {
        message = "\(path) has no meaning\(NearNames.question(near)) (\(place))".escapingHidden()
        fix =
            path.hasPrefix("locator.profiles.")
            ? "remove it; the variable \(profileVariable) or the argument `profiles:` chooses profiles"
            : "correct the key, or remove it"
    }

    /// A key below `locator` that has no meaning in code.
    init(unknownKeyInCode path: String, near: [String], name: String) {
        message = "\(path) has no meaning\(NearNames.question(near)) (\(name))".escapingHidden()
        fix = path == "locator.profiles" ? "move it to a profile file" : "correct the key, or remove it"
    }

    /// A key with dots that does not override the setting with this path.
    init(dottedKeyIn path: String, meant: String, place: String) {
        message = "\(path) does not override \(meant): it is one key and not a path\(place)".escapingHidden()
        fix = "write nested objects"
    }

    /// A file of a profile that has the name of a group without it.
    init(profileHiddenByGroup name: String) {
        message = "application-\(name).json is not read, because the group \(name) does not contain \(name)"
        fix = "add it to the group, or remove the file"
    }
}
