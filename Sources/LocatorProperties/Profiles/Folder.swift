/// A folder of profile files.
struct Folder {
    static let baseFile = "application.json"

    /// The path as it was given.
    let path: String
    /// The environment variable that named it, if one did.
    let variable: String?
    /// Whether its files are called by their names alone.
    private let isOnlyOne: Bool

    /// Folders in order; those that are empty texts are left out where a variable names them.
    static func all(_ paths: [String], chosenBy variable: String? = nil) -> [Folder] {
        let paths = variable == nil ? paths : paths.filter { !$0.isEmpty }
        return paths.map { Folder(path: $0, variable: variable, isOnlyOne: variable == nil && paths.count == 1) }
    }

    /// What is wrong with the folders that a variable names.
    static func problems(of paths: [String], chosenBy variable: String) -> [PropertiesProblem] {
        if paths == [""] { return [PropertiesProblem(.file(.noFolderInVariable(variable, item: nil)))] }
        return paths.indices.filter { paths[$0].isEmpty }.map {
            PropertiesProblem(.file(.noFolderInVariable(variable, item: $0 + 1)))
        }
    }

    /// The path to list it by.
    var listed: String { path.isEmpty ? "." : path }

    /// What messages about loading call it.
    var place: String { variable.map { "\(path) (\($0))" } ?? path }

    /// The path of a file of the folder.
    func path(of file: String) -> String {
        path.isEmpty || path.hasSuffix("/") ? path + file : "\(path)/\(file)"
    }

    /// What a file of the folder is called; where there are others, with the folder.
    func name(of file: String) -> String {
        isOnlyOne ? file : path(of: file)
    }
}

extension FileProblem {
    /// The problem of a folder that settings are loaded from, which is worth more words.
    package func ofSettings(in folder: String, chosenBy variable: String? = nil) -> FileProblem {
        guard self == .noFolder else { return self }
        let place = FileSystem.absolute(folder)
        return variable.map { .noFolderOfVariable($0, place) } ?? .noSettingsFolder(place)
    }
}
