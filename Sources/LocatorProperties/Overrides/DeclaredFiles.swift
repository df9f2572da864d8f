/// The files that `${file:…}` may refer to: those that a load has read from the directories the program declares.
struct DeclaredFiles: Sendable {
    /// The result of looking up a path.
    enum Finding {
        /// A file's text as a value, and the path from which it was read.
        case found(JSONValue, path: String)
        /// A declared directory does not have the file.
        case missing
        /// The path is in no declared directory.
        case undeclared(directory: String)
        /// The path contains `..`.
        case goesUp
    }

    private var directories: [[Substring]] = []
    private var files: [[Substring]: (value: JSONValue, path: String)] = [:]

    mutating func add(directory: String) {
        directories.append(Self.steps(of: directory))
    }

    mutating func add(_ value: JSONValue, path: String) {
        files[Self.steps(of: path)] = (value, path)
    }

    /// Adds the files of a later load.
    mutating func add(_ later: DeclaredFiles) {
        directories += later.directories
        files.merge(later.files) { $1 }
    }

    /// Looks up a path without accessing the disk, so that one load sees one version of each file.
    func find(_ path: String) -> Finding {
        let steps = Self.steps(of: path)
        if steps.contains("..") { return .goesUp }
        if let file = files[steps] { return .found(file.value, path: file.path) }
        if directories.contains(where: { steps.starts(with: $0) && steps.count > $0.count }) { return .missing }
        return .undeclared(directory: "/" + steps.dropLast().joined(separator: "/"))
    }

    private static func steps(of path: String) -> [Substring] {
        FileSystem.absolute(path).split(separator: "/").filter { $0 != "." }
    }
}
