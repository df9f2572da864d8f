import Locator

/// Checks placeholders with defaults, which hide a wrong name.
struct DefaultCheck {
    /// The findings, in the order of the files.
    private(set) var findings: [CheckFinding] = []
    private let configuration: Configuration

    init(_ trees: [(file: String, tree: JSONObject)], knowing paths: inout KnownPaths, of configuration: Configuration)
    {
        self.configuration = configuration
        for (file, tree) in trees {
            var seen: Set<DefaultedPlaceholder> = []
            for placeholder in DefaultedPlaceholder.all(in: tree) where seen.insert(placeholder).inserted {
                checkTarget(of: placeholder, among: &paths, file)
                if placeholder.beginsWithHyphen {
                    let message =
                        "the default in \(placeholder.source) begins with \"-\"; if \":-\" is meant as in a shell, write \":\""
                    add(.note, message, placeholder, file)
                }
            }
        }
    }

    private mutating func checkTarget(
        of placeholder: DefaultedPlaceholder, among paths: inout KnownPaths, _ file: String
    ) {
        guard let target = placeholder.target, !paths.contains(target) else { return }
        let near = paths.near(target) { near in
            // A text cannot refer to itself.
            near != placeholder.path.text && (try? PropertyPath(parsing: near)).map(target.isSlip) == true
        }
        let meant = near + (placeholder.variable.map { [$0] } ?? [])
        // The program may read a setting that is only set elsewhere.
        if meant.isEmpty { return }
        let message = "no profile has \(target.text), so the default in \(placeholder.source) is always used"
        add(.warning, message + UsageProblem.question(meant), placeholder, file)
    }

    private mutating func add(
        _ severity: Finding.Severity, _ message: String, _ placeholder: DefaultedPlaceholder, _ file: String
    ) {
        findings.append(
            CheckFinding(
                severity: severity, place: configuration.place(inFile: file, placeholder.position),
                message: "\(placeholder.path.text): \(message)"))
    }
}
