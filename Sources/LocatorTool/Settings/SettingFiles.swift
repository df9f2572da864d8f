import Locator

/// The profile files of a folder, as written: without placeholders, variables, and merging.
struct SettingFiles {
    /// The files, the base file first, with their secrets marked.
    let trees: [JSONObject]
    /// The number of base files among them.
    private let baseCount: Int
    /// The secrets of all files, of the overrides, and of the sources.
    let secrets: SecretRules

    init(_ configuration: Configuration) throws(ToolError) {
        secrets = configuration.secrets
        let names = try configuration.fileNames()
        let bases = names.filter(Configuration.isBase)
        guard !bases.isEmpty else {
            throw .file(.noFile, configuration.path(ofFile: Configuration.baseName))
        }
        baseCount = bases.count
        let profiles = names.filter { Configuration.profile(of: $0).map(ProfileList.isName) ?? false }
        trees = try ToolError.wrapping { () throws(PropertiesError) in
            try (bases + profiles).map { (name) throws(PropertiesError) in try configuration.markedTree(ofFile: name) }
        }
    }

    /// Returns the values at a path, base files first, or nil for a file without a value.
    func values(at path: PropertyPath) -> [JSONValue?] {
        trees.map { $0.part(at: path) }
    }

    /// Returns the value of the base files at a path.
    ///
    /// With several folders, the last value is used.
    func baseValue(at path: PropertyPath) -> JSONValue? {
        values(at: path).prefix(baseCount).last { $0 != nil } ?? nil
    }

    /// Returns the keys of the objects at a path, in the order of the files.
    func keys(below path: PropertyPath) -> [String] {
        values(at: path).flatMap { $0?.objectValue?.keys ?? [] }.distinctKeys
    }
}
