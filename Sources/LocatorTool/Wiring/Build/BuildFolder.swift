import Locator

/// The results of a build with `-emit-const-values`: a folder `<Target>.build` for each target.
struct BuildFolder {
    /// The types of all targets, including dependencies.
    private(set) var types: [CompiledType] = []
    /// The types of the checked targets, by target.
    private(set) var checked: [(target: String, types: [CompiledType])] = []
    let folder: String

    /// Reads the results for current source files.
    ///
    /// Results for deleted files remain in the folder and are ignored.
    init(_ folder: String, targets: [String]?, in surroundings: Surroundings) throws(ToolError) {
        self.folder = folder
        let files = surroundings.fileSystem
        let names: [String]
        do {
            names = try files.list(folder).sorted()
        } catch {
            throw .file(error, folder)
        }
        let built = names.filter { $0.hasSuffix(".build") }.map { String($0.dropLast(".build".count)) }
        for target in targets ?? [] where !built.contains(target) {
            throw .wiring(.noTarget(target, near: NearNames.nearest(to: target, among: built)), folder: folder)
        }
        for target in built {
            let isChecked = targets?.contains(target) ?? true
            let path = "\(folder)/\(target).build"
            // Targets in other languages do not have this file.
            guard let bytes = try? files.read("\(path)/output-file-map.json") else { continue }
            let map = try Self.tree(bytes, "\(path)/output-file-map.json")
            var own: [CompiledType] = []
            // The entry without a name belongs to the module.
            for source in (map.objectValue?.keys ?? []).sorted() where !source.isEmpty {
                let values = "\(path)/\(FileSystem.split(source).name).swiftconstvalues"
                guard let bytes = try? files.read(values) else {
                    if isChecked { throw .wiring(.noConstants(source: source), folder: folder) }
                    continue
                }
                own += (try Self.tree(bytes, values).arrayValue ?? []).compactMap(CompiledType.init)
            }
            types += own
            if isChecked { checked.append((target, own)) }
        }
        if checked.isEmpty { throw .wiring(.noTargets, folder: folder) }
    }

    private static func tree(_ bytes: [UInt8], _ file: String) throws(ToolError) -> JSONValue {
        try ToolError.wrapping { () throws(PropertiesError) in try JSONValue(parsing: bytes, file: file) }
    }
}
