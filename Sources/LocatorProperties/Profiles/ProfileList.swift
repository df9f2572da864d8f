/// Names of profiles in order, as a comma-separated text or an array: `"prod, metrics"`, `["prod", "metrics"]`.
///
/// The names are checked when settings are loaded: they consist of letters, digits, `.`, `_` and `-`, none is empty
/// and none is repeated.
public struct ProfileList: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
    /// The names as they were given, without surrounding white space.
    public var names: [String]

    /// The names in an array.
    public init(_ names: [String]) {
        self.names = names
    }

    /// The names in a comma-separated text.
    public init(_ text: String) {
        names = text.split(separator: ",", omittingEmptySubsequences: false).map(Self.trimming)
    }

    /// A comma-separated text.
    public init(stringLiteral text: String) {
        self.init(text)
    }

    /// Names one by one.
    public init(arrayLiteral names: String...) {
        self.init(names)
    }

    private static func trimming(_ item: Substring) -> String {
        let start = item.drop(while: \.isWhitespace)
        let end = start.lastIndex { !$0.isWhitespace }
        return end.map { String(start[...$0]) } ?? ""
    }
}

extension ProfileList {
    /// What is wrong with the names of a list.
    func problems(origin: ProfileProblem.Origin) -> [ProfileProblem] {
        if names == [""] { return [.empty(origin)] }
        var problems: [ProfileProblem] = []
        var seen = SmallTable<String, Void>()
        for (offset, name) in names.enumerated() {
            if name.isEmpty {
                problems.append(.emptyItem(number: offset + 1, origin))
            } else if !Self.isName(name) {
                // A variable may hold something else by mistake, a URL with a password perhaps.
                problems.append(.malformedName(Redaction.maskingURLs(in: name), origin))
            } else if !seen.add((), for: name) {
                problems.append(.repeated(name, origin))
            }
        }
        return problems
    }

    /// Whether a text can be the name of a profile, and so a part of the name of a file: never a path.
    package static func isName(_ text: String) -> Bool {
        if text == "." || text == ".." || text.isEmpty { return false }
        return text.utf8.allSatisfy { byte in
            byte < 0x80 && (PropertyPath.isPlain(byte) || byte == UInt8(ascii: "."))
        }
    }
}

extension Properties {
    /// No settings, of a program without files in which these profiles are active.
    package init(profiles: ProfileList?) throws(PropertiesError) {
        var settings = PropertiesStorage.Settings()
        if let profiles {
            let problems = profiles.problems(origin: .argument).map { PropertiesProblem(.profile($0)) }
            if let error = PropertiesError(problems) { throw error }
            settings.profiles = profiles.names
        }
        self.init(storage: PropertiesStorage(layers: [], baseIndex: nil, settings: settings))
    }
}
