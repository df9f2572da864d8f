import Locator

/// Checks the settings for the library itself, below `locator`, where a misspelling could leave a secret unmasked.
struct LibraryKeyCheck {
    /// The findings, in the order of the files.
    private(set) var findings: [CheckFinding] = []
    private let configuration: Configuration
    private let trees: [(file: String, tree: JSONObject)]

    init(_ trees: [(file: String, tree: JSONObject)], of configuration: Configuration) {
        self.configuration = configuration
        self.trees = trees
        for (file, tree) in trees {
            for key in LibraryKeys.unknown(in: tree) {
                add("\(key.path) has no meaning\(UsageProblem.question(key.near))", at: key.position, file)
            }
        }
    }

    /// Whether a path is for the library, so that no program reads it as a setting.
    static func isLibraryKey(_ path: String) -> Bool {
        (try? PropertyPath(parsing: path))?.steps.first == .key("locator")
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
                    at: element.position, file)
            }
        }
    }

    private mutating func add(_ message: String, at position: JSONPosition?, _ file: String) {
        findings.append(
            CheckFinding(severity: .warning, place: configuration.place(inFile: file, position), message: message))
    }
}
