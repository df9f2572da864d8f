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
    mutating func addSecretsOfNothing(knowing paths: inout KnownPaths) {
        for (file, tree) in trees {
            for element in tree["locator"]?["secrets"]?.arrayValue ?? [] {
                guard let path = element.listedPath, !paths.contains(path) else { continue }
                add(
                    "locator.secrets lists \(path.text), and no profile has it\(UsageProblem.question(paths.near(path)))",
                    at: element.position, file)
            }
        }
    }

    private mutating func add(_ message: String, at position: JSONPosition?, _ file: String) {
        findings.append(
            CheckFinding(severity: .warning, place: configuration.place(inFile: file, position), message: message))
    }
}
