import Locator

/// Looks through what files say to the library itself, below `locator`: a slip there would leave a secret in the open.
struct LibraryKeyCheck {
    /// What was found, in the order of the files.
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

    /// Whether a path is that of something for the library, which no program reads as a setting.
    static func isLibraryKey(_ path: String) -> Bool {
        (try? PropertyPath(parsing: path))?.steps.first == .key("locator")
    }

    /// Adds what is listed as secret and names nothing, neither in a profile nor in a file.
    mutating func addSecretsOfNothing(in sides: [Comparison.Side]) {
        var names: NearNames?
        for (file, tree) in trees {
            for element in tree["locator"]?["secrets"]?.arrayValue ?? [] {
                // A path counts in a file also with a `null`, which a variable is to replace.
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
        let position = position.map { ":\($0)" } ?? ""
        findings.append(
            CheckFinding(severity: .warning, place: configuration.path(ofFile: file) + position, message: message))
    }
}
