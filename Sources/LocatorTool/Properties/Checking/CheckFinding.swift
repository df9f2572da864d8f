import Locator

/// A finding of `locator check` or `locator wiring`.
struct CheckFinding: Hashable {
    var severity: Finding.Severity
    /// The place in a form that editors understand: `Config/application-prod.json:4:12`.
    var place: String?
    var message: String
    /// The profiles and groups in which it was found.
    ///
    /// Empty if it does not depend on profiles.
    var profiles: [String] = []

    static let strictOption = Syntax.Option(name: "strict", summary: "Treat warnings as errors")

    /// Returns the findings and their summary, with the status 1 if there are errors, or warnings that are treated as
    /// errors.
    static func outcome(
        of findings: [CheckFinding], summary: String, _ arguments: Arguments, in surroundings: Surroundings
    ) -> Outcome {
        let lines = findings.map { $0.text(surroundings.paint) } + [summary]
        let isStrict = arguments.has(strictOption.name)
        let isFailure = findings.contains { $0.severity == .error || isStrict && $0.severity == .warning }
        return Outcome(output: lines.joined(separator: "\n") + "\n", status: isFailure ? 1 : 0)
    }

    /// Returns the finding in the form of a compiler's message.
    private func text(_ paint: Paint) -> String {
        let color: Paint.Color =
            switch severity {
            case .error: .red
            case .warning: .yellow
            case .note: .cyan
            }
        let start = place.map { paint("\($0.escapingHidden()):", .bold) + " " } ?? ""
        let message = message.escapingHidden()
        let end = profiles.isEmpty ? "" : " [\(profiles.shortList.escapingHidden())]"
        return "\(start)\(paint("\(severity.rawValue):", color)) \(message)\(end)"
    }
}
