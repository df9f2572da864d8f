import Locator

/// Finds keys that were probably meant as paths: `"server.port": 8080` instead of `"server": {"port": 8080}`.
///
/// A key may contain dots, such as the name of a package or a host. It is treated as a path at the root of a file, or
/// if the part before the first dot is an object next to it, in this file or in another one.
struct DottedKeyCheck {
    /// The findings, in the order of the files.
    private(set) var findings: [CheckFinding] = []
    private let configuration: Configuration
    private let trees: [(file: String, tree: JSONObject)]

    init(_ trees: [(file: String, tree: JSONObject)], of configuration: Configuration) {
        self.configuration = configuration
        self.trees = trees
        for (file, tree) in trees { visit(tree, at: .root, file) }
    }

    private mutating func visit(_ object: JSONObject, at path: PropertyPath, _ file: String) {
        for index in object.indices {
            let key = object.key(at: index)
            if let meant = meantPath(of: key, at: path) { add(key, meant, object.keyPosition(at: index), file) }
            if let child = object.value(at: index).objectValue { visit(child, at: path.appending(.key(key)), file) }
        }
    }

    /// Returns the path that a key was probably meant as, or nil if it is probably just a key.
    private func meantPath(of key: String, at path: PropertyPath) -> PropertyPath? {
        guard key.utf8.contains(UInt8(ascii: ".")), let meant = try? PropertyPath(parsing: key),
            meant.steps.count > 1, meant.steps.allSatisfy(Self.isName), let first = meant.steps.first
        else { return nil }
        let container = path.appending(first)
        let isMeant =
            path.steps.isEmpty
            || trees.contains { $0.tree.part(at: container)?.objectValue != nil }
        return isMeant ? meant : nil
    }

    /// Whether a step is a key that begins with a letter, unlike the parts of `10.0.0.1`.
    private static func isName(_ step: PropertyPath.Step) -> Bool { step.key?.first?.isLetter == true }

    private mutating func add(_ key: String, _ meant: PropertyPath, _ position: JSONPosition?, _ file: String) {
        let keys = meant.steps.compactMap(\.key).map { "\"\($0)\"" }
        let written = keys.joined(separator: ": {") + ": …" + String(repeating: "}", count: keys.count - 1)
        findings.append(
            CheckFinding(
                severity: .warning, place: configuration.place(inFile: file, position),
                message: "\"\(key)\" is a single key, not a path; for the path, write \(written)"))
    }
}
