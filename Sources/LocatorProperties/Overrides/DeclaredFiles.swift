/// The files that `${file:…}` may lead to: those of the directories that the program declares, as a load has read them.
struct DeclaredFiles: Sendable {
    /// What a path leads to.
    enum Finding {
        /// A file; its text as a value, and the path by which it was read.
        case found(JSONValue, path: String)
        /// A declared directory does not have the file.
        case missing
        /// The path is in no declared directory.
        case undeclared(directory: String)
        /// The path goes up.
        case goesUp
    }

    private var directories: [[Substring]] = []
    private var files: [[Substring]: (value: JSONValue, path: String)] = [:]

    /// Declares a directory.
    mutating func add(directory: String) {
        directories.append(Self.steps(of: directory))
    }

    /// Adds a file of a declared directory.
    mutating func add(_ value: JSONValue, path: String) {
        files[Self.steps(of: path)] = (value, path)
    }

    /// Adds those of a later load.
    mutating func add(_ later: DeclaredFiles) {
        directories += later.directories
        files.merge(later.files) { $1 }
    }

    /// What a path leads to, without a look at the disk: one load sees one version of each file.
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
