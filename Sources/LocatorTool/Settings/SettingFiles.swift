import Locator

/// What the profile files of a folder say, each as written: without placeholders, variables and merging.
struct SettingFiles {
    /// The files, the base file first, with their secrets marked.
    let trees: [JSONObject]
    /// How many of them are base files.
    private let baseCount: Int
    private let configuration: Configuration

    init(_ configuration: Configuration) throws(ToolError) {
        self.configuration = configuration
        let names = try configuration.fileNames()
        let bases = names.filter(Configuration.isBase)
        guard !bases.isEmpty else {
            let file = configuration.path(ofFile: Configuration.baseName)
            throw .properties(PropertiesError(PropertiesProblem(.file(.noFile), file: file)))
        }
        baseCount = bases.count
        let profiles = names.filter { Configuration.profile(of: $0).map(ProfileList.isName) ?? false }
        var trees: [JSONObject] = []
        for name in bases + profiles {
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
        trees.map { JSONValue.object($0).value(at: path) }
    }

    /// What the base files say at a path; of several folders the last one that says anything.
    func baseValue(at path: PropertyPath) -> JSONValue? {
        values(at: path).prefix(baseCount).last { $0 != nil } ?? nil
    }

    /// The keys of the objects at a path, in the order in which the files have them.
    func keys(below path: PropertyPath) -> [String] {
        var seen: Set<PropertyPath.Step> = []
        return values(at: path).flatMap { $0?.objectValue?.keys ?? [] }.filter { seen.insert(.key($0)).inserted }
    }
}
