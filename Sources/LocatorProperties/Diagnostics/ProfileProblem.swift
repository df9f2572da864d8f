/// A problem with the chosen profiles, or with profile groups.
public enum ProfileProblem: Sendable, Hashable {
    /// The origin of a profile's name.
    public enum Origin: Sendable, Hashable {
        /// The environment variable with this name.
        case variable(String)
        /// The profiles that the program lists.
        case argument
        /// The default profiles, used if the environment chooses none.
        case defaults
        /// The members of a group.
        case group(String)

        /// The origin in words.
        var description: String {
            switch self {
            case .variable(let name): "the environment variable \(name)"
            case .argument: "the list of requested profiles"
            case .defaults: "the list of default profiles"
            case .group(let name): "the profile group \"\(name)\""
            }
        }
    }

    /// A profile is required, but none is chosen. The variable is the one that could choose a profile, if the program
    /// allows it.
    case required(variable: String?, existing: [String])
    /// A list is present, but empty.
    case empty(Origin)
    /// An item of a list is empty. Items are counted from 1.
    case emptyItem(number: Int, Origin)
    /// A list names a profile twice.
    case repeated(String, Origin)
    /// A name contains characters that are not allowed.
    case malformedName(String, Origin)
    /// A profile has no file. Another file may have been meant, or the profile is a group that is defined in the wrong
    /// place.
    case unknown(
        String, Origin, file: String, existing: [String], near: [String], misnamed: String? = nil,
        misplacedGroups: String? = nil)
    /// Groups contain each other. The names are in order, and the first is repeated at the end.
    case groupCycle([String])
    /// The groups are not an object of arrays of names.
    case malformedGroups(expected: String, found: String)
    /// The name of a group is not a valid profile name.
    case malformedGroupName(String)
    /// Groups are defined in a profile file, which is read only after the profiles are chosen.
    case groupsInProfileFile

    var message: String {
        switch self {
        case .required(let variable, let existing):
            let list = existing.isEmpty ? "" : "; profiles that exist: \(existing.joined(separator: ", "))"
            return "a profile is required, and none is chosen" + (variable.map { "; set \($0)" } ?? "") + list
        case .empty(let origin):
            return "\(origin.description) is empty; name a profile, or leave it out"
        case .emptyItem(let number, let origin):
            return "item \(number) of \(origin.description) is empty"
        case .repeated(let name, let origin):
            return "\(origin.description) names profile \"\(name)\" twice"
        case .malformedName(let name, let origin):
            return "\(origin.description) names \"\(name)\", which cannot be a profile; "
                + "names consist of letters, digits, \".\", \"_\" and \"-\"" + Self.list(of: name)
        case .unknown(let name, let origin, let file, _, _, _, let misplaced?):
            return "\(origin.description) names profile \"\(name)\", but there is no file \(file); \(misplaced) has no "
                + "meaning: write the group in locator.profiles.groups"
        case .unknown(let name, let origin, let file, let existing, let near, let misnamed, nil):
            let quoted = near.map { "\"\($0)\"" }
            let list =
                existing.isEmpty ? "there are no profiles" : "profiles that exist: \(existing.joined(separator: ", "))"
            return "\(origin.description) names profile \"\(name)\", but there is no file \(file)"
                + (misnamed.map { Self.fix(of: $0, profile: name) } ?? "")
                + NearNames.question(quoted) + (quoted.isEmpty ? "; " : " ") + list
        case .groupCycle(let names):
            return "profile groups contain each other: \(DiagnosticText.chain(names))"
        case .malformedGroups(let expected, let found):
            return "expected \(expected), found \(found)"
        case .malformedGroupName(let name):
            return "\"\(name)\" cannot be a profile group; "
                + "names consist of letters, digits, \".\", \"_\" and \"-\""
        case .groupsInProfileFile:
            return "profile groups belong in the base file: this file is read only when its profile is active"
        }
    }

    /// Returns how a text with another separator is written as a list.
    private static func list(of text: String) -> String {
        let names = text.split { $0 == " " || $0 == ";" }
        let areNames = names.joined().allSatisfy { $0.isLetter || $0.isNumber || "._-".contains($0) }
        return areNames && names.count > 1 ? "; a list has commas: \(names.joined(separator: ","))" : ""
    }

    /// Returns how a file with another name becomes the file of a profile.
    private static func fix(of file: String, profile: String) -> String {
        let meant = "application-\(profile).json"
        let isJSON = file.lowercased().hasSuffix(".json")
        return "; did you mean \(file)? " + (isJSON ? "rename it to \(meant)" : "write it in JSON, as \(meant)")
    }
}
