/// What settings say to the library itself, below `locator`.
package enum LibraryKeys {
    private static let known = [
        (path: ["locator"], keys: ["profiles", "secrets"]), (path: ["locator", "profiles"], keys: ["groups"]),
    ]

    /// A key that the library does not know, with those that come near.
    package struct Unknown {
        /// Its path.
        package let path: String
        /// The paths that may have been meant.
        package let near: [String]
        /// Where its value is.
        package let position: JSONPosition?
    }

    /// The keys of a file that the library does not know, in their order.
    package static func unknown(in tree: JSONObject) -> [Unknown] {
        known.flatMap { path, keys -> [Unknown] in
            let path = PropertyPath(path.map { .key($0) })
            guard case .found(let node) = TreeWalk(tree, path.steps[...]), let object = node.objectValue else {
                return []
            }
            return object.filter { !keys.contains($0.key) }.map { key, value in
                Unknown(
                    path: path.appending(.key(key)).text,
                    near: NearNames.nearest(to: key, among: keys).map { "\(path.text).\($0)" },
                    position: value.position)
            }
        }
    }
}

/// Something that files say about profiles in vain.
package struct FileWarning: Sendable, Hashable {
    /// What it is, and where.
    package let message: String
    /// What to do.
    package let fix: String

    /// A key below `locator` that has no meaning.
    init(_ key: LibraryKeys.Unknown, in file: String, profileVariable: String) {
        let place = file + (key.position.map { ":\($0)" } ?? "")
        message = "\(key.path) has no meaning\(NearNames.question(key.near)) (\(place))".escapingHidden()
        fix =
            key.path.hasPrefix("locator.profiles.")
            ? "remove it; the variable \(profileVariable) or the argument `profiles:` chooses profiles"
            : "correct the key, or remove it"
    }

    /// A file of a profile that has the name of a group without it.
    init(profileHiddenByGroup name: String) {
        message = "application-\(name).json is not read, because the group \(name) does not contain \(name)"
        fix = "add it to the group, or remove the file"
    }
}
