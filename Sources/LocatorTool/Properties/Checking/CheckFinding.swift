import Locator

/// Something that `locator check` has found.
struct CheckFinding: Hashable {
    /// How bad it is.
    enum Severity: String, Hashable, CaseIterable {
        /// Loading fails, or reading does.
        case error
        /// Likely a mistake.
        case warning
        /// Good to know.
        case note
    }

    var severity: Severity
    /// The place as editors read it: `Config/application-prod.json:4:12`.
    var place: String?
    var message: String
    /// The profiles and groups it was found in; none where that is no question.
    var profiles: [String] = []

    /// How many findings of each severity there are: `1 error, 2 warnings`.
    static func counts(of findings: [CheckFinding]) -> String {
        let counts = Severity.allCases.compactMap { severity in
            let number = findings.count { $0.severity == severity }
            return number == 0 ? nil : Locator.count(number, severity.rawValue)
        }
        return counts.isEmpty ? "nothing found" : counts.joined(separator: ", ")
    }

    /// The status of a command that has found them: 1 if there are errors, or warnings that are treated as errors.
    static func status(of findings: [CheckFinding], isStrict: Bool) -> Int32 {
        let isFailure = findings.contains { $0.severity == .error || isStrict && $0.severity == .warning }
        return isFailure ? 1 : 0
    }

    /// The finding as a compiler writes it.
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
