/// A file that is never read, because its name is not quite that of a profile's file: `application.prod.json`,
/// `Application-prod.json`, `application-prod.yaml`.
package struct MisnamedFile {
    /// The profile that was probably meant.
    package let profile: String
    /// Whether the name ends with `.json`, in any case.
    package let isJSON: Bool
    /// Whether only the case of the name differs, so that the file is read where file names have no case.
    package let differsInCase: Bool

    /// Returns the misnamed file with a name, or nil if the name is that of a profile's file, or of something else.
    package init?(_ name: String) {
        guard name != Folder.baseFile, PropertiesSource.profile(ofFile: name) == nil,
            let dot = name.lastIndex(of: ".")
        else { return nil }
        let (stem, format) = (name[..<dot], name[dot...].dropFirst().lowercased())
        guard ["json", "json5", "jsonc", "yaml", "yml"].contains(format),
            let separator = stem.firstIndex(where: { "-_. ".contains($0) }),
            Self.isApplication(stem[..<separator], separator: stem[separator])
        else { return nil }
        profile = String(stem[separator...].dropFirst())
        guard ProfileList.isName(profile), !Self.isOther(profile) else { return nil }
        isJSON = format == "json"
        differsInCase = name.lowercased() == Self.file(of: profile).lowercased()
    }

    package var meant: String { Self.file(of: profile) }

    /// Whether a file has the name of a JSON file apart from the ending of another format: `application.yml`.
    static func isOtherFormat(_ name: String, of meant: String) -> Bool {
        meant.hasSuffix(".json")
            && ["json5", "jsonc", "yaml", "yml"].contains { "\(meant.dropLast("json".count))\($0)" == name }
    }

    package static func file(of profile: String) -> String { "application-\(profile).json" }

    /// Whether a word is `application`, or a misspelling of it.
    ///
    /// `replications` and `applications` are other words. A dot is also part of the names of other files.
    private static func isApplication(_ word: Substring, separator: Character) -> Bool {
        let word = word.lowercased()
        if word == "application" { return true }
        guard separator == "-" || separator == "_", word.hasPrefix("a"), !word.hasPrefix("application") else {
            return false
        }
        return NearNames.areNear(word, "application", within: 2)
    }

    /// Whether the part after `application` says that the file is not for a profile: `application.schema.json`.
    private static func isOther(_ part: String) -> Bool {
        switch part.lowercased().split(separator: ".").last {
        case "json", "schema", "example", "sample", "template", "default", "defaults", "bak", "backup", "old", "orig":
            true
        default: false
        }
    }
}
