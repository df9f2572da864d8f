/// A single problem with settings: what is wrong, with which setting, and where.
public struct PropertiesProblem: Sendable, Hashable, CustomStringConvertible {
    /// The kind of the problem, by the step that found it.
    public enum Kind: Sendable, Hashable {
        /// A text is not JSON.
        case syntax(JSONSyntaxProblem)
        /// A value is missing, or does not fit the requested type.
        case value(ValueProblem)
        /// A path is malformed.
        case path(PathProblem)
        /// A file or folder cannot be read.
        case file(FileProblem)
        /// The profiles cannot be loaded.
        case profile(ProfileProblem)
        /// An environment variable cannot override a setting.
        case environment(EnvironmentProblem)
        /// A placeholder cannot be resolved.
        case placeholder(PlaceholderProblem)

        /// The message without path and place.
        var message: String {
            switch self {
            case .syntax(let problem): problem.message
            case .value(let problem): problem.message
            case .path(let problem): problem.message
            case .file(let problem): problem.message
            case .profile(let problem): problem.message
            case .environment(let problem): problem.message
            case .placeholder(let problem): problem.message
            }
        }
    }

    /// What is wrong.
    public var kind: Kind
    /// The path of the setting, if the problem concerns one.
    public var path: String?
    /// The file or other source, if the problem concerns one.
    public var file: String?
    /// The position in the file.
    public var position: JSONPosition?

    /// Creates a problem.
    @inline(never)
    public init(_ kind: Kind, path: String? = nil, file: String? = nil, position: JSONPosition? = nil) {
        self.kind = kind
        self.path = path
        self.file = file
        self.position = position
    }

    /// The place as `file:line:column`, as far as it is known.
    public var place: String? {
        switch (file, position) {
        case (let file?, let position?): "\(file):\(position)"
        case (let file?, nil): file
        case (nil, let position?): "line \(position.line), column \(position.column)"
        case (nil, nil): nil
        }
    }

    /// The problem as one line without control characters.
    ///
    /// It is `place: message` for a text that cannot be read, and `path: message (place)` for a setting. For a missing
    /// setting it is `path is missing`.
    public var description: String { text.escapingHidden() }

    /// The text between the path and the message: `server.port is missing`, `server.port: expected Int, found string`.
    private var verb: String {
        switch kind {
        case .value(.missing), .value(.noSuchPart): " is"
        default: ":"
        }
    }

    private var hint: String {
        guard let path, case .value(.missing(_, let near)) = kind else { return "" }
        return NearNames.hint(near, for: path)
    }

    private var text: String {
        switch (path, place) {
        case (let path?, let place?): "\(path)\(verb) \(kind.message)\(hint) (\(place))"
        case (let path?, nil): "\(path)\(verb) \(kind.message)\(hint)"
        case (nil, let place?): "\(place): \(kind.message)"
        case (nil, nil): kind.message
        }
    }
}

extension [PropertiesProblem] {
    /// Adds a problem of this kind.
    mutating func append(
        _ kind: PropertiesProblem.Kind, path: String? = nil, file: String? = nil, position: JSONPosition? = nil
    ) {
        append(PropertiesProblem(kind, path: path, file: file, position: position))
    }
}
