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
