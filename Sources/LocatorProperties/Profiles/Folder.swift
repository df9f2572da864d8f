/// A folder of profile files.
struct Folder {
    static let baseFile = "application.json"

    /// The path as it was given.
    let path: String
    /// The environment variable that chose it, if any.
    let variable: String?
    /// Whether messages show only the names of its files.
    private let isOnlyOne: Bool

    /// Returns folders in order, without empty paths if a variable chooses them.
    static func all(_ paths: [String], chosenBy variable: String? = nil) -> [Folder] {
        let paths = variable == nil ? paths : paths.filter { !$0.isEmpty }
        return paths.map { Folder(path: $0, variable: variable, isOnlyOne: variable == nil && paths.count == 1) }
    }

    /// Returns the problems of the folders that a variable chooses.
    static func problems(of paths: [String], chosenBy variable: String) -> [PropertiesProblem] {
        if paths == [""] { return [PropertiesProblem(.file(.noFolderInVariable(variable, item: nil)))] }
        return paths.indices.filter { paths[$0].isEmpty }.map {
            PropertiesProblem(.file(.noFolderInVariable(variable, item: $0 + 1)))
        }
    }

    /// The path to list.
    var listed: String { path.isEmpty ? "." : path }

    /// The folder as shown in messages about loading.
    var place: String { variable.map { "\(path) (\($0))" } ?? path }

    func path(of file: String) -> String {
        path.isEmpty ? file : FileSystem.joined(path, file)
    }

    /// Returns the name of a file in the folder, with the folder if there are others.
    func name(of file: String) -> String {
        isOnlyOne ? file : path(of: file)
    }
}

extension FileProblem {
    /// Returns the more detailed problem for a folder that settings are loaded from.
    package func ofSettings(
        in folder: String, chosenBy variable: String? = nil, _ fileSystem: FileSystem
    ) -> FileProblem {
        guard self == .noFolder else { return self }
        let place = FileSystem.absolute(folder)
        return variable.map { .noFolderOfVariable($0, place) }
            ?? .noSettingsFolder(place, near: Self.near(folder, fileSystem))
    }

    /// Returns the path of a folder next to a missing one with a similar name, such as one in another case.
    private static func near(_ folder: String, _ fileSystem: FileSystem) -> String? {
        let (around, name) = FileSystem.split(FileSystem.withoutSlash(folder))
        let names = (try? fileSystem.list(around.isEmpty ? "." : FileSystem.withoutSlash(around))) ?? []
        return NearNames.nearest(to: name, among: names).map { around + $0 }
            .first { (try? fileSystem.list($0)) != nil }
    }
}
