import Locator

/// Checks the settings for the library itself, below `locator`, where a misspelling could leave a secret unmasked.
struct LibraryKeyCheck {
    private static let known = ["locator": ["profiles", "secrets"], "locator.profiles": ["groups"]]

    /// The findings, in the order of the files.
    private(set) var findings: [CheckFinding] = []
    private let configuration: Configuration
    private let trees: [(file: String, tree: JSONObject)]

    init(_ trees: [(file: String, tree: JSONObject)], of configuration: Configuration) {
        self.configuration = configuration
        self.trees = trees
        for (file, tree) in trees {
            addUnknownKeys(of: tree["locator"], at: "locator", file)
            addUnknownKeys(of: tree["locator"]?["profiles"], at: "locator.profiles", file)
        }
    }

    /// Whether a path is for the library, so that no program reads it as a setting.
    static func isLibraryKey(_ path: String) -> Bool {
        (try? PropertyPath(parsing: path))?.steps.first == .key("locator")
    }

    private mutating func addUnknownKeys(of value: JSONValue?, at path: String, _ file: String) {
        guard let object = value?.objectValue, let known = Self.known[path] else { return }
        for (key, value) in object where !known.contains(key) {
            let near = NearNames.nearest(to: key, among: known)
            let name = PropertyPath([.key(key)]).text
            let text = name.hasPrefix("[") ? path + name : "\(path).\(name)"
            add("\(text) has no meaning\(UsageProblem.question(near.map { "\(path).\($0)" }))", at: value, file)
        }
    }

    /// Adds listed secrets that exist neither in a profile nor in a file.
    mutating func addSecretsOfNothing(in sides: [Comparison.Side]) {
        var names: NearNames?
        for (file, tree) in trees {
            for element in tree["locator"]?["secrets"]?.arrayValue ?? [] {
                // A path with `null` in a file counts as well, because a variable may replace the `null`.
                guard let text = element.stringValue, let path = try? PropertyPath(parsing: text),
                    !sides.contains(where: { $0.properties[text] != nil }),
                    !trees.contains(where: { JSONValue.object($0.tree).value(at: path) != nil })
                else { continue }
                if names == nil { names = NearNames(Set(sides.flatMap(\.properties.settingPaths)).sorted()) }
                let near = names?.nearest(to: path.text) ?? []
                add(
                    "locator.secrets lists \(path.text), and no profile has it\(UsageProblem.question(near))",
                    at: element, file)
            }
        }
    }

    private mutating func add(_ message: String, at value: JSONValue, _ file: String) {
        let position = value.position.map { ":\($0)" } ?? ""
        findings.append(
            CheckFinding(severity: .warning, place: configuration.path(ofFile: file) + position, message: message))
    }
}
