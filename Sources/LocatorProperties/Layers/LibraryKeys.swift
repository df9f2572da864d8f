/// What settings say to the library itself, below `locator`.
package enum LibraryKeys {
    private static let known = [
        (path: ["locator"], keys: ["profiles", "secrets"]), (path: ["locator", "profiles"], keys: ["groups"]),
    ]
    /// Only files say something about profiles, because modules are loaded after the profiles have been chosen.
    private static let knownInCode = [(path: ["locator"], keys: ["secrets"])]

    /// A key that the library does not know, with those that come near.
    package struct Unknown {
        package let path: String
        /// The paths that may have been meant.
        package let near: [String]
        /// Where its value is.
        package let position: JSONPosition?
    }

    /// The keys of a file, or of settings in code, that the library does not know, in their order.
    package static func unknown(in tree: JSONObject, isCode: Bool = false) -> [Unknown] {
        (isCode ? knownInCode : known).flatMap { path, keys -> [Unknown] in
            let path = PropertyPath(path.map { .key($0) })
            guard let object = tree.part(at: path)?.objectValue else { return [] }
            return object.filter { !keys.contains($0.key) }.map { key, value in
                Unknown(
                    path: path.appending(.key(key)).text,
                    near: NearNames.nearest(to: key, among: keys).map { "\(path.text).\($0)" },
                    position: value.position)
            }
        }
    }
}
