import Locator

/// A finding of `locator check`.
struct CheckFinding: Hashable {
    var severity: Finding.Severity
    /// The place in a form that editors understand: `Config/application-prod.json:4:12`.
    var place: String?
    var message: String
    /// The profiles and groups in which it was found.
    ///
    /// Empty if it does not depend on profiles.
    var profiles: [String] = []

    /// Returns the exit status: 1 if there are errors, or warnings that are treated as errors.
    static func status(of findings: [CheckFinding], isStrict: Bool) -> Int32 {
        let isFailure = findings.contains { $0.severity == .error || isStrict && $0.severity == .warning }
        return isFailure ? 1 : 0
    }

    /// Returns the finding in the form of a compiler's message.
    func text(_ paint: Paint) -> String {
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
