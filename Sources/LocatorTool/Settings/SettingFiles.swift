import Locator

/// What the profile files of a folder say, each as it is written: without placeholders, variables and merging.
struct SettingFiles {
    /// The files, the base file first, with their secrets marked.
    let trees: [JSONObject]
    private let configuration: Configuration

    init(_ configuration: Configuration) throws(ToolError) {
        self.configuration = configuration
        let names = try configuration.fileNames()
        guard names.contains(Configuration.baseName) else {
            let file = configuration.path(ofFile: Configuration.baseName)
            throw .properties(PropertiesError(PropertiesProblem(.file(.noFile), file: file)))
        }
        let profiles = names.filter { PropertiesSource.profile(ofFile: $0).map(ProfileList.isName) ?? false }
        var trees: [JSONObject] = []
        for name in [Configuration.baseName] + profiles {
            do throws(PropertiesError) {
                trees.append(try configuration.markedTree(ofFile: name))
            } catch {
                throw .properties(error)
            }
        }
        self.trees = trees
    }

    /// A value that is about to stand at a path, with its secrets marked.
    func marking(_ value: JSONValue, at path: PropertyPath) -> JSONValue { configuration.marking(value, at: path) }

    /// The values at a path, that of the base file first; nil for a file that has none.
    func values(at path: PropertyPath) -> [JSONValue?] {
        trees.map { tree in
            var value: JSONValue? = .object(tree)
            for step in path.steps {
                guard case .key(let key) = step else { return nil }
                value = value?[key]
            }
            return value
        }
    }

    /// The keys of the objects at a path, in the order in which the files have them.
    func keys(below path: PropertyPath) -> [String] {
        var seen: Set<PropertyPath.Step> = []
        return values(at: path).flatMap { $0?.objectValue?.keys ?? [] }.filter { seen.insert(.key($0)).inserted }
    }
}
