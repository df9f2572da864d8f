/// An ordered list of profile names, as a comma-separated text or an array: `"prod, metrics"`, `["prod", "metrics"]`.
///
/// The names are checked when settings are loaded. They consist of letters, digits, `.`, `_`, and `-`, and must not be
/// empty or repeated.
public struct ProfileList: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
    /// The names as given, without surrounding white space.
    public var names: [String]

    /// Creates a list from an array of names.
    public init(_ names: [String]) {
        self.names = names
    }

    /// Creates a list from a comma-separated text.
    public init(_ text: String) {
        names = text.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
    }

    /// Creates a list from a comma-separated text.
    public init(stringLiteral text: String) {
        self.init(text)
    }

    /// Creates a list from names.
    public init(arrayLiteral names: String...) {
        self.init(names)
    }
}

extension ProfileList {
    func problems(origin: ProfileProblem.Origin) -> [ProfileProblem] {
        if names == [""] { return [.empty(origin)] }
        var problems: [ProfileProblem] = []
        var seen = SmallTable<String, Void>()
        for (offset, name) in names.enumerated() {
            if name.isEmpty {
                problems.append(.emptyItem(number: offset + 1, origin))
            } else if !Self.isName(name) {
                // A variable may contain something else by mistake, such as a URL with a password.
                problems.append(.malformedName(Redaction.maskingURLs(in: name), origin))
            } else if !seen.add((), for: name) {
                problems.append(.repeated(name, origin))
            }
        }
        return problems
    }

    /// Whether a text is a valid profile name.
    ///
    /// It is a part of a file name, and never a path.
    package static func isName(_ text: String) -> Bool {
        if text == "." || text == ".." || text.isEmpty { return false }
        return text.utf8.allSatisfy { byte in
            byte < 0x80 && (PropertyPath.isPlain(byte) || byte == UInt8(ascii: "."))
        }
    }
}

extension Properties {
    /// Creates empty settings for a program without files, with active profiles.
    package init(profiles: ProfileList?) throws(PropertiesError) {
        var settings = PropertiesStorage.Settings()
        if let profiles {
            let problems = profiles.problems(origin: .argument).map { PropertiesProblem(.profile($0)) }
            if let error = PropertiesError(problems) { throw error }
            settings.profiles = profiles.names
        }
        self.init(storage: PropertiesStorage(layers: [], settings: settings))
    }
}
